"""Loads what every run of the tests needs: the plugin that makes evidence of it, and the scenarios' steps.

Only the conftest at the root may name plugins, and only what is loaded here is seen by the scenarios under
`generated/` and the suites under `tests/` alike. The stages come first: the steps import them.
"""

from pathlib import Path

STEPS = Path(__file__).parent / "tests" / "steps"
STAGES = ("stage", "script", "shop")

pytest_plugins = [
    "tools.evidence",
    "pytester",
    *(f"tests.steps.{stem}" for stem in STAGES),
    *(f"tests.steps.{path.stem}" for path in sorted(STEPS.glob("[!_]*.py")) if path.stem not in STAGES),
]
