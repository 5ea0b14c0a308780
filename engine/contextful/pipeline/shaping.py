"""run.declare, the part that shapes rows: normalization, transforms, and what a table removes or masks."""

from __future__ import annotations

from collections.abc import Mapping

from contextful.authority import redact
from contextful.pipeline import reshape
from contextful.pipeline.block import Block
from contextful.pipeline.reshape import Drop, Keep, Rename, Transform
from contextful.pipeline.spec import PipelineSpec, TableSpec
from contextful.store import reserve
from contextful_contract import limits
from contextful_contract.base import ContextfulError
from contextful_contract.shapes import ColumnPolicy, MaskStrategy, RedactionOperation, RedactionRule

KINDS = ("rename", "drop", "where")


def nesting(block: Block) -> int:
    """How many levels of objects become columns."""
    normalize = block.block("normalize")
    levels = normalize.integer("nesting", 0, 0, limits.NORMALIZE_NESTING_DEPTH_LEVELS)
    normalize.end()
    return levels


def transforms(block: Block) -> tuple[Transform, ...]:
    """The chain that every row passes."""
    found = [_transform(item) for item in block.items("transforms") if isinstance(item, Block)]
    return tuple(each for each in found if each is not None)


def redaction(block: Block, table: str) -> tuple[RedactionRule, ...]:
    """The table's rules, if they can be used."""
    rules = tuple(_rule(item, table) for item in block.items("redaction") if isinstance(item, Block))
    try:
        redact.admit(table, rules)
    except ContextfulError as refusal:
        block.refuse(refusal, "redaction")
        return ()
    return rules


def policy(block: Block) -> Mapping[str, ColumnPolicy]:
    """How columns may be read, by their names in lower case, as SQL compares them."""
    held = block.block("policy")
    columns = held.blocks("columns")
    held.end()
    for name in columns:
        if name in reserve.INJECTED:
            held.fault("columns", f"names {name}, which the engine writes, and reads are bounded by")
    return {name.lower(): _column_policy(column) for name, column in columns.items()}  ##= authority.mask.column-policy


def see_clock(block: Block, spec: PipelineSpec) -> None:
    """See that no rule changes the column by which a protected table's rows have their order."""
    if spec.incremental is None:
        return
    for table in spec.tables:
        if _changed(spec, table, spec.incremental):
            ##= authority.redact.clock-lineage
            block.fault("incremental", f"names a column that a rule of table {table.name} changes: watch another")


def _changed(spec: PipelineSpec, table: TableSpec, clock: str) -> bool:
    lands = {column.lower() for column in reshape.lands_as(clock, spec.nesting, spec.transforms)}
    return any(rule.column.lower() in lands for rule in table.redaction)


def _transform(block: Block) -> Transform | None:
    kinds = [kind for kind in KINDS if block.has(kind)]
    if len(kinds) != 1:
        block.fault(
            kinds[1] if kinds else "where", f"must be there by itself: a transform is one of {', '.join(KINDS)}"
        )
        return None
    match kinds[0]:
        case "rename":
            made: Transform = Rename(block.mapping("rename", _name))
        case "drop":
            made = Drop(block.texts("drop"))
        case _:
            turned = block.has("is_not")
            made = Keep(block.required("where"), block.values("is_not" if turned else "is"), turned)
    block.end()
    return made


def _column_policy(block: Block) -> ColumnPolicy:
    if not block.has("strategy"):
        block.fault("strategy", "is missing")
    made = ColumnPolicy(class_=block.required("class"), strategy=block.choice("strategy", MaskStrategy.DROP))
    block.end()
    return made


def _rule(block: Block, table: str) -> RedactionRule:
    rule = RedactionRule(
        table=block.text("table", table),
        column=block.required("column"),
        operation=block.choice("operation", RedactionOperation.DROP),
        argument=block.optional("argument"),
        match=block.optional("match"),
    )
    block.end()
    if not block.has("operation"):
        block.fault("operation", "is missing")
    if rule.table != table:
        block.fault("table", f"is {rule.table}, and the rule stands with table {table}")
    return rule


def _name(held: object) -> str:
    if not isinstance(held, str) or not held:
        raise ValueError("must be a name")
    return held
