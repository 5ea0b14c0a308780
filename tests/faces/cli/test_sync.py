"""`contextful sync`, from one folder to another."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest

from contextful.faces import cli
from contextful.faces.profile import NODE_ID
from contextful.testing import seaweed as seaweed_

MANIFEST = """
site_id = "here"
project = { name = "shop" }

[[pipeline]]
id = "shop"
source = { name = "file", config = { path = "data/{table}.ndjson", format = "ndjson" } }
tables = [{ name = "orders" }]
"""


def folder(at: Path, sync: str) -> str:
    """A node's folder of the project."""
    root = at / ".contextful" / "context" / "shop"
    root.mkdir(parents=True)
    (root / "config.toml").write_text(f"[sync]\n{sync}\n")
    (at / "contextful.toml").write_text(MANIFEST)
    (at / "data").mkdir()
    (at / "data" / "orders.ndjson").write_text('{"id": 1}\n{"id": 2}\n')
    return str(at)


@pytest.mark.clause("store.push.after-run")
def test_one_folder_pushes_and_the_other_goes_on_from_there(
    tmp_path: Path, seaweed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = seaweed_.place(seaweed, f"cli-{uuid.uuid4()}")
    monkeypatch.setenv("BUCKET_SECRET", seaweed_.KEY)
    sync = "\n".join(
        [
            f'bucket = "{place.bucket}"',
            f'endpoint = "{seaweed}"',
            f'prefix = "{place.prefix}"',
            f'access_key_id = "{seaweed_.KEY}"',
            'secret_access_key = "env:BUCKET_SECRET"',
            'region = "us-east-1"',
        ]
    )
    one, other = folder(tmp_path / "one", f"{sync}\npush_after_run = true"), folder(tmp_path / "other", sync)

    monkeypatch.setenv(NODE_ID, "n-1")
    assert cli.run(["run", "start", "shop", "--project", one]) == 0
    monkeypatch.setenv(NODE_ID, "n-2")
    capsys.readouterr()
    assert cli.run(["sync", "pull", "--project", other]) == 0
    assert capsys.readouterr().out.startswith("generation 1: ")
    assert cli.run(["query", "SELECT count(*) AS n FROM shop_orders", "--json", "--project", other]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == [[2]]
    assert cli.run(["run", "start", "shop", "--project", other]) == 0
    assert "0 rows" in capsys.readouterr().out, "it goes on from the position that the other has committed"
    assert cli.run(["sync", "push", "--json", "--project", other]) == 0
    assert json.loads(capsys.readouterr().out)["generation"] == 2
    assert cli.run(["sync", "manifest", "--project", other]) == 0
    owners = {entry["owner"] for entry in json.loads(capsys.readouterr().out)["entries"].values()}
    assert owners == {"n-1", "n-2"}


@pytest.mark.parametrize(
    ("sync", "said"),
    [
        ("", "[sync]"),
        ('bucket = "file:nowhere"', "is no folder: make it, or mount it"),
        ('bucket = "b"\nsecret_access_key = "env:NO_SUCH"', "SecretNotFound: the variable NO_SUCH"),
        ('bucket = "b"\npull_befor_run = true', "pull_befor_run"),
    ],
    ids=["no bucket", "no folder", "no secret", "no such key"],
)
def test_what_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], sync: str, said: str) -> None:
    code = cli.run(["sync", "push", "--project", folder(tmp_path, sync)])

    assert code == 1
    assert said in capsys.readouterr().err


def test_an_object_that_went_bad_in_the_bucket_is_sent_anew_by_whoever_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bucket").mkdir()
    sync = f'bucket = "file:{tmp_path / "bucket"}"'
    one, other = folder(tmp_path / "one", sync), folder(tmp_path / "other", sync)
    monkeypatch.setenv(NODE_ID, "n-1")
    assert cli.run(["run", "start", "shop", "--run-id", "r-1", "--project", one]) == 0
    assert cli.run(["sync", "push", "--project", one]) == 0
    (part,) = [path for path in (tmp_path / "bucket").rglob("*part*") if path.is_file() and "shop_orders" in str(path)]
    part.write_bytes(b"gone bad")
    monkeypatch.setenv(NODE_ID, "n-2")
    capsys.readouterr()

    assert cli.run(["sync", "pull", "--project", other]) == 1
    assert "`contextful sync push --verify` sends it again" in capsys.readouterr().err
    assert cli.run(["sync", "push", "--verify", "--project", other]) == 1
    assert "not here" in capsys.readouterr().err
    monkeypatch.setenv(NODE_ID, "n-1")
    assert cli.run(["sync", "push", "--verify", "--project", one]) == 0
    assert ": sent anew" in capsys.readouterr().err
    monkeypatch.setenv(NODE_ID, "n-2")
    assert cli.run(["sync", "pull", "--project", other]) == 0
    capsys.readouterr()
    assert cli.run(["run", "show", "r-1", "--project", other]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "success"


def test_without_a_profile_no_run_is_marked_and_the_status_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bucket").mkdir()
    one = folder(tmp_path / "one", f'bucket = "file:{tmp_path / "bucket"}"')

    assert cli.run(["sync", "status", "--project", one]) == 1

    told = json.loads(capsys.readouterr().out)
    assert (told["runs"], "no storage profile is set" in told["error"]["cause"]) == (None, True)
