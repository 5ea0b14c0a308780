"""tools/spec: what each command answers, and how it leaves."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tools import authored
from tools import coverage, pages, snapshot, spec, units, watch
from tools.command import Trouble
from tools.snapshot import Line
from tools.units import Evidence, Session, Unit

MARK = "store.mark.mark"
DRAIN = "spec/store/drain.md"
OLD, NEW = "A run that is not pushed has a mark.", "A run that is not pushed bears a mark."


@pytest.fixture
def root(written: Path, tmp_path: Path) -> Path:
    """The author's project."""
    return Path(shutil.copytree(written, tmp_path / "project"))


@pytest.fixture
def ask(root: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Asks something of tools/spec: its exit code and its answer."""

    def ask(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        return spec.main(arguments, root), capsys.readouterr().out

    return ask


Ask = Callable[..., tuple[int, str]]


def reword(root: Path) -> None:
    """The mark's clause gets another verb."""
    authored.edit(root, OLD, NEW, DRAIN)


# lint and generate


def test_lint_of_sound_pages_counts_what_was_read(ask: Ask) -> None:
    assert ask("lint") == (0, "read 2 files, 3 operations, 7 clauses, 8 scenarios\n")


def test_lint_points_at_what_is_wrong_on_a_page(root: Path, ask: Ask) -> None:
    authored.edit(root, "once {{mark}} says", "once {{marc}} says", DRAIN)

    code, told = ask("lint")

    assert (code, told.split("\n")[0]) == (1, "spec/store/drain.md:13:81: dangling-link no clause is called marc")


@pytest.mark.parametrize(
    ("path", "text", "place"),
    [
        ("engine/a.py", "x = 1  ##= run.retry.gone\n", "engine/a.py:1:12: dangling-cite"),
        ("tests/test_a.py", 'import a\n@clause("run.retry.gone")\n', "tests/test_a.py:2:10: dangling-mark"),
        ("proofs/run/test_a.py", "@theorem('run.retry.gone')\n", "proofs/run/test_a.py:1:11: dangling-mark"),
    ],
)
def test_lint_points_at_what_names_no_clause(root: Path, ask: Ask, path: str, text: str, place: str) -> None:
    authored.write(root, path, text)

    code, told = ask("lint")

    assert (code, told.split("\n")[0]) == (1, f"{place} no clause is called run.retry.gone")


def test_lint_speaks_json_and_its_like(root: Path, ask: Ask) -> None:
    authored.write(root, "engine/a.py", "x = 1  ##= run.retry.gone\n")

    [finding] = json.loads(ask("lint", "--json")[1])["findings"]

    assert (finding["path"], finding["code"], finding["hint"]) == (
        "engine/a.py",
        "dangling-cite",
        "cite a clause of some page",
    )


def test_generate_writes_and_its_check_only_says(root: Path, ask: Ask) -> None:
    reword(root)

    assert ask("generate", "--check")[0] == 1
    assert ask("generate")[0] == 0
    assert ask("generate", "--check")[0] == 0


# diff


def test_nothing_has_changed_since_the_commit(ask: Ask) -> None:
    assert ask("diff") == (0, "no clause changed since HEAD\n")


DIFF = """\
run.retry.schedule  reworded, evidence raised, scenario lost  spec/run/retry.md:21
    A step without a schedule makes 5 attempts, from 100 ms on, and no delay is [-above-]{+over+} 30
    s.
    asks for 2 tests and 2 theorems, before for 2 tests and 1 theorem
    lost: GIVEN a step `fetch` with the default schedule, WHEN the step runs, THEN the effect has run 1 times
    stale: 1 scenario, worded as before
    stale: tests/test_retry.py:3
1 reworded, 1 evidence raised, 1 scenario lost since HEAD
"""


def test_diff_shows_words_evidence_scenarios_and_what_is_stale(root: Path, ask: Ask) -> None:
    authored.edit(root, "no delay is above", "no delay is over")
    authored.edit(root, "theorem:1] — A step", "theorem:2] — A step")
    steps = "GIVEN a step `fetch` with the default schedule, WHEN the step runs, THEN the effect has run 1 times"
    authored.edit(root, f"- `run.retry.schedule`: {steps}\n", "")

    assert ask("diff") == (0, DIFF)


def test_diff_reaches_back_to_any_commit(root: Path, ask: Ask) -> None:
    reword(root)
    authored.generate(root)
    authored.commit(root)

    assert ask("diff")[1] == "no clause changed since HEAD\n"
    assert ask("diff", "HEAD~")[1].endswith("1 reworded since HEAD~\n")


def test_diff_since_no_commit_is_a_sentence(root: Path) -> None:
    with pytest.raises(Trouble, match=r"no readable generated/contract\.json in nowhere"):
        spec.main(["diff", "nowhere"], root)


def test_pages_that_are_not_sound_are_the_answer(root: Path) -> None:
    authored.edit(root, "{{mark}}", "{{marc}}", DRAIN)

    with pytest.raises(Trouble, match=r"not sound\nspec/store/drain\.md:13:81: dangling-link") as refused:
        spec.main(["diff"], root)

    assert refused.value.code == 1


# show


def test_show_prints_every_line_about_a_clause(ask: Ask) -> None:
    code, told = ask("show", "step-failed")

    assert code == 0
    assert [line.partition(": ")[0] for line in told.split("\n")[2:-1]] == [
        "spec/run/retry.md:24",
        "spec/run/retry.md:25",
        "spec/run/retry.md:47",
        "spec/run/retry.md:59",
    ]


def test_show_of_no_clause_says_which_was_meant(root: Path) -> None:
    with pytest.raises(Trouble, match=r"called run\.retry\.step-faild; did you mean run\.retry\.step-failed"):
        spec.main(["show", "run.retry.step-faild"], root)


# accept


@pytest.fixture
def met(root: Path) -> Path:
    """The project, with the mark's clause met and accepted as such."""
    rev = pages.read(root).contract.by_id[MARK].rev
    snapshot.write(root, [Line("run.retry.gone", "00000000", "open"), Line(MARK, rev, "met")])
    unit = Unit(
        id="generated/tests/test_store_mark.py::test_store__mark__mark__s1",
        kind="scenario",
        clauses=(MARK,),
        outcome="passed",
        scenario="store__mark__mark__s1",
    )
    run = Session("2026-01-02T03:04:05+00:00", "", False, "", 1, 0, 0, 0, 0.1)
    units.write(root, Evidence(whole=run, units=(unit,)))
    authored.commit(root)
    return root


SURFACES: dict[str, Callable[[str], bool]] = {
    "--text": lambda told: f"stale        {MARK}" in told,
    "--json": lambda told: [c["verdict"] for c in json.loads(told)["clauses"] if c["id"] == MARK] == ["stale"],
    "--html": lambda told: f'id="{MARK}" data-state="stale"' in told,
    "--github": lambda told: f"title={MARK} stale" in told,
    "--sarif": lambda told: f"{MARK} is stale" in told,
    "--lcov": lambda told: "DA:24,0" in told.partition(DRAIN)[2],
    "--badge": lambda told: "0 of 7 met" in told,
}


def stale(root: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The surfaces that show the mark's clause as stale."""
    return [surface for surface, is_stale in SURFACES.items() if is_stale(printed(root, capsys, surface))]


def printed(root: Path, capsys: pytest.CaptureFixture[str], surface: str) -> str:
    capsys.readouterr()
    coverage.main([surface], root)
    return capsys.readouterr().out


def test_a_reworded_clause_is_stale_everywhere_until_its_words_are_accepted(
    met: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = stale(met, capsys)
    reword(met)
    authored.generate(met)
    reworded = stale(met, capsys)
    spec.main(["accept", MARK, "--yes"], met)

    assert (before, reworded, stale(met, capsys)) == ([], list(SURFACES), [])
    assert "1 of 7 met" in printed(met, capsys, "--badge")


def test_accept_shows_the_old_words_and_the_new_and_writes_one_line(met: Path, ask: Ask) -> None:
    before = dict(snapshot.read(met))
    reword(met)
    authored.generate(met)
    authored.commit(met)

    code, told = ask("accept", MARK, "--yes")

    rev = pages.read(met).contract.by_id[MARK].rev
    assert (code, told) == (
        0,
        f"{MARK}  rev {rev}, accepted at {before[MARK].rev}\n"
        "    A run that is not pushed [-has-]{+bears+} a mark.\n"
        f"accepted: {MARK} {rev} met\n",
    )
    assert snapshot.read(met) == {**before, MARK: Line(MARK, rev, "met")}


def test_words_that_no_commit_has_are_said_to_be_lost(met: Path, ask: Ask) -> None:
    snapshot.write(met, [Line(MARK, "00000000", "met")])

    assert "no commit has the wording of 00000000" in ask("accept", MARK, "--yes")[1]


def test_a_clause_that_was_never_accepted_enters_as_open(root: Path, ask: Ask) -> None:
    code, told = ask("accept", "taxonomy", "--yes")

    rev = pages.read(root).contract.by_id["run.retry.taxonomy"].rev
    assert code == 0
    assert f"rev {rev}, never accepted\n" in told
    assert snapshot.read(root) == {"run.retry.taxonomy": Line("run.retry.taxonomy", rev, "open")}


def test_accepted_words_are_not_accepted_again(met: Path, ask: Ask) -> None:
    assert ask("accept", MARK)[1].endswith(", accepted\n    A run that is not pushed has a mark.\n")


def test_nobody_to_ask_is_no_yes(met: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot.read(met)
    reword(met)

    with pytest.raises(Trouble, match="say --yes"):
        spec.main(["accept", MARK], met)

    assert snapshot.read(met) == before


# watch


def test_watch_tells_of_each_save_what_it_came_to(root: Path) -> None:
    def saves() -> Iterator[None]:
        yield
        yield
        authored.edit(root, "no delay is above", "no delay is over")
        yield
        authored.edit(root, "`StepFailed` is raised when", "`StepFailed is raised when")
        yield
        authored.edit(root, "`StepFailed is raised when", "`StepFailed` is raised if")
        yield

    first, reworded, broken, mended = watch.watch(root, saves())

    assert first == "read 2 files, 3 operations, 7 clauses, 8 scenarios\n"
    assert "wrote generated/contract.json\n" in reworded
    assert "no delay is [-above-]{+over+} 30" in reworded
    assert "    stale: tests/test_retry.py:3\n" in reworded
    assert broken.startswith("spec/run/retry.md:24:19: back-tick")
    assert "raised [-when-]{+if+} the" in mended
    assert "run.retry.schedule" not in mended.partition("run.retry.step-failed  reworded")[0]


# steps


def test_the_steps_that_exist_are_listed_where_they_stand(root: Path, ask: Ask) -> None:
    authored.write(
        root,
        "tests/steps/weather.py",
        'KIND = "rain|snow"\n\n\n@given("a sky")\n@when(parsers.parse("it {falls:w}s"))\n'
        '@then(parsers.re(rf"(it|there) is `(?P<kind>{KIND})`"), converters={})\ndef weather():\n    """It is."""\n',
    )

    assert ask("steps") == (
        0,
        "GIVEN a sky  tests/steps/weather.py:4\n"
        "WHEN  it {falls:w}s  tests/steps/weather.py:4\n"
        "THEN  (it|there) is `(?P<kind>{})`  tests/steps/weather.py:4\n",
    )
    assert ask("steps", "when", "falls")[1] == "WHEN  it {falls:w}s  tests/steps/weather.py:4\n"
