"""The contract as JSON, for `generated/contract.json` and for the templates."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from operator import itemgetter
from typing import Any, TypeAlias

from codegen import inline, naming
from codegen.model import Clause, Contract, Enumeration, Field, Limit, Operation, Page, Record, Refusal, Text

Json: TypeAlias = dict[str, Any]
VERSION = 1


def as_json(contract: Contract) -> Json:
    """Everything the pages say: clauses in the order of the pages, what the tables say by name."""
    pages = contract.pages
    operations = [(page, operation) for page in pages for operation in page.operations]
    shapes = [_enumeration(page, shape) for page in pages for shape in page.enumerations]
    shapes += [_record(page, shape) for page in pages for shape in page.records]
    return {
        "version": VERSION,
        "operations": [_operation(contract, page, operation) for page, operation in operations],
        "clauses": [_clause(contract, page, clause) for page, o in operations for clause in o.clauses],
        "refusals": _by_name(_refusal(page, shape) for page in pages for shape in page.refusals),
        "limits": _by_name(_limit(page, shape) for page in pages for shape in page.limits),
        "shapes": _by_name(shapes),
        "unsettled": [
            {
                "question": _resolved(contract, unsettled.question.value),
                "owner": unsettled.owner.value,
                "affects": [name.value for name in unsettled.affects],
                **_place(page, unsettled.question),
            }
            for page in pages
            for unsettled in page.unsettled
        ],
    }


def revision(statement: str) -> str:
    """What changes when a statement is reworded, and only then: runs of spaces do not count."""
    folded = " ".join(unicodedata.normalize("NFC", statement).split())
    return hashlib.sha256(folded.encode("utf-8")).hexdigest()[:8]


def _operation(contract: Contract, page: Page, operation: Operation) -> Json:
    return {
        "id": operation.id,
        "contract": page.contract.value,
        "title": page.title,
        "lede": _resolved(contract, operation.lede),
        "headings": [heading.value for heading in operation.headings],
        "clauses": [clause.id for clause in operation.clauses],
        **_place(page, operation.name),
    }


def _clause(contract: Contract, page: Page, clause: Clause) -> Json:
    statement = _resolved(contract, clause.statement.value)
    why = _resolved(contract, clause.why.value) if clause.why else None
    refusals = [shape.name.value for shape in page.refusals if clause.id in page.owners(shape.clause)]
    limits = [shape.name.value for shape in page.limits if clause.id in page.owners(shape.clause)]
    return {
        "id": clause.id,
        "operation": clause.operation,
        "heading": clause.heading,
        "statement": statement,
        "why": why,
        "kind": "refusal" if refusals else "limit" if limits else "behaviour",
        "rev": revision(statement),
        "evidence": {"test": clause.evidence.test, "theorem": clause.evidence.theorem},
        "refusals": sorted(refusals),
        "limits": sorted(limits),
        "links": sorted({match[1] for match in inline.LINK.finditer(f"{statement} {why}")}),
        "scenarios": [
            {
                "name": naming.scenario(clause.id, number),
                "given": list(scenario.given),
                "when": list(scenario.when),
                "then": list(scenario.then),
                "line": scenario.clause.line,
            }
            for number, scenario in enumerate(contract.scenarios[clause.id], 1)
        ],
        **_place(page, clause.subject),
    }


def _refusal(page: Page, refusal: Refusal) -> Json:
    return {
        **_shape(page, refusal),
        "fields": [{"name": field.name.value, "type": str(field.type)} for field in refusal.fields],
        "tag": refusal.tag.value if refusal.tag else None,
        "http_status": refusal.http_status,
        "exit_code": refusal.exit_code,
        "sentence": refusal.sentence.value,
    }


def _limit(page: Page, limit: Limit) -> Json:
    value = float(limit.value.value)
    return {
        **_shape(page, limit),
        "value": int(value) if value.is_integer() else value,
        "unit": limit.unit.value,
        "constant": naming.constant(limit),
        "normalized": naming.normalized(limit),
    }


def _enumeration(page: Page, enumeration: Enumeration) -> Json:
    flags = [flag.value for flag in enumeration.flags]
    return {
        **_shape(page, enumeration),
        "shape": "enumeration",
        "members": [
            {
                "value": item.value.value,
                "meaning": item.meaning,
                "flags": dict(zip(flags, item.flags, strict=True)),
            }
            for item in enumeration.values
        ],
    }


def _record(page: Page, record: Record) -> Json:
    return {
        **_shape(page, record),
        "shape": "record",
        "fields": [_field(field) for field in record.fields],
    }


def _field(field: Field) -> Json:
    return {
        "name": field.name.value,
        "type": str(field.type),
        "presence": field.presence,
        "meaning": field.meaning,
    }


def _shape(page: Page, shape: Refusal | Limit | Enumeration | Record) -> Json:
    return {"name": shape.name.value, "clause": page.owners(shape.clause)[0], **_place(page, shape.name)}


def _place(page: Page, text: Text) -> Json:
    return {"file": page.path, "line": text.line}


def _resolved(contract: Contract, text: str) -> str:
    return inline.LINK.sub(lambda match: "{{" + contract.resolve(match[1])[0] + "}}", text)


def _by_name(shapes: Iterable[Json]) -> list[Json]:
    return sorted(shapes, key=itemgetter("name"))
