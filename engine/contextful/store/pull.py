"""store.pull: what other nodes have committed comes to this one, is checked, and is readable once all of it is there.

manifest --objects--> all here, and the manifest as it was --> pulled
    ^                        |
    +---- it has changed ----+     3 attempts in all
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from contextful.kernel import digest
from contextful.store import push
from contextful.store.push import Entry, RunState
from contextful_contract.errors import SyncObjectDigestMismatch


def in_scope(table: str | None, tables: Collection[str] | None) -> bool:
    """Whether a node pulls the table, given those that it lists, or none where it lists none."""
    return table is None or tables is None or table in tables  ##= store.pull.table-scope


def wanted(
    entries: Mapping[str, Entry],
    *,
    tables: Collection[str] | None,
    stands: Callable[[str, Entry], bool],
    past: Callable[[str], bool],
) -> Sequence[str]:
    """The paths that are fetched, in the order in which they are written.

    `stands` tells what is here as it is listed, and `past` what nobody may ask for any more.
    """
    found = [path for path, entry in entries.items() if not stands(path, entry)]
    return push.ordered([path for path in found if in_scope(push.table(path), tables) and not past(path)])


def checked(key: str, entry: Entry, content: bytes | None) -> bytes:
    """The object's bytes, if they are those that the manifest lists."""
    found = "no object" if content is None else digest.of_bytes(content)
    if content is None or found != entry.sha256:
        raise SyncObjectDigestMismatch(key=key, expected=entry.sha256, found=found)  ##= store.pull.object-digest
    return content


def started_ms(states: Sequence[RunState], pipeline_id: str) -> int | None:
    """When any node started the pipeline last."""
    known = [state.started[pipeline_id][1] for state in states if pipeline_id in state.started]
    return max(known, default=None)
