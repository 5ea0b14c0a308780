"""The gate: every request proves itself anew, before anything is read for it (authority.verify)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from contextful.adapters import jose
from contextful.authority import verify
from contextful.authority.credential import Credential
from contextful.kernel.change import Delete
from contextful.kernel.table import Select
from contextful.ports.rows import Rows
from contextful.ports.world import World
from contextful_contract import limits
from contextful_contract.errors import PossessionProofInvalid, PossessionProofReplayed

FORGOTTEN_AT_ONCE = 16  # nonces past their window that go with each new one, so that they cannot pile up


class Unauthenticated(Exception):
    """The request has no credential."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a proof of possession is held against."""

    method: str
    target: str
    body: bytes


class Gate:
    """Admits the credentials that one issuer made out to this face."""

    def __init__(self, key: Ed25519PublicKey, audience: str, rows: Rows, world: World) -> None:
        self._key = key
        self._audience = audience
        self._rows = rows
        self._world = world

    def admit(self, headers: Mapping[str, str], request: Request) -> Credential:
        """The credential of the request. Raises Unauthenticated, and the refusals of authority.verify."""
        credential = self.present(headers)
        self.prove(credential, headers, request)
        return credential

    def present(self, headers: Mapping[str, str]) -> Credential:
        """The credential of the request's token, which is known before the body has come."""
        ##= authority.verify.presentation
        scheme, _, token = headers.get("authorization", "").partition(" ")
        match scheme.lower():
            case "bearer":
                credential = self.bearer(token)
            case "dpop":
                credential = self.open(token)
                if credential.holder is None:
                    raise PossessionProofInvalid(reason="for its token names no key")
            case _:
                raise Unauthenticated
        return credential

    def prove(self, credential: Credential, headers: Mapping[str, str], request: Request) -> None:
        """Hold the request to its proof, where the credential is one to be proved."""
        if credential.holder is None:
            return
        now_ms = self._world.now_ms()
        proof = jose.proved(headers.get("dpop", ""), credential.holder)
        body_sha256 = hashlib.sha256(request.body).hexdigest()
        verify.possessed(proof, method=request.method, target=request.target, body_sha256=body_sha256, now_ms=now_ms)
        if not self._rows.commit(verify.seen(credential.holder, proof)):
            raise PossessionProofReplayed
        self._forget(now_ms - limits.POSSESSION_WINDOW_MS)

    def bearer(self, token: str) -> Credential:
        """The credential of a token that proves itself, if it stands."""
        credential = self.open(token)
        verify.borne(credential)
        return credential

    def open(self, token: str) -> Credential:
        """The credential of a token, if it stands. Nothing is read for one that nobody signed."""
        credential = jose.opened(token.strip(), self._key)
        revoked = self._rows.get(verify.REVOKED, (credential.id,)) is not None
        verify.stands(credential, audience=self._audience, now_ms=self._world.now_ms(), revoked=revoked)
        return credential

    def _forget(self, before_ms: int) -> None:
        """Let go of nonces that no proof could be taken with any more."""
        asked = Select(verify.NONCE, {}, order="at_ms", before=before_ms, limit=FORGOTTEN_AT_ONCE)
        for row in self._rows.select(asked):
            self._rows.commit(Delete(verify.NONCE, {column: row[column] for column in verify.NONCE.key}))
