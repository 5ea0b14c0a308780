"""How a manifest declares the shape of rows and what is removed from them, and how it cannot."""

from __future__ import annotations

import pytest

from contextful.errors import EnforceRedactionInvalid, PipelineSpecInvalid, PipelineUnknownConfigKey
from contextful.pipeline import declare
from contextful.pipeline.reshape import Drop, Keep, Rename
from contextful.pipeline.spec import PipelineSpec
from contextful_contract.shapes import ColumnPolicy, MaskStrategy, RedactionOperation, RedactionRule

HEAD = """
[project]
name = "shop"
[[pipeline]]
id = "shop"
source = { name = "file", config = { path = "in/*", format = "csv" } }
"""


def pipeline(body: str) -> PipelineSpec:
    """The pipeline that is declared so."""
    (spec,) = declare.read(HEAD + body, file="contextful.toml").pipelines
    return spec


def refused(body: str) -> BaseException:
    """The one fault of a declaration."""
    with pytest.raises(ExceptionGroup) as group:
        pipeline(body)
    (refusal,) = group.value.exceptions
    return refusal


def test_a_pipeline_declares_how_its_rows_are_shaped() -> None:
    spec = pipeline(
        'tables = ["people"]\nnormalize = { nesting = 2 }\nguard_secrets = false\n'
        'transforms = [{ rename = { a = "b" } }, { drop = ["c"] }, { where = "d", is_not = [1, "x", true] }]\n'
    )

    assert spec.nesting == 2
    assert not spec.guard_secrets
    assert spec.transforms == (Rename({"a": "b"}), Drop(("c",)), Keep("d", (1, "x", True), turned=True))


def test_a_table_declares_what_is_removed() -> None:
    spec = pipeline('tables = [{ name = "people", redaction = [{ column = "phone", operation = "drop" }] }]')

    phone = RedactionRule(table="people", column="phone", operation=RedactionOperation.DROP)
    assert spec.tables[0].redaction == (phone,)


@pytest.mark.clause("authority.mask.column-policy")
def test_a_table_declares_how_its_columns_may_be_read() -> None:
    spec = pipeline('tables = [{ name = "people", policy.columns.Email = { class = "pii", strategy = "hash" } }]')

    assert spec.tables[0].policy == {"email": ColumnPolicy(class_="pii", strategy=MaskStrategy.HASH)}


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ('tables = ["people"]\nnormalize = { nesting = 6 }', "normalize.nesting"),
        ('tables = ["people"]\ntransforms = [{ drop = ["a"], where = "b" }]', "transforms.where"),
        ('tables = ["people"]\ntransforms = [{ where = "b" }]', "transforms.is"),
        ('tables = ["people"]\ntransforms = [{ rename = { a = "" } }]', "transforms.rename.a"),
        ('tables = [{ name = "people", redaction = [{ column = "phone" }] }]', "tables.redaction.operation"),
        (
            'tables = [{ name = "people", redaction = [{ table = "x", column = "phone", operation = "drop" }] }]',
            "tables.redaction.table",
        ),
        (
            'tables = [{ name = "p", policy = { columns = { a = { strategy = "hash" } } } }]',
            "tables.policy.columns.a.class",
        ),
        (
            'tables = [{ name = "p", policy = { columns = { a = { class = "c" } } } }]',
            "tables.policy.columns.a.strategy",
        ),
        (
            'tables = [{ name = "p", policy = { columns = { _ingested_at = { class = "c", strategy = "drop" } } } }]',
            "tables.policy.columns",
        ),
        (
            'tables = [{ name = "p", available_time = "At", policy.columns.aT = { class = "c", strategy = "drop" } }]',
            "tables.policy",
        ),
    ],
)
def test_what_does_not_fit_is_named(body: str, key: str) -> None:
    refusal = refused(body)

    assert isinstance(refusal, PipelineSpecInvalid)
    assert refusal.key == key


def test_an_unknown_key_of_a_rule_is_named() -> None:
    refusal = refused('tables = [{ name = "p", redaction = [{ column = "a", operation = "drop", maches = "x" }] }]')

    assert isinstance(refusal, PipelineUnknownConfigKey)
    assert refusal.key == "tables.redaction.maches"


def test_a_rule_without_a_pattern_is_refused_where_it_stands() -> None:
    refusal = refused('tables = [{ name = "p", redaction = [{ column = "a", operation = "drop", match = "(" }] }]')

    assert isinstance(refusal, EnforceRedactionInvalid)
    assert refusal.__notes__[0].startswith("contextful.toml:7:")


@pytest.mark.clause("authority.redact.clock-lineage")
@pytest.mark.parametrize(
    "renames", ["", 'transforms = [{ rename = { born = "since" } }]\n'], ids=["as it is", "renamed"]
)
def test_a_clock_that_a_rule_changes_is_refused(renames: str) -> None:
    column = "Since" if renames else "born"
    rules = f'redaction = [{{ column = "{column}", operation = "drop" }}]'

    refusal = refused(f'tables = [{{ name = "p", {rules} }}]\ncursor = "monotonic"\nincremental = "born"\n{renames}')

    assert isinstance(refusal, PipelineSpecInvalid)
    assert refusal.key == "incremental"
