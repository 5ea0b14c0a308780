"""surface.apply: a project is applied by claiming the next version of it, and making that version current.

v1 current --draft--> declared, and a base --claim: v2 created, current moves--> v2 current
                               |
                               +-- another apply has moved current meanwhile --> ManifestVersionConflict
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from contextful.pipeline import compile
from contextful.pipeline.spec import PipelineSpec, ProjectSpec
from contextful_contract.errors import ApplyValidationRefused, ManifestVersionConflict

CURRENT = "manifest@current"


class Change(StrEnum):
    """What becomes of a pipeline."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Planned:
    """A pipeline of either version, and what the newer one makes of it."""

    pipeline_id: str
    change: Change
    content_hash: str


@dataclass(frozen=True, slots=True)
class Draft:
    """What is declared now, beside the version that is current; that has number 0 where nothing was ever applied."""

    spec: ProjectSpec
    text: str
    base: int
    standing: ProjectSpec | None

    @property
    def unchanged(self) -> bool:
        """Whether the declaration says what the current version says."""
        return self.standing == self.spec  ##= surface.apply.unchanged


def file_name(version: int) -> str:
    """The file of a version."""
    return f"manifest@v{version}.toml"


def validated(faults: ExceptionGroup[Exception]) -> ApplyValidationRefused:
    """The refusal that names every fault of a declaration."""
    said = [": ".join([*getattr(fault, "__notes__", [])[:1], str(fault)]) for fault in faults.exceptions]
    return ApplyValidationRefused(faults="; ".join(said))  ##= surface.apply.validate


def next_version(base: int, current: int, taken: Sequence[int]) -> int:
    """The version that an apply claims. One that is taken and not current was left by an apply that died."""
    if current != base:
        raise ManifestVersionConflict(version=base + 1)  ##= surface.apply.version-conflict
    return 1 + max((current, *taken))


def planned(draft: Draft) -> Sequence[Planned]:
    """Every pipeline of the two versions, as the declaration lists them, and those that it lists no more."""
    before = {} if draft.standing is None else {spec.id: spec for spec in draft.standing.pipelines}
    now = {spec.id: spec for spec in draft.spec.pipelines}
    listed = [_planned(spec, before.get(spec.id)) for spec in draft.spec.pipelines]
    gone = [spec for spec in before.values() if spec.id not in now]
    return [*listed, *(Planned(spec.id, Change.REMOVED, compile.content_hash(spec)) for spec in gone)]


def _planned(spec: PipelineSpec, before: PipelineSpec | None) -> Planned:
    change = Change.NEW if before is None else Change.UNCHANGED if before == spec else Change.CHANGED
    return Planned(spec.id, change, compile.content_hash(spec))
