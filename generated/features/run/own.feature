# Written by `python -m codegen` from spec/run/own.md: change the page.
Feature: run.own

  Scenario: run__own__execution_owner__s1
    Given table `orders` of pipeline `shop` under connector `ads` of version `1.4.0`
    When the process dies during pull 2
    Then the scope of table `orders` has 1 owners
    And its owner pins connector `ads`, version `1.4.0`, world `contextful:connector@1.2.0`, a content hash and an input hash

  Scenario: run__own__host_scope__s1
    When attempt `job-a` opens host scope `index-42` under plan `plan-a` with identity `model` as `m-1`
    Then the catalog has an owner under host scope `index-42`
    And it pins plan `plan-a` and identity `model` as `m-1`

  Scenario: run__own__host_scope__s2
    Given a catalog holds a table owner under the key `shop/orders`
    When the catalog is opened by this release
    Then the owner's key is `shop/orders`

  Scenario: run__own__execution_id_keys_the_journal__s1
    Given host scope `index-42` has a pending owner that recorded steps `one, two`
    When attempt `job-b` opens host scope `index-42` with plan `plan-a` after the lease has lapsed
    Then `job-b` replays steps `one, two`
    And `job-b` has the execution id of the pending owner

  Scenario: run__own__retirement__s1
    Given table `orders` stands at position `p4`
    When 2 fires run and find nothing new
    Then they have 2 execution ids
    And table `orders` stands at position `p4`

  Scenario: run__own__retirement__s2
    Given table `orders` stands at position `p0`
    When the process dies after the commit marker of `p4` and before the retirement
    Then the cached position is `p0`
    And the scope of table `orders` has 1 owners

  Scenario: run__own__retirement__s3
    Given a backfill of pipeline `shop` in chunks `c-1, c-2`
    When chunk `c-1` completes
    Then the scope of chunk `c-1` has 0 owners
    And the scope of chunk `c-2` has 1 owners

  Scenario: run__own__marker_reconciles__s1
    Given table `orders` stands at position `p0`
    When the process dies after the commit marker of `p4` and before the retirement
    And the next fire runs
    Then 0 pulls have replayed
    And each row lands 1 times
    And the next fire pulled from `p4`

  Scenario: run__own__pinned_plan_changed__s1
    Given host scope `index-42` has a pending owner that pins plan `plan-a`
    When attempt `job-b` opens host scope `index-42` with plan `plan-b` after the lease has lapsed
    Then `ExecutionPinMismatch` is raised
    And its `scope` is `host scope index-42`
    And its `recorded` has `plan_ref` as `plan-a`
    And its `requested` has `plan_ref` as `plan-b`
    And run `job-b` shows `failed`
    And 0 steps have replayed

  Scenario: run__own__pinned_plan_changed__s2
    Given table `orders` of pipeline `shop` under connector `ads` of version `1.4.0`
    When the process dies during pull 2
    And connector `ads` becomes version `1.5.0`
    And the next fire runs
    Then the fire fails with `ExecutionPinMismatch`
    And the fire has made 1 attempts

  Scenario: run__own__pin_mismatch_recovery__s1
    Given host scope `index-42` has a pending owner that pins plan `plan-a`
    When attempt `job-b` opens host scope `index-42` with plan `plan-b` after the lease has lapsed
    And attempt `job-c` opens host scope `index-42` with plan `plan-a` and completes
    Then host scope `index-42` has 0 owners

  Scenario: run__own__pin_mismatch_recovery__s2
    Given host scope `index-42` has a pending owner that pins plan `plan-a`
    When attempt `job-b` opens host scope `index-42` with plan `plan-b` after the lease has lapsed
    Then its sentence names the pending execution
    And its sentence names the recoveries `restore the recorded build`, `contextful run rewind` and `rewind of the window`

  Scenario: run__own__scope_independence__s1
    Given pipeline `shop` has pending owners for tables `orders, items`
    When table `orders` finishes
    Then the scope of table `orders` has 0 owners
    And the scope of table `items` has 1 owners

  Scenario: run__own__scope_independence__s2
    Given table `orders` seeds from source `dump` while its live source is `api`
    When both scopes open
    Then the owner of scope `orders#seed` pins source `dump`
    And the owner of scope `orders` pins source `api`

  Scenario: run__own__unclosed_execution__s1
    Given attempt `job-a` under host scope `index-42` has recorded steps `one, two`
    When its process dies during step `three`
    And attempt `job-b` opens host scope `index-42` with plan `plan-a` after the lease has lapsed
    Then `job-b` replays steps `one, two`
    And the effect of step `one` has run 1 times
    And the effect of step `two` has run 1 times

  Scenario: run__own__unclosed_execution__s2
    Given attempt `job-a` under host scope `index-42` has recorded steps `one, two`
    When its handle is dropped without a close
    Then run `job-a` has no terminal status
    And host scope `index-42` has 1 owners

  Scenario: run__own__live_owner__s1
    Given attempt `job-a` holds host scope `index-42` open
    When attempt `job-b` opens host scope `index-42` with plan `plan-a`
    Then run `job-b` fails `Transient` and names `job-a`
    And the owner of host scope `index-42` has the attempts `job-a`

  Scenario: run__own__pin_release__s1
    Given a run that staged 2 batches
    When it closes `success`
    Then its owner is released

  Scenario: run__own__pin_release__s2
    Given a run that staged 0 batches
    When its next pull fails `Permanent`
    Then its owner is released

  Scenario: run__own__pin_release__s3
    Given a run that staged 2 batches
    When its next pull fails `Permanent`
    Then its owner is held

  Scenario: run__own__pin_release__s4
    Given a run that staged 2 batches
    When its next pull waits 900 s
    Then its owner is held

  Scenario: run__own__pin_release__s5
    Given a run that staged 2 batches
    When its next pull is refused by `run.land.late-type`
    Then its owner is released

  Scenario: run__own__admission_pin__s1
    Given table `orders` of pipeline `shop` under connector `ads` of version `1.4.0`
    When connector `ads` is rebuilt during pull 2
    Then pull 3 runs the artifact that pull 1 ran

  Scenario: run__own__body_implementation__s1
    Given body `score` is registered by a binary of digest `d1`
    When its owner opens
    Then its owner pins implementation `d1`

  Scenario: run__own__body_implementation__s2
    Given body `score` is registered by a binary of digest `d1`
    And configuration names the implementation `d9` for body `score`
    When its owner opens
    Then its owner pins implementation `d1`

  Scenario: run__own__body_dependencies__s1
    Given body `score` declares the dependencies `prompt, model, policy`
    When its owner opens
    Then its owner pins a digest for each of `prompt, model, policy`

  Scenario: run__own__body_admission__s1
    Given body `score` declares no dependencies
    When its owner opens
    Then its owner pins an implementation and 0 dependencies

  Scenario: run__own__body_admission__s2
    Given body `score` declares the dependencies `prompt, model, policy`
    When the process dies in row 2
    And the dependency `prompt` changes
    And the job fires again
    Then the fire fails with `ExecutionPinMismatch`
    And 0 calls have replayed
    And the body has been entered 0 times since

  Scenario: run__own__body_admission__s3
    Given body `score` declares the dependencies `prompt, model, policy`
    When the process dies in row 2
    And the dependency `prompt` is unavailable
    And the job fires again
    Then the fire fails with `ExecutionPinMismatch`
    And the statement has been read 1 times

  Scenario: run__own__body_fresh__s1
    Given body `score` declares the dependencies `prompt, model, policy`
    And run `r-1` of body `score` has closed `success`
    When the dependency `prompt` changes
    And the job fires as run `r-2`
    Then runs `r-1` and `r-2` have different plan references
    And the record of run `r-1` is unchanged

  Scenario: run__own__body_public_configuration__s1
    When body `score` is registered with the endpoint `https://key:s3cret@models.example/v1`
    Then the registration is refused

  Scenario: run__own__body_public_configuration__s2
    Given body `score` declares the dependencies `prompt, model, policy`
    When its provider's credential is rotated between 2 fires
    Then both fires have the same plan reference
    And no pin or diagnostic holds the credential

  Scenario: run__own__body_parent__s1
    Given a body has prepared 3 rows for table `scores`
    When its parent attempt is stopped before the commit
    Then table `scores` has 0 rows
    And the landing ends `Canceled`

  Scenario: run__own__body_parent__s2
    Given a body has prepared 3 rows for table `scores`
    When its parent attempt is superseded before the commit
    Then table `scores` has 0 rows

  Scenario: run__own__rewind__s1
    Given job `score` has a pending owner that pins plan `plan-a`
    And a fire of job `score` with plan `plan-b` was refused
    When the operator rewinds its execution
    And job `score` fires with plan `plan-b`
    Then the fire completes
    And its execution is a fresh one under plan `plan-b`

  Scenario: run__own__rewind__s2
    Given table `orders` stands at position `p4`
    And its pending owner was asked for another plan
    When the operator rewinds its execution
    Then table `orders` stands at position `p4`
    And the scope of table `orders` has 0 owners

  Scenario: run__own__rewind_record__s1
    Given job `score` has a pending owner that pins plan `plan-a`
    And that owner opened at `2026-03-01T00:00:00Z`
    And a fire of job `score` with plan `plan-b` was refused
    When the operator rewinds its execution at `2026-03-02T00:00:00Z` with reason `new model`
    Then 1 run rows of job `score` show `canceled`
    And that row has `execution_id` of the retired owner, `plan_ref` `plan-a`, `reason` `new model` and `started_at` `2026-03-01T00:00:00Z`

  Scenario: run__own__rewind_not_pending__s1
    Given execution `exec-1` has completed
    When the operator rewinds execution `exec-1`
    Then `ExecutionRewindNotPending` is raised
    And its `execution_id` is `exec-1`

  Scenario: run__own__rewind_not_pending__s2
    Given execution `exec-2` is held by the owner of chunk `c-1`
    When the operator rewinds execution `exec-2`
    Then `ExecutionRewindNotPending` is raised

  Scenario: run__own__rewind_plan_current__s1
    Given job `score` has a pending owner that pins plan `plan-a`
    When the operator rewinds its execution
    Then `ExecutionRewindPlanCurrent` is raised
    And its `plan_ref` is `plan-a`

  Scenario: run__own__rewind_plan_current__s2
    Given job `score` has a pending owner that pins plan `plan-a`
    When the operator rewinds its execution with `--force`
    Then job `score` has 0 owners

  Scenario: run__own__rewind_unsafe__s1
    Given job `score` has a pending owner with an attempt on an unexpired lease
    When the operator rewinds its execution with `--force`
    Then `ExecutionRewindUnsafe` is raised
    And its `blocker` names that attempt

  Scenario: run__own__rewind_unsafe__s2
    Given job `score` has a pending owner with a waiting attempt
    When the operator rewinds its execution with `--force`
    Then `ExecutionRewindUnsafe` is raised
    And its `blocker` names that attempt

  Scenario: run__own__rewind_unsafe__s3
    Given job `score` has a pending owner with an awakeable 60 s short of its deadline
    When the operator rewinds its execution with `--force`
    Then `ExecutionRewindUnsafe` is raised
    And its `blocker` names that awakeable

  Scenario: run__own__apply_retires_superseded__s1
    Given build job `daily` has a pending owner that pins the plan of applied v1
    When applied v2 changes the model of job `daily`
    And job `daily` fires
    Then the fire completes
    And the owner of v1 was retired by the apply

  Scenario: run__own__apply_retires_superseded__s2
    Given build job `daily` has a pending owner that pins the plan of applied v1
    When applied v2 leaves the model of job `daily` as it is
    Then job `daily` has 1 owners

  Scenario: run__own__apply_retire_refused__s1
    Given build job `daily` has a pending owner with an attempt on an unexpired lease
    When applied v2 changes the model of job `daily`
    Then job `daily` has 1 owners
    And v2 is claimed
    And standard error names its execution and `contextful run rewind`

  Scenario: run__own__backpressure__s1
    Given a source of 3 pages
    When the fire runs
    Then part 0 is staged between pulls 1 and 2
    And part 1 is staged between pulls 2 and 3
    And part 2 is staged after pull 3
    And the fire commits 1 times
    And each commit names 3 parts

  Scenario: run__own__one_commit_per_run__s1
    Given a source of 3 pages
    When the process dies during pull 3
    Then the run's directory has 2 staged parts
    And the fire commits 0 times

  Scenario: run__own__one_commit_per_run__s2
    Given a source of 3 pages
    When the process dies during pull 3
    And the next fire runs
    Then page 3 has been pulled 2 times
    And page 2 has been pulled 1 times
    And each row lands 1 times

  Scenario: run__own__staged_bytes__s1
    Given a source of 3 pages
    And its table replaces
    And each page stages 400 MiB
    And the table stands at position `p0`
    When the fire runs
    Then the fire fails with `RunStagedBytesExceeded`
    And the failure's tag is `Permanent`
    And the fire has staged 2 parts
    And the table stands at position `p0`

  Scenario: run__own__staged_bytes__s2
    Given a source of 3 pages
    And its table replaces
    And each page stages 400 MiB
    And the table stands at position `p0`
    When the fire runs
    And the next fire runs
    Then the next fire has a fresh execution
    And page 1 has been pulled 2 times
    And page 3 has been pulled 2 times

  Scenario: run__own__checkpoint_commit__s1
    Given a source of 16 pages
    And each page stages 128 MiB
    When the fire runs
    Then the fire commits 4 times
    And each commit names 4 parts
    And the commits have the positions `p4, p8, p12, p16`

  Scenario: run__own__checkpoint_frontier__s1
    Given a source of 5 pages
    And its pages have the clocks `1 1`, `1`, `2`, `2` and `3`
    And each page stages 512 MiB
    When the fire runs
    Then the commits have the positions `1, 2, 3`
    And no instant has rows in two commits

  Scenario: run__own__checkpoint_resume__s1
    Given a source of 16 pages
    And each page stages 128 MiB
    When the process dies during pull 9
    Then the table stands at position `p8`
    And the owner is pending
    And the journal holds 0 recorded entries

  Scenario: run__own__checkpoint_resume__s2
    Given a source of 16 pages
    And each page stages 128 MiB
    When the process dies during pull 9
    And the next fire runs
    Then the next fire pulled from `p8`
    And each row lands 1 times

  Scenario: run__own__checkpoint_run_id__s1
    Given a source of 16 pages
    And each page stages 128 MiB
    When the fire runs as run `r-1`
    Then the commits have the run ids `r-1, r-1.000001, r-1.000002, r-1.000003`

  Scenario: run__own__checkpoint_id_length__s1
    Given a source of 16 pages
    And each page stages 128 MiB
    When the fire runs under a run id of 122 chars
    Then the fire fails with `RunCheckpointIdTooLong`
    And the fire commits 0 times
    And its owner is released

  Scenario: run__own__checkpoint_id_length__s2
    Given a source of 16 pages
    And each page stages 128 MiB
    When the fire runs under a run id of 121 chars
    Then the fire commits 4 times

  Scenario: run__own__checkpoint_landed__s1
    Given a source of 16 pages of 1 rows
    And each page stages 128 MiB
    When pull 10 fails `Permanent`
    Then the run shows `failed`
    And the run counts 8 rows

  Scenario: run__own__checkpoint_landed__s2
    Given a source of 16 pages of 1 rows
    And each page stages 128 MiB
    When the cursor update of the checkpoint at `p8` fails
    Then the run shows `failed`
    And the run counts 8 rows

  Scenario: run__own__checkpoint_scope__s1
    Given a next-URL walk of 4 pages into an appending table
    And each page stages 256 MiB
    When the process dies during pull 3
    And the listing gains a first row
    And the next fire runs
    Then each row of the first listing lands 1 times

  Scenario: run__own__checkpoint_scope__s2
    Given a source of 3 pages
    And its table replaces
    And each page stages 300 MiB
    When the fire runs
    Then the fire commits 1 times

  Scenario: run__own__stage_schema__s1
    Given run `run-s` staged column `ts` as `utf8`
    When run `run-s` fails
    And run `run-t` lands column `ts` as `timestamp`
    Then run `run-t` shows `success`

  Scenario: run__own__stage_schema__s2
    Given run `run-s` staged column `ts` as `utf8`
    When run `run-t` lands column `ts` as `timestamp`
    And run `run-s` commits
    Then `StoreSchemaIncompatible` is raised

  Scenario: run__own__source_stage_schema__s1
    Given table `orders` holds column `ts` as `timestamp`
    And a source of 3 pages
    And page 2 has column `ts` as `utf8`
    And the table stands at position `p0`
    When the fire runs
    Then the run fails `SchemaIncompatible`
    And its owner is released
    And the table stands at position `p0`

  Scenario: run__own__source_stage_schema__s2
    Given table `orders` holds column `ts` as `timestamp`
    And a source of 3 pages
    And page 2 has column `ts` as `utf8`
    When the fire runs
    And the source is repaired
    And the next fire runs
    Then page 1 has been pulled 2 times
    And each row lands 1 times

  Scenario: run__own__source_stage_schema__s3
    Given table `scores` holds column `ts` as `timestamp`
    And a body has prepared rows for table `scores` with column `ts` as `utf8`
    When they are staged
    Then the run fails `SchemaIncompatible`
    And its owner is held

  Scenario: run__own__stage_commit_seq__s1
    Given run `run-s` staged a part
    When run `run-c` commits
    And run `run-s` commits
    Then every row of run `run-c` has `_commit_seq` as `1`
    And every row of run `run-s` has `_commit_seq` as `2`

  Scenario: run__own__stage_instant__s1
    Given run `run-a` staged key `k` at 00:01
    When run `run-b` commits key `k` at 00:03
    And run `run-a` commits at 00:05
    Then the keyed read returns for key `k` the row of run `run-a`
    And its `_ingested_at` is 00:05

  Scenario: run__own__stage_discard__s1
    Given a source of 3 pages
    When pull 2 fails `Permanent`
    Then the run's directory has 0 staged parts

  Scenario: run__own__stage_discard__s2
    Given a run that staged 2 batches
    When its commit fails before the manifest exists
    Then the run's directory has 0 staged parts
    And the commit's directory has 0 parts
