"""The scenarios of authority.verify, bound. Written by `python -m codegen` from spec/authority/verify.md: change the page."""

import re
from pathlib import Path

import pytest
from pytest_bdd import scenario

FEATURE = "../features/authority/verify.feature"
STEM = "authority__verify"


def test_every_scenario_is_bound() -> None:
    feature = (Path(__file__).parent / FEATURE).read_text(encoding="utf-8")
    written = re.findall(r"^ *Scenario: (.+)$", feature, re.MULTILINE)
    bound = [name.removeprefix("test_") for name in globals() if name.startswith(f"test_{STEM}__")]

    assert sorted(bound) == sorted(written)


@pytest.mark.clause("authority.verify.presentation")
@pytest.mark.scenario("authority__verify__presentation__s1")
@scenario(FEATURE, "authority__verify__presentation__s1")
def test_authority__verify__presentation__s1() -> None: ...


@pytest.mark.clause("authority.verify.presentation")
@pytest.mark.scenario("authority__verify__presentation__s2")
@scenario(FEATURE, "authority__verify__presentation__s2")
def test_authority__verify__presentation__s2() -> None: ...


@pytest.mark.clause("authority.verify.presentation")
@pytest.mark.scenario("authority__verify__presentation__s3")
@scenario(FEATURE, "authority__verify__presentation__s3")
def test_authority__verify__presentation__s3() -> None: ...


@pytest.mark.clause("authority.verify.status")
@pytest.mark.scenario("authority__verify__status__s1")
@scenario(FEATURE, "authority__verify__status__s1")
def test_authority__verify__status__s1() -> None: ...


@pytest.mark.clause("authority.verify.status")
@pytest.mark.scenario("authority__verify__status__s2")
@scenario(FEATURE, "authority__verify__status__s2")
def test_authority__verify__status__s2() -> None: ...


@pytest.mark.clause("authority.verify.signature")
@pytest.mark.scenario("authority__verify__signature__s1")
@scenario(FEATURE, "authority__verify__signature__s1")
def test_authority__verify__signature__s1() -> None: ...


@pytest.mark.clause("authority.verify.audience")
@pytest.mark.scenario("authority__verify__audience__s1")
@scenario(FEATURE, "authority__verify__audience__s1")
def test_authority__verify__audience__s1() -> None: ...


@pytest.mark.clause("authority.verify.expiry")
@pytest.mark.scenario("authority__verify__expiry__s1")
@scenario(FEATURE, "authority__verify__expiry__s1")
def test_authority__verify__expiry__s1() -> None: ...


@pytest.mark.clause("authority.verify.expiry")
@pytest.mark.scenario("authority__verify__expiry__s2")
@scenario(FEATURE, "authority__verify__expiry__s2")
def test_authority__verify__expiry__s2() -> None: ...


@pytest.mark.clause("authority.verify.revocation")
@pytest.mark.scenario("authority__verify__revocation__s1")
@scenario(FEATURE, "authority__verify__revocation__s1")
def test_authority__verify__revocation__s1() -> None: ...


@pytest.mark.clause("authority.verify.bearer-lifetime")
@pytest.mark.scenario("authority__verify__bearer_lifetime__s1")
@scenario(FEATURE, "authority__verify__bearer_lifetime__s1")
def test_authority__verify__bearer_lifetime__s1() -> None: ...


@pytest.mark.clause("authority.verify.bearer-lifetime")
@pytest.mark.scenario("authority__verify__bearer_lifetime__s2")
@scenario(FEATURE, "authority__verify__bearer_lifetime__s2")
def test_authority__verify__bearer_lifetime__s2() -> None: ...


@pytest.mark.clause("authority.verify.possession")
@pytest.mark.scenario("authority__verify__possession__s1")
@scenario(FEATURE, "authority__verify__possession__s1")
def test_authority__verify__possession__s1() -> None: ...


@pytest.mark.clause("authority.verify.possession")
@pytest.mark.scenario("authority__verify__possession__s2")
@scenario(FEATURE, "authority__verify__possession__s2")
def test_authority__verify__possession__s2() -> None: ...


@pytest.mark.clause("authority.verify.possession")
@pytest.mark.scenario("authority__verify__possession__s3")
@scenario(FEATURE, "authority__verify__possession__s3")
def test_authority__verify__possession__s3() -> None: ...


@pytest.mark.clause("authority.verify.possession")
@pytest.mark.scenario("authority__verify__possession__s4")
@scenario(FEATURE, "authority__verify__possession__s4")
def test_authority__verify__possession__s4() -> None: ...


@pytest.mark.clause("authority.verify.possession")
@pytest.mark.scenario("authority__verify__possession__s5")
@scenario(FEATURE, "authority__verify__possession__s5")
def test_authority__verify__possession__s5() -> None: ...


@pytest.mark.clause("authority.verify.replay")
@pytest.mark.scenario("authority__verify__replay__s1")
@scenario(FEATURE, "authority__verify__replay__s1")
def test_authority__verify__replay__s1() -> None: ...


@pytest.mark.clause("authority.verify.subject")
@pytest.mark.scenario("authority__verify__subject__s1")
@scenario(FEATURE, "authority__verify__subject__s1")
def test_authority__verify__subject__s1() -> None: ...
