"""How much may be staged, when it is committed, and what the commits of a run are called."""

from __future__ import annotations

import pytest

from contextful.errors import RunCheckpointIdTooLong, RunStagedBytesExceeded
from contextful.run.own import staging_and_checkpoints

MIB = 1 << 20


@pytest.mark.clause("run.own.staged-bytes")
@pytest.mark.parametrize(("staged", "part"), [(0, 1024 * MIB), (1024 * MIB - 1, 1)])
def test_a_gibibyte_may_be_staged(staged: int, part: int) -> None:
    assert staging_and_checkpoints.within_bound("orders", staged, part) == 1024 * MIB


@pytest.mark.clause("run.own.staged-bytes")
def test_one_byte_more_may_not() -> None:
    with pytest.raises(RunStagedBytesExceeded) as refusal:
        staging_and_checkpoints.within_bound("orders", 800 * MIB, 224 * MIB + 1)

    assert vars(refusal.value) == {
        "table": "orders",
        "staged_bytes": 1024 * MIB + 1,
        "bound_bytes": 1024 * MIB,
    }


@pytest.mark.clause("run.own.checkpoint-commit")
@pytest.mark.parametrize(("staged", "due"), [(512 * MIB - 1, False), (512 * MIB, True), (900 * MIB, True)])
def test_half_a_gibibyte_is_committed(staged: int, due: bool) -> None:
    assert staging_and_checkpoints.due(staged, position_addressed=True, replaces=False) is due


@pytest.mark.clause("run.own.checkpoint-scope")
def test_a_source_that_cannot_be_resumed_commits_once() -> None:
    assert not staging_and_checkpoints.due(900 * MIB, position_addressed=False, replaces=False)


@pytest.mark.clause("run.own.checkpoint-scope")
def test_a_table_that_is_replaced_commits_once() -> None:
    assert not staging_and_checkpoints.due(900 * MIB, position_addressed=True, replaces=True)


@pytest.mark.clause("run.own.checkpoint-run-id")
def test_commits_after_the_first_are_numbered() -> None:
    assert [staging_and_checkpoints.commit_id("r-1", ordinal) for ordinal in (0, 1, 12)] == [
        "r-1",
        "r-1.000001",
        "r-1.000012",
    ]


@pytest.mark.clause("run.own.checkpoint-id-length")
def test_a_checkpoint_needs_room_for_the_name_of_the_next() -> None:
    staging_and_checkpoints.admit_id("a" * 121, 1)

    with pytest.raises(RunCheckpointIdTooLong) as refusal:
        staging_and_checkpoints.admit_id("a" * 122, 1)

    assert vars(refusal.value) == {"run_id": "a" * 122 + ".000001", "length": 129, "length_max": 128}


@pytest.mark.parametrize(
    ("commit", "is_theirs"),
    [
        ("r-1", True),
        ("r-1.000001", True),
        ("r-2", True),
        ("r-10", False),
        ("r-1.1", False),
        ("r-1.0000010", False),
        ("r-", False),
    ],
)
def test_a_commit_is_an_attempts_under_its_id_or_a_numbered_one(commit: str, is_theirs: bool) -> None:
    assert staging_and_checkpoints.made_by(commit, ("r-1", "r-2")) is is_theirs
