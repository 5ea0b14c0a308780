# Written by `python -m codegen` from spec/run/suspend.md: change the page.
Feature: run.suspend

  Scenario: run__suspend__awakeable__s1
    When run `r-1` waits for `approve` with a time-to-live of 24 h
    Then the awakeable is `pending`
    And run `r-1` shows `waiting`
    And run `r-1` holds no thread

  Scenario: run__suspend__awakeable__s2
    Given an awakeable created at `2026-03-01T00:00:00Z` with a time-to-live of 24 h
    When it is resolved with `yes` at `2026-03-01T08:00:00Z`
    Then the run receives `yes`

  Scenario: run__suspend__resume_is_a_step_output__s1
    Given an awakeable created at `2026-03-01T00:00:00Z` with a time-to-live of 24 h
    When it is resolved with `yes` at `2026-03-01T08:00:00Z`
    And it is resolved with `yes` at `2026-03-01T09:00:00Z`
    Then the resolutions have 1 distinct `payloads`
    And the journal holds `yes` under the key of its token

  Scenario: run__suspend__resume_is_a_step_output__s2
    Given an awakeable created at `2026-03-01T00:00:00Z` with a time-to-live of 24 h
    When it is resolved with `yes` at `2026-03-01T08:00:00Z`
    And the process dies
    And the run resumes
    Then the run receives `yes`
    And 1 awakeables have been minted

  Scenario: run__suspend__deadline__s1
    When an awakeable is created at `2026-03-01T00:00:00Z` with a time-to-live of 24 h
    Then its `deadline` is `2026-03-02T00:00:00Z`

  Scenario: run__suspend__deadline__s2
    When an awakeable is created at `2026-03-01T08:00:00+08:00` with a time-to-live of 24 h
    Then it is refused

  Scenario: run__suspend__deadline__s3
    Given an awakeable created at `2026-03-01T00:00:00Z` with a time-to-live of 24 h
    When it is looked at as of `2026-03-02T00:00:01Z`
    And it is looked at as of `2026-03-05T00:00:00Z`
    Then the awakeable is `timed_out`

  Scenario: run__suspend__conflicting_resolution__s1
    Given an awakeable created at `2026-03-01T00:00:00Z` with a time-to-live of 24 h
    When it is resolved with `yes` at `2026-03-01T08:00:00Z`
    And it is resolved with `no` at `2026-03-01T09:00:00Z`
    Then `AwakeableAlreadyResolved` is raised
    And the run receives `yes`

  Scenario: run__suspend__expired_token__s1
    Given an awakeable created at `2026-03-01T00:00:00Z` with a time-to-live of 24 h
    When it is resolved with `yes` at `2026-03-02T00:00:01Z`
    Then `AwakeableTimedOut` is raised
    And its `deadline` is `2026-03-02T00:00:00Z`

  Scenario: run__suspend__expired_token__s2
    Given an awakeable created at `2026-03-01T00:00:00Z` with a time-to-live of 24 h
    When it is resolved with `yes` at `2026-03-02T00:00:00Z`
    Then the run receives `yes`

  Scenario: run__suspend__unknown_token__s1
    When token `never-minted` is resolved with `yes`
    Then `AwakeableUnknown` is raised
    And the registry holds 0 rows

  Scenario: run__suspend__resume_route__s1
    Given a pending awakeable with the token `tok-1`
    When `POST /awake/tok-1` is sent with body `"yes"`
    Then the answer is `200`
    And the answer's body is `"yes"`

  Scenario: run__suspend__resume_route__s2
    When `POST /awake/tok-9` is sent with body `"yes"`
    Then the answer is `404`

  Scenario: run__suspend__resume_route__s3
    Given a pending awakeable with the token `tok-1`
    When `POST /awake/tok-1` is sent with body `"yes"`
    And `POST /awake/tok-1` is sent with body `"no"`
    Then the answer is `409`

  Scenario: run__suspend__resume_route__s4
    Given a pending awakeable with the token `tok-1`
    And its deadline has passed
    When `POST /awake/tok-1` is sent with body `"yes"`
    Then the answer is `410`

  Scenario: run__suspend__resume_route__s5
    Given a pending awakeable with the token `tok-1`
    When `GET /awake/tok-1` is sent
    Then the answer is `200`
    And its `state` is `pending`
    And the awakeable is `pending`

  Scenario: run__suspend__resume_authenticates__s1
    Given a pending awakeable with the token `tok-1`
    When `POST /awake/tok-1` is sent without a credential
    Then the answer is `401`
    And the registry has been read 0 times

  Scenario: run__suspend__resume_authenticates__s2
    Given a pending awakeable with the token `tok-1`
    And a credential on behalf of `user://dana@acme.example`
    When `POST /awake/tok-1` is sent with body `"yes"`
    Then the resolution has the caller `user://dana@acme.example`

  Scenario: run__suspend__caller_binding__s1
    Given a pending awakeable with the token `tok-1`
    And it is bound to `user://dana@acme.example`
    And a credential on behalf of `user://dana@acme.example`
    When `POST /awake/tok-1` is sent with body `"yes"`
    Then the answer is `200`

  Scenario: run__suspend__caller_binding__s2
    Given a pending awakeable with the token `tok-1`
    And it is bound to `user://dana@acme.example`
    And a credential on behalf of `user://eve@acme.example`
    When `POST /awake/tok-1` is sent with body `"yes"`
    Then the answer is `404`
    And the answer equals that to an unknown token
    And the awakeable is `pending`

  Scenario: run__suspend__caller_binding__s3
    Given a pending awakeable with the token `tok-1`
    And a credential on behalf of `user://eve@acme.example`
    When `POST /awake/tok-1` is sent with body `"yes"`
    Then the answer is `200`

  Scenario: run__suspend__postgres_reconciliation__s1
    Given the storage adapter `postgres`
    And a pending awakeable with the token `tok-1`
    When the process dies between the resume value `yes` and the callback row
    And the process starts again
    Then the awakeable is `resolved`
    And the run receives `yes`

  Scenario: run__suspend__postgres_reconciliation__s2
    Given the storage adapter `postgres`
    And a pending awakeable with the token `tok-1`
    When the process dies between the resume value `yes` and the callback row
    And the process starts again
    And token `tok-1` is resolved with `no`
    Then `AwakeableAlreadyResolved` is raised

  Scenario: run__suspend__survives_restart__s1
    Given the storage adapter `sqlite`
    And a pending awakeable with the token `tok-1`
    When the process starts again
    Then the registry holds 1 rows

  Scenario: run__suspend__survives_restart__s2
    Given the storage adapter `memory`
    And a pending awakeable with the token `tok-1`
    When the process starts again
    Then the registry holds 0 rows

  Scenario: run__suspend__row_parks__s1
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    And its `max_in_flight` is 1
    And row 0 waits for an awakeable
    When the job fires
    Then row 0 is parked
    And the body has completed 2 rows

  Scenario: run__suspend__row_parks__s2
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    And its `max_in_flight` is 1
    And row 0 waits for an awakeable
    When the job fires
    And the awakeable of row 0 is resolved with `yes`
    Then the body has completed 3 rows

  Scenario: run__suspend__recorded_timeout__s1
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    And row 0 waits for an awakeable
    When the job fires
    And the deadline of row 0 passes
    And row 0 is entered 2 times
    Then the entries have 1 distinct `outcomes`
    And its `timed_out` is `true`
