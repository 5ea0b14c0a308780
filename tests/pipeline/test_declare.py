"""What a manifest declares, and every way in which it cannot be run."""

from __future__ import annotations

from textwrap import dedent

import pytest

from contextful.errors import (
    PipelineDuplicateId,
    PipelineReplaceUnsupported,
    PipelineSpecInvalid,
    PipelineTableNameCollision,
    PipelineUnknownConfigKey,
    PipelineUnknownDestination,
    RunRetryTagUnretryable,
)
from contextful.pipeline import declare
from contextful.pipeline.spec import (
    FileSource,
    HttpSource,
    NextCursor,
    NextLink,
    NextUrl,
    Pages,
    Pagination,
    PipelineSpec,
    ProjectSpec,
    TableSpec,
)
from contextful.run.retry import Schedule
from contextful.run.site import Site
from contextful.store.schema import Type
from contextful_contract.base import ContextfulError
from contextful_contract.shapes import Backoff, CursorKind, FailureTag, OnTableError

PROJECT = '[project]\nname = "shop"\n'
SOURCE = 'source = { name = "file", config = { path = "in/*", format = "csv" } }\n'
FILE = FileSource(path="in/*", format="csv")


def read(text: str) -> ProjectSpec:
    """The project of a manifest."""
    return declare.read(dedent(text), file="contextful.toml")


def pipeline(body: str, source: str = SOURCE) -> PipelineSpec:
    """The one pipeline of a manifest."""
    (spec,) = read(PROJECT + '[[pipeline]]\nid = "shop"\n' + source + body).pipelines
    return spec


def faults(text: str) -> list[tuple[ContextfulError, list[str]]]:
    """What is wrong with a manifest, each with its notes."""
    with pytest.raises(ExceptionGroup) as group:
        read(text)
    refusals = [error for error in group.value.exceptions if isinstance(error, ContextfulError)]
    assert len(refusals) == len(group.value.exceptions)
    return [(refusal, refusal.__notes__) for refusal in refusals]


def only_fault(body: str, source: str = SOURCE) -> ContextfulError:
    """The one thing that is wrong with a pipeline."""
    ((refusal, _),) = faults(PROJECT + '[[pipeline]]\nid = "shop"\n' + source + body)
    return refusal


def test_a_small_manifest_has_every_default() -> None:
    text = PROJECT + '[[pipeline]]\nid = "shop"\ntables = ["orders"]\n' + SOURCE

    assert read(text) == ProjectSpec("shop", Site(), (PipelineSpec("shop", FILE, (TableSpec("orders"),)),))


def test_a_whole_manifest_is_read_to_its_last_key() -> None:
    text = """
    site_id_env = "SITE"

    [project]
    name = "shop"

    [[pipeline]]
    id = "ads"
    cursor = "monotonic"
    incremental = "updated_at"
    on_table_error = "continue"
    destination = "store"

    [pipeline.source]
    name = "http"
    [pipeline.source.config]
    endpoint = "https://ads.example/{table}"
    records = "/data/items"
    since_param = "since"
    params = { fields = "all" }
    headers = { Authorization = "env:ADS_TOKEN" }
    timeout = "5s"
    body_bytes_max = 1_000_000
    pagination = { by = "cursor", pointer = "/next" }

    [[pipeline.tables]]
    name = "insights"
    primary_key = ["day", "ad"]
    order_by = "version"
    write_mode = "append"
    allowed_lateness = "1h"
    columns = { day = "timestamp", spend = "float64" }

    [pipeline.retry]
    backoff = "fixed"
    base_ms = 10
    factor = 3
    attempts = 2
    max_delay_ms = 20
    jitter_ms = 0
    retry_on = ["RateLimited"]
    """

    assert read(text) == ProjectSpec(
        name="shop",
        site=Site(env="SITE"),
        pipelines=(
            PipelineSpec(
                id="ads",
                source=HttpSource(
                    endpoint="https://ads.example/{table}",
                    records="/data/items",
                    pagination=NextCursor("/next"),
                    params={"fields": "all"},
                    headers={"Authorization": "env:ADS_TOKEN"},
                    since_param="since",
                    timeout_ms=5_000,
                    body_bytes_max=1_000_000,
                ),
                tables=(
                    TableSpec(
                        name="insights",
                        primary_key=("day", "ad"),
                        order_by=("version",),
                        columns={"day": Type.TIMESTAMP, "spend": Type.FLOAT64},
                        allowed_lateness_ms=3_600_000,
                    ),
                ),
                cursor=CursorKind.MONOTONIC,
                incremental="updated_at",
                retry=Schedule(Backoff.FIXED, 10, 3, 2, 20, 0, (FailureTag.RATE_LIMITED,)),
                on_table_error=OnTableError.CONTINUE,
            ),
        ),
    )


