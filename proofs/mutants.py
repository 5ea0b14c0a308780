"""Mutants: the production code with one line changed, for as long as a block lasts.

The module is not loaded a second time. Its functions stay who they are, for whoever imported them, and run
other code; so a mutant reaches every caller, and no `isinstance` notices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from inspect import unwrap
from pathlib import Path
from types import CodeType, FunctionType, ModuleType


@contextmanager
def planted(module: ModuleType, was: str, becomes: str) -> Iterator[None]:
    """The module's functions as they would be, had `becomes` been written where `was` stands."""
    with _running(_changed(module, was, becomes)):
        yield


@contextmanager
def gone(function: Callable[..., object]) -> Iterator[None]:
    """The function as if nobody had written it: each call of it raises."""
    assert isinstance(function, FunctionType)

    def missing(*args: object, **kwargs: object) -> None:
        raise NotImplementedError

    with _running({function: missing.__code__}):
        yield


@contextmanager
def _running(codes: Mapping[FunctionType, CodeType]) -> Iterator[None]:
    ours = {function: function.__code__ for function in codes}
    try:
        for function, code in codes.items():
            function.__code__ = code
        yield
    finally:
        for function, code in ours.items():
            function.__code__ = code


def _changed(module: ModuleType, was: str, becomes: str) -> Mapping[FunctionType, CodeType]:
    """The code that differs, by the function that it is for."""
    assert module.__file__ is not None
    source = Path(module.__file__).read_text(encoding="utf-8")
    assert source.count(was) == 1, f"{module.__name__} does not hold one {was!r}: the mutant is out of date"
    assert was.count("\n") == becomes.count("\n"), "lines keep their numbers, or every function would differ"
    mutated = compile(source.replace(was, becomes), module.__file__, "exec", dont_inherit=True)
    pairs = [(_function(module, code.co_qualname), code) for code in _codes(mutated)]
    changed = {function: code for function, code in pairs if function is not None and function.__code__ != code}
    assert changed, f"{becomes!r} changes no function of {module.__name__}"
    return changed


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Every piece of code within; what stands inside a function travels with it."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _function(module: ModuleType, qualname: str) -> FunctionType | None:
    """The module's function or method of that name, as it was written: a decorator's wrapper has other code."""
    found: object = module
    for name in qualname.split("."):
        found = vars(found).get(name) if isinstance(found, type | ModuleType) else None
    written = unwrap(found) if isinstance(found, FunctionType) else found
    return written if isinstance(written, FunctionType) else None
