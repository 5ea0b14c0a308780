"""tools/spec: the author's day, from an edit of a page to an accepted wording."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from codegen import __main__ as codegen
from codegen import load, model, report
from codegen.findings import Finding
from tools import accept, changes, history, pages, places, rename, steps, watch
from tools.command import ROOT, Trouble, run
from tools.render import changes as rendered
from tools.render.text import some

Options = argparse.Namespace
FORMS = [form for form in report.FORMS if form != "text"]


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Do what one command does."""
    options = _parser().parse_args(arguments)
    command: Callable[[Options, Path], int] = options.command
    return command(options, root)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tools/spec", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Callable[[Options, Path], int]) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=command.__doc__, description=command.__doc__)
        added.set_defaults(command=command)
        return added

    lint, generate = add("lint", _lint), add("generate", _generate)
    generate.add_argument("--check", action="store_true", help="say what would be written and touch nothing")
    for command in (lint, generate):
        forms = command.add_mutually_exclusive_group()
        for form in FORMS:
            forms.add_argument(f"--{form}", dest="form", action="store_const", const=form, help="form of the report")
        command.set_defaults(form="text")
    add("watch", _watch)
    add("diff", _diff).add_argument("commit", nargs="?", default="HEAD", help="HEAD if it is left out")
    add("show", _show).add_argument("id", help="a clause, or its last part")
    add("steps", _steps).add_argument("words", nargs="*", help="only steps that have all of these")
    renaming = add("rename", _rename)
    renaming.add_argument("old", help="a clause, or its last part")
    renaming.add_argument("new", help="what it is to be called")
    renaming.add_argument("--dry-run", action="store_true", help="print the edits and make none")
    accepting = add("accept", _accept)
    accepting.add_argument("id", help="a clause, or its last part")
    accepting.add_argument("--yes", action="store_true", help="do not ask")
    return parser


def _lint(options: Options, root: Path) -> int:
    """Say what is wrong with the pages, and which cites and marks name no clause."""
    placed, findings = load.load(root)
    findings += _dangling(root, placed)
    print(report.FORMS[options.form](findings, report.Count.of(placed)))
    return 1 if findings else 0


def _dangling(root: Path, placed: model.Contract) -> Iterator[Finding]:
    """Every cite of no clause, and every mark of none; what only looks like an id is of no operation."""
    known = placed.clauses.keys() | placed.broken
    operations = {operation.id for page in placed.pages for operation in page.operations}
    marks = (mark for mark in places.marks(root) if mark.word.rpartition(".")[0] in operations)
    for place in (*places.cited(root), *marks):
        if place.word not in known:
            message = f"no clause is called {place.word}"
            yield Finding(place.file, place.line, place.column, f"dangling-{place.kind}", message)


def _generate(options: Options, root: Path) -> int:
    """Write generated/ from the pages, or say what is wrong with them."""
    check = ["--check"] if options.check else []
    form = [] if options.form == "text" else [f"--{options.form}"]
    return codegen.main(["--root", str(root), *check, *form])


def _watch(_: Options, root: Path) -> int:
    """Generate after every save, and say which clauses changed and what that makes stale; Ctrl-C ends it."""
    try:
        for told in watch.watch(root, watch.ticks()):
            print(told, flush=True)
    except KeyboardInterrupt:
        print("\nno longer watching", file=sys.stderr)
    return 0


def _diff(options: Options, root: Path) -> int:
    """Say what became of each clause since a commit, and which tests and proofs that makes stale."""
    changed = changes.compare(history.at(root, options.commit), pages.read(root).contract)
    marks = places.by_id(places.marks(root)) if changed else {}
    print(rendered.told(changed, marks, options.commit), end="")
    return 0


def _show(options: Options, root: Path) -> int:
    """Print every line that is about a clause: on its page, then links, cites, marks and whatever names it."""
    sound = pages.read(root)
    clause = sound.clause(options.id)
    print("\n".join(accept.compared(root, clause)))
    why = sound.placed.clauses[clause.id].why
    lines = {(place.file, place.line) for place in places.every(root, sound.placed, clause.id)}
    lines |= {(clause.file, why.line)} if why else set()
    for file, number in sorted(lines, key=lambda line: (line[0] != clause.file, line)):
        rows = (root / file).read_text(encoding="utf-8").split("\n")
        print(f"{file}:{number}: {rows[number - 1].strip()}")
    return 0


def _steps(options: Options, root: Path) -> int:
    """List the steps that scenarios can be made of, and where each is defined."""
    for found in steps.read(root):
        if all(word.lower() in f"{found.keyword} {found.words}".lower() for word in options.words):
            print(f"{found.keyword:<5} {found.words}  {found.file}:{found.first}")
    return 0


def _rename(options: Options, root: Path) -> int:
    """Give a clause another name wherever it stands: on pages, in links, cites, marks and the snapshot."""
    sound = pages.read(root)
    old = sound.clause(options.old).id
    new = rename.target(sound, old, options.new)
    edits = rename.plan(root, sound, old, new)
    for edit in edits:
        print(f"{edit.place.file}:{edit.place.line}:{edit.place.column}: {edit.place.word} -> {edit.word}")
    if options.dry_run:
        print(f"{some(len(edits), 'edit')}, none made")
        return 0
    rename.apply(root, edits, sound, old, new)
    print(f"{some(len(edits), 'edit')} made; generated/, the snapshot and the evidence follow")
    return 0


def _accept(options: Options, root: Path) -> int:
    """Take a clause's wording into tools/trace.snapshot, once the old and the new one were shown."""
    clause = pages.read(root).clause(options.id)
    print("\n".join(accept.compared(root, clause)))
    if accept.is_accepted(root, clause):
        return 0
    if not options.yes and not _agreed():
        print("not accepted")
        return 1
    line = accept.accept(root, clause)
    print(f"accepted: {line.id} {line.rev} {line.verdict}")
    return 0


def _agreed() -> bool:
    """What the person at the keyboard answers."""
    if not sys.stdin.isatty():
        raise Trouble("nobody is there to ask: say --yes")
    return input("accept these words? [y/N] ").strip().lower() in ("y", "yes")


if __name__ == "__main__":
    run("tools/spec", main)
