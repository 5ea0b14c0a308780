"""Steps about what was raised or shown last, which a page calls "it"."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import Enum

from pytest_bdd import parsers, then

import contextful
from contextful.kernel import instant
from contextful.kernel.failure import Failed, classify
from tests.steps.stage import Stage

REFUSALS = (contextful.ContextfulError, Failed, contextful.Stopped, ValueError, ExceptionGroup)
SEEN = "idempotency keys|payloads|execution ids|manifests|artifacts|traces|node ids|content hashes|plan versions"


@then(parsers.parse("`{name}` is raised"))
def is_raised(stage: Stage, name: str) -> None:
    stage.shown = _named(stage.error, name)


@then(parsers.parse("the fire fails with `{name}`"))
def fire_fails_with(stage: Stage, name: str) -> None:
    stage.shown = _named(stage.error, name)


@then("it is refused")
def is_refused(stage: Stage) -> None:
    assert isinstance(stage.error, REFUSALS), stage.error


@then("it is accepted")
def is_accepted(stage: Stage) -> None:
    assert stage.error is None
    assert stage.outcome is not None


@then(parsers.parse("the attempt fails `{tag}`"))
def attempt_fails(stage: Stage, tag: str) -> None:
    assert isinstance(stage.error, Exception)
    failure = classify(stage.error)
    stage.shown = {"retry_after_secs": (failure.retry_after_ms or 0) // 1_000}
    assert failure.tag == tag


@then(parsers.parse("the failure names `{name}`"))
def failure_names(stage: Stage, name: str) -> None:
    assert name in str(stage.error)


@then(parsers.parse("its sentence names `{words}`"))
def sentence_names(stage: Stage, words: str) -> None:
    assert words in str(stage.error)


@then(parsers.parse("its `{field}` is `{value}`"))
def its_field_is(stage: Stage, field: str, value: str) -> None:
    fact = _fact(stage.shown, field)
    assert fact == stage.named[value] if value in stage.named else _says(fact, value), stage.shown


@then(parsers.parse("its `{field}` has `{name}` as `{value}`"))
def its_field_has(stage: Stage, field: str, name: str, value: str) -> None:
    assert _says(_fact(_fact(stage.shown, field), name), value), stage.shown


@then(
    parsers.re(
        rf"the \w+ have (?P<count>\d+) distinct `(?P<what>{SEEN})`",
    ),
    converters={"count": int},
)
def have_distinct(stage: Stage, count: int, what: str) -> None:
    seen = stage.seen[what]
    assert len(seen) > 1, "one alone is neither like another nor unlike it"
    assert len(set(seen)) == count


def _named(error: BaseException | None, name: str) -> BaseException:
    """The error of that name among those that were raised: itself, one of a group, or a cause."""
    found = [one for one in _chain(error) if type(one).__name__ == name]
    assert found, f"{error!r} is no {name}"
    return found[0]


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for one in error.exceptions:
                yield from _chain(one)
        error = error.__cause__


def _fact(subject: object, name: str) -> object:
    return subject.get(name) if isinstance(subject, Mapping) else getattr(subject, name)


def _says(fact: object, text: str) -> bool:
    """Whether the page spells the fact so: JSON where it has parts, `none` where there is none."""
    match fact:
        case Mapping() | list() | tuple():
            return bool(json.loads(json.dumps(fact)) == json.loads(text))
        case int() if not isinstance(fact, bool) and instant.read(text) is not None:
            return fact == instant.read(text)
        case None | bool():
            return {None: "none", True: "true", False: "false"}[fact] == text
        case Enum():
            return bool(fact.value == text)
        case _:
            return str(fact) == text
