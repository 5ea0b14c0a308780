# Written by `python -m codegen` from spec/surface/fire.md: change the page.
Feature: surface.fire

  Scenario: surface__fire__job_kind__s1
    When a job with `kind = "shell"` is validated
    Then `JobKindUnknown` is raised
    And its `job` is `score`

  Scenario: surface__fire__job_kind__s2
    When a job with `argv = ["rm"]` is validated
    Then `JobKindUnknown` is raised
    And its `job` is `score`

  Scenario: surface__fire__concurrency__s1
    When a job with `max_in_flight = 0` is validated
    Then `JobConcurrencyUnset` is raised
    And its `job` is `score`

  Scenario: surface__fire__concurrency__s2
    When a job without `max_in_flight` is validated
    Then `JobConcurrencyUnset` is raised
    And its `job` is `score`

  Scenario: surface__fire__body__s1
    When a job with `body = "no_such_body"` is validated
    Then `JobBodyUnregistered` is raised
    And its `body` is `no_such_body`

  Scenario: surface__fire__target__s1
    When a job with `kind = "build", target = "no_such_model"` is validated
    Then `JobTargetUnbound` is raised
    And its `target` is `no_such_model`

  Scenario: surface__fire__output_runs__s1
    Given a job `score` with the output tables `scores, notes`
    When job `score` fires as run `f-1`
    Then runs `f-1.notes, f-1.scores` are recorded under pipeline `score`

  Scenario: surface__fire__undeclared_output__s1
    Given a job `score` with the output tables `scores`
    And its body emits rows for `notes`
    When job `score` fires as run `f-1`
    Then the fire fails
    And job `score` keeps its owner

  Scenario: surface__fire__undeclared_output__s2
    Given a job `score` with the output tables `scores`
    And its body emits rows for `notes`
    When job `score` fires as run `f-1`
    And `notes` is declared
    And job `score` fires as run `f-2`
    Then each of its calls was sent 1 times

  Scenario: surface__fire__result_line__s1
    Given a job `score` with the output tables `scores`
    And 3 input rows that each emit 2 rows
    When job `score` fires as run `f-1`
    Then it prints `score: f-1 success · 6 rows landed from 3 input rows`
