"""tools/trace SUBJECT [--json | --open]: all that is known of a clause, or of what stands at a place.

SUBJECT is a clause's id (run.retry.retry-after), its last part (retry-after), an operation or the beginning
of an id (run.retry), a place (engine/contextful/run/retry.py:42, spec/run/retry.md:42, tests/test_it.py:42),
or a test's node id. --open shows the line that decides it, or else its line on the page, in $VISUAL or $EDITOR.
"""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from tools import lookup, report
from tools.command import ROOT, Trouble, run
from tools.lookup import Answer
from tools.render import document, text, tracing
from tools.report import Report

OPTIONS = ("--json", "--open")


def main(arguments: Sequence[str], root: Path = ROOT, become: Callable[[list[str]], None] | None = None) -> int:
    """Answer one question. Read by hand, for argparse would take a tenth of the time there is."""
    if {"-h", "--help"} & set(arguments):
        print(__doc__, end="")
        return 0
    subjects = [argument for argument in arguments if argument not in OPTIONS]
    if len(subjects) != 1 or subjects[0].startswith("-"):
        raise Trouble("takes one subject, and perhaps --json or --open; --help says what a subject may be")
    [subject] = subjects
    found = report.read(root, subject=subject)
    answer = lookup.find(subject, found, root)
    if answer is None:
        meant = lookup.near(subject, found)
        hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
        raise Trouble(f"nothing is known as {subject}{hint}")
    if "--open" in arguments:
        from tools import editor

        file, line = _place(answer, found)
        (become or editor.replace_with)(editor.command(root / file, line, os.environ))
    else:
        told = _json(subject, answer, found, root) if "--json" in arguments else _text(answer, found, root)
        print(told, end="")
    return 0


def _place(answer: Answer, found: Report) -> tuple[str, int]:
    """The line to open: where the clause is decided, or else where it is stated."""
    clause = answer.clauses[0]
    return next(((cite.file, cite.line) for cite in found.decided(clause.id)), (clause.file, clause.line))


def _json(subject: str, answer: Answer, found: Report, root: Path) -> str:
    clauses = [document.trace(lookup.trace(clause, found, root)) for clause in answer.clauses]
    answered = {"asked": subject, "note": answer.note, "clauses": clauses}
    return json.dumps(answered, indent=1, ensure_ascii=False) + "\n"


def _text(answer: Answer, found: Report, root: Path) -> str:
    """Everything about one clause, or a line each about several."""
    note = f"{answer.note}\n\n" if answer.note else ""
    match answer.clauses:
        case [clause]:
            return note + tracing.whole(lookup.trace(clause, found, root), now=text.now())
        case several:
            return note + tracing.brief([found.verdict(clause) for clause in several])


if __name__ == "__main__":
    run("tools/trace", main)
