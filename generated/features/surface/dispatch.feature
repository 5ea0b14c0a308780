# Written by `python -m codegen` from spec/surface/dispatch.md: change the page.
Feature: surface.dispatch

  Scenario: surface__dispatch__exclusion__s1
    Given job `score` is in flight
    When job `score` falls due
    Then job `score` is in flight 1 times

  Scenario: surface__dispatch__exclusion__s2
    Given job `score` is in flight
    When pipeline `score` falls due
    Then 2 units are in flight

  Scenario: surface__dispatch__pool_bound__s1
    When 6 units fall due at one beat
    Then 4 units are in flight
    And 2 units are due at the next beat

  Scenario: surface__dispatch__children_reaped__s1
    Given a serve process with 2 children that end when told
    When it gets `SIGTERM`
    Then its children have ended before it exits
    And 2 holder exits are recorded

  Scenario: surface__dispatch__children_reaped__s2
    Given a serve process with 1 children that ignore being told
    When it gets `SIGTERM`
    Then its children are killed after 10 s
    And 1 holder exits are recorded

  Scenario: surface__dispatch__children_reaped__s3
    Given a serve process with 1 children that have children of their own
    When it gets `SIGINT`
    Then no process of their groups is left

  Scenario: surface__dispatch__cycle_answer__s1
    Given the entries `job:score, shop` are due and `books` is not
    When a cycle runs
    Then its `fired` is `["job:score","shop"]`
    And its `armed` is `3`

  Scenario: surface__dispatch__cycle_exit__s1
    Given the entries `job:score, shop` are due and `shop` fails
    When a cycle runs
    Then its `failed` is `["shop"]`
    And it exits with 1

  Scenario: surface__dispatch__cycle_exit__s2
    Given another scheduler holds the cadence lease
    When a cycle runs
    Then its `fired` is `[]`
    And it exits with 0
