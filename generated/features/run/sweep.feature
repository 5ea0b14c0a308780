# Written by `python -m codegen` from spec/run/sweep.md: change the page.
Feature: run.sweep

  Scenario: run__sweep__origins__s1
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-05-21T00:00:00Z` by `7d`
    And a row `planted` available at `2014-04-30T00:00:00Z` and committed at `2026-01-02T00:00:00Z`
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then 12 origins have run
    And row `planted` is hidden from origins 1 to 8
    And row `planted` is read by origins 9 to 12

  Scenario: run__sweep__origins__s2
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-03-18T00:00:00Z` by `7d`
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then 2 origins have run

  Scenario: run__sweep__sweep_id__s1
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then 3 origins have run
    And each of their runs records the execution id of the fire as its sweep id

  Scenario: run__sweep__frozen_as_of__s1
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-03-12T00:00:00Z` by `7d`
    And the job declares `as_of` at `2026-01-01T00:00:00Z`
    And a row `planted` available at `2014-03-01T00:00:00Z` and committed at `2026-01-02T00:00:00Z`
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then row `planted` is hidden from origins 1 to 2

  Scenario: run__sweep__frozen_as_of__s2
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-03-12T00:00:00Z` by `7d`
    And a row `planted` available at `2014-03-01T00:00:00Z` and committed at `2026-01-06T00:00:00Z`
    When the sweep opens at `2026-01-05T00:00:00Z`
    And it is killed after origin 1
    And it resumes at `2026-01-07T00:00:00Z`
    Then row `planted` is hidden from origins 1 to 2

  Scenario: run__sweep__origin_after_open__s1
    Given a `fresh` sweep from `2026-01-01T00:00:00Z` to `2026-01-15T00:00:00Z` by `7d`
    And the job declares `as_of` at `2026-01-14T00:00:00Z`
    When the job is validated
    Then `RunSweepOriginAfterOpen` is raised
    And its `end` is `2026-01-15T00:00:00Z`
    And its `as_of` is `2026-01-14T00:00:00Z`

  Scenario: run__sweep__origin_after_open__s2
    Given a `fresh` sweep from `2026-01-01T00:00:00Z` to `2026-01-15T00:00:00Z` by `7d`
    When the sweep opens at `2026-01-10T00:00:00Z`
    Then `RunSweepOriginAfterOpen` is raised
    And 0 origins have run

  Scenario: run__sweep__origin_after_open__s3
    Given a `fresh` sweep from `2026-01-01T00:00:00Z` to `2026-01-15T00:00:00Z` by `7d`
    When the sweep runs at `2026-01-15T00:00:00Z`
    Then 3 origins have run

  Scenario: run__sweep__fresh_state__s1
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-03-12T00:00:00Z` by `7d`
    And origin 1 lands row `note` in an output table
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then row `note` is hidden from origins 2 to 2

  Scenario: run__sweep__fresh_state__s2
    Given a sweep that declares no `state`
    When the job is validated
    Then its state is `fresh`

  Scenario: run__sweep__carried_state__s1
    Given a `carried` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    And origin 1 lands row `note` in an output table
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then row `note` is read by origins 2 to 3
    And at most 1 origins run at once
    And the origins have run in ascending order

  Scenario: run__sweep__carried_state__s2
    Given a `carried` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    And a row `planted` available at `2014-03-01T00:00:00Z` and committed at `2026-01-06T00:00:00Z`
    When the sweep opens at `2026-01-05T00:00:00Z`
    And it is killed after origin 1
    And it resumes at `2026-01-07T00:00:00Z`
    Then row `planted` is hidden from origins 2 to 3

  Scenario: run__sweep__simulated_write__s1
    Given a `carried` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    And origin 2 lands row `note` in an output table with `available_time`
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then row `note` is available at `2014-03-12T00:00:00Z`
    And row `note` is read by origins 3 to 3

  Scenario: run__sweep__simulated_write__s2
    Given a `carried` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    And origin 2 lands row `note` in an output table with `available_time`
    When the sweep runs at `2026-01-05T00:00:00Z`
    And the sweep runs at `2026-01-06T00:00:00Z`
    Then row `note` is hidden from origins 1 to 1

  Scenario: run__sweep__origin_pin__s1
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    When the sweep opens at `2026-01-05T00:00:00Z`
    And it is killed after origin 1
    And its step becomes `14d`
    And it resumes at `2026-01-07T00:00:00Z`
    Then `ExecutionPinMismatch` is raised

  Scenario: run__sweep__origin_pin__s2
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    When the plan references of its origins are computed
    Then the 3 of them differ

  Scenario: run__sweep__no_collapse__s1
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-05-21T00:00:00Z` by `7d`
    And the scheduler was last awake at `2025-01-05T00:00:00Z`
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then 12 origins have run

  Scenario: run__sweep__no_collapse__s2
    Given a `carried` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    And origin 2 fails `Permanent`
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then 2 origins have run

  Scenario: run__sweep__no_collapse__s3
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    And origin 2 fails `Permanent`
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then 3 origins have run

  Scenario: run__sweep__resumed__s1
    Given a `carried` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    When the sweep opens at `2026-01-05T00:00:00Z`
    And it is killed after origin 1
    And it resumes at `2026-01-07T00:00:00Z`
    Then 3 origins have run
    And the origins have run in ascending order

  Scenario: run__sweep__cache_key__s1
    Given a `fresh` sweep from `2014-03-05T00:00:00Z` to `2014-03-19T00:00:00Z` by `7d`
    And a result cache is on for its input table
    And a row `planted` available at `2014-03-12T00:00:00Z` and committed at `2026-01-02T00:00:00Z`
    When the sweep runs at `2026-01-05T00:00:00Z`
    Then row `planted` is hidden from origins 1 to 1
    And row `planted` is read by origins 2 to 3
    And their 3 execution ids differ