@pytest.mark.parametrize(
    ("written", "pagination"),
    [
        ('{ by = "page" }', Pages()),
        ('{ by = "page", param = "p", first = 0, size_param = "n", size = 50 }', Pages("p", 0, "n", 50)),
        ('{ by = "cursor", pointer = "/c", param = "after" }', NextCursor("/c", "after")),
        ('{ by = "url", pointer = "/next" }', NextUrl("/next")),
        ('{ by = "link" }', NextLink()),
    ],
)
def test_pages_are_walked_in_four_ways(written: str, pagination: Pagination) -> None:
    source = f'source = {{ name = "http", config = {{ endpoint = "http://v/x", pagination = {written} }} }}\n'

    assert pipeline('tables = ["orders"]\n', source).source == HttpSource("http://v/x", pagination=pagination)


@pytest.mark.clause("run.declare.table-name")
def test_a_table_is_called_after_its_pipeline() -> None:
    assert declare.table_name("meta-ads", "Insights") == "meta_ads_insights"
    assert declare.table_name("café", "a.b") == "caf__a_b"


@pytest.mark.clause("run.declare.unknown-key")
@pytest.mark.clause("run.declare.invalid")
@pytest.mark.clause("run.declare.unknown-block")
def test_every_fault_is_found_in_one_pass_each_with_its_place() -> None:
    text = """
    [project]
    nmae = "shop"

    [[pipeline]]
    id = "shop"
    shedule = "every 1h"
    tables = ["orders", { name = "items", write_mode = "upsert" }]
    retry = { attempts = 0 }
    source.name = "http"
    source.config = { endpoint = "ftp://x", pagination = { by = "page", size = "many" } }

    [pipelin]
    """

    assert [(type(refusal).__name__, vars(refusal) | {"__notes__": notes}) for refusal, notes in faults(text)] == [
        (
            "PipelineSpecInvalid",
            {"pipeline": "(any)", "key": "project.name", "reason": "is missing", "__notes__": ["contextful.toml:2:2"]},
        ),
        (
            "PipelineUnknownConfigKey",
            {
                "pipeline": "(any)",
                "key": "project.nmae",
                "__notes__": ["contextful.toml:3:1", "did you mean name?"],
            },
        ),
    ] + [
        (name, {"pipeline": "shop", "key": key} | ({"reason": reason} if reason else {}) | {"__notes__": notes})
        for name, key, reason, notes in [
            (
                "PipelineUnknownConfigKey",
                "shedule",
                None,
                ["contextful.toml:7:1", "did you mean schedule?"],
            ),
            (
                "PipelineSpecInvalid",
                "tables.write_mode",
                "must be one of 'append', 'replace'",
                ["contextful.toml:8:39"],
            ),
            ("PipelineSpecInvalid", "retry.attempts", "must be a whole number from 1 to 100", ["contextful.toml:9:11"]),
            (
                "PipelineSpecInvalid",
                "source.config.endpoint",
                "must be an address that begins with http:// or https://, in ASCII",
                ["contextful.toml:11:19"],
            ),
            (
                "PipelineSpecInvalid",
                "source.config.pagination.size",
                "must be a whole number from 1 to 1000000",
                ["contextful.toml:11:69"],
            ),
        ]
    ] + [
        ("PipelineUnknownBlock", {"block": "pipelin", "__notes__": ["contextful.toml:13:2", "did you mean pipeline?"]})
    ]


