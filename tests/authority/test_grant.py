"""What a credential may do."""

import pytest

from contextful.authority import grant
from contextful_contract.shapes import Grant, GrantAction

READS_SHOP = Grant(actions=(GrantAction.READ,), pipelines=("shop",))
EXECUTES_BOOKS = Grant(actions=(GrantAction.EXECUTE,), pipelines=("books",))


@pytest.mark.clause("authority.grant.patterns")
@pytest.mark.parametrize(
    ("pattern", "name", "matches"),
    [
        ("*", "anything", True),
        ("shop_*", "shop_", True),
        ("shop_*", "shop", False),
        ("shop", "shop_orders", False),
        ("sh*p", "shop", False),
        ("sh*p", "sh*p", True),
        ("", "shop", False),
    ],
)
def test_a_pattern_is_a_name_or_a_prefix(pattern: str, name: str, matches: bool) -> None:
    assert grant.matches(pattern, name) is matches


@pytest.mark.clause("authority.grant.actions")
def test_what_two_grants_allow_is_not_put_together() -> None:
    assert not grant.may([READS_SHOP, EXECUTES_BOOKS], GrantAction.EXECUTE, pipeline="shop")
    assert grant.may([READS_SHOP, EXECUTES_BOOKS], GrantAction.EXECUTE, pipeline="books")


def test_a_grant_over_nothing_allows_nothing() -> None:
    assert not grant.may([Grant(actions=tuple(GrantAction))], GrantAction.READ, pipeline="shop", table="orders")
