"""What a test tells of itself as evidence, and how that travels: as `user_properties` of its reports.

The same properties stand in a JUnit file, so that a run made elsewhere can be read back.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from tools.units import Proof


@dataclass(frozen=True, slots=True)
class Told:
    """The unit that a row belongs to, the marks it carries, the proof it recorded."""

    unit: str
    clauses: tuple[str, ...]
    origin: str = ""
    scenario: str = ""
    grade: str = ""
    proof: Proof | None = None


def properties(told: Told) -> Iterator[tuple[str, str]]:
    """The properties that carry what is told."""
    yield "unit", told.unit
    for id in told.clauses:
        yield "clause", id
    for name, value in (("origin", told.origin), ("scenario", told.scenario), ("theorem", told.grade)):
        if value:
            yield name, value


def recorded(proof: Proof) -> tuple[str, str]:
    """The property that carries a proof's record."""
    return "proof", json.dumps(asdict(proof), sort_keys=True)


def read(carried: Iterable[tuple[str, object]]) -> Told | None:
    """What the properties tell; nothing where the test is no evidence."""
    pairs = [(name, str(value)) for name, value in carried]
    single = dict(pairs)
    clauses = tuple(sorted({value for name, value in pairs if name == "clause"}))
    if not clauses or "unit" not in single:
        return None
    return Told(
        unit=single["unit"],
        clauses=clauses,
        origin=single.get("origin", ""),
        scenario=single.get("scenario", ""),
        grade=single.get("theorem", ""),
        proof=Proof(**json.loads(single["proof"])) if "proof" in single else None,
    )