@pytest.mark.clause("run.declare.duplicate-id")
def test_two_pipelines_of_one_id_are_refused() -> None:
    one = f'[[pipeline]]\nid = "shop"\ntables = ["orders"]\n{SOURCE}'

    ((refusal, notes),) = faults(PROJECT + one + one)

    assert isinstance(refusal, PipelineDuplicateId)
    assert (refusal.pipeline, notes) == ("shop", ["contextful.toml:8:1"])


@pytest.mark.clause("run.declare.table-name-collision")
def test_two_tables_that_would_land_under_one_name_are_refused() -> None:
    refusal = only_fault('tables = ["a-b", "a_b"]\n')

    assert isinstance(refusal, PipelineTableNameCollision)
    assert (refusal.table, refusal.first, refusal.second) == ("shop_a_b", "shop/a-b", "shop/a_b")


@pytest.mark.clause("run.declare.replace-unsupported")
def test_a_table_does_not_replace_beside_a_window() -> None:
    refusal = only_fault('tables = [{ name = "orders", write_mode = "replace" }]\n')

    assert isinstance(refusal, PipelineReplaceUnsupported)
    assert (refusal.table, refusal.reason) == ("orders", "a cursor that is opaque-token")


@pytest.mark.clause("run.land.unknown-destination")
def test_rows_land_nowhere_but_in_the_store() -> None:
    refusal = only_fault('tables = ["orders"]\ndestination = "warehouse"\n')

    assert isinstance(refusal, PipelineUnknownDestination)
    assert refusal.destination == "warehouse"


@pytest.mark.clause("run.declare.unknown-key")
@pytest.mark.parametrize(
    ("body", "key"),
    [
        ('tables = ["orders"]\nshedule = "every 1h"\n', "shedule"),
        ('tables = [{ name = "orders", primary_keys = ["id"] }]\n', "tables.primary_keys"),
        ('tables = ["orders"]\nretry = { atempts = 3 }\n', "retry.atempts"),
    ],
)
def test_a_key_that_nothing_reads_is_refused(body: str, key: str) -> None:
    refusal = only_fault(body)

    assert isinstance(refusal, PipelineUnknownConfigKey)
    assert (refusal.pipeline, refusal.key) == ("shop", key)


@pytest.mark.clause("run.declare.invalid")
@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("", "tables"),
        ("tables = []\n", "tables"),
        ("tables = 3\n", "tables"),
        ("tables = [3]\n", "tables"),
        ('tables = ["a/b"]\n', "tables"),
        ('tables = [{ name = "orders", primary_key = [] }]\n', "tables.primary_key"),
        ('tables = [{ name = "orders", columns = { a = "null" } }]\n', "tables.columns.a"),
        ('tables = [{ name = "orders", columns = { a = "integer" } }]\n', "tables.columns.a"),
        ('tables = [{ name = "orders", allowed_lateness = "soon" }]\n', "tables.allowed_lateness"),
        ('tables = ["orders"]\ncursor = "sequence"\n', "cursor"),
        ('tables = [{ name = "orders", available_time = "at", columns = { at = "utf8" } }]\n', "tables.available_time"),
        ('tables = ["orders"]\ncursor = "monotonic"\n', "incremental"),
        ('tables = ["orders"]\nincremental = "at"\n', "incremental"),
        ('tables = ["orders"]\nretry = { retry_on = ["Never"] }\n', "retry.retry_on"),
        ('tables = ["orders"]\nretry = { attempts = true }\n', "retry.attempts"),
        ('tables = ["orders"]\nretry = 3\n', "retry"),
        ('tables = [{ name = "orders", allowed_lateness = "9999999d" }]\n', "tables.allowed_lateness"),
    ],
)
def test_a_value_that_does_not_fit_its_key_is_refused(body: str, key: str) -> None:
    refusals = [refusal for refusal, _ in faults(PROJECT + '[[pipeline]]\nid = "shop"\n' + SOURCE + body)]

    assert [(type(refusal), vars(refusal)["key"]) for refusal in refusals][:1] == [(PipelineSpecInvalid, key)]


