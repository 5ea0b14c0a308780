"""The report as LCOV, with the pages as the source: a clause's line is hit where the clause is met.

The count of a met line is the number of its passing units; any other line counts nothing.
"""

from tools.report import Report
from tools.verdict import Verdict


def coverage(report: Report) -> str:
    """A record for each page."""
    pages: dict[str, list[Verdict]] = {}
    for verdict in report.verdicts:
        pages.setdefault(verdict.clause.file, []).append(verdict)
    return "".join(_page(file, pages[file]) for file in sorted(pages))


def _page(file: str, verdicts: list[Verdict]) -> str:
    by_line = sorted(verdicts, key=lambda verdict: verdict.clause.line)
    lines = [f"DA:{verdict.clause.line},{_hits(verdict)}" for verdict in by_line]
    found, hit = len(by_line), sum(verdict.met for verdict in by_line)
    return "\n".join(["TN:", f"SF:{file}", *lines, f"LF:{found}", f"LH:{hit}", "end_of_record", ""])


def _hits(verdict: Verdict) -> int:
    return verdict.passed.test + verdict.passed.theorem if verdict.met else 0
