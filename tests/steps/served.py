"""Steps of the served face: a request and its credential, and what is answered."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import fields

import pytest
from httpx import ASGITransport, AsyncClient, Response
from pytest_bdd import given, parsers, then, when

import contextful
from contextful.adapters import jose
from contextful.adapters.system import SystemWorld
from contextful.authority import verify
from contextful.authority.credential import Credential
from contextful.authority.issue import issue
from contextful.kernel.change import Update
from contextful.kernel.table import Row, Scalar, Select, Table
from contextful.ports.rows import Rows
from contextful.run import record, suspend
from contextful_contract import errors, limits
from contextful_contract.base import ContextfulError
from contextful_contract.shapes import GrantAction
from tests.steps.cancel import command_runs, run_of_pipeline
from tests.steps.stage import Stage
from tests.steps.suspend import Desk

AUDIENCE = "https://contextful.example"
DANA = "user://dana@acme.example"
HOUR_MS = 3_600_000
ISSUER, ISSUER_PUBLIC = jose.keys()
HOLDER, HOLDER_PUBLIC = jose.keys()


class Heard(contextful.Engine):
    """An engine that notes on whose behalf it is asked to resolve."""

    callers: Sequence[str | None] = ()

    def resolve(self, token: str, payload: object, *, caller: str | None = None) -> object:
        """Note the caller, and resolve."""
        self.callers = (*self.callers, caller)
        return super().resolve(token, payload, caller=caller)


class Read(Rows):
    """Rows that count how often the registry of awakeables is read."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.registry_reads = 0

    def get(self, table: Table, key: Sequence[Scalar]) -> Row | None:
        self.registry_reads += table is suspend.AWAKEABLE
        return self._rows.get(table, key)

    def select(self, select: Select) -> Sequence[Row]:
        self.registry_reads += select.table is suspend.AWAKEABLE
        return self._rows.select(select)

    def commit(self, *changes: object, **survives: object) -> bool:
        return self._rows.commit(*changes, **survives)  # type: ignore[arg-type]

    def now_ms(self, local_ms: int) -> int:
        return self._rows.now_ms(local_ms)


class Served:
    """A face over the stage's stores, the credential that is presented to it, and its last answer."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.credential: Credential | None = None
        self.holder: str | None = None
        self.key = ISSUER
        self.rows = Read(stage.rows)
        self.engine = Heard(self.rows, stage.blobs, stage.world)
        self.answer: Response | None = None

    def made_out(
        self,
        *actions: str,
        tables: Sequence[str] = (),
        pipelines: Sequence[str] = (),
        on_behalf_of: str = DANA,
        ttl_ms: int = HOUR_MS,
        audience: str = AUDIENCE,
    ) -> Credential:
        """A credential that the issuer makes out now."""
        self.credential = issue(
            id="credential-1",
            audience=audience,
            now_ms=self.stage.world.now_ms(),
            ttl_ms=ttl_ms,
            actions=[GrantAction(action) for action in actions],
            tables=tables,
            pipelines=pipelines,
            on_behalf_of=on_behalf_of,
            holder=self.holder,
        )
        self.stage.named["grants"] = self.credential.grants
        return self.credential

    def token(self) -> str:
        """The token of the credential: one that does no harm, where the scenario says nothing of it."""
        held = self.credential or self.made_out("read")
        return jose.sign(held, jose.private_key(self.key, path="issuer"))

    def send(self, method: str, path: str, body: str | None = None, **headers: str) -> None:
        """Send a request, by bearer token unless it says otherwise, and keep what it is answered."""
        application = self.engine.served(ISSUER_PUBLIC, audience=AUDIENCE)
        sent = headers or {"authorization": f"Bearer {self.token()}"}

        async def asked() -> Response:
            async with AsyncClient(transport=ASGITransport(application), base_url=AUDIENCE) as client:
                return await client.request(method, path, content=body, headers=sent)

        self.answer = asyncio.run(asked())
        self.stage.error = _refusal(self.answer)
        if "json" in self.answer.headers["content-type"]:
            self.stage.shown = self.answer.json()

    def prove(self, proof: verify.Proof) -> None:
        """Ask for the runs, with a proof by the credential's holder."""
        self.holder = jose.holder(jose.public_key(HOLDER_PUBLIC, path="holder"))
        self.made_out("read")
        signed = jose.prove(proof, jose.private_key(HOLDER, path="holder"))
        self.send("GET", "/runs", authorization=f"DPoP {self.token()}", dpop=signed)

    def proof(self, **other: object) -> verify.Proof:
        """A proof that fits that request, but for what is said of it."""
        fitting: dict[str, object] = {
            "method": "GET",
            "target": f"{AUDIENCE}/runs",
            "body_sha256": hashlib.sha256(b"").hexdigest(),
            "at_ms": self.stage.world.now_ms(),
            "nonce": "nonce-1",
        }
        return verify.Proof(**{**fitting, **other})  # type: ignore[arg-type]

    def answered(self) -> Response:
        """The last answer."""
        assert self.answer is not None
        return self.answer


