# Written by `python -m codegen` from spec/surface/apply.md: change the page.
Feature: surface.apply

  Scenario: surface__apply__validate__s1
    Given a project with 2 faults
    When it is applied
    Then `ApplyValidationRefused` is raised
    And both faults are named
    And the current version is 1

  Scenario: surface__apply__claim__s1
    Given a project at version 1 with a change
    When it is applied
    Then the current version is 2

  Scenario: surface__apply__version_conflict__s1
    Given a project at version 1 with a change
    When it is applied 2 times at once
    Then the current version is 2
    And `ManifestVersionConflict` is raised for one of them

  Scenario: surface__apply__unchanged__s1
    Given a project at version 1 without a change
    When it is applied
    Then the current version is 1
    And it prints `unchanged`

  Scenario: surface__apply__weak_conditional_backend__s1
    Given a backend that ignores `If-None-Match`
    When it is opened
    Then `ConditionalWriteUnsupported` is raised

  Scenario: surface__apply__retires_after_claim__s1
    Given a project at version 1 with a change
    And a pending owner that the change supersedes
    When the claim fails
    Then the owner is pending
