"""Tokens that somebody else made, or made up."""

import base64
import json

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from contextful.adapters import jose
from contextful.authority.issue import issue
from contextful.authority.verify import Proof
from contextful.kernel.failure import Failed
from contextful_contract.errors import PossessionProofInvalid, SignatureInvalid

PRIVATE, PUBLIC = jose.keys()
KEY, ISSUER = jose.private_key(PRIVATE, path="issuer"), jose.public_key(PUBLIC, path="issuer.pub")
CREDENTIAL = issue(id="credential-1", audience="here", now_ms=1_700_000_000_000, ttl_ms=60_000, pipelines=["shop"])
TOKEN = jose.sign(CREDENTIAL, KEY)
HEADER, CLAIMS, SIGNATURE = TOKEN.split(".")


def coded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_a_token_says_what_the_credential_does() -> None:
    assert jose.opened(TOKEN, ISSUER) == CREDENTIAL


@pytest.mark.clause("authority.verify.signature")
@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "a.b.c",
        "é.é.é",
        "\ud800",
        f"{HEADER}.{CLAIMS}.",
        f"{HEADER}.{CLAIMS}",
        f"{coded({'alg': 'none'})}.{CLAIMS}.",
        f"{coded({'alg': 'HS256'})}.{CLAIMS}.{SIGNATURE}",
        f"{HEADER}.{coded({'jti': 'credential-2'})}.{SIGNATURE}",
        jwt.encode({"jti": "x"}, "a secret that is long enough to be one", algorithm="HS256"),
        jwt.encode({"jti": "x"}, ec.generate_private_key(ec.SECP256R1()), algorithm="ES256"),
        "x" * 100_000,
    ],
)
def test_a_token_that_the_issuer_did_not_sign_is_refused(token: str) -> None:
    with pytest.raises(SignatureInvalid):
        jose.opened(token, ISSUER)


@pytest.mark.parametrize(
    "claims",
    [
        {},
        {"jti": 1},
        {"jti": "x", "aud": ["here"], "iat": 0, "exp": 1, "grants": []},
        {"jti": "x", "aud": "here", "iat": 0, "exp": 10**20, "grants": []},
        {"jti": "x", "aud": "here", "iat": 0, "exp": 1.5, "grants": []},
        {"jti": "x", "aud": "here", "iat": 0, "exp": 1, "grants": [{"actions": ["fly"]}]},
        {"jti": "x", "aud": "here", "iat": 0, "exp": 1, "grants": [{"actions": ["read"], "tables": [1]}]},
        {"jti": "x", "aud": "here", "iat": 0, "exp": 1, "grants": [1]},
        {"jti": "x", "aud": "here", "iat": 0, "exp": 1, "grants": [], "cnf": {}},
    ],
    ids=str,
)
def test_claims_that_no_issuer_of_ours_makes_are_refused(claims: dict[str, object]) -> None:
    with pytest.raises(SignatureInvalid):
        jose.opened(jwt.encode(claims, KEY, algorithm="EdDSA"), ISSUER)


@pytest.mark.clause("authority.verify.possession")
@pytest.mark.parametrize("proof", ["", "x", TOKEN, jwt.encode({"htm": 1}, KEY, algorithm="EdDSA")])
def test_a_proof_that_the_holder_did_not_make_is_refused(proof: str) -> None:
    holder, _ = jose.keys()
    named = jose.holder(jose.private_key(holder, path="holder").public_key())

    with pytest.raises(PossessionProofInvalid):
        jose.proved(proof, named)


def test_a_proof_is_read_as_it_was_made() -> None:
    proof = Proof("GET", "https://here/runs", "0" * 64, 1_700_000_000_000, "nonce-1")

    assert jose.proved(jose.prove(proof, KEY), jose.holder(ISSUER)) == proof


@pytest.mark.parametrize("named", ["", "é", "AAAA", "x" * 43 + "="])
def test_a_key_that_is_none_proves_nothing(named: str) -> None:
    with pytest.raises(PossessionProofInvalid):
        jose.proved(jose.prove(Proof("", "", "", 0, ""), KEY), named)


@pytest.mark.parametrize("pem", [b"", b"x", PUBLIC])
def test_a_file_without_a_private_key_is_refused_by_its_path(pem: bytes) -> None:
    with pytest.raises(Failed, match="keys/issuer holds no private"):
        jose.private_key(pem, path="keys/issuer")


@pytest.mark.parametrize("pem", [b"", b"x", PRIVATE])
def test_a_file_without_a_public_key_is_refused_by_its_path(pem: bytes) -> None:
    with pytest.raises(Failed, match=r"issuer\.pub holds no public"):
        jose.public_key(pem, path="issuer.pub")
