# Written by `python -m codegen` from spec/topology/coordinate.md: change the page.
Feature: topology.coordinate

  Scenario: topology__coordinate__conditional_write__s1
    Given a row at version 3
    When 8 writers expect version 3 at once
    Then 1 writers succeed
    And the row is at version 4

  Scenario: topology__coordinate__catalog_clock__s1
    Given a lease that expires at `2026-01-05T10:00:30Z` by the clock of the catalog
    When a machine whose clock is 60 s ahead asks for it at `2026-01-05T10:00:00Z`
    Then the lease is not granted

  Scenario: topology__coordinate__cadence_lease__s1
    Given 2 schedulers of one deployment
    When an entry falls due
    Then it is fired 1 times

  Scenario: topology__coordinate__cadence_lease__s2
    Given 2 schedulers of one deployment
    And the one with the cadence lease dies
    When 90 s pass
    Then the other has the cadence lease
