"""A temporary project whose tests run under the plugin."""

from dataclasses import dataclass

import pytest

from tools import units
from tools.units import Evidence, Session, Unit

INI = """
    [pytest]
    testpaths = tests
    addopts = --strict-markers --import-mode=importlib -p pytest-bdd -p tools.evidence
    markers =
        clause(id): the clause that this is evidence for
        scenario(name): the scenario that this binds
        theorem(grade): a proof
"""


@dataclass(frozen=True)
class Project:
    """A temporary project under the plugin."""

    pytester: pytest.Pytester

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run its tests in this process."""
        return self.pytester.runpytest_inprocess(*arguments)

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        place = self.pytester.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    @property
    def evidence(self) -> Evidence:
        """What the runs have left."""
        return units.read(self.pytester.path)

    @property
    def session(self) -> Session:
        """The facts of the last run."""
        session = self.evidence.since or self.evidence.whole
        assert session is not None
        return session

    @property
    def outcomes(self) -> dict[str, tuple[str, str]]:
        """The outcome and reason of each unit, by the name of its function."""
        return {name: (unit.outcome, unit.reason) for name, unit in self.units.items()}

    @property
    def units(self) -> dict[str, Unit]:
        """Each unit as last seen, by what follows the file in its id."""
        return {unit.id.partition("::")[2]: unit for unit in self.evidence.latest()}
