"""Work that arrives together, and threads that are interrupted at it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest

from contextful.adapters.together import Together

SOON_S = 10.0


def fleeting(work: Callable[[Sequence[int]], None]) -> Together[int]:
    """Work that nobody asks to last."""
    return Together(work, lasts=lambda _: False, last=lambda: None)


def in_threads(together: Together[int], items: Sequence[int]) -> list[threading.Thread]:
    threads = [threading.Thread(target=together.do, args=(item,), daemon=True) for item in items]
    for thread in threads:
        thread.start()
    return threads


def ended(threads: Sequence[threading.Thread]) -> bool:
    for thread in threads:
        thread.join(timeout=SOON_S)
    return not any(thread.is_alive() for thread in threads)


def test_what_comes_while_one_leads_is_one_group() -> None:
    begun, go_on = threading.Event(), threading.Event()
    groups: list[Sequence[int]] = []

    def work(group: Sequence[int]) -> None:
        groups.append(tuple(group))
        begun.set()
        go_on.wait(SOON_S)

    together = fleeting(work)
    first = in_threads(together, [1])
    begun.wait(SOON_S)
    others = in_threads(together, [2, 3, 4])
    while len(together._waiting) < 3:  # ends: they have nothing else to do
        pass
    go_on.set()

    assert ended([*first, *others])
    assert [sorted(group) for group in groups] == [[1], [2, 3, 4]]


def test_whoever_is_interrupted_leaves_the_others_going() -> None:
    together = fleeting(lambda _: interrupt())

    def interrupt() -> None:
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        together.do(0)

    assert ended(in_threads(together, range(8)))


def test_the_main_thread_works_for_itself_alone() -> None:
    groups: list[Sequence[int]] = []
    together = fleeting(lambda group: groups.append(tuple(group)))
    together._lead.acquire()
    others = in_threads(together, [1, 2])
    while len(together._waiting) < 2:  # ends: they have nothing else to do
        pass
    together._lead.release()
    together.do(0)

    assert ended(others)
    assert (0,) in groups


def test_a_wait_that_nobody_ends_is_over_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    together = fleeting(lambda _: None)
    monkeypatch.setattr(together, "_wake", lambda: None)
    together._lead.acquire()
    others = in_threads(together, range(3))
    while len(together._waiting) < 3:  # ends: they have nothing else to do
        pass
    together._lead.release()

    assert ended(others)


def test_what_the_work_raises_reaches_everyone_in_the_group() -> None:
    seen: list[str] = []
    together = fleeting(lambda _: fail())

    def fail() -> None:
        raise OSError("the disk is gone")

    def do(item: int) -> None:
        try:
            together.do(item)
        except OSError as error:
            seen.append(f"{item}: {error}")

    threads = [threading.Thread(target=do, args=(item,)) for item in range(4)]
    for thread in threads:
        thread.start()

    assert ended(threads)
    assert sorted(seen) == [f"{item}: the disk is gone" for item in range(4)]


def test_what_lasts_is_made_to_once_for_its_group_and_only_its_leader_waits_with_those_who_ask() -> None:
    done: list[str] = []
    leaders: list[int] = []
    at_last, go_on = threading.Event(), threading.Event()

    def work(group: Sequence[int]) -> None:
        done.append(f"work {sorted(group)}")
        leaders.append(threading.get_ident())

    def last() -> None:
        done.append("last")
        at_last.set()
        go_on.wait(SOON_S)

    together = Together(work, lasts=lambda item: item > 0, last=last)
    together._lead.acquire()
    fleeting_one, *lasting = in_threads(together, [0, 1, 2])
    while len(together._waiting) < 3:  # ends: they have nothing else to do
        pass
    together._lead.release()
    at_last.wait(SOON_S)
    waited = [thread.is_alive() for thread in lasting]
    told = fleeting_one.ident in leaders or ended([fleeting_one])
    go_on.set()

    assert ended([fleeting_one, *lasting])
    assert (waited, told) == ([True, True], True)
    assert done == ["work [0, 1, 2]", "last"]


def test_what_cannot_be_made_to_last_fails_everyone_who_asked() -> None:
    def fail() -> None:
        raise OSError("the disk is gone")

    together: Together[int] = Together(lambda _: None, lasts=lambda item: item > 0, last=fail)

    together.do(0)
    for item in (1, 2):
        with pytest.raises(OSError, match="the disk is gone"):
            together.do(item)
