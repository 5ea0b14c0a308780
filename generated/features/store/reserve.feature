# Written by `python -m codegen` from spec/store/reserve.md: change the page.
Feature: store.reserve

  Scenario: store__reserve__table_namespaces__s1
    When a table is declared by the name `_runs`
    Then `StoreReservedTableName` is raised
    And its `table` is `_runs`

  Scenario: store__reserve__table_namespaces__s2
    When a table is declared by the name `orders__requests`
    Then `StoreReservedTableName` is raised
    And its `table` is `orders__requests`

  Scenario: store__reserve__column_namespaces__s1
    When a row with the column `_run_id` is landed
    Then `StoreReservedColumnName` is raised
    And its `column` is `_run_id`

  Scenario: store__reserve__column_namespaces__s2
    When a row with the column `_lang` is landed
    Then the table reads 1 rows

  Scenario: store__reserve__column_shape__s1
    When a row with the columns `id, ID` is landed
    Then `StoreColumnNameInvalid` is raised
    And its `column` is `ID`

  Scenario: store__reserve__injected__s1
    Given a source of 3 pages of 2 rows
    When the fire runs as run `r-1`
    Then every row of run `r-1` has `_run_id` as `r-1`
    And every row of page 2 has `_batch_seq` as `1`
    And `_row_seq` counts the rows from 0 to 5

  Scenario: store__reserve__injected__s2
    When rows are landed with no subject and no batch
    Then the part has no column `_authored_by`
    And the part has no column `_batch_seq`

  Scenario: store__reserve__commit_seq__s1
    Given a table whose highest `_commit_seq` is 6
    When run `r-1` lands 3 rows
    Then every row of run `r-1` has `_commit_seq` as `7`

  Scenario: store__reserve__commit_instant__s1
    Given a keyed table
    When run `r-2` lands key `k` at `2026-03-02T00:00:00Z`
    And run `r-1` lands key `k` at `2026-03-01T00:00:00Z`
    Then the keyed read returns for key `k` the row of run `r-1`
    And its `_ingested_at` is `2026-03-02T00:00:00.001Z`

  Scenario: store__reserve__commit_order__s1
    Given a table whose highest `_commit_seq` is 0
    When 8 runs commit at once while a reader reads
    Then each read sees a prefix of the sequence from 1 to 8

  Scenario: store__reserve__request_ledger__s1
    Given a source of 3 pages
    When the process dies during pull 3
    Then the request ledger holds 2 requests
