"""run.own, under staging and checkpoints: parts are committed once, and before that where a source can be resumed.

staged --more, less than 512 MiB--> staged --512 MiB, position-addressed--> committed, and on with a stage of its own
   |
   +--past 1 GiB--> refused, and the owner retires
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from contextful_contract import limits
from contextful_contract.errors import RunCheckpointIdTooLong, RunStagedBytesExceeded

ORDINAL = re.compile(rf"\.\d{{{limits.CHECKPOINT_ORDINAL_WIDTH_DIGITS}}}")


def within_bound(
    table: str, staged_bytes: int, part_bytes: int, *, bound_bytes: int = limits.STAGED_BYTES_PER_RUN_BYTES
) -> int:
    """The bytes staged since the last commit once this part is, if they are not too many."""
    total = staged_bytes + part_bytes
    if total > bound_bytes:
        ##= run.own.staged-bytes
        raise RunStagedBytesExceeded(table=table, staged_bytes=total, bound_bytes=bound_bytes)
    return total


def due(
    staged_bytes: int, *, position_addressed: bool, replaces: bool, checkpoint_bytes: int = limits.CHECKPOINT_BYTES
) -> bool:
    """Whether what is staged is committed before another row is.

    A source that cannot be resumed commits once, and so does a table that is replaced: half of it is no inventory.
    """
    if replaces or not position_addressed:
        return False  ##= run.own.checkpoint-scope
    return staged_bytes >= checkpoint_bytes  ##= run.own.checkpoint-commit


def commit_id(run_id: str, ordinal: int) -> str:
    """The run id that a commit lands under: the run's own for the first, numbered ones for those after it."""
    ##= run.own.checkpoint-run-id
    return f"{run_id}.{ordinal:0{limits.CHECKPOINT_ORDINAL_WIDTH_DIGITS}d}" if ordinal else run_id


def admit_id(run_id: str, ordinal: int) -> None:
    """A checkpoint commits only if the commit that follows it can be named."""
    following = commit_id(run_id, ordinal)
    if len(following) > limits.STORE_RUN_ID_LENGTH_CHARS:
        ##= run.own.checkpoint-id-length
        raise RunCheckpointIdTooLong(
            run_id=following, length=len(following), length_max=limits.STORE_RUN_ID_LENGTH_CHARS
        )


def made_by(commit: str, attempts: Sequence[str]) -> bool:
    """Whether one of the attempts made the commit of this run id, as its first or as a later one."""
    return any(commit == run_id or _follows(commit, run_id) for run_id in attempts)


def _follows(commit: str, run_id: str) -> bool:
    return commit.startswith(run_id) and ORDINAL.fullmatch(commit, len(run_id)) is not None
