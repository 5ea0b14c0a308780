"""What may stand once: the second is noted, and says where the first is."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from codegen import naming
from codegen.findings import Notes
from codegen.model import Contract, Enumeration, Limit, Operation, Page, Record, Refusal, Text

_CODES = {
    "owned operation": "operation-owned-twice",
    "statement": "same-statement",
    "test module": "python-name",
    "test name": "python-name",
    "constant": "python-name",
    "member": "python-name",
    "property": "python-name",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A place takes a key.

    Claims of one and the same thing, `of`, do not conflict: that it stands twice is noted for itself.
    """

    kind: str
    key: Hashable
    at: Text
    of: str | None = None


@dataclass(frozen=True, slots=True)
class _Taken:
    path: str
    claim: Claim


def check(contract: Contract, notes: dict[str, Notes]) -> None:
    """Note each key that is taken twice, within a page or among the pages."""
    taken: dict[Hashable, _Taken] = {}
    for page in contract.pages:
        for claim in _claims(page):
            first = taken.setdefault((claim.kind, claim.key), _Taken(page.path, claim))
            if first.claim is claim or (claim.of is not None and claim.of == first.claim.of):
                continue
            code = _CODES.get(claim.kind, "duplicate")
            notes[page.path].add(claim.at, code, f"the same {claim.kind} as at {first.path}:{first.claim.at.line}")


def _claims(page: Page) -> Iterator[Claim]:
    for name in page.owns:
        yield Claim("owned operation", f"{page.contract}.{name}", name)
    for operation in page.operations:
        yield from _operation_claims(operation)
    yield from _shape_claims(page)


def _operation_claims(operation: Operation) -> Iterator[Claim]:
    yield Claim("section", operation.id, operation.name)
    yield Claim("test module", naming.module(operation.id), operation.name, of=operation.id)
    for heading in operation.headings:
        yield Claim("sub-heading", (operation.id, heading.value), heading)
    for clause in operation.clauses:
        yield Claim("id", clause.id, clause.subject)
        yield Claim("test name", naming.stem(clause.id), clause.subject, of=clause.id)
        yield Claim("statement", " ".join(clause.statement.value.split()), clause.statement, of=clause.id)
    for scenario in operation.scenarios:
        key = (scenario.clause.value, scenario.given, scenario.when, scenario.then)
        yield Claim("scenario", key, scenario.clause)


def _shape_claims(page: Page) -> Iterator[Claim]:
    for shape in page.shapes:
        yield Claim("name", shape.name.value, shape.name)
        match shape:
            case Limit():
                yield Claim("constant", naming.constant(shape), shape.name, of=shape.name.value)
            case Refusal() | Record():
                for field in shape.fields:
                    yield Claim("field", (shape.name, field.name.value), field.name)
            case Enumeration():
                yield from _enumeration_claims(shape)


def _enumeration_claims(enumeration: Enumeration) -> Iterator[Claim]:
    for item in enumeration.values:
        value = item.value
        yield Claim("value", (enumeration.name, value.value), value)
        yield Claim("member", (enumeration.name, naming.member(value.value)), value, of=value.value)
    for flag in enumeration.flags:
        yield Claim("property", (enumeration.name, naming.attribute(flag.value)), flag, of=flag.value)
