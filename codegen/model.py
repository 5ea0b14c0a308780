"""What the pages say, as values. A `Text` knows where it stands, so that a finding can point at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of one line, with the place of its first character; both counted from 1."""

    value: str
    line: int
    column: int

    def part(self, start: int, end: int | None = None) -> Text:
        """The piece between two offsets, where it stands."""
        return Text(self.value[start:end], self.line, self.column + start)

    def strip(self) -> Text:
        """The same text without the spaces around it."""
        value = self.value.strip(" ")
        return Text(value, self.line, self.column + self.value.find(value)) if value else self.part(0, 0)

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Evidence:
    """How many tests and theorems a clause asks for."""

    test: int
    theorem: int


@dataclass(frozen=True, slots=True)
class Clause:
    """One fact, under the id that everything else cites."""

    id: str
    operation: str
    heading: str
    subject: Text
    evidence: Evidence
    statement: Text
    why: Text | None


@dataclass(frozen=True, slots=True)
class Scenario:
    """An example of one clause; the steps are as they are written, without their keywords."""

    clause: Text
    operation: str
    text: Text
    given: tuple[str, ...]
    when: tuple[str, ...]
    then: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unsettled:
    """What the contract leaves open, whose question it is and what it touches."""

    question: Text
    owner: Text
    affects: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """A `##` section."""

    id: str
    name: Text
    headings: tuple[Text, ...]
    lede: str
    clauses: tuple[Clause, ...]
    scenarios: tuple[Scenario, ...]


@dataclass(frozen=True, slots=True)
class Type:
    """A type as the tables write it: `name`, or `list` and `map` of an item, perhaps optional."""

    name: str
    item: Type | None = None
    optional: bool = False

    def __str__(self) -> str:
        inner = {"list": f"list<{self.item}>", "map": f"map<str, {self.item}>"}.get(self.name, self.name)
        return inner + "?" * self.optional


@dataclass(frozen=True, slots=True)
class Field:
    """A named, typed place in a refusal or a record."""

    name: Text
    type: Type
    type_text: Text
    presence: str = "always"
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A row of `### Refusals`."""

    name: Text
    clause: Text
    fields: tuple[Field, ...]
    tag: Text | None
    http_status: int | None
    exit_code: int
    sentence: Text


@dataclass(frozen=True, slots=True)
class Limit:
    """A row of `### Limits`."""

    name: Text
    clause: Text
    value: Text
    unit: Text


@dataclass(frozen=True, slots=True)
class EnumerationValue:
    """A value of an enumeration, and which of its flags it bears."""

    value: Text
    meaning: str
    flags: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Enumeration:
    """The rows of `### Enumerations` that share a name."""

    name: Text
    clause: Text
    flags: tuple[Text, ...]
    values: tuple[EnumerationValue, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """The rows of `### Records` that share a name."""

    name: Text
    clause: Text
    fields: tuple[Field, ...]


Shape: TypeAlias = Refusal | Limit | Enumeration | Record


@dataclass(frozen=True)
class Page:
    """One file, as far as it could be read.

    `links` are all `{{…}}` on it, `owned_by` all cells of its tables that name a clause. `broken` are the ids and
    names on lines that were not well written: what is noted there is not noted again as missing.
    """

    path: str
    contract: Text
    owns: tuple[Text, ...]
    title: str
    operations: tuple[Operation, ...]
    unsettled: tuple[Unsettled, ...]
    refusals: tuple[Refusal, ...]
    limits: tuple[Limit, ...]
    enumerations: tuple[Enumeration, ...]
    records: tuple[Record, ...]
    links: tuple[Text, ...]
    owned_by: tuple[Text, ...]
    broken: frozenset[str]

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Every clause, in page order."""
        return tuple(clause for operation in self.operations for clause in operation.clauses)

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """Every scenario, in page order."""
        return tuple(scenario for operation in self.operations for scenario in operation.scenarios)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Everything under `## Shapes`."""
        return (*self.refusals, *self.limits, *self.enumerations, *self.records)

    def owners(self, cell: Text) -> list[str]:
        """The ids that the `clause` cell of a table may mean; it should be one."""
        return self._ids.get(cell.value, [])

    @cached_property
    def _ids(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for id_ in dict.fromkeys(clause.id for clause in self.clauses):
            found.setdefault(id_, []).append(id_)
            found.setdefault(id_.rpartition(".")[2], []).append(id_)
        return found


@dataclass(frozen=True)
class Contract:
    """All pages together, and what can be looked up in them."""

    pages: tuple[Page, ...]
    principles: Mapping[str, str]

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by its id."""
        return {clause.id: clause for page in self.pages for clause in page.clauses}

    @cached_property
    def refusals(self) -> Mapping[str, Refusal]:
        """Every refusal by its name."""
        return {refusal.name.value: refusal for page in self.pages for refusal in page.refusals}

    @cached_property
    def refusal_owners(self) -> Mapping[str, list[str]]:
        """The ids that the owner of each refusal may be."""
        return {shape.name.value: page.owners(shape.clause) for page in self.pages for shape in page.refusals}

    @cached_property
    def enumerations(self) -> Mapping[str, Enumeration]:
        """Every enumeration by its name."""
        return {shape.name.value: shape for page in self.pages for shape in page.enumerations}

    @cached_property
    def records(self) -> Mapping[str, Record]:
        """Every record by its name."""
        return {shape.name.value: shape for page in self.pages for shape in page.records}

    @cached_property
    def names(self) -> frozenset[str]:
        """The enumerations, their values and the records: what any statement may name."""
        values = (value.value.value for shape in self.enumerations.values() for value in shape.values)
        return frozenset([*self.enumerations, *self.records, *values])

    @cached_property
    def broken(self) -> frozenset[str]:
        """The ids and names on lines that are already noted as not well written."""
        return frozenset(name for page in self.pages for name in page.broken)

    @cached_property
    def _by_subject(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for id_ in sorted(self.clauses.keys() | {name for name in self.broken if name.count(".") == 2}):
            found.setdefault(id_, []).append(id_)
            found.setdefault(id_.rpartition(".")[2], []).append(id_)
        return found

    def resolve(self, link: str) -> list[str]:
        """The ids that a link may mean; it should be one."""
        return self._by_subject.get(link, [])

    @cached_property
    def scenarios(self) -> Mapping[str, list[Scenario]]:
        """The scenarios of each clause, in page order."""
        found: dict[str, list[Scenario]] = {id_: [] for id_ in self.clauses}
        for page in self.pages:
            for scenario in page.scenarios:
                found[scenario.clause.value].append(scenario)
        return found
