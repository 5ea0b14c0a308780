"""Tokens and proofs as JOSE has them: compact JWS, signed with Ed25519 (authority.verify, authority.issue)."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import cast

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from jwt.types import Options

from contextful.authority.credential import Credential, from_claims, to_claims
from contextful.authority.verify import Proof
from contextful.kernel.failure import Failed, Failure
from contextful_contract.errors import PossessionProofInvalid, SignatureInvalid
from contextful_contract.shapes import FailureTag

ALGORITHM = "EdDSA"  # the only one: a token that names another, or none, has no signature of ours
TOKEN_CHARS_MAX = 8_192
UNCHECKED: Options = {"verify_signature": True, "verify_exp": False, "verify_aud": False, "verify_iat": False}


def keys() -> tuple[bytes, bytes]:
    """A fresh private key and its public key, as PEM."""
    private = Ed25519PrivateKey.generate()
    return (
        private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
    )


def private_key(pem: bytes, *, path: str) -> Ed25519PrivateKey:
    """The private key that a file holds."""
    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError) as error:
        raise _no_key(path, "private") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _no_key(path, "private")
    return key


def public_key(pem: bytes, *, path: str) -> Ed25519PublicKey:
    """The public key that a file holds."""
    try:
        key = load_pem_public_key(pem)
    except ValueError as error:
        raise _no_key(path, "public") from error
    if not isinstance(key, Ed25519PublicKey):
        raise _no_key(path, "public")
    return key


def holder(key: Ed25519PublicKey) -> str:
    """How a token names the key that proofs are made with."""
    return base64.urlsafe_b64encode(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).rstrip(b"=").decode()


def sign(credential: Credential, key: Ed25519PrivateKey) -> str:
    """The credential's token."""
    return jwt.encode(to_claims(credential), key, algorithm=ALGORITHM)


def opened(token: str, key: Ed25519PublicKey) -> Credential:
    """The credential of a token that this key's holder signed. Raises SignatureInvalid."""
    claims = _claims(token, key)
    if claims is None:
        raise SignatureInvalid
    return from_claims(claims)


def prove(proof: Proof, key: Ed25519PrivateKey) -> str:
    """The proof, signed by the credential's holder."""
    claims = {
        "htm": proof.method,
        "htu": proof.target,
        "body": proof.body_sha256,
        "iat_ms": proof.at_ms,
        "jti": proof.nonce,
    }
    return jwt.encode(claims, key, algorithm=ALGORITHM)


def proved(proof: str, named: str) -> Proof:
    """What the named key's holder has proved. Raises PossessionProofInvalid."""
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(named + "=" * (-len(named) % 4)))
    except ValueError:
        raise PossessionProofInvalid(reason="for its token names no key") from None
    claims = _claims(proof, key)
    texts = [(claims or {}).get(name) for name in ("htm", "htu", "body", "jti")]
    at_ms = (claims or {}).get("iat_ms")
    if type(at_ms) is not int or not all(isinstance(text, str) and len(text) <= TOKEN_CHARS_MAX for text in texts):
        raise PossessionProofInvalid(reason="for another key signed it")
    method, target, body_sha256, nonce = cast(list[str], texts)
    return Proof(method, target, body_sha256, at_ms, nonce)


def _claims(token: str, key: Ed25519PublicKey) -> Mapping[str, object] | None:
    """The claims that the key's holder signed; none where nobody did."""
    if len(token) > TOKEN_CHARS_MAX:
        return None
    try:
        ##= authority.verify.signature
        claims: Mapping[str, object] = jwt.decode(token, key, algorithms=[ALGORITHM], options=UNCHECKED)
    except (jwt.PyJWTError, ValueError, RecursionError):
        return None
    return claims


def _no_key(path: str, which: str) -> Failed:
    return Failed(Failure(FailureTag.CONFIG, f"{path} holds no {which} Ed25519 key in PEM: `contextful token keygen`"))
