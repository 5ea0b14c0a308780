"""A project's manifest as a file: read whole, or refused by where it is."""

from __future__ import annotations

import difflib
from pathlib import Path

from contextful.kernel.failure import Failed, Failure
from contextful.pipeline import declare
from contextful.pipeline.spec import ProjectSpec
from contextful_contract.errors import PipelineManifestMissing
from contextful_contract.shapes import FailureTag

MANIFEST = "contextful.toml"
MANIFEST_BYTES_MAX = 4 << 20


def read(folder: Path) -> ProjectSpec:
    """What the folder's manifest declares."""
    return declare.read(text(folder), file=MANIFEST)


def name(folder: Path) -> str:
    """What the folder's project is called; nothing where it declares none."""
    return read(folder).name if (folder / MANIFEST).exists() else ""


def standing(content: str) -> ProjectSpec | None:
    """A version as it is read today; none where it cannot be any more, and so is another than any that can."""
    try:
        return declare.read(content, file=MANIFEST)
    except ExceptionGroup:
        return None


def text(folder: Path) -> str:
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            content = file.read(MANIFEST_BYTES_MAX + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise PipelineManifestMissing(path=str(path)) from None  ##= run.declare.manifest-missing
    except OSError as error:
        raise Failed(Failure(FailureTag.CONFIG, f"{path} cannot be read: {error.strerror}")) from None
    try:
        if len(content) > MANIFEST_BYTES_MAX:
            raise ValueError(f"it has more than {MANIFEST_BYTES_MAX} bytes")
        return content.decode()
    except ValueError as error:
        raise Failed(Failure(FailureTag.CONFIG, f"{path} cannot be read: {error}")) from None


def unknown_pipeline(spec: ProjectSpec, pipeline_id: str) -> str:
    """What is said to somebody who names a pipeline that nobody declared."""
    known = [each.id for each in spec.pipelines]
    close = difflib.get_close_matches(pipeline_id, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"{MANIFEST} declares {', '.join(known) or 'none'}"
    return f"there is no pipeline {pipeline_id}: {hint}"
