# Written by `python -m codegen` from spec/run/backfill.md: change the page.
Feature: run.backfill

  Scenario: run__backfill__chunk_plan__s1
    When a backfill from `0` to `30` by `10` is planned for cursor kind `monotonic`
    Then it has the chunks `[0, 10), [10, 20), [20, 30)`

  Scenario: run__backfill__chunk_plan__s2
    When a backfill from `0` to `30` by `10` is planned for cursor kind `opaque-token`
    Then it has the chunks `[0, 30)`

  Scenario: run__backfill__chunk_parallelism__s1
    When a backfill of 4 units at a time is planned for cursor kind `opaque-token`
    Then `PipelineChunkParallelism` is raised

  Scenario: run__backfill__chunk_lease__s1
    When chunk `c-1` is claimed at `2026-03-01T00:00:00Z`
    Then its `expires_at` is `2026-03-01T00:05:00Z`

  Scenario: run__backfill__chunk_lease__s2
    When chunk `c-1` is claimed at `2026-03-01T00:00:00Z`
    And 60 s pass
    Then its `expires_at` is `2026-03-01T00:06:00Z`

  Scenario: run__backfill__chunk_commit__s1
    Given chunk `c-1` at attempt 1
    When attempt 2 takes over chunk `c-1`
    And attempt 1 commits chunk `c-1`
    Then chunks `c-1` are pending
    And its files are collected later

  Scenario: run__backfill__chunk_rewind__s1
    Given done chunks `[0, 10), [10, 20), [20, 30)`
    When the window `[5, 15)` is rewound with reason `bad rates`
    Then chunks `[0, 10), [10, 20)` are pending
    And chunks `[20, 30)` are done
    And 2 rows have the reason `bad rates`

  Scenario: run__backfill__chunk_rewind__s2
    Given done chunks `[0, 10), [10, 20), [20, 30)`
    When the window `[30, 40)` is rewound with reason `bad rates`
    Then 0 rows have the reason `bad rates`

  Scenario: run__backfill__rewind_window_invalid__s1
    Given done chunks `[0, 10), [10, 20), [20, 30)`
    When the window `[15, 5)` is rewound with reason `bad rates`
    Then `PipelineRewindWindowInvalid` is raised
    And its `window` is `[15, 5)`
