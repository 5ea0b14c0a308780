"""A credential: who it was issued for, what it allows, for which face and until when; and a token's claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from contextful_contract.errors import SignatureInvalid
from contextful_contract.shapes import Grant, GrantAction

Claims = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Credential:
    """What a token with a good signature says. `holder` is the public key that proofs are to be made with."""

    id: str
    audience: str
    issued_ms: int
    expires_ms: int
    grants: tuple[Grant, ...]
    on_behalf_of: str | None = None
    holder: str | None = None


def to_claims(credential: Credential) -> dict[str, object]:
    """The claims of the credential's token. Instants are whole seconds, as JOSE has them."""
    claims: dict[str, object] = {
        "jti": credential.id,
        "aud": credential.audience,
        "iat": credential.issued_ms // 1_000,
        "exp": credential.expires_ms // 1_000,
        "grants": [
            {
                "actions": [action.value for action in grant.actions],
                "tables": list(grant.tables),
                "pipelines": list(grant.pipelines),
                **({} if grant.max_rows is None else {"max_rows": grant.max_rows}),
                **({"unmasked": list(grant.unmasked)} if grant.unmasked else {}),
            }
            for grant in credential.grants
        ],
    }
    if credential.on_behalf_of is not None:
        claims["on_behalf_of"] = credential.on_behalf_of
    if credential.holder is not None:
        claims["cnf"] = {"jwk": {"kty": "OKP", "crv": "Ed25519", "x": credential.holder}}
    return claims


def from_claims(claims: Claims) -> Credential:
    """The credential of a token's claims. Raises SignatureInvalid where they are none that an issuer of ours makes."""
    try:
        return Credential(
            id=_text(claims["jti"]),
            audience=_text(claims["aud"]),
            issued_ms=_whole(claims["iat"]) * 1_000,
            expires_ms=_whole(claims["exp"]) * 1_000,
            grants=tuple(_grant(grant) for grant in cast(list[Claims], claims["grants"])),
            on_behalf_of=_text(claims["on_behalf_of"]) if "on_behalf_of" in claims else None,
            holder=_text(cast(dict[str, Claims], claims["cnf"])["jwk"]["x"]) if "cnf" in claims else None,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise SignatureInvalid from None


def _grant(held: Claims) -> Grant:
    return Grant(
        actions=tuple(GrantAction(action) for action in cast(list[str], held["actions"])),
        tables=_texts(held.get("tables", [])),
        pipelines=_texts(held.get("pipelines", [])),
        max_rows=_whole(held["max_rows"]) if "max_rows" in held else None,
        unmasked=_texts(held.get("unmasked", [])),
    )


def _texts(values: object) -> tuple[str, ...]:
    return tuple(_text(value) for value in cast(list[object], values))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole(value: object) -> int:
    if type(value) is not int or abs(value) > 1 << 40:
        raise TypeError
    return value
