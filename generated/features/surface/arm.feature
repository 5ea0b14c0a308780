# Written by `python -m codegen` from spec/surface/arm.md: change the page.
Feature: surface.arm

  Scenario: surface__arm__grammar__s1
    When the schedule `every 7d` last fired at `2026-01-05T00:00:00Z`
    Then it is next due at `2026-01-12T00:00:00Z`

  Scenario: surface__arm__grammar__s2
    When the schedule `*/15 9-17 * * 1-5` last fired at `2026-01-09T17:45:00Z`
    Then it is next due at `2026-01-12T09:00:00Z`

  Scenario: surface__arm__grammar__s3
    When the schedule `0 0 29 2 *` last fired at `2026-01-05T00:00:00Z`
    Then it is next due at `2028-02-29T00:00:00Z`

  Scenario: surface__arm__day_fields__s1
    When the schedule `0 0 13 * 5` last fired at `2026-01-05T00:00:00Z`
    Then it is next due at `2026-01-09T00:00:00Z`

  Scenario: surface__arm__unreadable_schedule__s1
    Given entries `a` with `@hourly` and `b` with `every 1h`
    When the scheduler arms them
    Then `ScheduleUnreadable` is raised for `a`
    And `b` is armed

  Scenario: surface__arm__unreadable_schedule__s2
    Given entries `a` with `every 1w` and `b` with `every 1h`
    When the scheduler arms them
    Then `ScheduleUnreadable` is raised for `a`
    And `b` is armed

  Scenario: surface__arm__unarmed__s1
    Given an entry `a` without a schedule
    When the scheduler beats at `2026-01-05T00:00:00Z`
    Then `a` fires 0 times

  Scenario: surface__arm__next_fire__s1
    Given an entry `a` with `every 1h`
    And it never ran
    When the scheduler beats at `2026-01-05T00:00:00Z`
    Then `a` fires 1 times

  Scenario: surface__arm__next_fire__s2
    Given an entry `a` with `every 1h`
    And its last start was `2026-01-05T00:10:00Z`
    And its last dispatch was `2026-01-05T00:20:00Z`
    When the scheduler beats at `2026-01-05T01:19:59Z`
    Then `a` fires 0 times

  Scenario: surface__arm__next_fire__s3
    Given an entry `a` with `every 1h`
    And its last start was `2026-01-05T00:10:00Z`
    And its last dispatch was `2026-01-05T00:20:00Z`
    When the scheduler beats at `2026-01-05T01:20:00Z`
    Then `a` fires 1 times

  Scenario: surface__arm__future_start__s1
    Given an entry `a` with `every 1h`
    And its last start was `2031-01-05T00:00:00Z`
    When the scheduler beats at `2026-01-05T00:00:00Z`
    Then `a` fires 1 times

  Scenario: surface__arm__catch_up__s1
    Given an entry `a` with `every 1h`
    And its last start was `2026-01-05T00:00:00Z`
    When the scheduler beats at `2026-01-05T09:30:00Z`
    Then `a` fires 1 times
    And `a` is next due at `2026-01-05T10:30:00Z`

  Scenario: surface__arm__tick__s1
    Given an entry `a` with `every 1s`
    And its last start was `2026-01-05T00:00:00Z`
    When the scheduler runs from `2026-01-05T00:00:00Z` to `2026-01-05T00:00:10Z`
    Then it beats 21 times
    And `a` fires 10 times
