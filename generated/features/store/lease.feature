# Written by `python -m codegen` from spec/store/lease.md: change the page.
Feature: store.lease

  Scenario: store__lease__single_writer__s1
    Given a pipeline with an `opaque-token` cursor
    When node `n-1` takes its lease at `2026-03-01T00:00:00Z`
    Then its `expires_at` is `2026-03-01T00:10:00Z`

  Scenario: store__lease__single_writer__s2
    Given a pipeline with an `opaque-token` cursor
    When node `n-1` takes its lease at `2026-03-01T00:00:00Z`
    And 200 s pass
    Then its `expires_at` is `2026-03-01T00:13:20Z`

  Scenario: store__lease__fence_grows__s1
    Given a pipeline with an `opaque-token` cursor
    When node `n-1` takes its lease
    And node `n-1` releases its lease
    And node `n-2` takes its lease
    Then its `fence` is `2`

  Scenario: store__lease__clock_skew__s1
    Given the lease of node `n-1` expired 29 s ago
    When node `n-2` takes its lease
    Then `LeaseHeld` is raised

  Scenario: store__lease__clock_skew__s2
    Given the lease of node `n-1` expired 30 s ago
    When node `n-2` takes its lease
    Then the lease is held by `n-2`

  Scenario: store__lease__held__s1
    Given node `n-1` holds the lease
    When node `n-2` takes its lease
    Then `LeaseHeld` is raised
    And its `holder` is `n-1`

  Scenario: store__lease__fenced__s1
    Given the lease on record has fence 2
    When a run commits under fence 1
    Then `LeaseFenced` is raised
    And the table reads 0 rows

  Scenario: store__lease__not_held__s1
    Given node `n-1` holds the lease
    When node `n-2` renews its lease
    Then `LeaseNotHeld` is raised

  Scenario: store__lease__node_id_local__s1
    When node `local` takes its lease
    Then `LeaseNodeIdLocal` is raised
