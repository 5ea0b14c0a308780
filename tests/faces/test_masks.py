"""A project whose policy masks a column: who sees the values, and who their digests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from contextful.authority import mask
from contextful.authority.credential import Credential
from contextful.errors import StepFailed
from contextful.faces.allowed import Allowed
from contextful.faces.mcp import Tools
from contextful.faces.profile import Project
from contextful.kernel.failure import Failed, Permanent
from contextful.runner.bodies import Bodies
from contextful.runner.job import Row
from contextful.testing import SkippingWorld
from contextful_contract.shapes import Grant, GrantAction

MANIFEST = """
site_id = "here"
project = { name = "shop" }

[[pipeline]]
id = "shop"
source = { name = "file", config = { path = "in/*.csv", format = "csv" } }
[[pipeline.tables]]
name = "people"
[pipeline.tables.policy.columns]
email = { class = "pii", strategy = "hash" }

[[job]]
name = "score"
body = "score"
statement = "SELECT email FROM shop_people"
max_in_flight = 1
tables = ["scores"]
"""
SQL = "SELECT email FROM shop_people"
CLEAR = "ann@example.org"
MASKED = mask.digest(CLEAR, b"salt-and-pepper")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """One row has landed."""
    (tmp_path / "contextful.toml").write_text(MANIFEST)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text(f"email\n{CLEAR}\n")
    monkeypatch.setenv(mask.PEPPER, "salt-and-pepper")
    opened = Project.open(tmp_path, world=SkippingWorld())
    opened.run("shop")
    return opened


@pytest.mark.clause("read.face.enforced")
def test_text_of_the_operators_own_reads_what_stands(project: Project) -> None:
    with project:
        assert project.query(SQL).rows == [(CLEAR,)]


@pytest.mark.clause("read.face.enforced")
def test_a_job_is_given_what_may_be_seen_with_a_credential_or_without(project: Project) -> None:
    given: list[str] = []
    bodies = Bodies()

    @bodies.register("score")
    def score(row: Row) -> None:
        given.append(row["email"])

    with project:
        project.fire("score", bodies=bodies)
        project.fire("score", bodies=bodies, grants=[Grant(actions=(GrantAction.READ,), tables=("*",))])
        excepted = Grant(actions=(GrantAction.READ,), tables=("*",), unmasked=("pii",))
        project.fire("score", bodies=bodies, grants=[excepted])

    assert given == [MASKED, MASKED, CLEAR]


@pytest.mark.clause("read.face.enforced")
def test_an_agent_and_whoever_is_served_read_what_may_be_seen(project: Project) -> None:
    with project:
        of_agent = Tools(project.engine, lambda: None, project).query(SQL)
        presented = Credential("c", "a", 0, 1, (Grant(actions=(GrantAction.READ,), tables=("*",)),))
        served = Allowed(project.engine, project, presented)

        assert of_agent["rows"] == [[MASKED]]
        assert served.query(SQL, rows_max=9, as_of_ms=None, available_as_of_ms=None).rows == [(MASKED,)]


PROTECTED = '[{ name = "scores", redaction = [{ column = "phone", operation = "hash" }] }]'
PHONE = "555-0199"


def protected(folder: Path, body: Callable[[Row], object], effects: Mapping[str, Mapping[str, str]]) -> Project:
    """The project, whose job lands in a protected table, once this body has been fired."""
    manifest = folder / "contextful.toml"
    manifest.write_text(manifest.read_text().replace('["scores"]', PROTECTED))
    bodies = Bodies()
    bodies.register("score", effects=effects)(body)
    opened = Project.open(folder, world=SkippingWorld(seed=1))
    opened.fire("score", bodies=bodies)
    return opened


@pytest.mark.clause("authority.redact.before-the-record")
def test_what_a_body_emits_is_prepared_before_it_is_recorded_and_prepared_once(project: Project) -> None:
    project.close()

    with protected(project.folder, lambda row: row.emit("scores", {"phone": PHONE}), {}) as fired:
        landed = fired.query("SELECT phone FROM score_scores").rows

    assert landed == [(mask.digest(PHONE, b"salt-and-pepper"),)]
    for path in project.folder.rglob("*"):
        assert path.is_dir() or PHONE.encode() not in path.read_bytes(), path


@pytest.mark.clause("authority.redact.typed-effects")
@pytest.mark.parametrize(
    ("types", "returned", "says"),
    [
        ({"phone": "utf8"}, {}, "which is removed of table scores"),
        ({"score": "int64"}, {"score": 1, "phone": PHONE}, "which is none of its registered types"),
        ({"score": "int64"}, PHONE, "returned what is no record"),
    ],
    ids=["that says so", "that does so", "that returns a text"],
)
def test_an_effect_that_returns_what_is_removed_is_refused_and_not_recorded(
    project: Project, types: Mapping[str, str], returned: object, says: str
) -> None:
    project.close()

    with pytest.raises((Failed, Permanent, StepFailed), match=says):
        protected(project.folder, lambda row: row.step("ask", lambda: returned), {"ask": types})

    for path in project.folder.rglob("*"):
        assert path.is_dir() or PHONE.encode() not in path.read_bytes(), path


@pytest.mark.clause("authority.mask.pepper")
@pytest.mark.parametrize("of", ["redaction", "policy"])
def test_a_job_whose_output_is_hashed_has_need_of_the_pepper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: str
) -> None:
    says = {
        "redaction": 'redaction = [{ column = "email", operation = "hash" }]',
        "policy": 'policy = { columns = { email = { class = "pii", strategy = "hash" } } }',
    }[of]
    job = MANIFEST.partition("[[job]]")[2].replace('["scores"]', f'[{{ name = "scores", {says} }}]')
    (tmp_path / "contextful.toml").write_text(f'site_id = "here"\nproject = {{ name = "shop" }}\n[[job]]{job}')
    monkeypatch.delenv(mask.PEPPER, raising=False)

    with pytest.raises(Failed, match=mask.PEPPER):
        Project.open(tmp_path)
