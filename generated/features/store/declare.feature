# Written by `python -m codegen` from spec/store/declare.md: change the page.
Feature: store.declare

  Scenario: store__declare__dedup_view__s1
    Given a keyed table
    When run `r-1` lands key `k` as `{"value": "old"}`
    And run `r-2` lands key `k` as `{"value": "new"}`
    Then the keyed read returns for key `k` the row of run `r-2`

  Scenario: store__declare__dedup_view__s2
    Given a keyed table
    And it declares `order_by` as `version`
    When run `r-1` lands key `k` as `{"version": 2}`
    And run `r-2` lands key `k` as `{"version": 1}`
    Then the keyed read returns for key `k` the row of run `r-1`

  Scenario: store__declare__declared_columns__s1
    Given a table keyed by column `sku`
    When a row with the columns `id` is landed
    Then `StoreColumnMissing` is raised
    And its `column` is `sku`

  Scenario: store__declare__declared_columns__s2
    Given a keyed table
    And it declares `order_by` as `version`
    When a row with the columns `id` is landed
    Then `StoreColumnMissing` is raised
    And its `column` is `version`

  Scenario: store__declare__keyless_union__s1
    Given a keyless table
    When run `r-1` lands key `k` as `{"value": "old"}`
    And run `r-2` lands key `k` as `{"value": "new"}`
    Then the table reads 2 rows

  Scenario: store__declare__write_mode__s1
    Given an appending table
    When run `r-1` lands 3 rows
    And run `r-2` lands 2 rows
    Then the table reads 5 rows

  Scenario: store__declare__write_mode__s2
    Given a replacing table
    When run `r-1` lands 3 rows
    And run `r-2` lands 2 rows
    Then the table reads 2 rows

  Scenario: store__declare__replace_frontier__s1
    Given a replacing table
    When run `r-1` lands 3 rows at `2026-03-01T00:00:00Z`
    And run `r-2` lands 2 rows at `2026-03-02T00:00:00Z`
    Then the table reads 3 rows as of `2026-03-01T12:00:00Z`

  Scenario: store__declare__empty_replacement__s1
    Given a replacing table
    When run `r-1` lands 3 rows at `2026-03-01T00:00:00Z`
    And run `r-2` lands 0 rows at `2026-03-02T00:00:00Z`
    Then the table reads 0 rows
    And the table reads 3 rows as of `2026-03-01T12:00:00Z`

  Scenario: store__declare__empty_run__s1
    Given an appending table
    When run `r-1` lands 3 rows
    And run `r-2` lands 0 rows
    Then the table reads 3 rows
    And each commit of run `r-2` names 0 parts

  Scenario: store__declare__available_time__s1
    Given an appending table
    When run `r-1` lands 3 rows
    Then the table reads 3 rows available as of `2014-03-05T00:00:00Z`
