"""tools/trace: all that is known of a clause, or of what stands at a place.

Takes a clause's id, a part of one, an operation, `file:line`, or a test's node id.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from tools import lookup
from tools.command import ROOT, Trouble, run
from tools.render import document, text, tracing


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Answer one question."""
    parser = argparse.ArgumentParser(prog="tools/trace", description=__doc__)
    parser.add_argument("subject", help="run.retry.retry-after, retry-after, run.retry, file:line, a node id")
    parser.add_argument("--json", action="store_true", help="answer with one JSON document")
    asked = parser.parse_args(arguments)
    sources = lookup.read(root)
    answer = lookup.find(asked.subject, sources)
    if answer is None:
        meant = lookup.near(asked.subject, sources)
        hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
        raise Trouble(f"nothing is known as {asked.subject}{hint}")
    traces = [lookup.trace(verdict, sources) for verdict in answer.verdicts]
    if asked.json:
        found = {
            "asked": asked.subject,
            "note": answer.note,
            "clauses": [document.trace(each) for each in traces],
        }
        print(json.dumps(found, indent=1, ensure_ascii=False))
        return 0
    if answer.note:
        print(f"{answer.note}\n")
    if len(traces) == 1:
        print(tracing.whole(traces[0], now=text.now()), end="")
    else:
        print(tracing.brief(answer.verdicts), end="")
    return 0


if __name__ == "__main__":
    run("tools/trace", main)
