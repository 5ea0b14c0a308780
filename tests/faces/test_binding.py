"""Delegates as the store's configuration binds them, fired from a project's folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import contextful
from contextful.errors import DelegateUnbound, PipelineSpecInvalid
from contextful.faces.profile import Project
from contextful.kernel.failure import Failed
from contextful.testing import SkippingWorld
from tests.steps.delegates import Vendor

JOB = """
site_id = "here"
[project]
name = "shop"
[[job]]
name = "review"
delegate = "reviewer"
statement = "SELECT 1 AS id, 'a' AS note UNION ALL SELECT 2, 'b' ORDER BY id"
max_in_flight = 2
tables = ["reviews"]
"""
KEY = "k-3e"


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    made = Vendor()
    yield made
    made.close()


@pytest.fixture
def fire(tmp_path: Path, vendor: Vendor, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Project]:
    monkeypatch.setenv("REVIEWER_KEY", KEY)
    (tmp_path / "contextful.toml").write_text(JOB)
    config = tmp_path / ".contextful" / "context" / "shop" / "config.toml"
    config.parent.mkdir(parents=True)

    def fires(text: str) -> Project:
        config.write_text(text)
        project = Project.open(tmp_path, world=SkippingWorld())
        project.fire("review", "f-1")
        return project

    return fires


@pytest.mark.clause("delegate.bind.binding", "delegate.call.whole")
def test_the_machine_gives_the_address_and_the_secret(fire: Callable[[str], Project], vendor: Vendor) -> None:
    vendor.replies = ['{"value":{"reviews":[{"id":1,"likes":true}]}}', '{"value":{"reviews":[{"id":2,"likes":false}]}}']

    with fire(f'[delegates.reviewer]\nendpoint = "{vendor.address}"\nsecret = "env:REVIEWER_KEY"\n') as project:
        answer = project.query("SELECT id, likes FROM review_reviews ORDER BY id")
        assert KEY not in repr(project.engine.history())

    assert answer.rows == [(1, True), (2, False)]
    assert vendor.secrets == {f"Bearer {KEY}"}
    assert [request["input"] for request in vendor.requests] == [{"id": 1, "note": "a"}, {"id": 2, "note": "b"}]


@pytest.mark.clause("delegate.bind.unbound")
def test_a_name_that_is_not_bound_here_is_refused(fire: Callable[[str], Project]) -> None:
    with pytest.raises(DelegateUnbound) as raised:
        fire('[delegates.other]\nendpoint = "https://other.example"\n')

    assert (raised.value.job, raised.value.binding) == ("review", "reviewer")


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ('endpoint = "reviewer.example"', "delegate reviewer is configured with an endpoint"),
        ('endpoint = "https://reviewer.example"\ndeadline = "soon"', "the deadline 'soon'"),
        ('endpoint = "https://reviewer.example"\nsecret = "env:NO_SUCH_KEY"', "NO_SUCH_KEY"),
        ('endpoint = "https://key:hidden1@reviewer.example"', "delegate reviewer has an endpoint with a credential"),
        ('endpoint = "https://r.example"\nparameters = { token = "sk-live-0123456789" }', "among its parameters"),
        ('endpoint = "https://reviewer.example"\nmodle = "m-1"', "modle"),
        ('model = "m-1"', "endpoint"),
    ],
)
@pytest.mark.clause("run.own.body-public-configuration")
def test_what_cannot_be_asked_is_refused_by_name(fire: Callable[[str], Project], told: str, says: str) -> None:
    with pytest.raises(Failed, match=re.escape(says)) as raised:
        fire(f"[delegates.reviewer]\n{told}\n")

    assert "hidden1" not in str(raised.value)


def test_a_job_without_a_body_and_without_a_delegate_is_refused(tmp_path: Path) -> None:
    (tmp_path / "contextful.toml").write_text(JOB.replace('delegate = "reviewer"\n', ""))

    with pytest.raises(ExceptionGroup) as raised:
        Project.open(tmp_path)

    (fault,) = raised.value.exceptions
    assert isinstance(fault, PipelineSpecInvalid)
    assert fault.key == "job.body"


def test_a_throttling_delegate_is_asked_again_under_its_key(fire: Callable[[str], Project], vendor: Vendor) -> None:
    vendor.statuses = [(429, {"retry-after": "2"}), (503, {}), (200, {})]
    vendor.replies = ['{"value":{}}']

    fire(f'[delegates.reviewer]\nendpoint = "{vendor.address}"\n').close()

    keys = [request["idempotency_key"] for request in vendor.requests if request["row"] == "0"]
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_where_a_delegate_points_on_to_is_not_followed(fire: Callable[[str], Project], vendor: Vendor) -> None:
    vendor.statuses = [(307, {"location": vendor.address})]

    with pytest.raises(contextful.StepFailed) as raised:
        fire(f'[delegates.reviewer]\nendpoint = "{vendor.address}"\n')

    assert raised.value.tag is contextful.FailureTag.PERMANENT
    assert len(vendor.requests) == 1
