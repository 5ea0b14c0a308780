"""The report as annotations on the pages, in the form that GitHub's runner reads from a log."""

from collections.abc import Mapping

from tools.render.text import because, total
from tools.report import Report
from tools.state import State

LEVELS: Mapping[State, str] = {
    "invalid": "error",
    "failed": "error",
    "stale": "warning",
    "undetermined": "warning",
    "partial": "warning",
    "not-run": "notice",
    "open": "notice",
}


def coverage(report: Report) -> str:
    """An annotation for each clause that is not met, then the total."""
    lines = [
        f"::{LEVELS[verdict.state]} file={_property(verdict.clause.file)},line={verdict.clause.line},"
        f"title={_property(f'{verdict.clause.id} {verdict.state}')}::"
        + _message("\n".join(because(reason) for reason in verdict.reasons))
        for verdict in report.verdicts
        if not verdict.met
    ]
    return "\n".join([*lines, total(report)]) + "\n"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
