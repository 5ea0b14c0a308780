"""Bodies: the code of a binary that jobs may name, registered before a job of theirs fires."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from contextful.kernel import digest
from contextful.run.own import body_pins
from contextful.run.own.body_pins import Projection, Registration
from contextful_contract.errors import JobBodyUnregistered
from contextful_contract.shapes import Binding, ProviderConfiguration

Code = TypeVar("Code", bound=Callable[..., Any])
Dependency = str | bytes | Callable[[], str | bytes]
UNAVAILABLE = "unavailable"  # no digest is spelled so: what cannot be read is not what was pinned
NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Body:
    """Registered code, and what it declared with its registration."""

    name: str
    code: Callable[..., Any]
    projection: Projection
    dependencies: Mapping[str, Dependency]
    provider: ProviderConfiguration | None
    implementation: str

    def registration(self, binding: Binding | None = None) -> Registration:
        """What it is right now, with what it asks: its dependencies are read anew, for they may have changed since."""
        read = {name: _digest(dependency) for name, dependency in self.dependencies.items()}
        return body_pins.admitted(
            Registration(self.name, self.implementation, self.projection, read, self.provider, binding)
        )


class Bodies:
    """The bodies that a binary registers, by name."""

    def __init__(self) -> None:
        self._bodies: dict[str, Body] = {}

    def register(
        self,
        name: str,
        *,
        effects: Sequence[str] | Mapping[str, Mapping[str, str]] = (),
        outputs: Mapping[str, Mapping[str, str]] = NONE,
        dependencies: Mapping[str, Dependency] = NONE,
        provider: ProviderConfiguration | None = None,
        implementation: str | None = None,
    ) -> Callable[[Code], Code]:
        """Register the code that is decorated under a name that jobs may give as their `body`.

        `effects` are the labels of all the steps that it takes, each with the types of the columns that it returns
        where the job lands in a table with `redaction`; `outputs` the tables that it emits to and the types of their
        columns. `dependencies` are what else affects what it does, each a text, bytes, or a function that
        reads it: a prompt, a template, a policy. `implementation` takes the place of the digest of the code's own
        module, where a host knows better. Raises TypeError for a generator, and Failed where what is declared of the
        provider has a credential in it.
        """

        def register(code: Code) -> Code:
            if inspect.isgeneratorfunction(code) or inspect.isasyncgenfunction(code):
                raise TypeError(f"body {name} yields, and would not be entered: what it has for a table it emits")
            declared = {table: dict(types) for table, types in outputs.items()}
            typed = effects if isinstance(effects, Mapping) else {}
            projection = Projection(tuple(effects), declared, {label: dict(types) for label, types in typed.items()})
            built = implementation or built_from(code)
            body = Body(name, code, projection, dict(dependencies), provider, built)
            body_pins.admitted(Registration(name, built, projection, {}, provider))
            if (before := self._bodies.get(name)) is not None and before.implementation != built:
                raise ValueError(f"body {name} is registered already, as something else")
            self._bodies[name] = body
            return code

        return register

    def names(self) -> Sequence[str]:
        """What is registered."""
        return sorted(self._bodies)

    def body(self, name: str, *, job: str) -> Body:
        """The body of this name. Raises JobBodyUnregistered."""
        if name not in self._bodies:
            raise JobBodyUnregistered(job=job, body=name)  ##= surface.fire.body
        return self._bodies[name]


BODIES = Bodies()


def built_from(code: Callable[..., Any]) -> str:
    """A digest of the code that runs: its name, and the source of the module that it stands in, on any machine."""
    module = inspect.getmodule(code)
    try:
        source = inspect.getsource(module or code)
    except (OSError, TypeError):  # typed at a prompt: then its compiled form is all there is
        source = repr(code.__code__.co_code) if hasattr(code, "__code__") else repr(type(code))
    kind = getattr(code, "__qualname__", type(code).__qualname__)
    return digest.of([kind, source, list(sys.version_info[:2])])


def _digest(dependency: Dependency) -> str:
    try:
        content = dependency() if callable(dependency) else dependency
    except Exception:  # noqa: BLE001 (whatever keeps it from being read, it is not there)
        return UNAVAILABLE
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()
