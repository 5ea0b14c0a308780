"""An issuer at the terminal, and a face that takes what it made out."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import contextful
from contextful.faces.cli import run

Captured = pytest.CaptureFixture[str]
AUDIENCE = "http://here"


@pytest.fixture
def issuer(tmp_path: Path, capsys: Captured) -> Path:
    """An issuer's private key; the public one is beside it."""
    key = tmp_path / "issuer"
    contextful.Engine.open(tmp_path).close()
    assert run(["token", "keygen", "--out", str(key)]) == 0
    capsys.readouterr()
    return key


def minted(issuer: Path, capsys: Captured, *options: str) -> str:
    assert run(["token", "mint", "--key", str(issuer), "--audience", AUDIENCE, *options]) == 0
    return capsys.readouterr().out.strip()


def presented(issuer: Path, folder: Path) -> int:
    public = f"{issuer}.pub"
    return run(["token", "verify", "--public-key", public, "--audience", AUDIENCE, "--project", str(folder)])


def test_nobody_else_may_read_a_key_and_none_is_written_over(issuer: Path, capsys: Captured) -> None:
    held = issuer.read_bytes()

    assert issuer.stat().st_mode & 0o077 == 0
    assert run(["token", "keygen", "--out", str(issuer)]) == 1
    assert "issuer cannot be written: File exists" in capsys.readouterr().err
    assert issuer.read_bytes() == held


@pytest.mark.clause("authority.verify.revocation")
def test_a_token_stands_until_it_is_revoked(
    issuer: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTEXTFUL_TOKEN", minted(issuer, capsys, "--pipeline", "shop"))

    assert presented(issuer, tmp_path) == 0
    claims = json.loads(capsys.readouterr().out)
    assert claims["grants"] == [{"actions": ["read"], "tables": [], "pipelines": ["shop"]}]

    assert run(["token", "revoke", claims["jti"], "--project", str(tmp_path)]) == 0
    assert presented(issuer, tmp_path) == 1
    assert "AuthorityRevoked" in capsys.readouterr().err


def test_a_token_says_how_many_rows_one_read_may_answer(
    issuer: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTEXTFUL_TOKEN", minted(issuer, capsys, "--table", "shop_*", "--max-rows", "10"))

    assert presented(issuer, tmp_path) == 0
    claims = json.loads(capsys.readouterr().out)
    assert claims["grants"] == [{"actions": ["read"], "tables": ["shop_*"], "pipelines": [], "max_rows": 10}]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--max-rows", "0"], "greater than or equal to 1"),
        (["--ttl", "soon"], "'soon' is no length of time"),
        (["--ttl", "0s"], "'0s' is no length of time"),
        (["--action", "fly"], "'fly' is not one of"),
        (["--holder", "nowhere"], "nowhere cannot be read"),
        (["--action", "write"], "IssuancePrincipalRequired"),
    ],
)
def test_what_cannot_be_minted_is_refused_by_name(
    issuer: Path, capsys: Captured, options: list[str], says: str
) -> None:
    assert run(["token", "mint", "--key", str(issuer), "--audience", AUDIENCE, *options]) != 0
    assert says in capsys.readouterr().err


def test_without_a_token_there_is_nothing_to_verify(
    issuer: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CONTEXTFUL_TOKEN", raising=False)

    assert presented(issuer, tmp_path) == 1
    assert "CONTEXTFUL_TOKEN is not set" in capsys.readouterr().err


@pytest.mark.clause("run.suspend.resume-route")
def test_a_run_that_waits_is_answered_over_http_and_the_server_ends_well(
    issuer: Path, tmp_path: Path, capsys: Captured
) -> None:
    tokens: list[str] = []

    def approval(run: contextful.Execution) -> object:
        awaited = run.awakeable("approve")
        tokens.append(awaited.token)
        return awaited.wait()

    engine = contextful.Engine.open(tmp_path)
    with engine, pytest.raises(contextful.Suspended), engine.execution("approval", "plan") as waits:
        approval(waits)
    bearer = {"authorization": f"Bearer {minted(issuer, capsys, '--on-behalf-of', 'user://dana')}"}
    command = [sys.executable, "-m", "contextful", "serve", "--public-key", f"{issuer}.pub", "--audience", AUDIENCE]
    face = subprocess.Popen([*command, "--project", str(tmp_path), "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        assert face.stderr is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", face.stderr.readline())
        assert found is not None
        answer = httpx.post(f"{found[0]}/awake/{tokens[0]}", content='"yes"', headers=bearer, timeout=30)
    finally:
        face.send_signal(signal.SIGTERM)
        code = face.wait(timeout=30)
        face.stderr.close()

    assert (answer.status_code, answer.json(), code) == (200, "yes", 0)
    with contextful.Engine.open(tmp_path) as engine, engine.execution("approval", "plan") as resumed:
        assert resumed.wait("approve") == "yes"


@pytest.mark.parametrize("command", [["token", "revoke", "credential-1"], ["serve", "--audience", AUDIENCE]])
def test_a_folder_that_nothing_ran_in_is_refused_and_not_made(
    issuer: Path, tmp_path: Path, capsys: Captured, command: list[str]
) -> None:
    options = ["--public-key", f"{issuer}.pub"] if command[0] == "serve" else []

    assert run([*command, *options, "--project", str(tmp_path / "nowhere")]) == 1
    assert "nothing has run in" in capsys.readouterr().err
    assert not (tmp_path / "nowhere").exists()


def test_whoever_asks_for_too_long_a_life_is_told(issuer: Path, capsys: Captured) -> None:
    assert run(["token", "mint", "--key", str(issuer), "--audience", AUDIENCE, "--ttl", "48h"]) == 0
    assert "as long as one may" in capsys.readouterr().err
