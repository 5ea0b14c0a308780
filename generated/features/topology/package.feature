# Written by `python -m codegen` from spec/topology/package.md: change the page.
Feature: topology.package

  Scenario: topology__package__capability_absent__s1
    Given a build without `postgres`
    When `run start` is called under the storage profile `postgres`
    Then `ProfileCapabilityAbsent` is raised
    And its `command` is `run start`
    And its `capability` is `postgres`
    And no run opens

  Scenario: topology__package__capability_absent__s2
    Given a build without `http`
    When `serve` is called
    Then `ProfileCapabilityAbsent` is raised
    And its `command` is `serve`
    And its `capability` is `http`
