# Written by `python -m codegen` from spec/store/bound-time.md: change the page.
Feature: store.bound-time

  Scenario: store__bound_time__as_of__s1
    When run `r-1` lands 3 rows at `2026-03-01T00:00:00Z`
    And run `r-2` lands 2 rows at `2026-03-02T00:00:00Z`
    Then the table reads 3 rows as of `2026-03-01T00:00:00Z`
    And the table reads 5 rows as of `2026-03-02T00:00:00Z`

  Scenario: store__bound_time__as_of__s2
    When run `r-1` lands 3 rows at `2026-03-01T00:00:00Z`
    And run `r-2` lands 2 rows at `2026-03-02T00:00:00Z`
    And the table is folded at `2026-03-03T00:00:00Z`
    Then the table reads 3 rows as of `2026-03-01T00:00:00Z`

  Scenario: store__bound_time__date_only__s1
    When run `r-1` lands 3 rows at `2026-03-01T23:59:59Z`
    And run `r-2` lands 2 rows at `2026-03-02T00:00:00Z`
    Then the table reads 3 rows as of `2026-03-01`

  Scenario: store__bound_time__as_of_unretained__s1
    Given the table has kept its history since `2026-03-01T00:00:00Z`
    When the table is read as of `2026-02-01T00:00:00Z`
    Then `StoreAsOfUnretained` is raised
    And its `earliest` is `2026-03-01T00:00:00Z`

  Scenario: store__bound_time__available_as_of__s1
    Given a table with rows available at `2014-03-05T00:00:00Z, 2014-04-30T00:00:00Z`
    When the table is folded at `2026-03-03T00:00:00Z`
    Then the table reads 1 rows available as of `2014-04-29T00:00:00Z`
    And the table reads 2 rows available as of `2014-04-30T00:00:00Z`

  Scenario: store__bound_time__bounds_together__s1
    Given a table with a row available at `2014-04-30T00:00:00Z` and committed at `2026-01-02T00:00:00Z`
    When the table is read under the bounds `as_of` `2026-01-01T00:00:00Z` and `available_as_of` `2014-05-01T00:00:00Z`
    Then the read returns 0 rows
