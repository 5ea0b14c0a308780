"""Evidence as values: what each test, scenario and proof came to, in which run.

    whole run:    replaces everything
    partial run:  is kept beside the whole run, unit by unit, until the next whole run

`latest` shows the newest of the two. `floor` shows the worse, so that a partial run can lower a verdict
and never raise it.
"""

import json
import os
from collections.abc import Iterable, Mapping, Set
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tools.command import Trouble

WHERE = Path("build/evidence.json")
VERSION = 1

Outcome = Literal["failed", "error", "undetermined", "xfailed", "xpassed", "skipped", "not-run", "open", "passed"]
WORST_FIRST: tuple[Outcome, ...] = (
    "failed", "error", "undetermined", "xfailed", "xpassed", "skipped", "not-run", "open", "passed",
)  # fmt: skip
BROKEN: frozenset[Outcome] = frozenset({"failed", "error"})
Kind = Literal["test", "scenario", "theorem"]


@dataclass(frozen=True, slots=True)
class Proof:
    """The record of a theorem: what it claims, over what, how hard it was tried, what stays open."""

    claim: str
    domain: str
    cases: int = 0
    budget: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    mutants: Mapping[str, bool] = field(default_factory=dict)
    leaves_open: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece of evidence: a test function, scenario or proof, all of its parameter rows together."""

    id: str
    kind: Kind
    clauses: tuple[str, ...]
    outcome: Outcome
    reason: str = ""
    detail: str = ""
    origin: str = ""
    scenario: str = ""
    grade: str = ""
    proof: Proof | None = None
    rows: int = 1
    seconds: float = 0.0
    at: str = ""
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """The facts of one run of pytest."""

    at: str
    commit: str
    dirty: bool
    partial: str
    selected: int
    deselected: int
    open: int
    exit_status: int
    seconds: float

    @property
    def whole(self) -> bool:
        """Whether every test of the project had its chance."""
        return not self.partial


@dataclass(frozen=True, slots=True)
class Evidence:
    """The last whole run, and what partial runs have seen since."""

    whole: Session | None = None
    units: tuple[Unit, ...] = ()
    since: Session | None = None
    since_units: tuple[Unit, ...] = ()

    def latest(self) -> tuple[Unit, ...]:
        """Each unit as it was last seen."""
        return _sorted({unit.id: unit for unit in (*self.units, *self.since_units)}.values())

    def floor(self) -> tuple[Unit, ...]:
        """Each unit at its worst since the last whole run; what only a partial run saw cannot help."""
        seen = {unit.id: unit for unit in self.units}
        for unit in self.since_units:
            known = seen.get(unit.id)
            if sadness(unit) < (sadness(known) if known else WORST_FIRST.index("xfailed")):
                seen[unit.id] = unit
        return _sorted(seen.values())


def sadness(unit: Unit) -> int:
    """Sorts the worst outcome first."""
    return WORST_FIRST.index(unit.outcome)


def merge(evidence: Evidence, session: Session, units: Iterable[Unit]) -> Evidence:
    """The evidence once `session` has added its units."""
    stamped = [replace(unit, at=session.at, commit=session.commit) for unit in units]
    if session.whole:
        return Evidence(whole=session, units=_sorted(stamped))
    known = {unit.id for unit in (*evidence.units, *evidence.since_units)}
    # that a test was left out of a partial run says nothing about it
    news = [unit for unit in stamped if unit.outcome != "not-run" or unit.id not in known]
    since = {unit.id: unit for unit in (*evidence.since_units, *news)}
    return replace(evidence, since=session, since_units=_sorted(since.values()))


def read(root: Path, about: Set[str] | None = None) -> Evidence:
    """The evidence under `root`, or only what cites one of these clauses; nothing where no run has left any."""
    try:
        document = json.loads((root / WHERE).read_bytes())
        if document["version"] != VERSION:
            raise ValueError(f"version {document['version']}")
        return Evidence(
            whole=_session(document["whole"]),
            units=_of_rows(document["units"], about),
            since=_session(document["since"]),
            since_units=_of_rows(document["since_units"], about),
        )
    except FileNotFoundError:
        return Evidence()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise Trouble(f"{WHERE} cannot be read ({fault}): remove it, and run `make test` again") from None


def write(root: Path, evidence: Evidence) -> None:
    """Leave the evidence under `root`, a unit a line, in one move."""
    entries = [
        f'"version": {VERSION}',
        f'"whole": {_line(evidence.whole)}',
        f'"since": {_line(evidence.since)}',
        f'"units": {_list(evidence.units)}',
        f'"since_units": {_list(evidence.since_units)}',
    ]
    place = root / WHERE
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = place.with_suffix(f".{os.getpid()}")
    fresh.write_text("{" + ",\n".join(entries) + "}\n", encoding="utf-8")
    fresh.replace(place)


def to_row(value: Unit | Session) -> dict[str, Any]:
    """The JSON object of a unit or session, without what is empty."""
    return {key: fact for key, fact in asdict(value).items() if fact not in ("", None)}


def from_row(row: Mapping[str, Any]) -> Unit:
    """The unit of a JSON object."""
    proof = row.get("proof")
    facts = {**row, "clauses": tuple(row["clauses"]), "proof": Proof(**proof) if proof else None}
    unit = Unit(**facts)
    if unit.outcome not in WORST_FIRST or not isinstance(unit.id, str) or not isinstance(unit.at, str):
        raise ValueError(f"{unit.id} is no unit")
    return unit


def _of_rows(rows: Iterable[Mapping[str, Any]], about: Set[str] | None) -> tuple[Unit, ...]:
    return tuple(from_row(row) for row in rows if about is None or not about.isdisjoint(row["clauses"]))


def _session(row: Mapping[str, Any] | None) -> Session | None:
    return None if row is None else Session(**{"partial": "", "commit": "", **row})


def _list(units: Iterable[Unit]) -> str:
    return "[\n" + ",\n".join(map(_line, units)) + "]"


def _line(value: Unit | Session | None) -> str:
    return "null" if value is None else json.dumps(to_row(value), sort_keys=True, ensure_ascii=False)


def _sorted(units: Iterable[Unit]) -> tuple[Unit, ...]:
    return tuple(sorted(units, key=lambda unit: unit.id))
