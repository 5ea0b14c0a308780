# Written by `python -m codegen` from spec/run/project.md: change the page.
Feature: run.project

  Scenario: run__project__best_effort__s1
    Given a live run `r-1` with the steps `fetch, parse`
    When the hub loses all it holds
    And run `r-1` runs to its end
    Then the record of run `r-1` shows `success`

  Scenario: run__project__best_effort__s2
    Given a live run `r-1` with the steps `fetch, parse`
    And run `r-1` has ended `success`
    When the process restarts
    Then the hub holds 0 runs
    And a subscriber of run `r-1` reads `success` from the durable record

  Scenario: run__project__best_effort__s3
    Given a live run `r-1` with the steps `fetch, parse`
    When the durable write for step `fetch` fails
    Then no event for step `fetch` is emitted

  Scenario: run__project__wire_snapshot__s1
    Given a hub started at `2026-01-05T10:00:00Z`
    When a run `r-1` of pipeline `shop` is `running` with no steps
    Then its snapshot is `{"run_id":"r-1","workflow_id":"shop","status":"running","steps":[],"metadata":{},"version":{"epoch":"2026-01-05T10:00:00Z","counter":1}}`

  Scenario: run__project__step_view__s1
    Given a live run `r-1` with the steps `fetch`
    When step `fetch` becomes `retrying` at attempt 2
    Then step `fetch` shows `{"label":"fetch","status":"retrying","attempts":2}`

  Scenario: run__project__stopped_step__s1
    Given a live run `r-1` with the steps `fetch, parse`
    And step `fetch` is `completed`
    And step `parse` is `running`
    When run `r-1` is stopped
    Then step `parse` shows `failed`
    And the failure of step `parse` has the tag `Canceled`
    And step `fetch` shows `completed`
    And the snapshot has status `canceled` and no error

  Scenario: run__project__stopped_step__s2
    Given a live run `r-1` with the steps `fetch, parse`
    And step `fetch` is `completed`
    And step `parse` is `retrying`
    When run `r-1` is stopped
    Then step `parse` shows `failed`
    And the failure of step `parse` has the tag `Canceled`
    And the snapshot has status `canceled` and no error

  Scenario: run__project__emission_never_blocks__s1
    Given an observer that takes no event
    When a run of 10000 steps runs
    Then it closes `success`
    And the channel has dropped events
    And its journal holds 10000 rows

  Scenario: run__project__terminal_slot__s1
    Given an observer that takes no event
    When a run of 10000 steps runs
    And the observer takes its events
    Then the snapshot has status `success`

  Scenario: run__project__terminal_slot__s2
    Given a live run `r-1` with the steps `fetch, parse`
    And the record of run `r-1` says `failed`
    When the projection of run `r-1` is read
    Then the snapshot has status `failed`

  Scenario: run__project__coalescing__s1
    Given a subscriber of run `r-1`
    When updates come at `0, 10, 50, 90` ms
    Then the subscriber receives the updates of `0, 90` ms
    And no two broadcasts are less than 100 ms apart

  Scenario: run__project__coalescing__s2
    Given a subscriber of run `r-1`
    When updates come at `0, 10` ms
    And run `r-1` ends `success` at 20 ms
    Then the subscriber has received status `success` at 20 ms

  Scenario: run__project__metadata_too_large__s1
    Given a run whose metadata serializes to 16000 B
    When metadata is written that makes it 16384 B
    Then its metadata serializes to 16384 B

  Scenario: run__project__metadata_too_large__s2
    Given a run whose metadata serializes to 16000 B
    When metadata is written that makes it 16385 B
    Then `RunMetadataTooLarge` is raised
    And its `size` is `16385`
    And its `bound` is `16384`
    And its metadata serializes to 16000 B

  Scenario: run__project__version__s1
    Given a client at version `("2026-01-05T10:00:00Z", 7)`
    When a delta of version `("2026-01-05T10:00:00Z", 7)` comes
    Then the client discards it

  Scenario: run__project__version__s2
    Given a client at version `("2026-01-05T10:00:00Z", 7)`
    When a delta of version `("2026-01-05T10:00:00Z", 8)` comes
    Then the client applies it

  Scenario: run__project__version__s3
    Given a client at version `("2026-01-05T10:00:00Z", 7)`
    When a delta of version `("2026-01-05T11:00:00Z", 1)` comes
    Then the client applies it

  Scenario: run__project__version__s4
    Given a client at version `("2026-01-05T10:00:00Z", 7)`
    When a delta of version `("2026-01-05T09:00:00Z", 99)` comes
    Then the client discards it

  Scenario: run__project__reducer_is_total__s1
    Given a live run `r-1` with the steps `fetch`
    And step `fetch` is `completed`
    When step `fetch` becomes `running` at attempt 2
    Then step `fetch` shows `completed`

  Scenario: run__project__reducer_is_total__s2
    Given a live run `r-1` with the steps `fetch`
    When step `parse` becomes `running` at attempt 1
    Then the snapshot lists the steps `fetch, parse`

  Scenario: run__project__reducer_is_total__s3
    Given a live run `r-1` with the steps `fetch`
    And step `fetch` has the output `{"reference":"blob-1","bytes":12}`
    When step `fetch` becomes `running` at attempt 2
    Then step `fetch` shows `{"label":"fetch","status":"running","attempts":2,"output":{"reference":"blob-1","bytes":12}}`

  Scenario: run__project__reducer_is_total__s4
    Given a live run `r-1` with the steps `fetch`
    And run `r-1` has ended `failed`
    When a status event `running` comes
    Then the snapshot has status `failed`

  Scenario: run__project__reducer_is_total__s5
    Given a live run `r-1` with the steps `fetch`
    When a delta at its own version comes
    Then the snapshot is unchanged

  Scenario: run__project__outputs_by_reference__s1
    Given a live run `r-1` with the steps `fetch`
    When step `fetch` records the 12 bytes `card 4242424`
    Then the snapshot does not contain `4242424`
    And the output of step `fetch` has exactly the keys `bytes, reference`

  Scenario: run__project__outputs_by_reference__s2
    Given a live run `r-1` with the steps `fetch`
    And step `fetch` has the output `{"reference":"blob-1","bytes":12}`
    When `blob-1` is fetched with a credential for the stream alone
    Then the answer is `403`

  Scenario: run__project__connect__s1
    Given a live run `r-1` that broadcasts 1000 updates
    When a subscriber connects at update 400
    Then it has seen each of 1000 updates once, folded or live

  Scenario: run__project__connect__s2
    Given a live run `r-1` that broadcasts 1000 updates
    When a late joiner connects at update 400 and asks for the oldest snapshot
    Then it reads the updates from 145 to 1000 in order

  Scenario: run__project__broadcast_ring__s1
    Given a subscriber of run `r-1` that has read update 1
    When 256 more updates are broadcast
    Then its next update is number 2

  Scenario: run__project__broadcast_ring__s2
    Given a subscriber of run `r-1` that has read update 1
    When 257 more updates are broadcast
    Then its next update is number 258

  Scenario: run__project__channel_eviction__s1
    Given run `r-1` has ended `success` and its event is folded
    When 59 s pass
    Then the hub holds 1 runs

  Scenario: run__project__channel_eviction__s2
    Given run `r-1` has ended `success` and its event is folded
    When 60 s pass
    Then the hub holds 0 runs
    And a subscriber of run `r-1` reads `success` from the durable record

  Scenario: run__project__unauthenticated_upgrade__s1
    Given a live run `r-1` with the steps `fetch`
    When `GET /runs/r-1/stream` is sent with `no` credential
    Then the answer is `401`
    And the answer names `RunStreamUnauthorized`
    And the connection is not upgraded

  Scenario: run__project__unauthenticated_upgrade__s2
    Given a live run `r-1` with the steps `fetch`
    When `GET /runs/r-1/stream` is sent with `an expired` credential
    Then the answer is `401`
    And the answer names `RunStreamUnauthorized`
    And the connection is not upgraded

  Scenario: run__project__unauthenticated_upgrade__s3
    When `GET /runs/r-9/stream` is sent with `a valid` credential
    Then the answer is `404`
    And the connection is not upgraded

  Scenario: run__project__read_only_socket__s1
    Given a subscriber of run `r-1`
    When it sends `{"scope":"run"}` down its socket
    Then run `r-1` carries no mark
