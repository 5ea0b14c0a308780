"""The contract as the tools see it: `generated/contract.json`, read into values."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tools.command import Trouble

WHERE = Path("generated/contract.json")
TABLES = ("refusals", "limits", "shapes")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One WHEN and THEN of a clause, as its page words it."""

    name: str
    given: tuple[str, ...]
    when: tuple[str, ...]
    then: tuple[str, ...]
    line: int

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """Each step behind its keyword, as the page has them."""
        return tuple(
            ("AND" if number else keyword, step) for keyword, steps in self._parts for number, step in enumerate(steps)
        )

    @property
    def spoken(self) -> tuple[tuple[str, str], ...]:
        """Each step behind the keyword that an AND stands for."""
        return tuple((keyword, step) for keyword, steps in self._parts for step in steps)

    @property
    def _parts(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return (("GIVEN", self.given), ("WHEN", self.when), ("THEN", self.then))


@dataclass(frozen=True, slots=True)
class Count:
    """How many tests and how many theorems: asked for, or passed."""

    test: int
    theorem: int


@dataclass(frozen=True, slots=True)
class Shape:
    """What a clause owns in the tables: a refusal, a limit, an enumeration or a record, and all that its rows say."""

    name: str
    says: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Clause:
    """One fact of the contract, where it stands, and what evidence it asks for."""

    id: str
    file: str
    line: int
    statement: str
    why: str
    rev: str
    asked: Count
    links: tuple[str, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    shapes: tuple[Shape, ...] = ()

    @property
    def operation(self) -> str:
        """`run.retry` of `run.retry.retry-after`."""
        return self.id.rpartition(".")[0]


@dataclass(frozen=True)
class Contract:
    """Every clause, in the order of the pages."""

    clauses: tuple[Clause, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Clause]:
        """Each clause under its id."""
        return {clause.id: clause for clause in self.clauses}

    @cached_property
    def operations(self) -> Mapping[str, tuple[Clause, ...]]:
        """The clauses of each operation, in page order."""
        grouped: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            grouped.setdefault(clause.operation, []).append(clause)
        return {operation: tuple(clauses) for operation, clauses in grouped.items()}


def read(root: Path) -> Contract:
    """The contract that codegen last wrote under `root`."""
    try:
        return of(json.loads((root / WHERE).read_bytes()))
    except FileNotFoundError:
        raise Trouble(f"{WHERE} is not there: run `tools/spec generate`") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise Trouble(f"{WHERE} cannot be read ({fault!r}): run `tools/spec generate`") from None


def of(document: Mapping[str, Any]) -> Contract:
    """The contract as a value, from the JSON that codegen writes."""
    shapes: dict[str, list[Shape]] = {}
    for row in (row for table in TABLES for row in document.get(table, ())):
        says = {key: value for key, value in row.items() if key not in ("clause", "file", "line")}
        shapes.setdefault(row["clause"], []).append(Shape(row["name"], says))
    return Contract(tuple(_clause(row, tuple(shapes.get(row["id"], ()))) for row in document["clauses"]))


def _clause(row: Mapping[str, Any], shapes: tuple[Shape, ...]) -> Clause:
    return Clause(
        id=row["id"],
        file=row["file"],
        line=row["line"],
        statement=row["statement"],
        why=row["why"] or "",
        rev=row["rev"],
        asked=Count(**row["evidence"]),
        links=tuple(row["links"]),
        scenarios=tuple(_scenario(scenario) for scenario in row["scenarios"]),
        shapes=shapes,
    )


def _scenario(row: Mapping[str, Any]) -> Scenario:
    return Scenario(
        name=row["name"],
        given=tuple(row["given"]),
        when=tuple(row["when"]),
        then=tuple(row["then"]),
        line=row["line"],
    )
