"""What must hold of the tables: each row agrees with the clause that owns it, and can be written in Python."""

from __future__ import annotations

import keyword
import re
from enum import StrEnum

from codegen import inline, naming
from codegen.findings import Notes
from codegen.model import Contract, Enumeration, Field, Limit, Page, Record, Refusal, Text, Type
from codegen.type_names import names

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}|[{}]")
_OMITTED = {
    "omit-if-zero": {"int", "float"},
    "omit-if-false": {"bool"},
    "omit-if-empty": {"str", "list", "map"},
}


def check(contract: Contract, page: Page, notes: Notes) -> None:
    """Note what does not hold of one page's tables."""
    for shape in (*page.refusals, *page.limits, *page.enumerations, *page.records):
        _check_owner(page, shape.clause, notes)
    for refusal in page.refusals:
        _check_refusal(contract, page, refusal, notes)
    for limit in page.limits:
        _check_limit(contract, page, limit, notes)
    for enumeration in page.enumerations:
        _check_enumeration(enumeration, notes)
    for record in page.records:
        _check_record(contract, record, notes)


def _check_owner(page: Page, cell: Text, notes: Notes) -> None:
    owners = page.owners(cell)
    reported = any(name == cell.value or name.endswith(f".{cell}") for name in page.broken)
    if not owners and not reported:
        notes.add(cell, "owner", f"no clause of this page has the subject {cell}")
    elif len(owners) > 1:
        notes.add(cell, "owner", f"{cell} may be {' or '.join(owners)}")


def _check_refusal(contract: Contract, page: Page, refusal: Refusal, notes: Notes) -> None:
    for id_ in page.owners(refusal.clause)[:1]:
        spans = inline.code(contract.clauses[id_].statement)[0]
        if refusal.name.value not in [span.value for span in spans]:
            notes.add(
                refusal.name, "unnamed-refusal", f"the statement of {id_} does not name `{refusal.name}`"
            )
    for field in refusal.fields:
        underlying = field.name.value == "tag" and not (
            refusal.tag is None and field.type == Type("FailureTag")
        )
        if not naming.is_refusal_field(field.name.value) or underlying:
            notes.add(field.name, "field", f"a refusal cannot have a field {field.name}")
        _check_type(contract, field, notes)
    fields = [field.name.value for field in refusal.fields]
    for match in _PLACEHOLDER.finditer(refusal.sentence.value):
        if match[1] not in fields:
            at = refusal.sentence.part(*match.span())
            notes.add(at, "placeholder", f"{match[0]} is no field of {refusal.name}")
    _check_tag(contract, refusal, notes)


def _check_tag(contract: Contract, refusal: Refusal, notes: Notes) -> None:
    if refusal.tag is None or "FailureTag" in contract.broken:
        return
    tags = contract.enumerations.get("FailureTag")
    if tags is None or refusal.tag.value not in [item.value.value for item in tags.values]:
        notes.add(refusal.tag, "tag", f"{refusal.tag} is no FailureTag")


def _check_limit(contract: Contract, page: Page, limit: Limit, notes: Notes) -> None:
    if naming.normalized(limit) is None:
        notes.add(
            limit.value,
            "cell",
            f"{limit.value} {limit.unit} is no whole number of bytes, milliseconds or things",
        )
    units = [limit.unit.value]
    if limit.value.value == "1":
        units += {"entries": ["entry"]}.get(units[0], [units[0].removesuffix("s")])
    shown = re.compile(rf"(?<![\w.,]){re.escape(limit.value.value)} (?:{'|'.join(units)})(?!\w)")
    for id_ in page.owners(limit.clause)[:1]:
        statement = contract.clauses[id_].statement
        if not shown.search(statement.value.replace("`", "")):
            notes.add(limit.value, "limit-statement", f"{id_} does not say {limit.value} {limit.unit}")


def _check_enumeration(enumeration: Enumeration, notes: Notes) -> None:
    for item in enumeration.values:
        if not re.fullmatch("[A-Z][A-Z0-9_]*", naming.member(item.value.value)):
            notes.add(item.value, "python-name", f"{item.value} makes no name of a value")
    for flag in enumeration.flags:
        name = naming.attribute(flag.value)
        if hasattr(StrEnum, name) or hasattr(str, name) or keyword.iskeyword(name):
            notes.add(flag, "python-name", f"{flag} is what a string has already, or a word of Python")


def _check_record(contract: Contract, record: Record, notes: Notes) -> None:
    for field in record.fields:
        if field.name.value.startswith("__") or field.name.value.endswith("_"):
            notes.add(field.name, "field", f"a record cannot have a field {field.name}")
        _check_type(contract, field, notes)
        fits = (
            field.type.optional
            if field.presence == "omit-if-none"
            else (
                field.presence == "always"
                or (field.type.name in _OMITTED[field.presence] and not field.type.optional)
            )
        )
        if not fits:
            notes.add(field.type_text, "presence", f"{field.type} is never {field.presence}")


def _check_type(contract: Contract, field: Field, notes: Notes) -> None:
    for name in names(field.type):
        if name not in contract.enumerations and name not in contract.records and name not in contract.broken:
            start = field.type_text.value.index(name)
            notes.add(field.type_text.part(start, start + len(name)), "unknown-type", f"{name} is no type")
