"""authority.verify: whether a credential stands at an instant, and whether a proof shows that its holder sent it.

token --signature--> credential --audience, expiry, revocation--> by bearer: lifetime ----> admitted
                                                                  by proof: fit, age, nonce --> admitted
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from contextful.authority.credential import Credential
from contextful.kernel.change import Insert
from contextful.kernel.table import Kind, Row, Select, Table
from contextful_contract import limits
from contextful_contract.errors import (
    AudienceMismatch,
    AuthorityExpired,
    AuthorityRevoked,
    BearerLifetimeExceeded,
    PossessionProofInvalid,
)

REVOKED = Table(
    "authority_revoked",
    key=("id",),
    columns={"id": Kind.TEXT, "revoked_ms": Kind.INTEGER},
    indexes=(("revoked_ms",),),
)
NONCE = Table(
    "authority_nonce",
    key=("holder", "nonce"),
    columns={"holder": Kind.TEXT, "nonce": Kind.TEXT, "at_ms": Kind.INTEGER},
    indexes=(("at_ms",),),
)
TABLES = (REVOKED, NONCE)
LAST_REVOKED = Select(REVOKED, {}, order="revoked_ms", descending=True, limit=1)


@dataclass(frozen=True, slots=True)
class Proof:
    """What a proof of possession is made over: one request, an instant and a nonce."""

    method: str
    target: str
    body_sha256: str
    at_ms: int
    nonce: str


def stands(credential: Credential, *, audience: str, now_ms: int, revoked: bool) -> None:
    """Raises what the credential fails first: AudienceMismatch, AuthorityExpired, AuthorityRevoked."""
    if credential.audience != audience:
        raise AudienceMismatch(audience=audience)  ##= authority.verify.audience
    if now_ms >= credential.expires_ms:
        raise AuthorityExpired(expired_at=credential.expires_ms)  ##= authority.verify.expiry
    if revoked:
        raise AuthorityRevoked  ##= authority.verify.revocation


def borne(credential: Credential) -> None:
    """Raises BearerLifetimeExceeded, or PossessionProofInvalid where the credential is one to be proved."""
    if credential.holder is not None:
        raise PossessionProofInvalid(reason="for there is none")
    lifetime_ms = credential.expires_ms - credential.issued_ms
    if lifetime_ms > limits.BEARER_LIFETIME_MS:
        raise BearerLifetimeExceeded(lifetime_s=lifetime_ms // 1_000)  ##= authority.verify.bearer-lifetime


def possessed(proof: Proof, *, method: str, target: str, body_sha256: str, now_ms: int) -> None:
    """Raises PossessionProofInvalid where the proof was not made for this very request, about now."""
    made_for = [("method", proof.method, method), ("target", proof.target, target)]
    made_for.append(("body", proof.body_sha256, body_sha256))
    for name, was, wanted in made_for:
        if was != wanted:
            raise PossessionProofInvalid(reason=f"for it was made for another {name}")  ##= authority.verify.possession
    if now_ms - proof.at_ms > limits.POSSESSION_WINDOW_MS:
        raise PossessionProofInvalid(reason="for it is too old")
    if proof.at_ms - now_ms > limits.POSSESSION_SKEW_MS:
        raise PossessionProofInvalid(reason="for it is dated ahead")


def seen(holder: str, proof: Proof) -> Insert:
    """The change that a first use of the proof's nonce makes; it finds the row where the nonce was used before."""
    return Insert(NONCE, {"holder": holder, "nonce": proof.nonce, "at_ms": proof.at_ms})  ##= authority.verify.replay


def revocation(id: str, now_ms: int) -> Insert:
    """The change that revokes a credential."""
    return Insert(REVOKED, {"id": id, "revoked_ms": now_ms})


def epoch(last: Sequence[Row]) -> int:
    """Which revocation was the last: its instant, of what `LAST_REVOKED` selects."""
    return cast(int, last[0]["revoked_ms"]) if last else 0