def _refusal(answer: Response) -> ContextfulError | None:
    """The refusal that an answer names, with the facts that it tells."""
    if answer.is_success or not hasattr(errors, answer.json()["refusal"]):
        return None
    told = answer.json()
    kind: type[ContextfulError] = getattr(errors, told["refusal"])
    refusal = kind.__new__(kind)
    for field in fields(kind):
        setattr(refusal, field.name, told.get(field.name))
    return refusal


@pytest.fixture
def served(stage: Stage) -> Served:
    """A face that has been asked nothing yet."""
    return Served(stage)


@given(parsers.parse("a credential that may `{action}` {kind} `{pattern}`"))
def credential_that_may(served: Served, action: str, kind: str, pattern: str) -> None:
    served.made_out(action, **{f"{kind}s": [pattern]})  # type: ignore[arg-type]


@given(parsers.parse("a credential on behalf of `{subject}`"))
def credential_on_behalf_of(served: Served, subject: str) -> None:
    served.made_out("read", on_behalf_of=subject)


@given(parsers.parse("a token on behalf of `{subject}`"))
def token_on_behalf_of(served: Served, subject: str) -> None:
    served.made_out("read", on_behalf_of=subject)


@given(parsers.parse("it is bound to `{subject}`"))
def is_bound_to(stage: Stage, desk: Desk, subject: str) -> None:
    (row,) = desk.rows()
    key = {column: row[column] for column in suspend.AWAKEABLE.key}
    assert stage.rows.commit(Update(suspend.AWAKEABLE, key, {}, {"caller": subject}))


@given("its deadline has passed")
def deadline_has_passed(stage: Stage) -> None:
    stage.world.skip(24 * HOUR_MS + 1)


@given(parsers.parse("no run `{run_id}`"))
def no_run(stage: Stage, run_id: str) -> None:
    assert stage.onlooker().run(run_id) is None


@given(parsers.parse("runs of the pipelines `{pipelines}`"))
def runs_of_the_pipelines(stage: Stage, pipelines: str) -> None:
    for pipeline in pipelines.split(", "):
        run_of_pipeline(stage, f"run-of-{pipeline}", pipeline, "success")


@when(parsers.parse("`{method} {path}` is sent with body `{body}`"))
def is_sent_with_body(served: Served, method: str, path: str, body: str) -> None:
    served.send(method, _path(served, path), body)


@when(parsers.parse("`{method} {path}` is sent with no body"))
def is_sent_with_no_body(served: Served, method: str, path: str) -> None:
    served.send(method, path)


@when(parsers.re(r"`(?P<method>GET|POST) (?P<path>\S+)` is sent"))
def is_sent(served: Served, method: str, path: str) -> None:
    served.send(method, _path(served, path))


