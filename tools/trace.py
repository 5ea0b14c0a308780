"""tools/trace SUBJECT [--json]: all that is known of a clause, or of what stands at a place.

SUBJECT is a clause's id (run.retry.retry-after), its last part (retry-after), an operation or the beginning
of an id (run.retry), a place (engine/contextful/run/retry.py:42, spec/run/retry.md:42), or a test's node id.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from tools import lookup
from tools.command import ROOT, Trouble, run
from tools.lookup import Answer, Sources
from tools.render import document, text, tracing


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Answer one question. Read by hand, for argparse would take a tenth of the time there is."""
    if {"-h", "--help"} & set(arguments):
        print(__doc__, end="")
        return 0
    subjects = [argument for argument in arguments if argument != "--json"]
    if len(subjects) != 1 or subjects[0].startswith("-"):
        raise Trouble("takes one subject, and perhaps --json; --help says what a subject may be")
    [subject] = subjects
    sources = lookup.read(root)
    answer = lookup.find(subject, sources)
    if answer is None:
        meant = lookup.near(subject, sources)
        hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
        raise Trouble(f"nothing is known as {subject}{hint}")
    told = _json(subject, answer, sources) if "--json" in arguments else _text(answer, sources)
    print(told, end="")
    return 0


def _json(subject: str, answer: Answer, sources: Sources) -> str:
    clauses = [document.trace(lookup.trace(clause, sources)) for clause in answer.clauses]
    found = {"asked": subject, "note": answer.note, "clauses": clauses}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _text(answer: Answer, sources: Sources) -> str:
    """Everything about one clause, or a line each about several."""
    note = f"{answer.note}\n\n" if answer.note else ""
    match answer.clauses:
        case [clause]:
            return note + tracing.whole(lookup.trace(clause, sources), now=text.now())
        case several:
            return note + tracing.brief([sources.report.verdict(clause) for clause in several])


if __name__ == "__main__":
    run("tools/trace", main)
