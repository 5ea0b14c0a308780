# Written by `python -m codegen` from spec/store/lay-out.md: change the page.
Feature: store.lay-out

  Scenario: store__lay_out__run_manifest__s1
    When run `r-1` lands 3 rows
    Then the directory of run `r-1` has a `_manifest.json`
    And it decodes as a `RunManifest`

  Scenario: store__lay_out__run_manifest__s2
    When 2 writers commit run `r-1` at once
    Then 1 of them creates the manifest

  Scenario: store__lay_out__uncommitted_run__s1
    Given a run that staged 2 batches
    When the table is read
    Then the table reads 0 rows

  Scenario: store__lay_out__run_replay__s1
    When run `r-1` lands 3 rows
    And run `r-1` lands the same 3 rows
    Then the table reads 3 rows
    And the landings have 1 distinct `manifests`

  Scenario: store__lay_out__run_conflict__s1
    When run `r-1` lands 3 rows
    And run `r-1` lands 3 other rows
    Then `StoreRunConflict` is raised
    And its `run_id` is `r-1`
    And the table reads 3 rows

  Scenario: store__lay_out__manifest_unreadable__s1
    Given the manifest of run `r-1` is cut in half
    When the table is read
    Then `StoreManifestUnreadable` is raised

  Scenario: store__lay_out__unknown_table__s1
    When table `nowhere` is read
    Then `StoreUnknownTable` is raised
    And its `table` is `nowhere`

  Scenario: store__lay_out__run_id_shape__s1
    When a run starts under an id of 128 chars
    Then it is accepted

  Scenario: store__lay_out__run_id_shape__s2
    When a run starts under an id of 129 chars
    Then it is refused

  Scenario: store__lay_out__run_id_shape__s3
    When a run starts under the id `..`
    Then it is refused

  Scenario: store__lay_out__part_name__s1
    Given a source of 3 pages
    When the fire runs
    Then the parts are called `part-00000.parquet, part-00001.parquet, part-00002.parquet`

  Scenario: store__lay_out__snapshot_id__s1
    When the table is folded at `2026-03-01T00:00:00Z`
    And the table is folded at `2026-03-01T00:00:00Z`
    Then the snapshots are called `snapshot-01772323200000000000, snapshot-01772323200000000001`

  Scenario: store__lay_out__node_id_shape__s1
    Given the environment has `CONTEXTFUL_NODE_ID` as `tokyo/1`
    When the engine starts
    Then `StoreNodeIdInvalid` is raised
    And its `node_id` is `tokyo/1`

  Scenario: store__lay_out__node_id_shape__s2
    Given the environment has no `CONTEXTFUL_NODE_ID`
    When the engine starts
    And the engine starts
    Then the starts have 1 distinct `node ids`

  Scenario: store__lay_out__rebuild_catalog__s1
    Given run `r-1` landed 3 rows at `2026-03-01T00:00:00Z`
    And the derived catalog is deleted
    When the catalog is rebuilt
    Then the table reads 3 rows
    And the machine's own database is byte for byte what it was
