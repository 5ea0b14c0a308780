"""How long an author waits: for findings, for generated code, after a save, for an answer about a clause."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from codegen import load, model
from tools import watch
from tools.benches import Goal, Row, best_s
from tools.command import ROOT, Trouble

CODEGEN = [sys.executable, "-m", "codegen"]
TIMES = 10
SAVES = 5
PAGE = "spec/run/retry.md"


def rows() -> Sequence[Row]:
    """Whole processes, warm, best of several, beside an empty Python."""
    placed, _ = load.load(ROOT)
    clause = next(iter(placed.clauses))
    with TemporaryDirectory() as folder:
        many = Path(folder, "many")
        _multiply(placed, many)
        start_s = best_s(lambda: _run([sys.executable, "-c", "pass"]), rounds=7)
        check_s = best_s(lambda: _run([*CODEGEN, "--check"]), rounds=5)
        lint_s = best_s(lambda: _run([str(ROOT / "tools/spec"), "lint"]), rounds=5)
        many_s = best_s(lambda: _run([*CODEGEN, "--root", str(many)]), rounds=2)
        watch_s = watch.EVERY_S + min(_saves(Path(folder, "one")))
        trace_s = best_s(lambda: _run([str(ROOT / "tools/trace"), clause]), rounds=15)
    start = "python starts"
    return (
        Row(start, start_s, "s"),
        Row("codegen --check", check_s, "s", start, Goal(at_most=1)),
        Row("tools/spec lint", lint_s, "s", start, Goal(at_most=1)),
        Row(f"codegen, {TIMES} times the pages", many_s, "s", "codegen --check", Goal(at_most=TIMES, of_ratio=True)),
        Row("tools/spec watch, after a save", watch_s, "s", start, Goal(at_most=0.5)),
        Row("tools/trace", trace_s, "s", start, Goal(at_most=0.2)),
    )


def _saves(root: Path) -> Iterator[float]:
    """How long it takes to tell of a save that rewords a clause, once it is looked for."""
    shutil.copytree(ROOT / "spec", root / "spec")
    shutil.copytree(ROOT / "tests", root / "tests")
    page = root / PAGE
    told = watch.watch(root, iter(lambda: None, 0))
    next(told)
    for _ in range(SAVES):
        page.write_text(page.read_text(encoding="utf-8").replace(" — ", " — Now ", 1), encoding="utf-8")
        begun = perf_counter()
        assert "reworded" in next(told)
        yield perf_counter() - begun


def _multiply(placed: model.Contract, root: Path) -> None:
    """The pages, and copies under other contracts, which name nothing that a table of the first ones owns."""
    shutil.copytree(ROOT / "spec", root / "spec")
    for copy in range(1, TIMES):
        for page in placed.pages:
            _, contract, operation = page.path.split("/")
            place = root / "spec" / f"{contract}-{copy}" / operation
            place.parent.mkdir(exist_ok=True)
            place.write_text(_copied((ROOT / page.path).read_text(encoding="utf-8"), placed, copy), encoding="utf-8")


def _copied(page: str, placed: model.Contract, copy: int) -> str:
    contracts = "|".join(sorted({other.contract.value for other in placed.pages}))
    text = page.partition("\n## Shapes\n")[0] + "\n"
    text = re.sub(r"\{\{([a-z0-9-]+)\}\}", lambda link: f"{{{{{placed.resolve(link[1])[0]}}}}}", text)
    text = re.sub(rf"\b({contracts})(?=\.[a-z])", rf"\1-{copy}", text)
    text = re.sub(r"^contract: .*", rf"\g<0>-{copy}", text, flags=re.MULTILINE)
    text = re.sub(r"`([A-Z][A-Za-z0-9]*)`", lambda name: f"`{name[1].lower()}`", text)
    return re.sub(r"^(- `[a-z0-9-]+`.* — )", rf"\1Copy {copy}: ", text, flags=re.MULTILINE)


def _run(command: Sequence[str]) -> None:
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        said = (ended.stderr or ended.stdout).strip().rpartition("\n")[2]
        raise Trouble(f"`{' '.join(command)}` left with {ended.returncode}: {said}")
