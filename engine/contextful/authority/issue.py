"""authority.issue: a credential is made out to someone, for something, and for a time."""

from __future__ import annotations

from collections.abc import Sequence

from contextful.authority.credential import Credential
from contextful_contract import limits
from contextful_contract.errors import IssuancePrincipalRequired
from contextful_contract.shapes import Grant, GrantAction

FOR_SOMEBODY = (GrantAction.WRITE, GrantAction.EXECUTE)


def issue(
    *,
    id: str,
    audience: str,
    now_ms: int,
    ttl_ms: int,
    actions: Sequence[GrantAction] = (),
    tables: Sequence[str] = (),
    pipelines: Sequence[str] = (),
    max_rows: int | None = None,
    unmasked: Sequence[str] = (),
    on_behalf_of: str | None = None,
    holder: str | None = None,
) -> Credential:
    """The credential. Raises IssuancePrincipalRequired where it would change things for nobody in particular."""
    asked = tuple(dict.fromkeys(actions)) or (GrantAction.READ,)  ##= authority.issue.default-action
    for action in asked:
        if action in FOR_SOMEBODY and on_behalf_of is None:
            raise IssuancePrincipalRequired(action=action.value)  ##= authority.issue.principal-required
    lives_ms = min(ttl_ms, limits.ISSUANCE_CEILING_MS)  ##= authority.issue.ceiling
    grant = Grant(
        actions=asked,
        tables=tuple(tables),
        pipelines=tuple(pipelines),
        max_rows=max_rows,
        unmasked=tuple(unmasked),
    )
    return Credential(id, audience, now_ms, now_ms + lives_ms, (grant,), on_behalf_of, holder)
