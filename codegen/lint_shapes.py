"""What must hold of the tables: a row agrees with the clause that owns it, and makes sound Python."""

from __future__ import annotations

import builtins
import keyword
import re
from enum import StrEnum

from codegen import inline, naming
from codegen.findings import Notes
from codegen.model import Contract, Enumeration, Field, Limit, Page, Record, Refusal, Text, Type
from codegen.type_names import annotation, names

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}|[{}]")
_TAKEN = {*vars(builtins), "ContextfulError", "Instant", "Json", "Mapping", "StrEnum", "TypeAlias"}
_OMITTED = {
    "omit-if-zero": {"int", "float"},
    "omit-if-false": {"bool"},
    "omit-if-empty": {"str", "list", "map"},
}


def check(contract: Contract, page: Page, notes: Notes) -> None:
    """Note what does not hold of one page's tables."""
    for shape in page.shapes:
        _check_owner(page, shape.clause, notes)
        if shape.name.value in _TAKEN:
            notes.add(shape.name, "python-name", f"{shape.name} means something else in Python")
    for refusal in page.refusals:
        _check_named(contract, page, refusal, notes)
        _check_fields(contract, refusal, notes)
        _check_tag(contract, refusal, notes)
    for limit in page.limits:
        _check_limit(contract, page, limit, notes)
    for enumeration in page.enumerations:
        _check_enumeration(enumeration, notes)
    for record in page.records:
        _check_record(contract, record, notes)


def _check_owner(page: Page, cell: Text, notes: Notes) -> None:
    owners = page.owners(cell)
    if len(owners) > 1:
        notes.add(cell, "owner", f"{cell} may be {' or '.join(owners)}")
    elif not owners and not any(name.rpartition(".")[2] == cell.value for name in page.broken):
        notes.add(cell, "owner", f"no clause of this page has the subject {cell}")


def _check_named(contract: Contract, page: Page, refusal: Refusal, notes: Notes) -> None:
    for id_ in page.owners(refusal.clause)[:1]:
        spans = inline.code(contract.clauses[id_].statement)
        if refusal.name.value not in [span.value for span in spans]:
            notes.add(refusal.name, "unnamed-refusal", f"{id_} does not name `{refusal.name}`")


def _check_fields(contract: Contract, refusal: Refusal, notes: Notes) -> None:
    for field in refusal.fields:
        # A refusal without a tag of its own may carry the one that is underneath.
        is_tag = field.name.value == "tag" and (refusal.tag is not None or field.type != Type("FailureTag"))
        if is_tag or not naming.is_refusal_field(field.name.value):
            notes.add(field.name, "field", f"a refusal cannot have a field {field.name}")
        _check_type(contract, field, notes)
    _check_hiding(refusal.fields, notes)
    fields = [field.name.value for field in refusal.fields]
    for match in _PLACEHOLDER.finditer(refusal.sentence.value):
        if match[1] not in fields:
            at = refusal.sentence.part(*match.span())
            notes.add(at, "placeholder", f"{match[0]} is no field of {refusal.name}")


def _check_tag(contract: Contract, refusal: Refusal, notes: Notes) -> None:
    tags = contract.enumerations.get("FailureTag")
    known = [item.value.value for item in tags.values] if tags else []
    if refusal.tag and refusal.tag.value not in known and "FailureTag" not in contract.broken:
        notes.add(refusal.tag, "tag", f"{refusal.tag} is no FailureTag")


def _check_limit(contract: Contract, page: Page, limit: Limit, notes: Notes) -> None:
    value, unit = limit.value.value, limit.unit.value
    if naming.normalized(limit) is None:
        notes.add(limit.value, "cell", f"{value} {unit} is no whole number of bytes, milliseconds or things")
    one = {"entries": "entry"}.get(unit, unit.removesuffix("s")) if value == "1" else unit
    shown = re.compile(rf"(?<![\w.,]){re.escape(value)} (?:{unit}|{one})(?!\w)")
    for id_ in page.owners(limit.clause)[:1]:
        if not shown.search(contract.clauses[id_].statement.value.replace("`", "")):
            notes.add(limit.value, "limit-statement", f"{id_} does not say {value} {unit}")


def _check_enumeration(enumeration: Enumeration, notes: Notes) -> None:
    for item in enumeration.values:
        if not re.fullmatch("[A-Z][A-Z0-9_]*", naming.member(item.value.value)):
            notes.add(item.value, "python-name", f"{item.value} makes no name of a value")
    for flag in enumeration.flags:
        name = naming.attribute(flag.value)
        if hasattr(StrEnum, name) or keyword.iskeyword(name):
            notes.add(flag, "python-name", f"{flag} is what a string has already, or a word of Python")


def _check_record(contract: Contract, record: Record, notes: Notes) -> None:
    for field in record.fields:
        if field.name.value.startswith("__") or field.name.value.endswith("_"):
            notes.add(field.name, "field", f"a record cannot have a field {field.name}")
        _check_type(contract, field, notes)
        if not _fits(field):
            notes.add(field.type_text, "presence", f"{field.type} is never {field.presence}")
    _check_hiding(record.fields, notes)


def _fits(field: Field) -> bool:
    if field.presence in ("always", "omit-if-none"):
        return field.presence == "always" or field.type.optional
    return field.type.name in _OMITTED[field.presence] and not field.type.optional


def _check_hiding(fields: tuple[Field, ...], notes: Notes) -> None:
    """Within a class, a field called `bytes` would be what a type `bytes` means."""
    used = {word for field in fields for word in re.findall(r"\w+", annotation(field.type))}
    for field in fields:
        if field.name.value in used:
            notes.add(field.name, "field", f"{field.name} is the type of a field beside it")


def _check_type(contract: Contract, field: Field, notes: Notes) -> None:
    for name in names(field.type):
        if name not in contract.enumerations and name not in contract.records and name not in contract.broken:
            start = field.type_text.value.index(name)
            notes.add(field.type_text.part(start, start + len(name)), "unknown-type", f"{name} is no type")
