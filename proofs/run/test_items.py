"""run.items, decided: who is at an entity, and what an item has spent."""

from __future__ import annotations

from contextful.adapters.memory import MemoryRows
from contextful.kernel.change import Insert, Update
from contextful.kernel.failure import Failure
from contextful.run import items, record
from contextful.run.items import Admitted, Held, Item
from contextful.run.record import Lease
from contextful_contract.shapes import FailureTag, IsolatedItems, ItemTerminal
from proofs.theorem import theorem

FIRST, SECOND, THIRD = (Item(f"item-{n}", f"logical-{n}", "notes", str(n), "customers", "c-1") for n in (1, 2, 3))
RETRYABLE = (FailureTag.TRANSIENT, FailureTag.RATE_LIMITED)
NO_LUCK = Failure(FailureTag.TRANSIENT, "no luck")


def rows_under(expires_ms: int) -> MemoryRows:
    """A store in which run-1 has taken the entity of all three items for the first, and holds this lease."""
    rows = MemoryRows()
    rows.commit(Insert(record.RUN, {"run_id": "run-1", "holder": "holder-1", "lease_expires_ms": expires_ms}))
    enters(rows, FIRST, "run-1", None, now_ms=0)
    return rows


def admitted(rows: MemoryRows, asked: Item, run_id: str, expires_ms: int | None, *, now_ms: int) -> Admitted | Held:
    """What an attempt decides that sees the store as it is, and this lease of the run that has the entity."""
    lease = None if expires_ms is None else Lease("holder-1", expires_ms)
    row, entity = rows.get(items.ITEM, items.entry(asked)), rows.get(items.ENTITY, items.entity(asked))
    return items.admit(asked, row, entity, lease, run_id=run_id, now_ms=now_ms)


def enters(rows: MemoryRows, asked: Item, run_id: str, expires_ms: int | None, *, now_ms: int) -> bool:
    """Whether the attempt is admitted, and comes first."""
    verdict = admitted(rows, asked, run_id, expires_ms, now_ms=now_ms)
    return isinstance(verdict, Admitted) and rows.commit(*verdict.changes)


@theorem(
    "run.items.entity-admission",
    of=items.admit,
    mutants=[
        ("now_ms < lease.expires_ms", "now_ms <= lease.expires_ms"),
        ("if lease is not None and now_ms < lease.expires_ms:", "if False:"),
        ("return Held(lease.expires_ms)", "return Held(now_ms)"),
    ],
)
def test_an_item_waits_exactly_while_another_run_holds_its_entity(expires_ms: int | None, now_ms: int) -> bool:
    """An item waits exactly while the run that took its entity holds a lease that has not expired, and is told until
    when; from that instant on it may enter.

    post: __return__
    """
    verdict = admitted(rows_under(0), SECOND, "run-2", expires_ms, now_ms=now_ms)
    if expires_ms is not None and now_ms < expires_ms:
        return verdict == Held(expires_ms)
    return isinstance(verdict, Admitted)


@theorem(
    "run.items.entity-admission",
    "run.items.fence",
    of=items.admit,
    mutants=[
        ('standing: Row = {"fence": entity_row["fence"]}', "standing: Row = {}"),
        ('cast(int, entity_row["fence"]) + 1', 'cast(int, entity_row["fence"])'),
        ('Require(ENTITY, key, {"fence": fence})', "Require(ENTITY, key, {})"),
    ],
)
def test_of_two_who_find_an_entity_free_one_takes_it_and_fences_off_whoever_had_it(
    expires_ms: int, now_ms: int
) -> bool:
    """Of two runs that both saw a lapsed lease one takes the entity. From then on the fence of whoever had it before
    stands no more, and the taker's does.

    pre: expires_ms <= now_ms
    post: __return__
    """
    rows = rows_under(expires_ms)
    before = admitted(MemoryRows(), FIRST, "run-1", None, now_ms=0)
    second, third = (
        admitted(rows, asked, run, expires_ms, now_ms=now_ms) for asked, run in ((SECOND, "run-2"), (THIRD, "run-3"))
    )
    assert isinstance(before, Admitted)
    assert isinstance(second, Admitted)
    assert isinstance(third, Admitted)
    stood = rows.commit(before.fence)
    taken = rows.commit(*second.changes) and not rows.commit(*third.changes)
    return stood and taken and rows.commit(second.fence) and not rows.commit(before.fence)


