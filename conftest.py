"""Loads what every run of the tests needs: the plugin that turns it into evidence, and the scenarios' steps."""

pytest_plugins = [
    "tools.evidence",
    "pytester",
    "contextful.testing.postgres",
    "tests.steps.stage",
    "tests.steps.journal",
    "tests.steps.retry",
]
