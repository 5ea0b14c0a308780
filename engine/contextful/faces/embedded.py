"""Executions embedded in a program: an engine over the stores that CONTEXTFUL_STORAGE_PROFILE names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from contextful.adapters.system import SystemWorld
from contextful.authority import verify
from contextful.faces import manifest, stores
from contextful.ports.observer import Observer
from contextful.ports.world import World
from contextful.runner import engine

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from contextful.faces.allowed import Landed
    from contextful.faces.serve.gate import Gate


class Engine(engine.Engine):
    """Durable executions, kept where CONTEXTFUL_STORAGE_PROFILE says."""

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        *,
        world: World | None = None,
        observer: Observer | None = None,
        site_id: str = "local",
        project: str = "",
    ) -> Engine:
        """Without a profile, everything is in one SQLite file under `folder`, which is made where it is missing.

        Under `postgres` it is in the database at CONTEXTFUL_POSTGRES, or where libpq's own variables point; under
        `cloudflare-d1` in the D1 and the R2 of the Worker at CONTEXTFUL_D1. `initialize` has made either ready for
        the project, and nothing is made here. Raises StorageFailed where the file cannot be opened or the database
        not be reached, and the refusals of run.journal.storage before anything runs.
        """
        profile, world = stores.chosen(), world or SystemWorld()
        kept = stores.local(Path(folder), world) if profile is None else stores.shared(profile, project)
        opened = cls(
            kept.rows,
            kept.blobs,
            world,
            observer=observer,
            site_id=site_id,
            profile=kept.profile,
            capabilities=kept.capabilities(),
        )
        opened.reap()
        return opened

    @staticmethod
    def initialize(*, project: str = "") -> None:
        """Make a new shared database ready for the project's executions; a local file is made when it is opened.

        Raises ExecutionRecoveryMismatch where the database has some tables and not others, and makes none.
        """
        profile = stores.chosen()
        if profile is not None:
            stores.initialize(profile, Path(), project)

    @classmethod
    def at(cls, folder: Path, *, world: World | None = None) -> Engine:
        """The engine of a folder that has been used before; looking at one makes nothing."""
        if stores.chosen() is None:
            stores.held(folder)
            return cls.open(folder, world=world)
        return cls.open(folder, world=world, project=manifest.name(folder))

    def served(
        self, issuer: bytes, *, audience: str, path: str = "the issuer's key", tables: Landed | None = None
    ) -> Starlette:
        """The served face over these stores, as an ASGI server takes it.

        Credentials are those that the holder of the issuer's key, whose public half is given in PEM, made out to the
        audience. Raises Failed, by the path, where that is no Ed25519 key.
        """
        from contextful.faces.serve.app import Face

        return Face(self, self.gate(issuer, audience=audience, path=path), self._world, tables=tables).app()

    def gate(self, issuer: bytes, *, audience: str, path: str) -> Gate:
        """What admits credentials to these stores."""
        from contextful.adapters import jose
        from contextful.faces.serve.gate import Gate

        return Gate(jose.public_key(issuer, path=path), audience, self._rows, self._world)

    def revoke(self, credential_id: str) -> None:
        """No token of this id is admitted any more (authority.verify.revocation)."""
        self._rows.commit(verify.revocation(credential_id, self._world.now_ms()))

    def revocation_epoch(self) -> int:
        """What is another number after each revocation."""
        return verify.epoch(self._rows.select(verify.LAST_REVOKED))