@when(parsers.parse("`{method} {path}` is sent without a credential"))
def is_sent_without_a_credential(served: Served, method: str, path: str) -> None:
    served.send(method, _path(served, path), '"yes"', accept="*/*")


@when("the runs are listed")
def runs_are_listed(served: Served) -> None:
    served.send("GET", "/runs")


@when(parsers.parse("the history of pipeline `{pipeline}` is asked for"))
def history_is_asked_for(served: Served, pipeline: str) -> None:
    served.send("GET", f"/runs?pipeline={pipeline}")


@when(parsers.parse("run `{run_id}` is asked for"))
def run_is_asked_for(served: Served, run_id: str) -> None:
    served.send("GET", f"/runs/{run_id}")


@when(parsers.parse("`contextful run cancel {run_id}` runs with no credential"))
def command_runs_with_no_credential(stage: Stage, run_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the machine's own clock, by which the run's process is alive."""
    monkeypatch.delenv("CONTEXTFUL_TOKEN", raising=False)
    live = {"lease_expires_ms": SystemWorld().now_ms() + limits.OWNER_LEASE_TTL_MS}
    assert stage.rows.commit(Update(record.RUN, {"run_id": run_id}, {}, live))
    command_runs(stage, run_id)


@then("it is admitted")
def is_admitted(served: Served) -> None:
    if served.answer is None:
        assert served.stage.outcome == 0
    else:
        assert served.answer.status_code == 200, served.answer.text


@then(parsers.parse("the answer is `{what}`"))
def answer_is(served: Served, what: str) -> None:
    said = served.stage.named.get("answer") if served.answer is None else str(served.answer.status_code)
    assert said == what, served.answer and served.answer.text


@then(parsers.parse("the answer's body is `{body}`"))
def answer_body_is(served: Served, body: str) -> None:
    assert served.answered().text == body


@then(parsers.parse("the answer names `{name}`"))
def answer_names(served: Served, name: str) -> None:
    assert served.answered().json()["refusal"] == name


@then(parsers.parse("the answer does not contain `{words}`"))
def answer_does_not_contain(served: Served, words: str) -> None:
    assert words not in served.answered().text


@then("the answer equals that to an unknown token")
def answer_equals_that_to_an_unknown_token(served: Served) -> None:
    was = served.answered()
    served.send("POST", "/awake/unknown", '"yes"')
    assert (was.status_code, was.content) == (served.answered().status_code, served.answered().content)


@then(parsers.parse("the answer lists the marked runs `{run_ids}`"))
def answer_lists(served: Served, run_ids: str) -> None:
    assert sorted(served.answered().json()["run_ids"]) == run_ids.split(", ")


@then(parsers.parse("the runs of `{pipeline}` are listed"))
def runs_are_in_the_answer(served: Served, pipeline: str) -> None:
    assert pipeline in {run["pipeline_id"] for run in served.answered().json()["runs"]}


@then(parsers.parse("the runs of `{pipeline}` are not listed"))
def runs_are_not_in_the_answer(served: Served, pipeline: str) -> None:
    assert pipeline not in {run["pipeline_id"] for run in served.answered().json()["runs"]}


@then(parsers.parse("the registry has been read {count:d} times"))
def registry_has_been_read(served: Served, count: int) -> None:
    assert served.rows.registry_reads == count


@then(parsers.parse("the resolution has the caller `{subject}`"))
def resolution_has_the_caller(served: Served, subject: str) -> None:
    assert list(served.engine.callers) == [subject]


@then(parsers.parse("the request acts for `{subject}`"))
def request_acts_for(served: Served, subject: str) -> None:
    assert list(served.engine.callers) == [subject]


def _path(served: Served, path: str) -> str:
    """The path, with the token that a run sent out in the place of the scenario's name for it."""
    head, _, token = path.rpartition("/")
    return f"{head}/{served.stage.named.get(token, token)}"
