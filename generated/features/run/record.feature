# Written by `python -m codegen` from spec/run/record.md: change the page.
Feature: run.record

  Scenario: run__record__reserved_table__s1
    When run `r-1` opens and closes `success`
    Then `_runs` holds 2 rows of run `r-1`
    And they are of the phases `plan, commit`

  Scenario: run__record__reserved_table__s2
    Given `_runs` holds for run `r-1` in phase `commit` a row of 3 rows and after it a row of 5 rows
    When run `r-1` is shown
    Then its `rows` is `5`

  Scenario: run__record__columns__s1
    When run `r-1` lands 3 rows
    And run `r-1` is shown
    Then it decodes as a `RunRow`
    And its `status` is `success`
    And its `rows` is `3`

  Scenario: run__record__trace_context__s1
    Given the environment has `TRACEPARENT` as `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`
    When run `r-1` opens and closes `success`
    Then every row of the record has `trace_id` as `0af7651916cd43dd8448eb211c80319c`

  Scenario: run__record__trace_context__s2
    Given the environment has no `TRACEPARENT`
    When run `r-1` opens and closes `success`
    And run `r-2` opens and closes `success`
    Then the runs have 2 distinct `traces`

  Scenario: run__record__run_span__s1
    Given an exporter
    And the environment has `TRACEPARENT` as `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`
    When run `r-1` fails `Permanent`
    Then 1 spans named `contextful.run` are exported
    And its `span` has `parent` as `b7ad6b7169203331`
    And its `span` has `status` as `failed`
    And its `span` has `tag` as `Permanent`

  Scenario: run__record__job_trace__s1
    Given an exporter
    And the environment has `TRACEPARENT` as `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`
    When job `score` fires into tables `scores, notes`
    Then 3 spans named `contextful.run` are exported
    And the spans have 1 distinct `traces`
    And the spans of tables `scores, notes` have the execution's span as parent

  Scenario: run__record__status_set__s1
    When the statuses are listed
    Then they are `pending, running, waiting, success, partial_failure, failed, canceled`
    And the record and the wire snapshot spell each of them alike

  Scenario: run__record__row_at_open__s1
    Given a source of 1 pages
    When the process of run `r-1` dies during pull 1
    And run `r-1` is shown
    Then its `status` is `running`
    And its `phase` is `plan`

  Scenario: run__record__row_at_open__s2
    Given a source of 0 pages
    When run `r-1` opens and closes `success`
    And run `r-1` is shown
    Then its `status` is `success`
    And its `rows` is `0`

  Scenario: run__record__row_at_open__s3
    When run `r-1` fails `Permanent`
    And run `r-1` is shown
    Then its `status` is `failed`
    And its `error_kind` is `Permanent`

  Scenario: run__record__row_at_open__s4
    When run `r-9` is shown
    Then no run row is found

  Scenario: run__record__record_folds__s1
    Given `_runs` is 1 appends short of a fold
    When 1 rows are appended to `_runs`
    Then `_runs` has been folded 1 times

  Scenario: run__record__record_folds__s2
    Given `_runs` is 1 appends short of a fold
    And the next fold of `_runs` fails
    When 1 rows are appended to `_runs`
    Then the appends have succeeded
    And `_runs` has been folded 0 times

  Scenario: run__record__record_folds__s3
    Given `_runs` is 1 appends short of a fold
    And the next fold of `_runs` fails
    When 2 rows are appended to `_runs`
    Then the appends have succeeded
    And `_runs` has been folded 1 times

  Scenario: run__record__rebuild_restores_history__s1
    Given pipeline `shop` has a run each day from `2026-03-01` to `2026-03-07`
    When the catalog is rebuilt
    And history is asked for with a ceiling of 10 rows
    Then it lists the days `07, 06, 05, 04, 03, 02, 01`

  Scenario: run__record__time_travel__s1
    Given pipeline `shop` has a run each day from `2026-03-01` to `2026-03-07`
    When history is asked for as of `2026-03-03T12:00:00Z`
    Then it lists the days `03, 02, 01`

  Scenario: run__record__owner_lease__s1
    Given run `r-1` opened at `2026-03-01T00:00:00Z`
    When run `r-1` is shown
    Then its `owner` has `lease_expires_at` as `2026-03-01T00:00:30Z`

  Scenario: run__record__owner_lease__s2
    Given run `r-1` opened at `2026-03-01T00:00:00Z`
    When 10 s pass
    And run `r-1` is shown
    Then its `owner` has `lease_expires_at` as `2026-03-01T00:00:40Z`

  Scenario: run__record__orphan_reap__s1
    Given run `r-1` is `running` with a lease that expired 1 s ago
    When the engine starts
    Then run `r-1` shows `partial_failure`

  Scenario: run__record__orphan_reap__s2
    Given run `r-1` is `waiting` with a lease that expired 1 s ago
    When the engine starts
    Then run `r-1` shows `partial_failure`

  Scenario: run__record__orphan_reap__s3
    Given run `r-1` is `running` with a lease that expires in 1 s
    When the engine starts
    Then run `r-1` shows `running`

  Scenario: run__record__orphan_reap__s4
    Given run `r-1` is `failed` with a lease that expired 1 s ago
    When the engine starts
    Then run `r-1` shows `failed`

  Scenario: run__record__taken_over__s1
    When attempt `job-a` opens scope `index-42` under plan `plan-a`
    And the lease lapses
    And attempt `job-b` opens scope `index-42` under plan `plan-a`
    Then run `job-a` shows `partial_failure`
    And run `job-b` shows `running`

  Scenario: run__record__taken_over__s2
    Given a step `fetch` with the default schedule
    And its effect fails `RateLimited` with `Retry-After: 900`, then returns `ok`
    When the step runs
    And the run resumes after 900 s
    Then run `run-1` shows `waiting`
    And run `run-1` names `run-2` as the run that goes on

  Scenario: run__record__writing_site__s1
    Given the manifest has `site_id = "tokyo-1"`
    When run `r-1` lands 3 rows
    Then every row of run `r-1` has `_site_id` as `tokyo-1`

  Scenario: run__record__site_id_length__s1
    When the site id `tokyo-1` is declared
    Then it is accepted

  Scenario: run__record__site_id_length__s2
    When the site id `tokyo/1` is declared
    Then it is refused

  Scenario: run__record__site_id_length__s3
    When a site id of 64 chars is declared
    Then it is accepted

  Scenario: run__record__site_id_length__s4
    When a site id of 65 chars is declared
    Then it is refused

  Scenario: run__record__site_id_length__s5
    When a site id of 0 chars is declared
    Then it is refused

  Scenario: run__record__site_id_unresolved__s1
    Given the manifest has no site id
    When the engine starts
    Then `SiteIdUnresolved` is raised

  Scenario: run__record__site_id_unresolved__s2
    Given the manifest has `site_id = "tokyo-1"`
    And the manifest has `site_id_env = "SITE"`
    When the engine starts
    Then `SiteIdUnresolved` is raised

  Scenario: run__record__site_id_unresolved__s3
    Given the manifest has `site_id_env = "SITE"`
    And the environment has no `SITE`
    When the engine starts
    Then `SiteIdUnresolved` is raised

  Scenario: run__record__site_id_unresolved__s4
    Given the manifest has `site_id = "tokyo-1"`
    When run `r-1` starts with `--site-id osaka-2`
    Then its `site_id` is `osaka-2`

  Scenario: run__record__history_window__s1
    Given pipeline `shop` has a run each day from `2026-03-01` to `2026-03-07`
    When history is asked for since `2026-03-05` with a ceiling of 10 rows
    Then it lists the days `07, 06, 05`

  Scenario: run__record__history_window__s2
    Given pipeline `shop` has a run each day from `2026-03-01` to `2026-03-07`
    And its catalog is SQL
    When history is asked for since `2026-03-05` with a ceiling of 2 rows
    Then the catalog has read no more than 3 rows
    And it lists the days `07, 06`

  Scenario: run__record__describe_window__s1
    Given pipeline `shop` has 600 runs
    When pipeline `shop` is described
    Then it lists 5 runs

  Scenario: run__record__describe_window__s2
    Given pipeline `shop` has 600 runs
    When pipeline `shop` is described with a ceiling of 600 rows
    Then it lists 500 runs

  Scenario: run__record__bound_spelling__s1
    Given pipeline `shop` has a run each day from `2026-03-01` to `2026-03-07`
    When history is asked for since `2026-03-06T00:00:00Z` with a ceiling of 10 rows
    Then it lists the days `07, 06`

  Scenario: run__record__bound_spelling__s2
    Given pipeline `shop` has a run each day from `2026-03-01` to `2026-03-07`
    When history is asked for since `2026-03-06T08:00:00+08:00` with a ceiling of 10 rows
    Then `HistoryBoundSpelling` is raised
    And its `bound` is `2026-03-06T08:00:00+08:00`

  Scenario: run__record__truncation_flag__s1
    Given pipeline `shop` has a run each day from `2026-03-01` to `2026-03-07`
    When history is asked for since `2026-03-05` with a ceiling of 2 rows
    Then it lists the days `07, 06`
    And its `truncated` is `true`
    And its `window` has `since` as `2026-03-05T00:00:00Z`
    And its `window` has `ceiling` as `2`

  Scenario: run__record__truncation_flag__s2
    Given pipeline `shop` has a run each day from `2026-03-01` to `2026-03-07`
    When history is asked for since `2026-03-05` with a ceiling of 3 rows
    Then it lists the days `07, 06, 05`
    And its `truncated` is `false`

  Scenario: run__record__truncation_flag__s3
    Given pipeline `shop` has a run each day from `2026-03-01` to `2026-03-07`
    When history is asked for since `2026-04-01` with a ceiling of 3 rows
    Then its `runs` is `[]`
    And its `truncated` is `false`

  Scenario: run__record__history_export__s1
    Given pipeline `shop` has a run each day from `2026-03-01` to `2026-03-07`
    And its bucket cannot be resolved
    When history is exported with a ceiling of 5 rows
    Then it has 6 lines
    And its `first line` has `count` as `5`
    And its `first line` has `truncated` as `true`
    And its other lines equal the runs of the listing

  Scenario: run__record__export_ceiling__s1
    Given pipeline `shop` has 600 runs
    When history is exported
    Then it lists 500 runs

  Scenario: run__record__export_ceiling__s2
    Given pipeline `shop` has 6000 runs
    When history is exported with a ceiling of 9000 rows
    Then it lists 5000 runs

  Scenario: run__record__export_ceiling__s3
    Given pipeline `shop` has 600 runs
    And pipeline `books` has 600 later runs
    When history is exported
    Then it lists 500 runs
    And all of them are of pipeline `books`

  Scenario: run__record__error_cap__s1
    Given run `r-1` failed with the message `401 for key sk_live_4242`
    When run `r-1` is shown
    Then its `error_message` does not contain `sk_live_4242`

  Scenario: run__record__error_cap__s2
    Given run `r-1` failed with a message of 3000 bytes
    When run `r-1` is shown
    Then its `error_message` has at most 2048 bytes
    And its `error_message` ends in `…`

  Scenario: run__record__failure_publishes__s1
    Given a project that pushes after each run
    When run `r-1` fails `Permanent`
    Then the bucket holds the record of run `r-1`

  Scenario: run__record__skipped_count__s1
    Given a source of 3 pages
    And page 2 reports `skipped` 4
    When the fire runs
    Then the run counts 4 skipped

  Scenario: run__record__skipped_count__s2
    Given a source of 3 pages
    And page 2 reports `skipped` 4
    When the process dies during pull 3
    And the next fire runs
    Then the run counts 4 skipped

  Scenario: run__record__sweep_bounds__s1
    Given a store-driven job over table `tickets` of 3 rows at snapshot `snapshot-7`
    And the job declares `as_of` as `2026-03-01T00:00:00Z`
    When the job fires
    Then its `input` is `{"as_of": "2026-03-01T00:00:00Z", "snapshots": {"tickets": "snapshot-7"}, "rows": 3}`

  Scenario: run__record__sweep_bounds__s2
    Given a sweep `sweep-1` over table `tickets` with `as_of` `2026-03-01T00:00:00Z`
    When its origin `2014-03-05T00:00:00Z` runs
    Then its `input` has `available_as_of` as `2014-03-05T00:00:00Z`
    And its `input` has `sweep_id` as `sweep-1`
    And its `input` has `origin` as `2014-03-05T00:00:00Z`

  Scenario: run__record__plan_identity__s1
    Given run `r-1` was admitted with plan `plan-a`
    When the owner of run `r-1` retires
    And run `r-1` is shown
    Then its `plan_ref` is `plan-a`

  Scenario: run__record__plan_identity__s2
    Given the record of run `r-1` has no `plan_ref`
    When run `r-1` is shown
    Then its `plan_ref` is `none`

  Scenario: run__record__schema_diff_home__s1
    Given the nested column `payload.items` of table `orders` arrives as a map and lands as text
    When run `r-1` commits
    Then its history has 1 downgrade events
    And its manifest has the same downgrade events

  Scenario: run__record__schema_diff_home__s2
    Given the nested column `payload.items` of table `orders` arrives as a map and lands as text
    When run `r-1` fails after its stage
    Then its history has 0 downgrade events

  Scenario: run__record__schema_diff_shape__s1
    Given the nested column `payload.items` of table `orders` arrives as a map and lands as text
    When run `r-1` commits
    Then its `downgrade event` has `table` as `orders`
    And its `downgrade event` has `path` as `payload.items`
    And its `downgrade event` has `source_type` as `map of utf8`
    And its `downgrade event` has `landed_type` as `utf8`
