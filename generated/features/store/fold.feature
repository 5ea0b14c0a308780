# Written by `python -m codegen` from spec/store/fold.md: change the page.
Feature: store.fold

  Scenario: store__fold__triggers__s1
    Given a table of 49 runs since its last fold
    When run `r-1` lands 3 rows
    Then a fold of the table is due

  Scenario: store__fold__triggers__s2
    Given a table of 2 runs since its last fold
    When 6 h pass
    Then a fold of the table is due

  Scenario: store__fold__triggers__s3
    Given a table of 2 runs since its last fold
    When 5 h pass
    Then no fold of the table is due

  Scenario: store__fold__triggers__s4
    Given a table of 2 runs since its last fold
    When `contextful context compact orders` runs
    Then a fold of the table is due

  Scenario: store__fold__same_read__s1
    Given a keyed table
    When run `r-1` lands key `k` as `{"value": "old"}`
    And run `r-2` lands key `k` as `{"value": "new"}`
    And the table is folded at `2026-03-03T00:00:00Z`
    Then the keyed read returns for key `k` the row of run `r-2`

  Scenario: store__fold__frontier_kept__s1
    Given a replacing table
    When run `r-1` lands 3 rows at `2026-03-01T00:00:00Z`
    And run `r-2` lands 0 rows at `2026-03-02T00:00:00Z`
    And the table is folded at `2026-03-03T00:00:00Z`
    Then the table reads 0 rows

  Scenario: store__fold__retention__s1
    Given 2 runs of the table were folded 6 d ago
    When its collection runs
    Then 2 runs are on disk

  Scenario: store__fold__retention__s2
    Given 2 runs of the table were folded 8 d ago
    When its collection runs
    Then 0 runs are on disk
