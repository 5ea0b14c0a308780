"""Answers that are kept, and those that are not."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextful.adapters.answers import Answers
from contextful.authority.credential import Credential
from contextful.faces.allowed import Allowed
from contextful.faces.profile import Project
from contextful.ports.read_face import Answer
from contextful.store import cache
from contextful.store.cache import Caller
from contextful.store.declare import Reading
from contextful.testing import SkippingWorld
from contextful_contract.shapes import Grant, GrantAction, ResultKey

ANSWER = Answer(("a",), ("BIGINT",), [(1,)], truncated=False, snapshots={"t": "s-1"})
SIZE = len(pickle.dumps(ANSWER))
READINGS = {"kept": Reading("kept", result_cache=True), "other": Reading("other")}


def key(sql: str, snapshot: str = "s-1") -> ResultKey:
    """The key of a statement."""
    return cache.result_key(Caller(), sql, bounds={}, snapshots={"t": snapshot})


@pytest.mark.clause("read.cache.opt-in")
def test_the_oldest_answer_goes_where_there_is_no_room_for_one_more() -> None:
    answers = Answers(2 * SIZE)

    for sql in ("first", "second", "third"):
        answers.keep(key(sql), ANSWER)

    assert [answers.find(key(sql)) for sql in ("first", "second", "third")] == [None, ANSWER, ANSWER]


@pytest.mark.clause("read.cache.opt-in")
def test_an_answer_that_has_no_room_by_itself_is_not_kept_and_displaces_none() -> None:
    answers = Answers(SIZE)
    answers.keep(key("first"), ANSWER)

    answers.keep(key("wide"), Answer(("a",), ("VARCHAR",), [("x" * SIZE,)], truncated=False))

    assert (answers.find(key("first")), answers.find(key("wide"))) == (ANSWER, None)


def test_a_later_state_takes_the_place_of_the_one_before() -> None:
    answers = Answers(SIZE)
    answers.keep(key("q"), ANSWER)

    answers.keep(key("q", "s-2"), ANSWER)

    assert (answers.find(key("q")), answers.find(key("q", "s-2"))) == (None, ANSWER)


@pytest.mark.clause("read.cache.opt-in")
@pytest.mark.parametrize(
    ("sql", "touched", "kept"),
    [
        ("SELECT a FROM kept", ["kept"], True),
        ("SELECT a FROM kept, other", ["kept", "other"], False),
        ("SELECT 1", [], False),
        ("SELECT a, now() FROM kept", ["kept"], False),
        ("SELECT a FROM kept WHERE at < CURRENT_DATE", ["kept"], False),
        ("SELECT a FROM kept USING SAMPLE 1", ["kept"], False),
    ],
)
def test_what_may_be_kept(sql: str, touched: list[str], kept: bool) -> None:
    assert cache.may_keep(sql, touched, READINGS) is kept


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """A table of one row, about which answers are kept."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.ndjson").write_text('{"a": 1}\n')
    (tmp_path / "contextful.toml").write_text(
        'site_id = "here"\nproject.name = "shop"\n[[pipeline]]\nid = "shop"\n'
        'source = { name = "file", config = { path = "in/*", format = "ndjson" } }\n'
        'tables = [{ name = "orders", result_cache = true }]\n'
    )
    with Project.open(tmp_path, world=SkippingWorld()) as opened:
        opened.run("shop")
        yield opened


@pytest.mark.clause("read.cache.result-key")
def test_a_revocation_of_any_token_has_a_statement_run_again(project: Project) -> None:
    answers = project.tables.keep_answers(1 << 20)
    credential = Credential("c", "a", 0, 1, (Grant(actions=(GrantAction.READ,), tables=("*",)),))
    allowed = Allowed(project.engine, project, credential)

    def read() -> int:
        allowed.query("SELECT a FROM shop_orders", rows_max=1, as_of_ms=None, available_as_of_ms=None)
        return answers.hits

    hits = [read(), read()]
    project.engine.revoke("another")

    assert [*hits, read()] == [0, 1, 1]
