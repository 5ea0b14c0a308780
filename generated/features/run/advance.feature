# Written by `python -m codegen` from spec/run/advance.md: change the page.
Feature: run.advance

  Scenario: run__advance__cursor_kind__s1
    When a cursor is declared with kind `monotonic`
    Then its `kind` is `monotonic`

  Scenario: run__advance__cursor_kind__s2
    When a cursor is declared with kind `none`
    Then its `kind` is `opaque-token`

  Scenario: run__advance__cursor_kind__s3
    When a cursor is declared with kind `sequence`
    Then it is refused

  Scenario: run__advance__concurrency_by_kind__s1
    Given a table of kind `monotonic` at position `4`
    When writer `a` commits position `9`
    And writer `b` commits position `7`
    Then the table stands at position `9`

  Scenario: run__advance__concurrency_by_kind__s2
    Given a table of kind `opaque-token` at position `t4`
    When writer `b` commits position `t7`
    Then it is refused
    And the table stands at position `t4`

  Scenario: run__advance__commit_with_rows__s1
    Given a source of 3 pages
    And the table stands at position `p0`
    When the process dies before the commit
    Then the table reads 0 rows
    And the table stands at position `p0`

  Scenario: run__advance__commit_with_rows__s2
    Given a source of 3 pages
    And the table stands at position `p0`
    When the fire runs
    Then the run manifest has the position `p3`
    And the catalog cursor has the position `p3`

  Scenario: run__advance__cursor_bytes__s1
    Given a source of 3 pages
    And its positions are `"eyJwYWdlIjo0N30="`
    When the fire runs
    Then the run manifest has the position `"eyJwYWdlIjo0N30="`

  Scenario: run__advance__cursor_bytes__s2
    Given a source of 3 pages
    When the process dies after the commit marker of `p3` and before the retirement
    And the next fire runs
    Then the commit of `p3` has been made 1 times
    And the next fire pulled from `p3`

  Scenario: run__advance__inclusive_boundary__s1
    Given a `monotonic` source with a row at each of the clocks `1, 2, 3`
    And the table stands at position `2`
    When the fire runs
    Then rows with the clocks `2, 3` are admitted

  Scenario: run__advance__inclusive_boundary__s2
    Given a `monotonic` source with a row at each of the clocks `1, 2, 3`
    And a keyed table
    When the fire runs
    And the next fire runs
    Then the table reads 3 rows

  Scenario: run__advance__inclusive_boundary__s3
    Given a `monotonic` source with a row at each of the clocks `1, 2, 3`
    And a keyless table
    When the fire runs
    And the next fire runs
    Then the table reads 4 rows

  Scenario: run__advance__watermark_shape__s1
    Given a `monotonic` source over the field `updated_at`
    When it commits the clock `2026-03-01T00:00:00Z`
    Then the run manifest has the position `{"field": "updated_at", "at": "2026-03-01T00:00:00Z"}`

  Scenario: run__advance__field_rename__s1
    Given a `monotonic` source over the field `updated_at`
    And the table stands at position `{"field": "created_at", "at": 4}`
    When the fire runs
    Then `CursorFieldMismatch` is raised
    And its `stored` is `created_at`
    And its `declared` is `updated_at`
    And 0 requests have left

  Scenario: run__advance__frontier__s1
    Given a `monotonic` source with a row at each of the clocks `1, 2, 3`
    And the transform drops the row of clock `3`
    When the fire runs
    Then the table stands at position `3`
    And the table reads 2 rows

  Scenario: run__advance__frontier__s2
    Given a `monotonic` source with a row at each of the clocks `1, 2, 3`
    And the table stands at position `8`
    When the fire runs
    Then the table stands at position `8`

  Scenario: run__advance__frontier__s3
    Given a `monotonic` source with a row at each of the clocks `none`
    And the table stands at position `8`
    When the fire runs
    Then the table stands at position `8`

  Scenario: run__advance__walk_position__s1
    Given a `monotonic` walk from floor `5`
    And its pull 1 returns the clocks `7, 9`, position `9` and more
    And its pull 2 returns the clocks `6, 8`, position `9` and no more
    When the fire runs
    Then pull 2 asked for position `9`
    And rows with the clocks `7, 9, 6, 8` are admitted
    And the table stands at position `9`

  Scenario: run__advance__walk_position__s2
    Given a `monotonic` walk from floor `5`
    And its pull 1 returns the clocks `7, 9`, position `9` and more
    And its pull 2 returns the clocks `none`, position `9` and more
    When the fire runs
    Then 2 pages have been pulled
    And the table stands at position `9`

  Scenario: run__advance__unorderable_position__s1
    Given a `monotonic` source with a row at each of the clocks `1, null, 3`
    When the fire runs
    Then `CursorPositionUnorderable` is raised

  Scenario: run__advance__unorderable_position__s2
    Given a `monotonic` source with a row at each of the clocks `1, "b"`
    When the fire runs
    Then `CursorPositionUnorderable` is raised
    And its `value` is `"b"`

  Scenario: run__advance__allowed_lateness__s1
    Given a `monotonic` source with a row at each of the clocks `2026-03-01T00:00:00Z, 2026-03-01T00:50:00Z`
    And the table stands at position `2026-03-01T01:00:00Z`
    And it declares `allowed_lateness` as `600 s`
    When the fire runs
    Then rows with the clocks `2026-03-01T00:50:00Z` are admitted

  Scenario: run__advance__allowed_lateness__s2
    Given a `monotonic` source with a row at each of the clocks `2026-03-01T00:00:00Z, 2026-03-01T00:50:00Z`
    And the table stands at position `2026-03-01T01:00:00Z`
    When the fire runs
    Then rows with the clocks `none` are admitted

  Scenario: run__advance__turning_incremental_on__s1
    Given a source of 3 pages
    And the table stands at position `p4`
    When `incremental` is turned on
    And the fire runs
    Then pull 1 asked for position `none`
    And each listed row lands 1 times

  Scenario: run__advance__skip_unchanged__s1
    Given a snapshot source whose input is unchanged since position `d1`
    And it declares `skip_unchanged` as `true`
    When the fire runs
    Then 0 batches are returned
    And the table stands at position `d1`
    And the run shows `success`
    And the run counts 0 rows

  Scenario: run__advance__skip_unchanged__s2
    Given a snapshot source whose input is unchanged since position `d1`
    When the fire runs
    Then 1 batches are returned

  Scenario: run__advance__snapshot_completion__s1
    Given a replacing table
    And run `r-1` landed 3 rows at `2026-03-01T00:00:00Z`
    And its snapshot source reports 1 rows and `incomplete`
    When the fire runs
    Then the table reads 3 rows

  Scenario: run__advance__snapshot_completion__s2
    Given a replacing table
    And run `r-1` landed 3 rows at `2026-03-01T00:00:00Z`
    And its snapshot source reports 1 rows and `complete`
    When the fire runs
    Then the table reads 1 rows

  Scenario: run__advance__zero_row_commit__s1
    Given a replacing table
    And run `r-1` landed 3 rows at `2026-03-01T00:00:00Z`
    And its snapshot source reports 0 rows and `complete`
    When the fire runs at `2026-03-02T00:00:00Z`
    Then the table reads 0 rows
    And the table reads 3 rows as of `2026-03-01T12:00:00Z`

  Scenario: run__advance__zero_row_commit__s2
    Given a replacing table
    And run `r-1` landed 3 rows at `2026-03-01T00:00:00Z`
    And its snapshot source reports 0 rows and `unchanged`
    When the fire runs
    Then the table reads 3 rows

  Scenario: run__advance__zero_row_commit__s3
    Given a replacing table
    And run `r-1` landed 3 rows at `2026-03-01T00:00:00Z`
    And the table stands at position `d1`
    When pull 1 fails `Permanent`
    Then the table reads 3 rows
    And the table stands at position `d1`
