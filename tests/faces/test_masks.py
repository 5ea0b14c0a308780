"""A project whose policy masks a column: who sees the values, and who their digests."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextful.authority import mask
from contextful.authority.credential import Credential
from contextful.faces.allowed import Allowed
from contextful.faces.mcp import Tools
from contextful.faces.profile import Project
from contextful.kernel.failure import Failed
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
        of_agent = Tools(project.engine, lambda: None, project.answering).query(SQL)
        presented = Credential("c", "a", 0, 1, (Grant(actions=(GrantAction.READ,), tables=("*",)),))
        served = Allowed(project.engine, project.answering, presented)

        assert of_agent["rows"] == [[MASKED]]
        assert served.query(SQL, rows_max=9, as_of_ms=None, available_as_of_ms=None).rows == [(MASKED,)]


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
