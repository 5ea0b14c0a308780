"""authority.grant: what a credential may do, and to which tables and pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextful_contract.shapes import Grant, GrantAction

EVERY = "*"  # the pattern that leaves nothing out


def may(grants: Iterable[Grant], action: GrantAction, *, table: str | None = None, pipeline: str | None = None) -> bool:
    """Whether one of the grants allows the action on the table or the pipeline."""
    for grant in grants:
        on = _covered(grant.tables, table) or _covered(grant.pipelines, pipeline)  ##= authority.grant.pipelines-apart
        if on and action in grant.actions:  ##= authority.grant.actions
            return True
    return False


def max_rows(grants: Iterable[Grant], table: str) -> int | None:
    """The most rows of the table that a read may answer: the most that any grant which allows the read lets through."""
    allowing = [grant for grant in grants if may([grant], GrantAction.READ, table=table)]
    most = [grant.max_rows for grant in allowing if grant.max_rows is not None]
    return max(most) if most and len(most) == len(allowing) else None


def unmasked(grants: Iterable[Grant], table: str, kind: str) -> bool:
    """Whether columns of this class of the table are read as they are, by the exception that a grant names."""
    return any(kind in grant.unmasked and may([grant], GrantAction.READ, table=table) for grant in grants)


def _covered(patterns: Sequence[str], name: str | None) -> bool:
    return name is not None and any(matches(pattern, name) for pattern in patterns)


def matches(pattern: str, name: str) -> bool:
    """Whether the pattern, which is `*`, or a prefix and `*`, or a name, is about the name."""
    if pattern.endswith("*"):
        return name.startswith(pattern[:-1])  ##= authority.grant.patterns
    return name == pattern
