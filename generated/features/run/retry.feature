# Written by `python -m codegen` from spec/run/retry.md: change the page.
Feature: run.retry

  Scenario: run__retry__failure_taxonomy__s1
    Given a step `fetch` with the default schedule
    And its effect always fails `Permanent`
    And its failures say `Transient: come back soon`
    When the step runs
    Then the step fails `Permanent`
    And the effect has run 1 times

  Scenario: run__retry__schedule__s1
    Given a step `fetch` with the schedule `{"backoff": "fixed", "base_ms": 500, "attempts": 3, "jitter_ms": 0}`
    And its effect always fails `Transient`
    When the step runs
    Then the effect has run 3 times
    And attempt 2 starts 500 ms after attempt 1
    And attempt 3 starts 500 ms after attempt 2

  Scenario: run__retry__schedule__s2
    Given a step `fetch` with the schedule `{"backoff": "exponential", "base_ms": 1000, "factor": 3, "attempts": 4, "max_delay_ms": 5000, "jitter_ms": 0}`
    And its effect always fails `Transient`
    When the step runs
    Then attempt 2 starts 1000 ms after attempt 1
    And attempt 3 starts 3000 ms after attempt 2
    And attempt 4 starts 5000 ms after attempt 3

  Scenario: run__retry__default_policy__s1
    Given a step `fetch` with the default schedule
    And its effect always fails `Transient`
    When the step runs
    Then the effect has run 5 times
    And attempt 2 starts from 100 to 349 ms after attempt 1
    And attempt 5 starts from 800 to 1049 ms after attempt 4

  Scenario: run__retry__default_policy__s2
    Given a step `fetch` with the schedule `{"attempts": 12}`
    And its effect always fails `Transient`
    When the step runs
    Then attempt 10 starts from 25600 to 25849 ms after attempt 9
    And attempt 12 starts from 30000 to 30249 ms after attempt 11

  Scenario: run__retry__single_attempt__s1
    Given a step `fetch` with a schedule of 1 attempts
    And its effect always fails `Transient`
    When the step runs
    Then the step fails `Transient`
    And the effect has run 1 times

  Scenario: run__retry__retryable_classes__s1
    Given a step `fetch` with the default schedule
    And its effect fails `RateLimited` 2 times, then returns `ok`
    When the step runs
    Then the step returns `ok`
    And the effect has run 3 times

  Scenario: run__retry__retryable_classes__s2
    Given a step `fetch` with the default schedule
    And its effect always fails `AuthExpired`
    When the step runs
    Then the step fails `AuthExpired`
    And the effect has run 1 times

  Scenario: run__retry__retryable_classes__s3
    Given a step `fetch` with the schedule `{"retry_on": ["RateLimited"]}`
    And its effect always fails `Transient`
    When the step runs
    Then the step fails `Transient`
    And the effect has run 1 times

  Scenario: run__retry__unretryable_tag__s1
    Given a step `fetch` with the schedule `{"retry_on": ["AuthExpired"]}`
    When its plan is compiled
    Then `RunRetryTagUnretryable` is raised
    And its `label` is `fetch`
    And its `named` is `AuthExpired`

  Scenario: run__retry__step_failed__s1
    Given a step `fetch` with the default schedule
    And its effect always fails `Config`
    When the step runs
    Then `StepFailed` is raised
    And its `label` is `fetch`
    And its `tag` is `Config`

  Scenario: run__retry__step_failed__s2
    Given a step `fetch` with a schedule of 3 attempts
    And its effect always fails `RateLimited`
    When the step runs
    Then `StepFailed` is raised
    And its `tag` is `RateLimited`
    And the effect has run 3 times

  Scenario: run__retry__failure_let_go__s1
    Given a step `fetch` with a schedule of 1 attempts
    And its effect fails `Transient` 1 times, then returns `ok`
    And a step `page` that returned `1`
    When the step runs
    And the run resumes
    Then the step returns `ok`
    And the effect has run 2 times
    And step `page` has run its effect 1 times

  Scenario: run__retry__failure_let_go__s2
    Given a step `fetch` with a schedule of 1 attempts
    And its effect fails `Transient` 1 times, then returns `ok`
    And a body that goes on where step `guess` fails `Permanent`
    When the step runs
    And the run resumes
    Then the step returns `ok`
    And step `guess` has run its effect 1 times

  Scenario: run__retry__deterministic_verdict__s1
    Given a step `fetch` with the default schedule
    And its effect refuses its static input with `SchemaIncompatible`
    When the step runs
    Then the step fails `SchemaIncompatible`
    And the step has spent 0 attempts

  Scenario: run__retry__retry_after__s1
    Given a step `fetch` with the default schedule
    And its effect fails `RateLimited` with `Retry-After: 7`, then returns `ok`
    When the step runs
    Then the step returns `ok`
    And attempt 2 starts 7 s after attempt 1

  Scenario: run__retry__retry_after__s2
    Given a step `fetch` with the default schedule
    And its effect fails `RateLimited` with `Retry-After: 300`, then returns `ok`
    When the step runs
    Then the step returns `ok`
    And attempt 2 starts 300 s after attempt 1

  Scenario: run__retry__retry_after__s3
    Given a step `fetch` with the default schedule
    And its effect fails `RateLimited` with `Retry-After: 301`, then returns `ok`
    When the step runs
    Then the attempt closes `RateLimited` without sleeping
    And the run shows `waiting`

  Scenario: run__retry__not_before__s1
    Given a step `fetch` with the default schedule
    And its effect fails `RateLimited` with `Retry-After: 60`, then returns `ok`
    When the process dies 20 s into the wait
    And the run resumes
    Then attempt 2 starts 60 s after attempt 1
    And the effect has run 2 times

  Scenario: run__retry__not_before__s2
    Given a step `fetch` with a schedule of 3 attempts
    And its effect always fails `Transient`
    When the process dies during attempt 2
    And the run resumes
    Then the step fails `Transient`
    And the effect has run 4 times

  Scenario: run__retry__waiting_state__s1
    Given a step `fetch` with the default schedule
    And its effect fails `RateLimited` with `Retry-After: 900`, then returns `ok`
    When the step runs
    Then the run shows `waiting`
    And the run's next attempt is 900 s after attempt 1
    And the owner is pending
    And the fire counts 0 failed and 0 refused

  Scenario: run__retry__resume_at__s1
    Given a step `fetch` with the default schedule
    And its effect fails `RateLimited` with `Retry-After: 900`, then returns `ok`
    When the step runs
    And the run resumes after 700 s
    Then attempt 2 starts 900 s after attempt 1
    And the effect has run 2 times

  Scenario: run__retry__resume_at__s2
    Given a step `fetch` with a schedule of 3 attempts
    And its effect fails `RateLimited` with `Retry-After: 900`, then always fails `Transient`
    When the step runs
    And the run resumes after 900 s
    Then the step fails `Transient`
    And the effect has run 3 times
    And every attempt carried the same idempotency key

  Scenario: run__retry__wake__s1
    Given a unit `orders` on the schedule `every 1h`, last fired at `2026-03-01T00:00:00Z`
    And its attempt waits until `2026-03-01T00:20:00Z`
    When the scheduler beats at `2026-03-01T00:20:00Z`
    Then unit `orders` fires
    And its owner holds no instant

  Scenario: run__retry__wake__s2
    Given a unit `orders` on the schedule `every 1h`, last fired at `2026-03-01T00:00:00Z`
    And its attempt waits until `2026-03-01T00:20:00Z`
    When the scheduler beats at `2026-03-01T00:19:59Z`
    Then no unit fires

  Scenario: run__retry__no_double_spend__s1
    Given a step `fetch` with the default schedule
    And its effect fails `RateLimited` with `Retry-After: 900`, then returns `ok`
    And step `pull-0` has recorded `page 1` for input `p0`
    When the step runs
    And the run resumes after 900 s
    Then step `pull-0` has sent 1 calls and reserved 1 permits

  Scenario: run__retry__one_layer__s1
    Given a step `fetch` with a schedule of 2 attempts
    And its server answers status 503 to every call
    When the step runs
    Then the step fails `Transient`
    And the server has been called 2 times

  Scenario: run__retry__one_layer__s2
    Given a step `fetch` with the default schedule
    And its limiter denies the first acquire with a wait of 40 s
    And its effect returns `ok`
    When the step runs
    Then the step returns `ok`
    And attempt 2 starts 40 s after attempt 1
    And the effect has run 1 times

  Scenario: run__retry__decision_is_pure__s1
    Given a step `fetch` with the default schedule
    When attempt 2 failing `Transient` is decided 2 times under seed 7
    Then both decisions are equal

  Scenario: run__retry__partial_failure__s1
    Given a run that staged 2 batches
    When its next pull fails `Permanent`
    Then the run shows `failed`
    And the fire commits 0 times
    And its owner is held

  Scenario: run__retry__no_compensation__s1
    Given a step `charge` that returned `ch_1`
    And a step `refund` that returned `re_1`
    When the process dies
    And the run resumes
    Then step `charge` has run its effect 1 times
    And step `refund` has run its effect 1 times

  Scenario: run__retry__pressure_is_local__s1
    Given a run of source `ads` and a run of source `crm`
    When source `ads` answers `RateLimited` with `Retry-After: 30`
    Then the run of source `ads` waits 30 s
    And the run of source `crm` waits 0 s

  Scenario: run__retry__bound_hit_is_transient__s1
    Given a connector whose call 1 strikes `call-deadline`
    When step `pull-0` calls it
    Then the attempt fails `Transient`
    And the failure names `call-deadline`

  Scenario: run__retry__bound_hit_is_transient__s2
    Given a connector whose call 1 strikes `linear-memory`
    When step `pull-0` calls it
    Then the attempt fails `Transient`
    And the failure names `linear-memory`

  Scenario: run__retry__bound_hit_recorded__s1
    Given a connector whose call 1 strikes `call-deadline`
    When the fire runs
    Then the run shows `success`
    And the run record lists the bound hit `{"step_label": "pull-0", "attempt": 1, "bound": "call-deadline"}`
