"""Loads what every run of the tests needs: the plugin that turns it into evidence."""

pytest_plugins = ["tools.evidence", "pytester"]
