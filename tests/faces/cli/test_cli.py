"""The command line, as a person and a script meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contextful.faces.cli import run

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def shop(tmp_path: Path, capsys: Captured) -> Path:
    """A project as `contextful init` writes it."""
    folder = tmp_path / "shop"
    assert run(["init", str(folder)]) == 0
    capsys.readouterr()
    return folder


def asked(capsys: Captured, *arguments: str) -> object:
    """The JSON document that a command answers."""
    assert run(list(arguments)) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys: Captured, *arguments: str, code: int = 1) -> str:
    """What a command that fails says, and that it says it to people alone."""
    assert run(list(arguments)) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_a_fresh_project_lands_its_orders(shop: Path, capsys: Captured) -> None:
    folder = str(shop)
    landed = asked(capsys, "pipeline", "run", "shop", "-p", folder, "--run-id", "run-1", "--json")
    answer = asked(capsys, "query", "SELECT sum(cents) AS cents FROM shop_orders", "-p", folder, "--json")
    history = asked(capsys, "run", "history", "-p", folder, "--json")
    shown = asked(capsys, "run", "show", "run-1", "-p", folder)

    assert isinstance(landed, list)
    assert (landed[0]["status"], landed[0]["rows"], landed[0]["table"]) == ("success", 2, "shop_orders")
    assert isinstance(answer, dict)
    assert answer["rows"] == [[1150]]
    assert history == {"window": {"since": None, "ceiling": 5}, "runs": [shown], "truncated": False}


def test_people_read_a_table(shop: Path, capsys: Captured) -> None:
    run(["pipeline", "run", "shop", "-p", str(shop), "--run-id", "run-1"])
    capsys.readouterr()

    assert run(["run", "history", "-p", str(shop)]) == 0

    assert capsys.readouterr().out.splitlines()[1].split()[:4:3] == ["run-1", "success"]


def test_an_answer_of_more_columns_than_fit_stands_upright(shop: Path, capsys: Captured) -> None:
    run(["pipeline", "run", "shop", "-p", str(shop), "--run-id", "run-1"])
    columns = ", ".join(f"item AS item_{number}" for number in range(12))
    capsys.readouterr()

    assert run(["query", f"SELECT {columns} FROM shop_orders ORDER BY item DESC", "-p", str(shop)]) == 0

    first, *others = capsys.readouterr().out.splitlines()
    assert (first.strip(), others[0].split(), others[12].strip()) == ("row 1", ["item_0", "tea"], "row 2")


def test_progress_is_for_people(shop: Path, capsys: Captured) -> None:
    run(["pipeline", "run", "shop", "-p", str(shop), "--run-id", "run-1"])

    captured = capsys.readouterr()
    assert captured.out.startswith("run-1: success, 2 rows")
    assert captured.err == "1 page, 2 rows, 704 bytes staged: landed\n"


def test_init_overwrites_nothing(shop: Path, capsys: Captured) -> None:
    (shop / "contextful.toml").write_text("mine")
    (shop / "data" / "orders.ndjson").unlink()

    said = refused(capsys, "init", str(shop))

    assert said.startswith("Storage: ")
    assert (shop / "contextful.toml").read_text() == "mine"
    assert not (shop / "data" / "orders.ndjson").exists()


def test_every_fault_of_a_manifest_is_named_with_its_place(shop: Path, capsys: Captured) -> None:
    manifest = shop / "contextful.toml"
    manifest.write_text(manifest.read_text().replace("primary_key", "primary_kee") + "colour = 1\n")

    lines = refused(capsys, "pipeline", "validate", "-p", str(shop)).splitlines()

    assert [line.partition(": ")[0] for line in lines if not line.startswith(" ")] == ["PipelineUnknownConfigKey"] * 2
    assert all("contextful.toml:" in line for line in lines if not line.startswith(" "))


def test_a_folder_without_a_manifest_is_refused_and_left_empty(tmp_path: Path, capsys: Captured) -> None:
    said = refused(capsys, "pipeline", "run", "shop", "-p", str(tmp_path))

    assert said.startswith("PipelineManifestMissing: ")
    assert list(tmp_path.iterdir()) == []


def test_looking_at_a_folder_makes_nothing(tmp_path: Path, capsys: Captured) -> None:
    said = refused(capsys, "run", "history", "-p", str(tmp_path))

    assert said.startswith("Config: nothing has run in")
    assert list(tmp_path.iterdir()) == []


REFUSED = {
    "a pipeline that is not declared": (["pipeline", "run", "nope"], "Config: there is no pipeline nope", 1),
    "a run that nobody knows": (["run", "show", "nope"], "Config: no run is called nope", 1),
    "SQL that is none": (["query", "selec"], "ReadStatementRefused: The statement cannot be read", 1),
    "a table that is none": (["query", "select * from nope"], "StoreUnknownTable: No schema declares table nope", 1),
    "an option that is none": (["pipeline", "run", "shop", "--nope"], "UsageError: No such option", 2),
    "an instant that is none": (
        ["pipeline", "run", "shop", "--now", "soon"],
        "UsageError: Invalid value for '--now'",
        2,
    ),
    "an execution that is not pending": (
        ["run", "rewind", "exec-0", "--reason", "tidy up"],
        "ExecutionRewindNotPending: ",
        1,
    ),
}


@pytest.mark.parametrize(("arguments", "says", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_done_is_refused_by_name(
    shop: Path, capsys: Captured, arguments: list[str], says: str, code: int
) -> None:
    run(["pipeline", "run", "shop", "-p", str(shop)])
    capsys.readouterr()

    said = refused(capsys, *arguments, *(["-p", str(shop)] if code == 1 else []), code=code)

    assert said.startswith(says)
    assert "Traceback" not in said


def test_a_run_id_that_was_used_is_refused(shop: Path, capsys: Captured) -> None:
    command = ["pipeline", "run", "shop", "-p", str(shop), "--run-id", "run-1"]
    run(command)
    capsys.readouterr()

    assert "run-1 was used before" in refused(capsys, *command)


def test_what_json_has_no_number_for_is_text(shop: Path, capsys: Captured) -> None:
    answer = asked(
        capsys, "query", "SELECT 'nan'::double, '-inf'::double, 12345678901234567890", "-p", str(shop), "--json"
    )

    assert isinstance(answer, dict)
    assert answer["rows"] == [["NaN", "-inf", "12345678901234567890"]]


def land(shop: Path, capsys: Captured, *lines: str) -> None:
    """Add these lines to the orders, and land them."""
    with (shop / "data" / "orders.ndjson").open("a") as file:
        file.writelines(f"{line}\n" for line in lines)
    assert run(["pipeline", "run", "shop", "-p", str(shop)]) == 0
    capsys.readouterr()


def test_data_is_neither_markup_nor_a_terminals_command(shop: Path, capsys: Captured) -> None:
    land(shop, capsys, json.dumps({"id": 3, "item": "[/red]\x1b[31m", "cents": 1}))

    assert run(["query", 'SELECT item AS "[item]" FROM shop_orders WHERE id = 3', "-p", str(shop)]) == 0

    assert capsys.readouterr().out.split() == ["[item]", "[/red]\\x1b[31m"]


@pytest.mark.parametrize("arguments", [["query", "select \udcff"], ["run", "show", "\udcff"], ["run", "show", "\0"]])
def test_an_argument_that_is_no_text_is_refused(arguments: list[str], capsys: Captured) -> None:
    assert refused(capsys, *arguments, code=2).startswith("UsageError: ")


def test_a_command_alone_shows_what_there_is(capsys: Captured) -> None:
    assert run([]) == 2

    captured = capsys.readouterr()
    assert "Usage: contextful" in captured.out
    assert captured.err == ""


def test_the_version_is_told(capsys: Captured) -> None:
    assert run(["--version"]) == 0

    assert capsys.readouterr().out.startswith("contextful ")


def test_a_failure_is_told_once_with_its_reason(shop: Path, capsys: Captured) -> None:
    (shop / "data" / "orders.ndjson").write_text('{"id": }\n')

    said = refused(capsys, "pipeline", "run", "shop", "-p", str(shop))

    assert said.count("has no JSON object in the line at byte 0") == 1


def test_a_failure_shows_no_credential(shop: Path, capsys: Captured) -> None:
    manifest = shop / "contextful.toml"
    manifest.write_text(
        manifest.read_text()
        .replace('name = "file"', 'name = "http"', 1)
        .replace(
            'path = "data/{table}*.ndjson", format = "ndjson"', 'endpoint = "http://127.0.0.1:1/x?api_key=hunter2"'
        )
        + "[pipeline.retry]\nattempts = 1\n"
    )

    said = refused(capsys, "pipeline", "run", "shop", "-p", str(shop))

    assert "api_key=[REDACTED:credential]" in said
    assert "hunter2" not in said


def test_the_history_of_a_pipeline_that_is_not_declared_is_refused(shop: Path, capsys: Captured) -> None:
    land(shop, capsys)

    said = refused(capsys, "run", "history", "--pipeline", "shp", "-p", str(shop))

    assert said == "Config: there is no pipeline shp: did you mean shop?\n"


def test_an_answer_that_is_nested_too_deep_is_refused(shop: Path, capsys: Captured, tmp_path: Path) -> None:
    land(shop, capsys)
    (tmp_path / "deep.json").write_text("[" * 100_000)

    said = refused(capsys, "run", "awake", "token", "--payload", str(tmp_path / "deep.json"), "-p", str(shop))

    assert "deep.json holds no JSON" in said


def test_what_landed_is_told_beside_what_failed(shop: Path, capsys: Captured) -> None:
    manifest = shop / "contextful.toml"
    manifest.write_text(
        manifest.read_text().replace('id = "shop"', 'id = "shop"\non_table_error = "continue"')
        + '[[pipeline.tables]]\nname = "items"\n'
    )

    code = run(["pipeline", "run", "shop", "-p", str(shop), "--run-id", "r", "--json"])

    captured = capsys.readouterr()
    assert code == 1
    assert [(each["run_id"], each["rows"]) for each in json.loads(captured.out)] == [("r.orders", 2)]
    assert captured.err.splitlines()[1].startswith("PipelineTableFailed: Table items failed Permanent in run r.items.")
