"""From the contract to the files of `generated/`, as bytes by path. The same pages give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from codegen import naming, python_text, type_names
from codegen.as_json import Json, as_json
from codegen.model import Contract

_HERE = Path(__file__).parent
_PACKAGE = "contextful_contract"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file to be, its template and what the template shows."""

    path: str
    template: str
    shown: dict[str, Any]


def render(contract: Contract) -> dict[str, bytes]:
    """Every file below `generated/`, but for the manifest."""
    said = as_json(contract)
    texts = {
        "contract.json": _line_by_line(said),
        "contract.schema.json": (_HERE / "contract.schema.json").read_text(encoding="utf-8"),
        f"{_PACKAGE}/base.py": (_HERE / "runtime" / "base.py").read_text(encoding="utf-8"),
        f"{_PACKAGE}/py.typed": "",
    }
    environment = _environment()
    for sheet in (*_modules(contract, said), *_operations(said)):
        texts[sheet.path] = environment.get_template(sheet.template).render(sheet.shown)
    return {path: text.encode("utf-8") for path, text in texts.items()}


def _line_by_line(said: Json) -> str:
    """JSON with a line for each clause and shape: a change of the contract is a change of lines."""
    parts = []
    for key, value in sorted(said.items()):
        items = value if isinstance(value, list) else []
        lines = ",\n".join(json.dumps(item, ensure_ascii=False, sort_keys=True) for item in items)
        parts.append(f'"{key}": ' + (f"[\n{lines}\n]" if items else json.dumps(value)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _modules(contract: Contract, said: Json) -> Iterator[Sheet]:
    """The modules of the package."""
    records = [shape for name in _dependency_order(contract) for shape in said["shapes"] if shape["name"] == name]
    enumerations = [shape for shape in said["shapes"] if shape["shape"] == "enumeration"]
    refusal_types = [field.type for refusal in contract.refusals.values() for field in refusal.fields]
    record_fields = [field for record in records for field in record["fields"]]
    imported = {name for type_ in refusal_types for name in type_names.python_names(type_)}
    imported |= {"FailureTag"} if any(refusal["tag"] for refusal in said["refusals"]) else set()
    clauses = sorted(said["clauses"], key=lambda clause: clause["id"])
    modules: dict[str, dict[str, Any]] = {
        "__init__": {},
        "clauses": {"clauses": clauses},
        "statements": {"clauses": clauses},
        "limits": {"limits": said["limits"]},
        "errors": {
            "refusals": said["refusals"],
            "imported": sorted(imported),
            "annotations": " ".join(map(type_names.annotation, refusal_types)),
        },
        "shapes": {
            "enumerations": enumerations,
            "records": records,
            "tagged": "FailureTag" in contract.enumerations,
            "annotations": " ".join(python_text.annotation(field["type"]) for field in record_fields),
            "defaults": " ".join(map(python_text.default, record_fields)),
        },
    }
    for name, shown in modules.items():
        yield Sheet(f"{_PACKAGE}/{name}.py", f"{name}.py.jinja", shown)


def _operations(said: Json) -> Iterator[Sheet]:
    """A feature for each operation, and the module that binds its scenarios."""
    for operation in said["operations"]:
        shown = {
            "operation": operation,
            "clauses": [clause for clause in said["clauses"] if clause["operation"] == operation["id"]],
            "feature": operation["id"].replace(".", "/") + ".feature",
            "stem": naming.stem(operation["id"]),
        }
        yield Sheet(f"features/{shown['feature']}", "operation.feature.jinja", shown)
        yield Sheet(f"tests/test_{naming.module(operation['id'])}.py", "test_operation.py.jinja", shown)


def _steps(scenario: Json) -> str:
    """The steps of a scenario as a feature has them, a line each."""
    lines = []
    for word in ("given", "when", "then"):
        first, *more = scenario[word] or [None]
        lines += [f"    {word.title()} {first}"] if first else []
        lines += [f"    And {step}" for step in more]
    return "\n".join(lines)


def _dependency_order(contract: Contract) -> list[str]:
    """The records by name, but each after those that its fields hold."""
    ordered: dict[str, None] = {}
    met: set[str] = set()

    def visit(name: str) -> None:
        if name in met or name not in contract.records:
            return
        met.add(name)
        for field in contract.records[name].fields:
            for held in type_names.names(field.type):
                visit(held)
        ordered[name] = None

    for name in sorted(contract.records):
        visit(name)
    return list(ordered)


@cache
def _environment() -> Environment:
    """The templates, compiled once for whoever renders again and again."""
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters |= {
        "annotation": python_text.annotation,
        "attribute": naming.attribute,
        "default_of": python_text.default,
        "field": naming.field,
        "literal": python_text.literal,
        "member": naming.member,
        "steps": _steps,
    }
    environment.globals |= {"assignment": python_text.assignment, "import_of": python_text.import_of}
    return environment
