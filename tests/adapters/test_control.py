"""Versions of an applied project on the disk: claimed once, whoever dies on the way."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from contextful.adapters.control import Control
from contextful.adapters.files import Disk
from contextful.errors import ManifestVersionConflict
from contextful.kernel.failure import StorageFailed
from contextful.testing import Crash, Crashes, CrashingDisk, SkippingWorld


def control(folder: Path, disk: Disk | None = None) -> Control:
    """The versions in the folder."""
    return Control(folder, SkippingWorld(), disk=disk)


@pytest.mark.clause("surface.apply.claim")
def test_a_claim_becomes_current(tmp_path: Path) -> None:
    assert control(tmp_path).claim("a", base=0) == 1
    assert control(tmp_path).claim("b", base=1) == 2

    assert control(tmp_path).current() == 2
    assert [control(tmp_path).text(version) for version in (1, 2, 3)] == ["a", "b", None]


@pytest.mark.clause("surface.apply.version-conflict")
def test_who_comes_second_changes_nothing(tmp_path: Path) -> None:
    control(tmp_path).claim("a", base=0)
    before = sorted(path.name for path in tmp_path.iterdir())

    with pytest.raises(ManifestVersionConflict) as refusal:
        control(tmp_path).claim("b", base=0)

    assert refusal.value.version == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.clause("surface.apply.claim")
def test_an_apply_that_dies_anywhere_is_made_again(tmp_path: Path) -> None:
    counted = Crashes()
    control(tmp_path / "counted", CrashingDisk(counted)).claim("a", base=0)

    for at in range(counted.count):
        folder = tmp_path / str(at)
        with contextlib.suppress(Crash):
            control(folder, CrashingDisk(Crashes(at))).claim("a", base=0)
        standing = control(folder).current()
        version = control(folder).claim("b", base=standing)

        assert (control(folder).current(), control(folder).text(version)) == (version, "b")
        assert control(folder).text(standing) == (None if standing == 0 else "a")


def test_a_current_that_names_no_version_is_said_to(tmp_path: Path) -> None:
    control(tmp_path).claim("a", base=0)
    (tmp_path / "manifest@current").write_text("one\n")

    with pytest.raises(StorageFailed, match="names no version"):
        control(tmp_path).current()