@pytest.mark.clause("run.retry.unretryable-tag")
def test_a_schedule_that_retries_what_no_attempt_cures_is_refused_with_the_other_faults() -> None:
    refusal = only_fault('tables = ["orders"]\nretry = { retry_on = ["Permanent"] }\n')

    assert isinstance(refusal, RunRetryTagUnretryable)
    assert (refusal.label, refusal.named) == ("pipeline shop", "Permanent")
    assert refusal.__notes__ == ["contextful.toml:7:11"]


HTTP = 'source = {{ name = "http", config = {{ endpoint = "http://v/x", {config} }} }}\n'


@pytest.mark.clause("run.declare.invalid")
@pytest.mark.parametrize(
    "endpoint", ["http://", "http://v:99999/", "http://v:0/", "http://[v/", "http://v/{tabel}", "http://é/"]
)
def test_an_address_that_nothing_could_be_asked_at_is_refused(endpoint: str) -> None:
    source = f'source = {{ name = "http", config = {{ endpoint = "{endpoint}" }} }}\n'

    assert vars(only_fault('tables = ["orders"]\n', source))["key"] == "source.config.endpoint"


@pytest.mark.clause("run.declare.invalid")
@pytest.mark.parametrize(
    ("config", "key"),
    [
        ('timeout = "0s"', "timeout"),
        ('timeout = "31s"', "timeout"),
        ('headers = { "a b" = "c" }', "headers.a b"),
        ('headers = { a = "b\\nc" }', "headers.a"),
        ('headers = { a = "é" }', "headers.a"),
        ('headers = { a = "env:" }', "headers.a"),
    ],
)
def test_what_no_request_could_be_made_with_is_refused(config: str, key: str) -> None:
    assert vars(only_fault('tables = ["orders"]\n', HTTP.format(config=config)))["key"] == f"source.config.{key}"


@pytest.mark.parametrize("path", ["/etc/*", "../x", "a/../../x", "..", "a**/b", "{tables}/*", "a\\u0000b"])
def test_a_file_source_stays_in_its_project(path: str) -> None:
    source = f'source = {{ name = "file", config = {{ path = "{path}", format = "csv" }} }}\n'

    refusal = only_fault('tables = ["orders"]\n', source)

    assert vars(refusal)["key"] == "source.config.path"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[project\n", "contextful.toml:1:9"),
        ('[project]\nname = "a"\nname = "b"\n', "contextful.toml:3:11"),
        ('[project]\nname = """\n', "contextful.toml:3:1"),
        ("= 3", "contextful.toml:1:1"),
        ("a = " + "[" * 50_000, "contextful.toml:1:1"),
        ("a = " + "9" * 5_000, "contextful.toml:1:1"),
    ],
    ids=["a block", "a key twice", "a text", "no key", "a deep nest", "a number without end"],
)
def test_text_that_is_no_toml_is_refused_at_its_place(text: str, place: str) -> None:
    ((refusal, notes),) = faults(text)

    assert isinstance(refusal, PipelineSpecInvalid)
    assert notes == [place]


@pytest.mark.parametrize(
    ("cursor", "config", "key"),
    [
        ("", "", "source.config.skip_unchanged"),
        ('cursor = "snapshot-id"\n', "pagination = { by = 'page' }, ", "source.config.skip_unchanged"),
    ],
    ids=["not read whole", "in pages"],
)
def test_what_is_not_one_input_cannot_be_skipped(cursor: str, config: str, key: str) -> None:
    source = f'source = {{ name = "http", config = {{ endpoint = "http://v/x", {config}skip_unchanged = true }} }}\n'

    ((refusal, _),) = faults(PROJECT + '[[pipeline]]\nid = "shop"\ntables = ["orders"]\n' + source + cursor)

    assert isinstance(refusal, PipelineSpecInvalid)
    assert refusal.key == key
