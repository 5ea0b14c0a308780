# Written by `python -m codegen` from spec/delegate/bind.md: change the page.
Feature: delegate.bind

  Scenario: delegate__bind__binding__s1
    Given a job `score` with the binding `reviewer`
    And the machine binds `reviewer` to an endpoint
    When job `score` fires over the input rows `a`
    Then the endpoint of `reviewer` gets 1 requests

  Scenario: delegate__bind__unbound__s1
    Given a job `score` with the binding `reviewer`
    When job `score` fires over the input rows `a`
    Then `DelegateUnbound` is raised
    And its `binding` is `reviewer`
    And no execution is admitted

  Scenario: delegate__bind__pinned__s1
    Given a job `score` with the binding `reviewer`
    And its owner is pending
    When the `secret` of `reviewer` changes
    And job `score` fires over the input rows `a`
    Then its owner resumes

  Scenario: delegate__bind__pinned__s2
    Given a job `score` with the binding `reviewer`
    And its owner is pending
    When the `model` of `reviewer` changes
    And job `score` fires over the input rows `a`
    Then `ExecutionPinMismatch` is raised

  Scenario: delegate__bind__engine_bounds__s1
    Given a job `score` with the binding `reviewer`
    And the machine binds `reviewer` to an endpoint
    When job `score` fires over the input rows `a`
    Then the request has exactly the keys `job, row, ordinal, input, idempotency_key`
