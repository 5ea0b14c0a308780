# Written by `python -m codegen` from spec/run/own.md: change the page.
Feature: run.own

  Scenario: run__own__execution_owner__s1
    Given table `orders` of pipeline `shop` under connector `ads` of version `1.4.0`
    When the process dies during pull 2
    Then scope `orders` has 1 owners
    And its owner pins `connector.id` as `ads`
    And its owner pins `connector.version` as `1.4.0`
    And its owner pins `connector.world` as `native`
    And its owner pins each of `connector.hash, content_hash, input_hash`

  Scenario: run__own__host_scope__s1
    Given the host supplies identity `model` as `m-1`
    When attempt `job-a` opens scope `index-42` under plan `plan-a`
    Then scope `index-42` has 1 owners
    And its owner pins `plan_ref` as `plan-a`
    And its owner pins `model` as `m-1`

  Scenario: run__own__host_scope__s2
    Given the catalog has stored a table owner under the key `table/shop/orders`
    When the engine starts
    Then the catalog has a table owner under the key `table/shop/orders`

  Scenario: run__own__execution_id_keys_the_journal__s1
    Given scope `index-42` has a pending owner under plan `plan-a`
    And that owner has `recorded steps one, two`
    When the lease lapses
    And attempt `job-b` opens scope `index-42` under plan `plan-a`
    Then 2 steps have replayed
    And the attempts have 1 distinct `execution ids`

  Scenario: run__own__retirement__s1
    Given table `orders` stands at position `p4`
    When the fire runs
    And the next fire runs
    Then the fires have 2 distinct `execution ids`
    And table `orders` stands at position `p4`

  Scenario: run__own__retirement__s2
    Given table `orders` stands at position `p0`
    When the process dies after the commit marker of `p4` and before the retirement
    Then the catalog cursor has the position `p0`
    And scope `orders` has 1 owners

  Scenario: run__own__retirement__s3
    Given a backfill of table `orders` in chunks `c-1, c-2`
    When chunk `c-1` completes
    Then scope `orders/c-1` has 0 owners

  Scenario: run__own__marker_reconciles__s1
    Given table `orders` stands at position `p0`
    When the process dies after the commit marker of `p4` and before the retirement
    And the next fire runs
    Then 0 pulls have replayed
    And each row lands 1 times
    And the next fire pulled from `p4`

  Scenario: run__own__pinned_plan_changed__s1
    Given scope `index-42` has a pending owner under plan `plan-a`
    When the lease lapses
    And attempt `job-b` opens scope `index-42` under plan `plan-b`
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
    And 0 pulls have replayed

  Scenario: run__own__pin_mismatch_recovery__s1
    Given scope `index-42` has a pending owner under plan `plan-a`
    When the lease lapses
    And attempt `job-b` opens scope `index-42` under plan `plan-b`
    And attempt `job-c` opens scope `index-42` under plan `plan-a`
    And attempt `job-c` closes `success`
    Then scope `index-42` has 0 owners

  Scenario: run__own__pin_mismatch_recovery__s2
    Given scope `index-42` has a pending owner under plan `plan-a`
    When the lease lapses
    And attempt `job-b` opens scope `index-42` under plan `plan-b`
    Then its sentence names the pending execution
    And its sentence names `restore the recorded build`
    And its sentence names `contextful run rewind`
    And its sentence names `rewind of the window`

  Scenario: run__own__scope_independence__s1
    Given scope `orders` has a pending owner under plan `plan-a`
    And scope `items` has a pending owner under plan `plan-a`
    When the run of table `orders` closes `success`
    Then scope `orders` has 0 owners
    And scope `items` has 1 owners

  Scenario: run__own__scope_independence__s2
    Given table `orders` seeds from source `dump` while its live source is `api`
    When both scopes open
    Then the owner of scope `orders#seed` pins source `dump`
    And the owner of scope `orders` pins source `api`

  Scenario: run__own__unclosed_execution__s1
    Given scope `index-42` has a pending owner under plan `plan-a`
    And that owner has `recorded steps one, two`
    When the process dies during step `three`
    And the lease lapses
    And attempt `job-b` opens scope `index-42` under plan `plan-a`
    Then 2 steps have replayed
    And the effect of step `one` has run 1 times
    And the effect of step `two` has run 1 times

  Scenario: run__own__unclosed_execution__s2
    When attempt `job-a` opens scope `index-42` under plan `plan-a`
    And its handle is dropped without a close
    Then run `job-a` shows `running`
    And scope `index-42` has 1 owners

  Scenario: run__own__live_owner__s1
    When attempt `job-a` opens scope `index-42` under plan `plan-a`
    And attempt `job-b` opens scope `index-42` under plan `plan-a`
    Then the attempt fails `Transient`
    And the failure names `job-a`
    And run `job-b` shows `failed`
    And the owner of scope `index-42` has the attempts `job-a`

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
    Then the pulls have 1 distinct `artifacts`

  Scenario: run__own__body_implementation__s1
    Given body `score` is registered by a binary of digest `d1`
    When the job fires
    Then its owner pins `implementation` as `d1`

  Scenario: run__own__body_implementation__s2
    Given body `score` is registered by a binary of digest `d1`
    And configuration names the implementation `d9` for body `score`
    When the job fires
    Then its owner pins `implementation` as `d1`

  Scenario: run__own__body_dependencies__s1
    Given body `score` declares the dependencies `prompt, model, policy`
    When the job fires
    Then its owner pins each of `implementation, prompt, model, policy`

  Scenario: run__own__body_admission__s1
    Given body `score` declares the dependencies `none`
    When the job fires
    Then its owner pins each of `implementation`
    And its owner pins 1 identities

  Scenario: run__own__body_admission__s2
    Given body `score` declares the dependencies `prompt, model, policy`
    When the process dies in row 2
    And the dependency `prompt` changes
    And the job fires again
    Then the fire fails with `ExecutionPinMismatch`
    And 0 steps have replayed
    And the body has been entered 2 times

  Scenario: run__own__body_admission__s3
    Given body `score` declares the dependencies `prompt, model, policy`
    When the process dies in row 2
    And the dependency `prompt` becomes unavailable
    And the job fires again
    Then the fire fails with `ExecutionPinMismatch`
    And the statement has been read 1 times

  Scenario: run__own__body_fresh__s1
    Given body `score` declares the dependencies `prompt, model, policy`
    When the job fires
    And the dependency `prompt` changes
    And the job fires again
    Then the fires have 2 distinct `plan references`
    And the record of the first fire is unchanged

  Scenario: run__own__body_public_configuration__s1
    When body `score` is registered with the endpoint `https://key:s3cret@models.example/v1`
    Then it is refused

  Scenario: run__own__body_public_configuration__s2
    Given body `score` declares the dependencies `prompt, model, policy`
    When the job fires
    And its provider's credential is rotated
    And the job fires again
    Then the fires have 1 distinct `plan references`
    And no pin or diagnostic holds the credential

  Scenario: run__own__body_parent__s1
    Given a body has prepared 3 rows for table `scores`
    When its parent attempt is stopped before the commit
    Then table `scores` reads 0 rows
    And the landing ends `Canceled`

  Scenario: run__own__body_parent__s2
    Given a body has prepared 3 rows for table `scores`
    When its parent attempt is superseded before the commit
    Then table `scores` reads 0 rows

  Scenario: run__own__rewind__s1
    Given scope `job:score` has a pending owner under plan `plan-a`
    And a fire under plan `plan-b` was refused
    When the operator rewinds its execution
    And the job fires under plan `plan-b`
    Then the fire completes
    And the fires have 2 distinct `execution ids`

  Scenario: run__own__rewind__s2
    Given table `orders` stands at position `p4`
    And scope `orders` has a pending owner under plan `plan-a`
    And a fire under plan `plan-b` was refused
    When the operator rewinds its execution
    Then table `orders` stands at position `p4`
    And scope `orders` has 0 owners

  Scenario: run__own__rewind_record__s1
    Given scope `job:score` has a pending owner under plan `plan-a`
    And that owner has `opened at 2026-03-01T00:00:00Z`
    And a fire under plan `plan-b` was refused
    When the operator rewinds its execution with reason `new model`
    Then scope `job:score` has 1 rows of status `canceled`
    And its `execution_id` is `the retired one`
    And its `plan_ref` is `plan-a`
    And its `reason` is `new model`
    And its `started_at` is `2026-03-01T00:00:00Z`

  Scenario: run__own__rewind_not_pending__s1
    When the fire runs
    And the operator rewinds its execution
    Then `ExecutionRewindNotPending` is raised

  Scenario: run__own__rewind_not_pending__s2
    Given scope `orders/c-1` has a pending owner under plan `plan-a`
    When the operator rewinds its execution
    Then `ExecutionRewindNotPending` is raised

  Scenario: run__own__rewind_plan_current__s1
    Given scope `job:score` has a pending owner under plan `plan-a`
    When the operator rewinds its execution
    Then `ExecutionRewindPlanCurrent` is raised
    And its `plan_ref` is `plan-a`

  Scenario: run__own__rewind_plan_current__s2
    Given scope `job:score` has a pending owner under plan `plan-a`
    When the operator rewinds its execution with `--force`
    Then scope `job:score` has 0 owners

  Scenario: run__own__rewind_unsafe__s1
    Given scope `job:score` has a pending owner under plan `plan-a`
    And that owner has `a live attempt`
    When the operator rewinds its execution with `--force`
    Then `ExecutionRewindUnsafe` is raised
    And its `blocker` names it

  Scenario: run__own__rewind_unsafe__s2
    Given scope `job:score` has a pending owner under plan `plan-a`
    And that owner has `a waiting attempt`
    When the operator rewinds its execution with `--force`
    Then `ExecutionRewindUnsafe` is raised
    And its `blocker` names it

  Scenario: run__own__rewind_unsafe__s3
    Given scope `job:score` has a pending owner under plan `plan-a`
    And that owner has `an awakeable before its deadline`
    When the operator rewinds its execution with `--force`
    Then `ExecutionRewindUnsafe` is raised
    And its `blocker` names it

  Scenario: run__own__apply_retires_superseded__s1
    Given scope `job:daily` has a pending owner under plan `plan-v1`
    When an apply gives job `daily` plan `plan-v2`
    And the job fires under plan `plan-v2`
    Then the fire completes
    And scope `job:daily` has 1 rows of status `canceled`

  Scenario: run__own__apply_retires_superseded__s2
    Given scope `job:daily` has a pending owner under plan `plan-v1`
    When an apply gives job `daily` plan `plan-v1`
    Then scope `job:daily` has 1 owners

  Scenario: run__own__apply_retire_refused__s1
    Given scope `job:daily` has a pending owner under plan `plan-v1`
    And that owner has `a live attempt`
    When an apply gives job `daily` plan `plan-v2`
    Then scope `job:daily` has 1 owners
    And the snapshot is claimed
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
    And its pages have no stable positions
    And each page stages 400 MiB
    And the table stands at position `p0`
    When the fire runs
    Then the fire fails with `RunStagedBytesExceeded`
    And the run fails `Permanent`
    And the fire has staged 2 parts
    And the table stands at position `p0`

  Scenario: run__own__staged_bytes__s2
    Given a source of 3 pages
    And its pages have no stable positions
    And each page stages 400 MiB
    And the table stands at position `p0`
    When the fire runs
    And the next fire runs
    Then the fires have 2 distinct `execution ids`
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
    And its pages have the clocks `1 1, 1, 2, 2, 3`
    And each page stages 512 MiB
    When the fire runs
    Then the commits have the positions `1, 2, 3`
    And no instant has rows in two commits

  Scenario: run__own__checkpoint_resume__s1
    Given a source of 16 pages
    And each page stages 128 MiB
    When the process dies during pull 9
    Then the table stands at position `p8`
    And its owner is held
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
    Given a next-URL walk of 3 pages into an appending table
    And each page stages 256 MiB
    When the process dies during pull 3
    And the listing gains a first row
    And the next fire runs
    Then each listed row lands 1 times

  Scenario: run__own__checkpoint_scope__s2
    Given a replacing table
    And a source of 3 pages
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
    Given a keyed table
    And run `run-a` staged key `k` at `2026-03-01T00:01:00Z`
    When run `run-b` lands key `k` at `2026-03-01T00:03:00Z`
    And run `run-a` commits at `2026-03-01T00:05:00Z`
    Then the keyed read returns for key `k` the row of run `run-a`
    And its `_ingested_at` is `2026-03-01T00:05:00Z`

  Scenario: run__own__stage_discard__s1
    Given a source of 3 pages
    When pull 2 fails `Permanent`
    Then the run's directory has 0 staged parts

  Scenario: run__own__stage_discard__s2
    Given a run that staged 2 batches
    When its commit fails before the manifest exists
    Then the run's directory has 0 staged parts
    And the commit's directory has 0 parts
