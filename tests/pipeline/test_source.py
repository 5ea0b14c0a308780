"""Sources of other kinds than files and HTTP, as a manifest declares them."""

from __future__ import annotations

import pytest

from contextful.errors import PipelineSpecInvalid
from contextful.pipeline import declare
from contextful.pipeline.spec import CommandSource, PipelineSpec, PythonSource, SqlSource

HEAD = '[project]\nname = "shop"\n[[pipeline]]\nid = "shop"\ntables = ["orders"]\n'
QUERY = 'source = { name = "sql", config = { database = "env:SHOP", query = "SELECT 1" } }\n'


def pipeline(body: str) -> PipelineSpec:
    """The pipeline that is declared so."""
    (spec,) = declare.read(HEAD + body, file="contextful.toml").pipelines
    return spec


@pytest.mark.parametrize(
    ("written", "source"),
    [
        ('{ name = "python", config = { function = "vendor:people" } }', PythonSource("vendor:people")),
        (
            '{ name = "command", config = { command = ["./pull", "-v"], timeout = "5s" } }',
            CommandSource(("./pull", "-v"), 5_000),
        ),
    ],
)
def test_a_source_may_be_the_projects_own(written: str, source: object) -> None:
    assert pipeline(f"source = {written}\n").source == source


def test_a_query_is_read_from_its_watermark_on() -> None:
    spec = pipeline(f'cursor = "monotonic"\nincremental = "at"\n{QUERY}')

    assert spec.source == SqlSource("env:SHOP", "SELECT 1", clock="at")


@pytest.mark.clause("run.declare.invalid")
@pytest.mark.parametrize(
    ("body", "key"),
    [
        (QUERY, "source.config.query"),
        ('source = { name = "sql", config = { database = "../x", query = "q" } }\ncursor = "snapshot-id"', "database"),
        ('source = { name = "python", config = { function = "vendor" } }', "function"),
        ('source = { name = "command", config = {} }', "command"),
    ],
)
def test_what_cannot_be_run_is_named(body: str, key: str) -> None:
    with pytest.raises(ExceptionGroup) as group:
        pipeline(body)

    (refusal,) = group.value.exceptions
    assert isinstance(refusal, PipelineSpecInvalid)
    assert refusal.key.endswith(key)
