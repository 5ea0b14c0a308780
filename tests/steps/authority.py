"""Steps of authority: what an issuer makes out, what a face makes of it, and what it allows."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_bdd import given, parsers, then, when

from contextful.adapters import jose
from contextful.authority import grant
from contextful.faces.cli import run as command
from contextful.faces.cli.app import app
from contextful.kernel import instant
from contextful_contract.base import ContextfulError
from contextful_contract.shapes import Grant, GrantAction
from tests.steps.served import AUDIENCE, HOUR_MS, ISSUER, ISSUER_PUBLIC, Served
from tests.steps.stage import instant_ms

ANOTHER, _ = jose.keys()


@given("a valid token")
def valid_token(served: Served) -> None:
    served.made_out("read")


@given(parsers.parse("a token made out for {seconds:d} s"))
def token_made_out_for(served: Served, seconds: int) -> None:
    served.made_out("read", ttl_ms=seconds * 1_000)


@given(parsers.parse("a token that expires at `{at}`"))
def token_that_expires(served: Served, at: str) -> None:
    served.stage.world.skip(instant_ms(at) - HOUR_MS - served.stage.world.now_ms())
    served.made_out("read")


@given("it is revoked")
def is_revoked(served: Served) -> None:
    assert served.credential is not None
    served.engine.revoke(served.credential.id)


@when("it is sent as `Authorization: Bearer`")
def is_sent_as_bearer(served: Served) -> None:
    served.send("GET", "/runs")


@when("it is sent as `Authorization: DPoP` with a valid proof")
def is_sent_with_a_valid_proof(served: Served) -> None:
    served.prove(served.proof())


@when("it is given as `CONTEXTFUL_TOKEN`")
def is_given_in_the_environment(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "issuer.pub").write_bytes(ISSUER_PUBLIC)
    monkeypatch.setenv("CONTEXTFUL_TOKEN", served.token())
    now = instant.spell(served.stage.world.now_ms())
    arguments = ["--public-key", str(tmp_path / "issuer.pub"), "--audience", AUDIENCE, "--now", now]
    served.stage.outcome = command(["token", "verify", *arguments, "--project", str(tmp_path)])


@when(parsers.parse("it is sent at `{at}`"))
def is_sent_at(served: Served, at: str) -> None:
    served.stage.world.skip(instant_ms(at) - served.stage.world.now_ms())
    served.send("GET", "/runs")


@when(parsers.parse("it is sent with body `{body}`"))
def token_is_sent_with_body(served: Served, body: str) -> None:
    served.send("POST", "/awake/anything", body)


@when(parsers.parse("a request comes with `{what}`"))
def request_comes_with(served: Served, what: str) -> None:
    match what:
        case "no credential":
            served.send("GET", "/runs", accept="*/*")
        case "a credential without the grant":
            served.made_out("read", pipelines=["shop"])
            served.send("GET", "/runs?pipeline=books")
        case "a token that another key signed":
            served.key = ANOTHER
            served.send("GET", "/runs")
        case _:
            assert what == "a token for another audience", what
            served.made_out("read", audience="https://another.example")
            served.send("GET", "/runs")


@when(parsers.parse("a proof comes that is {seconds:d} s old"))
def proof_that_is_old(served: Served, seconds: int) -> None:
    served.prove(served.proof(at_ms=served.stage.world.now_ms() - seconds * 1_000))


@when(parsers.parse("a proof comes that is {seconds:d} s ahead"))
def proof_that_is_ahead(served: Served, seconds: int) -> None:
    served.prove(served.proof(at_ms=served.stage.world.now_ms() + seconds * 1_000))


@when(parsers.parse("a proof comes that was made for another `{what}`"))
def proof_for_another(served: Served, what: str) -> None:
    served.prove(served.proof(**{{"method": "method", "body": "body_sha256"}[what]: "another"}))


@when(parsers.parse("one proof comes {count:d} times"))
def one_proof_comes(served: Served, count: int) -> None:
    for _ in range(count):
        served.prove(served.proof())


@when(parsers.parse("it asks to `{action}` {kind} `{name}`"))
def asks_to(served: Served, action: str, kind: str, name: str) -> None:
    assert served.credential is not None
    allowed = grant.may(served.credential.grants, GrantAction(action), **{kind: name})
    served.stage.named["answer"] = "yes" if allowed else "no"


@when(parsers.parse("a token is minted with `{options}`"))
def token_is_minted(
    served: Served, options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "issuer").write_bytes(ISSUER)
    arguments = ["token", "mint", "--key", str(tmp_path / "issuer"), "--audience", AUDIENCE, *options.split()]
    try:
        app(arguments, standalone_mode=False)
    except ContextfulError as refusal:
        served.stage.error = refusal
    else:
        token = capsys.readouterr().out.strip()
        served.credential = jose.opened(token, jose.public_key(ISSUER_PUBLIC, path="issuer"))


@then(parsers.parse("its actions are `{action}`"))
def its_actions_are(served: Served, action: str) -> None:
    assert [each.value for each in _grant(served).actions] == [action]


@then(parsers.parse("it lives {hours:d} h"))
def it_lives(served: Served, hours: int) -> None:
    assert served.credential is not None
    assert served.credential.expires_ms - served.credential.issued_ms == hours * HOUR_MS


def _grant(served: Served) -> Grant:
    assert served.credential is not None
    (only,) = served.credential.grants
    return only
