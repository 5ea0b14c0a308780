"""Performs delegate.bind and delegate.call: a row's calls, each a step of the journal; and the body that is a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from contextful.kernel.failure import Permanent, Struck, Transient
from contextful.ports.delegate import Delegate
from contextful.run import delegate
from contextful.run.own.body_pins import Projection
from contextful.runner.bodies import Body
from contextful.runner.execution import Execution
from contextful.runner.journal import idempotency_key
from contextful_contract.errors import DelegateUnbound
from contextful_contract.shapes import Binding, Envelope, Json


@dataclass(frozen=True, slots=True)
class Bound:
    """A binding of this machine, and the endpoint that its calls go to."""

    binding: Binding
    endpoint: Delegate


NONE: Mapping[str, Bound] = {}


def bound(bindings: Mapping[str, Bound], name: str | None, *, job: str) -> Bound | None:
    """What the machine binds to the name; nothing for a job without one. Raises DelegateUnbound."""
    if name is not None and name not in bindings:
        raise DelegateUnbound(job=job, binding=name)  ##= delegate.bind.unbound
    return None if name is None else bindings[name]


class Calls:
    """What the rows of a fire ask of its delegate."""

    def __init__(self, job: str, run: Execution, to: Bound | None) -> None:
        self._job = job
        self._run = run
        self._to = to

    def admit(self) -> None:
        """Raises Permanent where the job has no delegate to ask."""
        if self._to is None:
            raise Permanent(f"job {self._job} names no delegate, and its body asks one")

    def ask(self, row: str, ordinal: int, given: Json) -> Json:
        """The answer to a row's call, within its step: outside of one there is no key to send it under."""
        assert self._to is not None, "it was admitted"
        by, endpoint = self._to.binding.name, self._to.endpoint
        key = idempotency_key()
        envelope = Envelope(job=self._job, row=row, ordinal=ordinal, input=given, idempotency_key=key)
        request = delegate.request(envelope)  ##= delegate.call.envelope
        self._run.admit()  ##= delegate.call.inside-the-step
        try:
            reply = self._run.abandonable(
                f"contextful-{by}",
                lambda: endpoint.ask(request, idempotency_key=key),
                deadline_ms=endpoint.deadline_ms,
            )
        except Struck:
            raise Transient(f"delegate {by} has not answered within {endpoint.deadline_ms} ms") from None
        return delegate.answered(reply, by=by)


def whole() -> Body:
    """The body of a job that has none of its own: a call a row, whose value has the rows to land by their table."""
    return Body("", _asked, Projection(), {}, None, "delegated/1")


def _asked(row: Any) -> None:
    tables = row.call(dict(row))
    if not isinstance(tables, dict) or not all(_are_rows(rows) for rows in tables.values()):
        raise Permanent("a delegate in the place of a body answers the rows to land, as a list a table")
    for table, rows in tables.items():
        for each in rows:
            row.emit(table, each)  ##= delegate.call.whole


def _are_rows(held: Any) -> bool:
    return isinstance(held, list) and all(isinstance(row, dict) for row in held)
