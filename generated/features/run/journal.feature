# Written by `python -m codegen` from spec/run/journal.md: change the page.
Feature: run.journal

  Scenario: run__journal__step_output__s1
    Given step `charge` has recorded `ch_1` for input `42`
    When step `charge` is called with input `42`
    Then the call returns `ch_1`
    And the effect has run 1 times

  Scenario: run__journal__step_output__s2
    Given an effect `charge` that returns `ch_1`
    When the process dies after the effect and before its record
    And the run resumes
    Then the call returns `ch_1`
    And the effect has run 2 times
    And the journal holds 1 recorded entries

  Scenario: run__journal__entry_key__s1
    Given caller `a` holds the claim on step `charge`
    When caller `b` calls step `charge`
    And caller `a` records `ch_1`
    Then caller `b` receives `ch_1`
    And the effect has run 1 times

  Scenario: run__journal__entry_key__s2
    Given step `charge` has recorded `ch_1` for input `42`
    When step `charge` is called with input `43`
    Then the effect has run 2 times
    And the journal holds 2 recorded entries

  Scenario: run__journal__claim_takeover__s1
    Given caller `a` holds the claim on step `charge`
    When the lease of caller `a` lapses
    And caller `b` calls step `charge`
    Then caller `b` holds the claim on step `charge`

  Scenario: run__journal__claim_takeover__s2
    Given caller `a` holds the claim on step `charge`
    When caller `a` renews its lease
    And caller `b` calls step `charge`
    Then caller `a` holds the claim on step `charge`
    And caller `b` waits

  Scenario: run__journal__claim_takeover__s3
    Given caller `a` holds the claim on step `charge`
    When the lease of caller `a` lapses
    And callers `b` and `c` call step `charge` at once
    Then 1 of them holds the claim
    And 1 of them waits

  Scenario: run__journal__idempotency_key__s1
    Given an effect `charge` that fails `Transient` 2 times, then returns `ch_1`
    When step `charge` is called with input `42`
    Then 3 requests have left
    And they carry 1 distinct idempotency keys

  Scenario: run__journal__idempotency_key__s2
    Given an effect `charge` that returns `ch_1`
    When step `charge` is called with input `42`
    And step `charge` is called with input `43`
    Then 2 requests have left
    And they carry 2 distinct idempotency keys

  Scenario: run__journal__inline_cutoff__s1
    When step `fetch` records a value of 1048576 bytes
    Then its row holds the value inline
    And the blob store holds 0 blobs

  Scenario: run__journal__inline_cutoff__s2
    When step `fetch` records a value of 1048577 bytes
    Then its row references a blob named by the value's sha256
    And the blob store holds 1 blobs

  Scenario: run__journal__blob_write__s1
    When 8 writers put one blob of 2097152 bytes at once
    Then all 8 writes succeed
    And the blob store holds 1 blobs

  Scenario: run__journal__blob_write__s2
    When a writer dies halfway through a blob of 2097152 bytes
    And 8 writers put one blob of 2097152 bytes at once
    Then all 8 writes succeed
    And the blob store holds 1 blobs

  Scenario: run__journal__missing_blob__s1
    Given step `fetch` has recorded a value of 1048577 bytes
    And its blob is gone
    When step `fetch` is called again
    Then `BlobMissing` is raised
    And its `reference` is the value's sha256
    And the effect has run 1 times

  Scenario: run__journal__collection__s1
    Given execution `exec-1` has recorded 3 steps
    When the owner of `exec-1` retires
    Then the journal holds 0 rows of `exec-1`

  Scenario: run__journal__collection__s2
    Given a journal store apart from the catalog
    And execution `exec-1` has recorded 3 steps
    When the process dies between the retirement of `exec-1` and the delete
    And the scope of `exec-1` opens again
    Then the journal holds 0 rows of `exec-1`

  Scenario: run__journal__one_cutoff__s1
    When a step of kind `pull` records a value of 1048577 bytes
    Then its row references a blob named by the value's sha256

  Scenario: run__journal__one_cutoff__s2
    When a step of kind `input` records a value of 1048577 bytes
    Then its row references a blob named by the value's sha256

  Scenario: run__journal__one_cutoff__s3
    When an awakeable is resolved with a payload of 1048577 bytes
    Then its row references a blob named by the value's sha256

  Scenario: run__journal__fan_out_join__s1
    Given a join of branches `left, right` with `allow_partial` as `false`
    When branch `left` fails `Permanent`
    And branch `right` returns
    Then the run shows `failed`

  Scenario: run__journal__fan_out_join__s2
    Given a join of branches `left, right` with `allow_partial` as `true`
    When branch `left` fails `Permanent`
    And branch `right` returns
    Then the run record keeps the failed branch `{"label": "left", "tag": "Permanent"}`

  Scenario: run__journal__blob_sweep__s1
    Given a blob written 61 min ago that nothing references
    When the blob sweep runs
    Then the blob store holds 0 blobs

  Scenario: run__journal__blob_sweep__s2
    Given a blob written 59 min ago that nothing references
    When the blob sweep runs
    Then the blob store holds 1 blobs

  Scenario: run__journal__blob_sweep__s3
    Given a blob written 61 min ago that a journal row references
    When the blob sweep runs
    Then the blob store holds 1 blobs

  Scenario: run__journal__blob_sweep__s4
    Given a blob written 61 min ago that a pending awakeable references
    When the blob sweep runs
    Then the blob store holds 1 blobs

  Scenario: run__journal__blob_sweep__s5
    Given the blob sweep last ran at `2026-03-01T00:00:00Z`
    When the clock reads `2026-03-02T00:00:00Z`
    Then the blob sweep has run 2 times

  Scenario: run__journal__effect_boundary__s1
    Given a body of steps `read`, `score` and `write` with pure work between them
    When the process dies after each step in turn and the run resumes
    Then the body ends with the result of an uninterrupted run
    And each of its effects has run 1 times

  Scenario: run__journal__unwired_capability__s1
    Given a profile without the capability `strict-guard`
    When the capability `strict-guard` is requested
    Then `CapabilityUnwired` is raised
    And its `capability` is `strict-guard`
    And nothing has been written

  Scenario: run__journal__machine_state__s1
    Given execution `exec-1` has recorded 3 steps
    When the catalog is rebuilt
    Then the journal holds 3 rows of `exec-1`

  Scenario: run__journal__machine_state__s2
    Given execution `exec-1` has recorded 3 steps
    And the host's own stores are lost
    When the catalog is rebuilt
    Then the journal holds 0 rows of `exec-1`

  Scenario: run__journal__recorded_batch__s1
    Given a source of 1 pages
    When the process dies between the record of pull 1 and its landing
    Then the journal holds 1 recorded entries
    And the table reads 0 rows

  Scenario: run__journal__recorded_batch__s2
    Given a source of 1 pages
    And page 1 holds the secret `sk_live_4242`
    When the fire runs
    Then no journal byte holds `sk_live_4242`

  Scenario: run__journal__replay_lands__s1
    Given a source of 3 pages
    When the process dies during pull 3
    And the next fire runs
    Then the parts are byte for byte those of an uninterrupted run
    And page 1 has been pulled 1 times

  Scenario: run__journal__replay_lands__s2
    Given a source of 3 pages
    When the process dies between the record of pull 2 and its landing
    And the next fire runs
    Then the parts are byte for byte those of an uninterrupted run
    And page 2 has been pulled 1 times

  Scenario: run__journal__replay_lands__s3
    Given a source of 3 pages
    When the process dies before the commit
    And the next fire runs
    Then the parts are byte for byte those of an uninterrupted run
    And page 3 has been pulled 1 times

  Scenario: run__journal__replay_lands__s4
    Given a source of 3 pages
    When the process dies during pull 3
    And page 1 changes at the source
    And the next fire runs
    Then the rows of page 1 are those of its first pull

  Scenario: run__journal__replay_lands__s5
    Given a source of 3 pages
    When the process dies during pull 3
    And the next fire runs
    Then every row of page 2 has `_batch_seq` as `1`

  Scenario: run__journal__replay_lands__s6
    Given a source of 3 pages
    And page 1 declares column `at` as `timestamp`
    When the process dies during pull 3
    And the next fire runs
    Then the parts are byte for byte those of an uninterrupted run

  Scenario: run__journal__ledger_settles_first__s1
    Given a source of 1 pages
    When the process dies between the settled ledger and the record of pull 1
    Then the request ledger holds 1 requests
    And the journal holds 0 recorded entries

  Scenario: run__journal__redacting_source__s1
    Given a source of 1 pages
    And its table removes column `email` without prepared recording
    When the fire runs
    Then `JournalRedactionConflict` is raised
    And page 1 has been pulled 0 times

  Scenario: run__journal__redacting_source__s2
    Given a source of 1 pages
    And its table removes column `email` without prepared recording
    And the source asserts `redacted = true`
    When the fire runs
    Then `JournalRedactionConflict` is raised
    And page 1 has been pulled 0 times

  Scenario: run__journal__prepared_owner__s1
    Given a source of 3 pages
    And its table removes column `email` by prepared recording
    When the process dies during pull 3
    And the pepper changes
    And the next fire runs
    Then the fire fails with `ExecutionPinMismatch`
    And page 3 has been pulled 1 times

  Scenario: run__journal__prepared_replay__s1
    Given a source of 3 pages
    And its table removes column `email` by prepared recording
    When the process dies during pull 3
    And the next fire runs
    Then page 1 has been pulled 1 times
    And page 1 has been prepared 1 times

  Scenario: run__journal__opt_out__s1
    Given a source of 1 pages
    When the process dies before the commit
    Then the journal holds 1 recorded entries

  Scenario: run__journal__opt_out__s2
    Given a source of 1 pages
    And the source declares that its pulls are not journaled
    When the process dies before the commit
    Then the journal holds 0 recorded entries

  Scenario: run__journal__opt_out__s3
    Given a source of 1 pages
    And page 1 holds no rows
    When the process dies before the commit
    Then the journal holds 0 recorded entries

  Scenario: run__journal__escape_hatch__s1
    When the code is searched for unjournaled reads
    Then each one found is a `journal.unsafe` or a source that declares it
    And each one found states its idempotency argument

  Scenario: run__journal__substrate_port__s1
    When the execution interface is listed
    Then it offers `open_or_resume, record, suspend, commit_cursor, attach_schedule, capabilities`
    And the engine's own does each of them

  Scenario: run__journal__storage_ports__s1
    Given the storage adapter `files`
    When a recorded step, a blob of 2097152 bytes and a pending awakeable are written
    And the adapter is opened again
    Then all 3 read back as they were written

  Scenario: run__journal__storage_ports__s2
    Given the storage adapter `sqlite`
    When a recorded step, a blob of 2097152 bytes and a pending awakeable are written
    And the adapter is opened again
    Then all 3 read back as they were written

  Scenario: run__journal__sqlite_stores__s1
    Given the storage adapter `sqlite`
    When a recorded step, a blob of 2097152 bytes and a pending awakeable are written
    Then 1 database files are in use in journal mode `wal`
    And 1 connections are open

  Scenario: run__journal__sqlite_stores__s2
    Given the storage adapter `sqlite`
    When a resolution fails after its journal write
    Then the awakeable is pending
    And the journal holds 0 recorded entries

  Scenario: run__journal__sqlite_write_lock__s1
    Given the storage adapter `sqlite`
    When 8 connections record step `charge` at once
    Then 1 record lands
    And 7 writers are given the standing value
    And 0 writers fail

  Scenario: run__journal__postgres_stores__s1
    Given the storage adapter `postgres`
    When 8 connections record step `charge` at once
    Then 1 record lands
    And 7 writers are given the standing value
    And 0 writers fail

  Scenario: run__journal__postgres_stores__s2
    Given the storage adapter `postgres`
    When a recorded step, a blob of 2097152 bytes and a pending awakeable are written
    And every local disk is replaced
    Then all 3 read back as they were written

  Scenario: run__journal__container_profile__s1
    When the engine starts under the storage profile `postgres`
    Then its `journal` is `contextful-pg`
    And its `owners` is `shared`
    And its `corpus` is `remote bucket`
    And its `pull_before_run` is `true`
    And its `push_after_run` is `true`

  Scenario: run__journal__d1_profile__s1
    When the engine starts under the storage profile `cloudflare-d1`
    Then its `catalog` is `D1`
    And its `journal` is `D1`
    And its `awakeables` is `D1`
    And its `exports` is `D1`
    And its `blobs` is `R2`
    And its `corpus` is `R2`

  Scenario: run__journal__d1_blob__s1
    Given the storage profile `cloudflare-d1`
    When the process dies between the R2 write of a blob and its D1 reference
    Then D1 refers to 0 blobs
    And R2 holds 1 blobs

  Scenario: run__journal__d1_blob__s2
    Given the storage profile `cloudflare-d1`
    And the R2 object of a recorded blob was altered
    When the blob is read
    Then the read refuses its digest

  Scenario: run__journal__d1_transport__s1
    Given the storage profile `cloudflare-d1`
    And the next 2 answers of D1 are lost
    When a D1 read is sent
    Then the read answers
    And D1 has received 3 requests

  Scenario: run__journal__d1_transport__s2
    Given the storage profile `cloudflare-d1`
    And the next 3 answers of D1 are lost
    When a D1 read is sent
    Then the read fails
    And D1 has received 3 requests

  Scenario: run__journal__d1_transport__s3
    Given the storage profile `cloudflare-d1`
    And the next 1 answers of D1 are lost
    When a D1 write is sent
    Then `StorageBindingUnavailable` is raised
    And D1 has received 1 requests

  Scenario: run__journal__d1_initialize__s1
    Given the storage profile `cloudflare-d1`
    And the next 1 answers of D1 are lost
    When storage is initialized
    Then the initialization succeeds
    And D1 holds what 1 initialization leaves

  Scenario: run__journal__d1_guard__s1
    Given the storage profile `cloudflare-d1`
    And a callback under a guard
    When the callback crashes
    And another attempt asks for the owner it protects
    Then the transfer is blocked
    And the guard stands

  Scenario: run__journal__d1_recovery__s1
    Given the storage profile `cloudflare-d1`
    And an object of the R2 frontier is missing
    When an execution asks for admission
    Then `ExecutionRecoveryMismatch` is raised

  Scenario: run__journal__d1_recovery__s2
    Given the storage profile `cloudflare-d1`
    And the R2 frontier is of another generation
    When an execution asks for admission
    Then `ExecutionRecoveryMismatch` is raised

  Scenario: run__journal__d1_backup__s1
    Given the storage profile `cloudflare-d1`
    When a recovery is captured
    Then it holds `execution database, guard rows, export rows, R2 blob frontier, R2 corpus frontier, recovery identity, executable schema`
    And no writer has resumed before it ended

  Scenario: run__journal__storage_incomplete__s1
    Given the storage profile `cloudflare-d1`
    And its profile has no `outbox`
    When an execution asks for admission
    Then `StorageCapabilityMissing` is raised
    And its `missing` is `outbox`

  Scenario: run__journal__storage_incomplete__s2
    Given the storage profile `postgres`
    And its adapter is not compiled in
    When an execution asks for admission
    Then `ProfileCapabilityAbsent` is raised

  Scenario: run__journal__storage_unsupported__s1
    Given the storage profile `redis`
    When an execution asks for admission
    Then `StorageProfileUnsupported` is raised
    And its `profile` is `redis`

  Scenario: run__journal__storage_unsupported__s2
    Given an encrypted corpus
    And an execution adapter that is not sealed
    When an execution asks for admission
    Then `StorageProfileUnsupported` is raised

  Scenario: run__journal__execution_schema__s1
    Given an execution database of schema 3 under an executable of schema 4
    When an execution asks for admission
    Then `ExecutionSchemaIncompatible` is raised
    And its `found` is `3`
    And its `supported` is `4`

  Scenario: run__journal__execution_schema__s2
    Given an execution database without the table `journal`
    When the preflight runs
    Then the execution database has no table `journal`

  Scenario: run__journal__execution_recovery__s1
    Given an execution database without the table `journal`
    When an execution asks for admission
    Then `ExecutionRecoveryMismatch` is raised

  Scenario: run__journal__execution_recovery__s2
    Given an execution database with the recovery identity of project `books`
    When project `shop` asks for admission
    Then `ExecutionRecoveryMismatch` is raised

  Scenario: run__journal__execution_recovery__s3
    Given a restored corpus and a new execution database
    When the preflight runs
    Then the execution database has no recovery identity
    And paid work is not admitted

  Scenario: run__journal__current_owner__s1
    Given attempt `run-a` was superseded by attempt `run-b`
    When attempt `run-a` dispatches an effect
    Then it is refused
    And the effect has run 0 times

  Scenario: run__journal__current_owner__s2
    Given attempt `run-a` was superseded by attempt `run-b`
    When attempt `run-a` publishes
    Then it is refused
    And the table reads 0 rows

  Scenario: run__journal__durable_dispatch__s1
    Given the storage adapter `postgres`
    And a callback of attempt `run-a` that takes 2 s
    When attempt `run-b` takes over the owner 1 s into it
    Then the takeover commits after the callback returns

  Scenario: run__journal__guard_callback__s1
    Given a callback under a guard
    When the callback updates the run's metadata
    Then the update is made

  Scenario: run__journal__guard_callback__s2
    Given a callback under a guard
    When the callback retires its own owner
    Then it is refused

  Scenario: run__journal__guard_callback__s3
    Given a callback under a guard
    When a callback nested in it asks for scope `job:other`
    Then it is refused

  Scenario: run__journal__guard_callback__s4
    Given the storage adapter `sqlite`
    When the capability `strict-guard` is requested
    Then `CapabilityUnwired` is raised

  Scenario: run__journal__plan_pin__s1
    Given a run started against plan `plan-a`
    When plan `plan-b` is applied while it runs
    Then its last step resolves plan `plan-a`

  Scenario: run__journal__store_input__s1
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    When the job fires
    Then the statement has been read 1 times
    And its `first step` has `rows` as `0, 1, 2`
    And its `first step` has `snapshots` as `{"tickets": "snapshot-7"}`

  Scenario: run__journal__open_as_of__s1
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    And the job declares `as_of` as `none`
    When the job fires at `2026-03-01T00:00:00Z`
    Then its `first step` has `as_of` as `2026-03-01T00:00:00Z`

  Scenario: run__journal__open_as_of__s2
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    When the process dies in row 2
    And 2 rows land in table `tickets`
    And the job fires again
    Then the body has completed 3 rows
    And the statement has been read 1 times

  Scenario: run__journal__open_as_of__s3
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    When the process dies in row 2
    And table `tickets` is folded
    And the job fires again
    Then the body has completed 3 rows
    And the statement has been read 1 times

  Scenario: run__journal__input_pin__s1
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    When the process dies in row 2
    And the job's `statement` changes
    And the job fires again
    Then the fire fails with `ExecutionPinMismatch`
    And 0 steps have replayed

  Scenario: run__journal__input_pin__s2
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    When the process dies in row 2
    And the job's `structural identity` changes
    And the job fires again
    Then the fire fails with `ExecutionPinMismatch`
    And 0 steps have replayed

  Scenario: run__journal__input_truncated__s1
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    And the row ceiling is 2 rows
    When the job fires
    Then the fire fails with `RunInputTruncated`
    And the body has completed 0 rows

  Scenario: run__journal__row_step__s1
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    When the job fires
    Then the entries of step `score` have 3 distinct `labels`
    And the requests have 3 distinct `idempotency keys`

  Scenario: run__journal__row_concurrency__s1
    Given a store-driven job over table `tickets` of 9 rows at snapshot `snapshot-7`
    And its `max_in_flight` is 4
    When the job fires
    Then at most 4 rows were in the body at once

  Scenario: run__journal__row_concurrency__s2
    Given a store-driven job over table `tickets` of 9 rows at snapshot `snapshot-7`
    And its `max_in_flight` is 2
    And row 1 fails `Permanent` while row 0 is in the body
    When the job fires
    Then the body has been entered 2 times
    And the run closes after row 0 returns

  Scenario: run__journal__row_output__s1
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    And the job's output tables are `scores` and `notes`
    When the job fires
    Then table `scores` gets 1 runs
    And table `notes` gets 1 runs

  Scenario: run__journal__row_output__s2
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    And the first landing of its output fails
    When the job fires
    And the job fires again
    Then 3 requests have left
    And the output lands

  Scenario: run__journal__body_projection__s1
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    And a caller supplies a projection with one effect label more than the body registered
    When the job fires
    Then it is refused
    And the statement has been read 0 times
