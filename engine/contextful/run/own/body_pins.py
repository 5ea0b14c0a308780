"""run.own, body pins: what a registered body is, and what pending work that runs it is bound to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from contextful.kernel import credential, digest
from contextful.kernel.failure import Failed, Failure
from contextful_contract.shapes import FailureTag, ProviderConfiguration

IMPLEMENTATION = "implementation"
PROVIDER = "provider"


@dataclass(frozen=True, slots=True)
class Projection:
    """The structure of what a body does: its closed set of effect labels, the tables that it emits to, their types."""

    effects: tuple[str, ...] = ()
    outputs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Registration:
    """A body as the host registered it: what implements it, and all else that affects how it executes, as digests."""

    name: str
    implementation: str
    projection: Projection = Projection()
    dependencies: Mapping[str, str] = field(default_factory=dict)
    provider: ProviderConfiguration | None = None

    def identities(self) -> dict[str, str]:
        """What an owner pins of it by name; a name that configuration chose implements nothing."""
        pinned = {IMPLEMENTATION: self.implementation}  ##= run.own.body-implementation
        if self.provider is not None:
            pinned[PROVIDER] = digest.of(_public(self.provider))
        return pinned | dict(self.dependencies)  ##= run.own.body-dependencies


def admitted(registration: Registration) -> Registration:
    """The registration, if all of it may be on record: no dependency in the place of a pin, no credential anywhere."""
    taken = {IMPLEMENTATION, PROVIDER} & set(registration.dependencies)
    if taken:
        raise _config(f"body {registration.name} declares a dependency called {min(taken)}, which is a pin of its own")
    if registration.provider is not None:
        _admit_endpoint(registration.name, registration.provider.endpoint)
        if credential.masked(str(_public(registration.provider))) != str(_public(registration.provider)):
            raise _config(
                f"the provider of body {registration.name} is declared with a credential among its parameters"
            )
    return registration


def admit_projection(registration: Registration, supplied: Projection | None) -> None:
    """What a caller supposes of a body is what it has registered, or the caller means another body."""
    if supplied is not None and supplied != registration.projection:
        raise _config(f"body {registration.name} is not registered with the projection that was supplied for it")


def _admit_endpoint(body: str, endpoint: str) -> None:
    ##= run.own.body-public-configuration
    parts = urlsplit(endpoint)
    if "@" in parts.netloc or credential.masked(endpoint) != endpoint:
        raise _config(f"body {body} is registered with an endpoint that has a credential in it: send that in a header")


def _public(provider: ProviderConfiguration) -> dict[str, object]:
    return {"endpoint": provider.endpoint, "model": provider.model, "parameters": dict(provider.parameters)}


def _config(message: str) -> Failed:
    return Failed(Failure(FailureTag.CONFIG, message))
