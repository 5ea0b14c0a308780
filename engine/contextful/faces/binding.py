"""Delegates as this machine binds them: the store's own configuration gives each name its endpoint and its secret.

[delegates.reviewer]
endpoint = "https://reviewer.example/ask"
model = "m-1"
parameters = { temperature = 0 }
secret = "env:REVIEWER_KEY"
deadline = "2m"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

import msgspec

from contextful.faces import opening
from contextful.kernel import instant
from contextful.kernel.failure import Failed, Failure
from contextful.ports.world import World
from contextful.runner.delegate import NONE, Bound
from contextful_contract.shapes import Binding, FailureTag, Json


class Delegate(msgspec.Struct, forbid_unknown_fields=True):
    """What the machine says of one delegate; all but the secret and the deadline is public."""

    endpoint: str
    model: str = ""
    parameters: dict[str, Any] = {}
    secret: str | None = None
    deadline: str = "30s"


@contextmanager
def opened(configured: Mapping[str, Delegate], name: str | None, world: World) -> Iterator[Mapping[str, Bound]]:
    """The delegate that a job names, if it names one that is bound here, for as long as its fire takes."""
    if name is None or name not in configured:
        yield NONE
        return
    from contextful.adapters import delegates

    told = configured[name]
    deadline_ms = instant.span_ms(told.deadline)
    if not deadline_ms:
        raise _config(name, f"the deadline {told.deadline!r}, which is no length of time such as 90s")
    if not delegates.is_address(told.endpoint):
        raise _config(name, "an endpoint that is no address to be asked over HTTP")
    secret = None if told.secret is None else opening.secret(told.secret)
    public: dict[str, Json] = {"endpoint": told.endpoint, "model": told.model, "parameters": told.parameters}
    binding = Binding(name=name, public={key: held for key, held in public.items() if held})
    with closing(delegates.HttpDelegate(told.endpoint, world, secret=secret, deadline_ms=deadline_ms)) as endpoint:
        yield {name: Bound(binding, endpoint)}  ##= delegate.bind.binding


def _config(name: str, fault: str) -> Failed:
    return Failed(Failure(FailureTag.CONFIG, f"the delegate {name} is configured with {fault}"))
