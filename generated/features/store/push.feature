# Written by `python -m codegen` from spec/store/push.md: change the page.
Feature: store.push

  Scenario: store__push__after_run__s1
    Given a project that pushes after each run
    When run `r-1` lands 3 rows
    Then the bucket has the manifest of run `r-1`

  Scenario: store__push__after_run__s2
    Given a project that pushes after each run
    And the bucket does not answer
    When `contextful run start` runs
    Then it exits with 1

  Scenario: store__push__in_flight__s1
    Given process `41` holds the push guard
    When the node pushes
    Then `SyncPushInFlight` is raised
    And its `holder` is `41`

  Scenario: store__push__bucket_manifest__s1
    Given run `r-1` landed 3 rows at `2026-03-01T00:00:00Z`
    When the process dies before the bucket's manifest
    And node `n-2` pulls
    Then the table reads 0 rows on node `n-2`

  Scenario: store__push__rewritten__s1
    Given node `n-1` has pushed run `r-1` of 3 rows
    And node `n-1` has run `r-2` with a column more
    When the process dies before the bucket's manifest
    And node `n-2` pulls
    Then the table reads 3 rows on node `n-2`

  Scenario: store__push__run_state__s1
    Given run `r-1` of pipeline `shop` has committed position `p4`
    When the node pushes
    Then the bucket's run state names run `r-1` and position `p4` for pipeline `shop`

  Scenario: store__push__left_behind__s1
    When the node pushes
    Then the bucket holds no machine database, no `config.toml`, no lock and no staged part
