# Written by `python -m codegen` from spec/run/guard-secrets.md: change the page.
Feature: run.guard-secrets

  Scenario: run__guard_secrets__before_the_record__s1
    Given a source of 1 pages
    And page 1 holds the secret `sk_live_4242`
    When the fire runs
    Then no journal byte holds `sk_live_4242`
    And no landed byte holds `sk_live_4242`

  Scenario: run__guard_secrets__replacement__s1
    Given a source of 1 pages
    And page 1 holds the secret `sk_live_4242`
    When the fire runs
    Then the run shows `success`
    And every row of page 1 has `key` as `[REDACTED:secret]`