@theorem(
    "run.items.entity-admission",
    of=items.admit,
    mutants=[('lapsed: Row = {"lease_expires_ms": lease.expires_ms}', "lapsed: Row = {}")],
)
def test_a_run_that_renews_its_lease_after_all_keeps_its_entity(expires_ms: int, renewed_ms: int, now_ms: int) -> bool:
    """A run that saw a lapsed lease takes nothing where the lease was renewed before it is written.

    pre: expires_ms <= now_ms and expires_ms < renewed_ms
    post: __return__
    """
    rows = rows_under(expires_ms)
    verdict = admitted(rows, SECOND, "run-2", expires_ms, now_ms=now_ms)
    rows.commit(Update(record.RUN, {"run_id": "run-1"}, {}, {"lease_expires_ms": renewed_ms}))
    return isinstance(verdict, Admitted) and not rows.commit(*verdict.changes)


@theorem(
    "run.items.retry-budget",
    "run.items.terminal-outcome",
    of=items.failed,
    mutants=[
        ("if not failure.tag.retryable:", "if False:"),
        ("if spent >= declared.attempts", "if spent > declared.attempts"),
        ("ItemTerminal.EXHAUSTED if", "ItemTerminal.FAILED if"),
    ],
)
def test_an_item_ends_exactly_where_no_attempt_helps_or_none_is_left(
    tag: FailureTag, spent: int, attempts: int
) -> ItemTerminal | None:
    """A failure that no attempt can cure ends an item as failed; any other does once the budget is spent, as
    exhausted, and not before.

    pre: attempts >= 1 and spent >= 1
    post: (__return__ is ItemTerminal.FAILED) == (tag not in RETRYABLE)
    post: (__return__ is ItemTerminal.EXHAUSTED) == (tag in RETRYABLE and spent >= attempts)
    """
    return items.failed(spent, isolated(attempts), Failure(tag, "no luck"))


@theorem(
    "run.items.retry-budget",
    of=items.counted,
    mutants=[
        ('{"attempts": spent - 1, "outcome": None}', '{"outcome": None}'),
        ('{"attempts": spent - 1, "outcome": None}', '{"attempts": spent - 1}'),
        ('None}, {"attempts": spent})', 'None}, {"attempts": spent - 1})'),
    ],
    leaves_open="that whoever closes a failed attempt counts it, which the tests of the runner watch",
)
def test_a_failed_attempt_is_spent_once_in_whatever_fire(spent: int, now_ms: int) -> bool:
    """Whatever an item has spent in fires before, a failed attempt adds one to it, and another on the word of the
    same row adds none. What has ended spends no more, and ends once.

    pre: spent >= 0
    post: __return__
    """
    rows = rows_under(0)
    rows.commit(Update(items.ITEM, {"item_id": "item-1"}, {}, {"attempts": spent}))
    counted = items.counted(FIRST, items.attempts(rows.get(items.ITEM, ("item-1",))) + 1)
    once = rows.commit(counted) and not rows.commit(counted)
    after = items.attempts(rows.get(items.ITEM, ("item-1",))) == spent + 1
    ended = items.receipt(
        FIRST, ItemTerminal.EXHAUSTED, NO_LUCK, spent=spent + 2, run_id="run-1", execution_id="exec-1", now_ms=now_ms
    )
    ends_once = rows.commit(ended) and not rows.commit(ended)
    return once and after and ends_once and not rows.commit(items.counted(FIRST, spent + 3))


def isolated(attempts: int) -> IsolatedItems:
    """Items with this budget."""
    return IsolatedItems(key=("id",), entity_key=("customer",), entity_namespace="customers", attempts=attempts)
