"""What a declared pipeline compiles to, and by what it is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contextful.errors import RunRetryTagUnretryable
from contextful.kernel.failure import Failed
from contextful.pipeline import compile
from contextful.pipeline.compile import Incremental, Node, TablePlan
from contextful.pipeline.land import Destined
from contextful.pipeline.prepare import Writer
from contextful.pipeline.spec import FileSource, HttpSource, Pages, PipelineSpec, TableSpec
from contextful.run.own.own import Pins, TableScope
from contextful.run.retry import Schedule
from contextful.store.declare import Reading
from contextful.store.schema import Type
from contextful_contract.shapes import ConnectorPin, CursorKind, FailureTag, NodeKind, OnTableError, WriteMode

ORDERS = TableSpec("orders", primary_key=("id",), columns={"at": Type.TIMESTAMP}, allowed_lateness_ms=5)
SPEC = PipelineSpec(
    id="my-shop",
    source=HttpSource("http://v/x", pagination=Pages()),
    tables=(ORDERS,),
    cursor=CursorKind.MONOTONIC,
    incremental="at",
)


def test_a_table_has_a_plan() -> None:
    assert compile.tables(SPEC) == (
        TablePlan(
            pipeline_id="my-shop",
            table_name="orders",
            source=SPEC.source,
            table=Destined("my_shop_orders", ("id",), {"at": Type.TIMESTAMP}, ("_ingested_at",), name="orders"),
            reading=Reading("my_shop_orders", ("id",), ("_ingested_at",), columns={"at": Type.TIMESTAMP}),
            schedule=Schedule(),
            plan_ref=compile.plan_version("my-shop", [Node(NodeKind.STEP, "pull", does=compile.content_hash(SPEC))]),
            content_hash=compile.content_hash(SPEC),
            incremental=Incremental("at", 5),
            cursor=CursorKind.MONOTONIC,
            writer=Writer("my_shop_orders"),
        ),
    )


@pytest.mark.clause("run.own.execution-owner")
def test_a_plan_owns_its_pipeline_and_table() -> None:
    (plan,) = compile.tables(SPEC)

    assert plan.scope == TableScope("my-shop", "orders")


@pytest.mark.clause("run.declare.content-hash")
def test_a_declaration_has_one_hash_for_ever() -> None:
    spec = PipelineSpec("shop", FileSource("in/*", "csv"), (TableSpec("orders"),))

    assert compile.content_hash(spec) == "5c224fb128b55058b239da49cf981570bf20898b88b2fa0e7b41e1ab4a869690"


@pytest.mark.clause("run.declare.content-hash")
@pytest.mark.parametrize(
    "changed",
    [
        replace(SPEC, id="shop"),
        replace(SPEC, source=HttpSource("http://v/y", pagination=Pages())),
        replace(SPEC, source=HttpSource("http://v/x", pagination=Pages(first=0))),
        replace(SPEC, source=HttpSource("http://v/x")),
        replace(SPEC, tables=(replace(ORDERS, write_mode=WriteMode.REPLACE),)),
        replace(SPEC, tables=(replace(ORDERS, columns={}),)),
        replace(SPEC, incremental="day"),
        replace(SPEC, retry=Schedule(attempts=2)),
        replace(SPEC, on_table_error=OnTableError.CONTINUE),
    ],
)
def test_whatever_is_declared_otherwise_hashes_otherwise(changed: PipelineSpec) -> None:
    assert compile.content_hash(changed) != compile.content_hash(SPEC)


@pytest.mark.clause("run.compile.plan-version")
def test_a_plan_version_is_sixteen_characters_of_what_is_done() -> None:
    versions = [compile.plan_version("p", [Node(NodeKind.STEP, label)]) for label in ("pull", "pull", "other")]

    assert versions[0] == versions[1] != versions[2]
    assert len(versions[0]) == 16


@pytest.mark.clause("run.compile.nodes")
@pytest.mark.parametrize(
    ("nodes", "says"),
    [
        ([Node(NodeKind.STEP, "a"), Node(NodeKind.STEP, "a")], "plan p has more than one node labeled a"),
        ([Node(NodeKind.PARALLEL, "join", of=("a", "b")), Node(NodeKind.STEP, "a")], "plan p has no node labeled b"),
    ],
    ids=["twice", "missing"],
)
def test_a_label_that_does_not_stand_once_does_not_compile(nodes: list[Node], says: str) -> None:
    with pytest.raises(Failed) as refusal:
        compile.plan_version("p", nodes)

    assert (refusal.value.failure.tag, str(refusal.value)) == (FailureTag.CONFIG, says)


@pytest.mark.clause("run.own.execution-owner")
def test_a_run_is_bound_to_its_connector_and_its_declaration_and_knows_its_input() -> None:
    (plan,) = compile.tables(SPEC)
    pulls = ConnectorPin(id="http", version="1", world="native", hash="h")

    pins = plan.pins(pulls, '{"page":1}')

    assert pins == Pins(plan.plan_ref, {"content_hash": plan.content_hash}, pulls)
    assert pins.input_hash != plan.pins(pulls, '{"page":2}').input_hash
    assert pins == plan.pins(pulls, '{"page":2}')


@pytest.mark.clause("run.retry.unretryable-tag")
def test_a_schedule_that_retries_what_no_attempt_cures_does_not_compile() -> None:
    with pytest.raises(RunRetryTagUnretryable) as refusal:
        compile.tables(replace(SPEC, retry=Schedule(retry_on=(FailureTag.PERMANENT,))))

    assert vars(refusal.value) == {"label": "pipeline my-shop", "named": "Permanent"}
