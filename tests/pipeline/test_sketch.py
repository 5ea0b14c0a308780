"""The schema that is given to editors takes what the reader takes, and knows the reader's keys."""

from __future__ import annotations

import tomllib
from pathlib import Path

import jsonschema
import pytest

from contextful.faces.cli.scaffold import MANIFEST
from contextful.pipeline import declare, sketch

WHOLE = """
site_id = "here"
[project]
name = "shop"
[[pipeline]]
id = "a"
cursor = "monotonic"
incremental = "at"
normalize = { nesting = 2 }
transforms = [{ rename = { a = "b" } }, { drop = ["c"] }, { where = "d", is_not = [1] }, { where = "d", is = [true] }]
retry = { attempts = 3, retry_on = ["Transient"] }
source = { name = "http", config = { endpoint = "http://v/x", pagination = { by = "url", pointer = "/next" } } }
tables = ["orders", { name = "people", redaction = [{ column = "phone", operation = "replace", argument = "phone" }] }]
[[pipeline]]
id = "b"
cursor = "snapshot-id"
source = { name = "sql", config = { database = "env:SHOP", query = "SELECT 1" } }
tables = [{ name = "rates", write_mode = "replace", available_time = "known", columns = { n = "int64" } }]
[[pipeline]]
id = "c"
source = { name = "command", config = { command = ["./pull"], timeout = "5s" } }
tables = ["x"]
[[pipeline]]
id = "d"
source = { name = "python", config = { function = "vendor:people" } }
tables = ["x"]
"""
EXAMPLES = sorted(Path("examples").glob("*/contextful.toml"))


@pytest.mark.parametrize("text", [WHOLE, MANIFEST.format(name="shop"), *(path.read_text() for path in EXAMPLES)])
def test_what_the_reader_takes_the_schema_takes(text: str) -> None:
    declare.read(text, file="contextful.toml")

    jsonschema.validate(tomllib.loads(text), sketch.schema())


@pytest.mark.clause("run.declare.unknown-key")
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("normalize =", "normalise ="),
        ('cursor = "monotonic"', 'cursor = "sequence"'),
        ("nesting = 2", "nesting = 9"),
        ("timeout =", "time_out ="),
        ('operation = "replace"', 'operation = "erase"'),
        ('id = "c"', 'id = "c/d"'),
    ],
)
def test_what_the_reader_refuses_for_itself_the_schema_refuses(right: str, wrong: str) -> None:
    text = WHOLE.replace(right, wrong, 1)
    assert text != WHOLE
    with pytest.raises(ExceptionGroup):
        declare.read(text, file="contextful.toml")

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(text), sketch.schema())
