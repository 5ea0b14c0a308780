"""Loads what every run of the tests needs: the plugin that makes evidence of it, servers, the scenarios' steps.

Only the conftest at the root may name plugins, and only what is loaded here is seen by the scenarios under
`generated/` and the suites under `tests/` alike. The stage comes first: the steps import it.
"""

from pathlib import Path

STEPS = Path(__file__).parent / "tests" / "steps"

pytest_plugins = [
    "tools.evidence",
    "pytester",
    "contextful.testing.postgres",
    *(
        f"tests.steps.{path.stem}"
        for path in sorted(STEPS.glob("[!_]*.py"), key=lambda path: (path.stem != "stage", path.stem))
    ),
]
