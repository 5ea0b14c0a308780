"""Sources as a project's folder, the environment and the declaration have them."""

from __future__ import annotations

import os
from pathlib import Path

from contextful.adapters import sources
from contextful.kernel import digest
from contextful.kernel.failure import Failed, Failure
from contextful.pipeline.spec import (
    BodyOutput,
    CommandSource,
    FileSource,
    HttpSource,
    Origin,
    PythonSource,
    SqlSource,
)
from contextful.ports.source import Source
from contextful.ports.world import World
from contextful.runner.meter import Meter
from contextful_contract.shapes import ConnectorPin, FailureTag

SECRET = "env:"


def source(spec: Origin, table: str, folder: Path, world: World) -> Source:
    """The table's source, opened."""
    match spec:
        case BodyOutput():
            raise AssertionError("what a body emits is landed by its job")
        case FileSource(whole=True):
            from contextful.adapters.sources.file_snapshot import FileSnapshot

            return FileSnapshot(spec, table, folder)
        case FileSource():
            from contextful.adapters.sources.file import FileRecords

            return FileRecords(spec, table, folder)
        case SqlSource():
            from contextful.adapters.sources import sql

            shared = spec.database.startswith(SECRET)
            database = sql.Postgres(secret(spec.database)) if shared else sql.Sqlite(folder / spec.database)
            return sql.SqlRows(spec, table, database)
        case CommandSource():
            from contextful.adapters.sources.command import CommandRows

            return CommandRows(spec, table, folder, world)
        case PythonSource():
            from contextful.adapters.sources.python import PythonPages

            return PythonPages(spec, table, folder)
        case HttpSource():
            from contextful.adapters.sources.http import HttpPages

            headers = {name: secret(value) for name, value in spec.headers.items()}
            if spec.limiter is None:
                return HttpPages(spec, table, world, headers=headers)
            from contextful.adapters.limiters import HttpLimiter, Metered

            meter = Meter(HttpLimiter(spec.limiter, world), world)
            permit, transport = meter.permit, Metered(meter.leaving)
            return HttpPages(spec, table, world, headers=headers, permit=permit, transport=transport)


def connector(spec: Origin, folder: Path) -> ConnectorPin:
    """What pulls for a source, by the hash of its code: of what is built in, and of a function of the project's."""
    modules = sorted(Path(sources.__file__).parent.glob(f"{spec.CONNECTOR}*.py"))
    code = b"".join(module.read_bytes() for module in modules)
    if isinstance(spec, PythonSource):
        from contextful.adapters.sources import python

        code += python.code(spec, folder)
    return ConnectorPin(id=spec.CONNECTOR, version=spec.VERSION, world="native", hash=digest.of_bytes(code))


def secret(value: str) -> str:
    """The value itself, or what the variable holds that it names as `env:NAME`."""
    if not value.startswith(SECRET):
        return value
    name = value.removeprefix(SECRET)
    if name not in os.environ:
        raise Failed(Failure(FailureTag.SECRET_NOT_FOUND, f"the variable {name}, which env:{name} names, is not set"))
    if not os.environ[name].isprintable():
        raise Failed(
            Failure(FailureTag.CONFIG, f"the variable {name}, which env:{name} names, holds what no header may")
        )
    return os.environ[name]
