# Written by `python -m codegen` from spec/authority/mask.md: change the page.
Feature: authority.mask

  Scenario: authority__mask__column_policy__s1
    Given column `email` of table `shop_people` with the strategy `hash`
    When a reader without an exception selects `email`
    Then it reads digests of 32 chars
    And it reads no clear value

  Scenario: authority__mask__column_policy__s2
    Given column `email` of table `shop_people` with the strategy `hash`
    When a reader with an exception selects `email`
    Then it reads the clear values

  Scenario: authority__mask__hash__s1
    Given the pepper `salt-and-pepper`
    When `ann@example.org` is masked by `hash`
    Then the result is `4e638f572dec69f9a60845c263cb52a5`

  Scenario: authority__mask__drop__s1
    Given column `email` of table `shop_people` with the strategy `drop`
    When a reader without an exception selects `email`
    Then it reads nulls

  Scenario: authority__mask__pepper__s1
    Given column `email` of table `shop_people` with the strategy `hash`
    And `CONTEXTFUL_PEPPER` is not set
    When the process starts
    Then it stops and names `CONTEXTFUL_PEPPER`

  Scenario: authority__mask__one_digest__s1
    Given column `email` of table `shop_people` hashed as it was written
    And column `email` of table `shop_orders` hashed as it is read
    When the two tables are joined on `email`
    Then each pair of equal addresses joins
