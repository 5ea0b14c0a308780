"""run.journal.fan-out-join: branches run side by side and come together again at one place, and nowhere else.

branches --all have ended, none failed--> joined
         --one failed--> the run fails on it
         --one failed, allow_partial--> joined without it: the run's record keeps its label and tag
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contextful.kernel import codec, digest
from contextful.kernel.failure import Failure
from contextful_contract.shapes import FailedBranch


@dataclass(frozen=True, slots=True)
class Fails:
    """The run fails on this branch."""

    label: str


@dataclass(frozen=True, slots=True)
class Joins:
    """The branches are together again, but for those that failed."""

    failed: tuple[FailedBranch, ...]


def input_hash(within: Sequence[str], branches: Sequence[str], turn: int) -> str:
    """What tells a join from every other of its label: the branches that it is within, its own, and its turn there."""
    return digest.of_bytes(b"join:" + codec.canonical([list(within), list(branches), turn]))


def join(failures: Mapping[str, Failure], *, allow_partial: bool) -> Fails | Joins:
    """What comes of branches that have all ended. `failures` has those that failed, in the order of the branches."""
    ##= run.journal.fan-out-join
    if failures and not allow_partial:
        return Fails(next(iter(failures)))
    return Joins(tuple(FailedBranch(label=label, tag=failure.tag) for label, failure in failures.items()))
