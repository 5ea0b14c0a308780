"""Which generated scenarios can run: those whose every step has a definition that they can see.

Matching is what costs, so it is done once for a wording and a place, and a definition is only asked to
parse a wording that begins as it does.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pytest
from pytest_bdd.compat import get_fixture_names, getfixturedefs
from pytest_bdd.parser import Step
from pytest_bdd.parsers import StepParser, parse, string
from pytest_bdd.scenario import scenario_wrapper_template_registry
from pytest_bdd.steps import StepFunctionContext, StepNamePrefix, step_function_context_registry


@dataclass(frozen=True)
class Definitions:
    """The step definitions visible from one place of the collection tree."""

    exact: frozenset[tuple[str | None, str]]
    patterns: tuple[StepFunctionContext, ...]

    def have(self, type: str, text: str) -> bool:
        """Whether some definition takes this step."""
        if (type, text) in self.exact or (None, text) in self.exact:
            return True
        return any(
            context.type in (None, type) and text.startswith(_opening(context.parser))
            and context.parser.is_matching(text)
            for context in self.patterns
        )  # fmt: skip


def first_missing(items: Iterable[pytest.Item]) -> Iterator[tuple[pytest.Item, str]]:
    """Each scenario that cannot run yet, with the first of its steps that nobody defined."""
    visible: dict[pytest.Item | pytest.Collector, Definitions] = {}
    known: dict[tuple[int, str, str], bool] = {}
    for item in items:
        steps = _steps(item)
        if not steps:
            continue
        place = item.parent or item
        if place not in visible:
            visible[place] = _definitions(place)
        for step in steps:
            key = (id(visible[place]), step.type, step.name)
            if key not in known:
                known[key] = visible[place].have(step.type, step.name)
            if not known[key]:
                yield item, f"{step.type.upper()} {step.name}"
                break


def _steps(item: pytest.Item) -> list[Step]:
    """The steps of a scenario item, its examples filled in; none of any other item."""
    template = scenario_wrapper_template_registry.get(getattr(item, "function", _no_scenario))
    if template is None:
        return []
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    example: Mapping[str, object] = parameters.get("_pytest_bdd_example", {})
    return template.render(example).steps if example else template.steps


def _no_scenario() -> None:
    """Stands in for the function that an item does not have."""


def _definitions(place: pytest.Item | pytest.Collector) -> Definitions:
    manager = place.session._fixturemanager
    contexts = [
        context
        for name in get_fixture_names(manager)
        if name.startswith(StepNamePrefix.step_def.value)
        for fixture in getfixturedefs(manager, name, place) or ()
        if (context := step_function_context_registry.get(fixture.func)) is not None
    ]
    exact = {(context.type, context.parser.name) for context in contexts if _is_exact(context.parser)}
    return Definitions(
        exact=frozenset(exact),
        patterns=tuple(context for context in contexts if not _is_exact(context.parser)),
    )


def _is_exact(parser: StepParser) -> bool:
    return type(parser) is string


def _opening(parser: StepParser) -> str:
    """The words before the first field of a `parse` pattern; nothing is known of other patterns."""
    return parser.name.partition("{")[0] if isinstance(parser, parse) else ""
