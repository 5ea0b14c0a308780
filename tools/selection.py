"""Whether a run of pytest gave every test its chance, and if not, what narrowed it."""

from pathlib import Path

import pytest

NARROWING = {
    "keyword": "-k",
    "markexpr": "-m",
    "deselect": "--deselect",
    "ignore": "--ignore",
    "ignore_glob": "--ignore-glob",
    "lf": "--lf",
    "stepwise": "--stepwise",
    "setuponly": "--setup-only",
    "setupplan": "--setup-plan",
    "collectonly": "--collect-only",
}


def narrowed_by(config: pytest.Config) -> str:
    """The option or paths that left something out; empty for a whole run."""
    for name, option in NARROWING.items():
        if getattr(config.option, name, None):
            return option
    return "" if _all_testpaths(config) else "paths"


def _all_testpaths(config: pytest.Config) -> bool:
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        return True
    wanted = {config.rootpath / path for path in config.getini("testpaths")}
    given = {Path(config.invocation_params.dir, argument).resolve() for argument in config.args}
    return bool(wanted) and wanted <= given
