"""run.own, body pins: what a registered body is, and what pending work that runs it is bound to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from contextful.kernel import credential, digest
from contextful.kernel.failure import Failed, Failure
from contextful_contract.shapes import Binding, FailureTag, ProviderConfiguration

IMPLEMENTATION = "implementation"
PROVIDER = "provider"
BINDING = "delegate"


@dataclass(frozen=True, slots=True)
class Projection:
    """The structure of what a body does: its closed set of effect labels, the tables that it emits to, their types.

    Of an effect that returns records, `types` has their columns.
    """

    effects: tuple[str, ...] = ()
    outputs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    types: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Registration:
    """A body as the host registered it: what implements it, and all else that affects how it executes, as digests."""

    name: str
    implementation: str
    projection: Projection = Projection()
    dependencies: Mapping[str, str] = field(default_factory=dict)
    provider: ProviderConfiguration | None = None
    binding: Binding | None = None  # the delegate that it asks, as the machine binds it

    def identities(self) -> dict[str, str]:
        """What an owner pins of it by name; a name that configuration chose implements nothing."""
        pinned = {IMPLEMENTATION: self.implementation}  ##= run.own.body-implementation
        if self.provider is not None:
            pinned[PROVIDER] = digest.of(_public(self.provider))
        if self.binding is not None:
            pinned[BINDING] = digest.of([self.binding.name, dict(self.binding.public)])  ##= delegate.bind.pinned
        return pinned | dict(self.dependencies)  ##= run.own.body-dependencies


def admitted(registration: Registration) -> Registration:
    """The registration, if all of it may be on record: no dependency in the place of a pin, no credential anywhere."""
    taken = {IMPLEMENTATION, PROVIDER, BINDING} & set(registration.dependencies)
    if taken:
        raise _config(f"body {registration.name} declares a dependency called {min(taken)}, which is a pin of its own")
    if registration.provider is not None:
        _admit_public(_public(registration.provider), of=f"the provider of body {registration.name}")
    if registration.binding is not None:
        _admit_public(registration.binding.public, of=f"delegate {registration.binding.name}")
    return registration


def admit_projection(registration: Registration, supplied: Projection | None) -> None:
    """What a caller supposes of a body is what it has registered, or the caller means another body."""
    if supplied is not None and supplied != registration.projection:
        raise _config(f"body {registration.name} is not registered with the projection that was supplied for it")


def admit_effects(projection: Projection, removed: Mapping[str, Collection[str]], *, job: str) -> None:
    """See that nothing which a table's rules remove is recorded as what an effect returned.

    `removed` has the columns that are removed of each table that the job lands in, in lower case.
    """
    for table, columns in removed.items():
        for label in projection.effects:
            if label not in projection.types:
                said = f"job {job} lands in {table}, of which values are removed"
                raise _config(f"{said}: register effect {label} with its types")  ##= authority.redact.typed-effects
            for column in projection.types[label]:
                if column.lower() in columns:
                    said = f"job {job}: effect {label} returns column {column}, which is removed of table {table}"
                    raise _config(f"{said}, and would be on record")


def _admit_public(public: Mapping[str, object], *, of: str) -> None:
    endpoint = str(public["endpoint"])
    ##= run.own.body-public-configuration
    if "@" in urlsplit(endpoint).netloc or credential.masked(endpoint) != endpoint:
        raise _config(f"{of} has an endpoint with a credential in it: that goes in a header")
    if credential.masked(str(public)) != str(public):
        raise _config(f"{of} is declared with a credential among its parameters")


def _public(provider: ProviderConfiguration) -> dict[str, object]:
    return {"endpoint": provider.endpoint, "model": provider.model, "parameters": dict(provider.parameters)}


def _config(message: str) -> Failed:
    return Failed(Failure(FailureTag.CONFIG, message))
