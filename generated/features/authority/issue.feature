# Written by `python -m codegen` from spec/authority/issue.md: change the page.
Feature: authority.issue

  Scenario: authority__issue__default_action__s1
    When a token is minted with `--table shop_*`
    Then its actions are `read`

  Scenario: authority__issue__principal_required__s1
    When a token is minted with `--action execute`
    Then `IssuancePrincipalRequired` is raised
    And its `action` is `execute`

  Scenario: authority__issue__principal_required__s2
    When a token is minted with `--action execute --on-behalf-of svc://scoring`
    Then its actions are `execute`

  Scenario: authority__issue__ceiling__s1
    When a token is minted with `--ttl 48h`
    Then it lives 24 h
