# Written by `python -m codegen` from spec/run/land.md: change the page.
Feature: run.land

  Scenario: run__land__stage_order__s1
    Given a source of 1 pages
    When the fire runs
    Then batch 0 has passed `pull, guard, record, normalize, transform, redact, shred, write` in this order
    And the fire commits 1 times

  Scenario: run__land__stage_order__s2
    Given a source of 1 pages
    When the process dies between the record of pull 1 and its landing
    And the next fire runs
    Then batch 0 has passed `normalize, transform, redact, shred, write` in this order
    And the fire commits 1 times

  Scenario: run__land__normalize__s1
    Given a row `{"id": 1, "by": {"name": "ann", "at": {"zip": "1"}}}`
    When it is normalized 1 levels deep
    Then it is `{"id": 1, "by__name": "ann", "by__at": {"zip": "1"}}`

  Scenario: run__land__normalize__s2
    Given a row `{"by__name": "bob", "by": {"name": "ann"}}`
    When it is normalized 1 levels deep
    Then it is refused

  Scenario: run__land__transform__s1
    Given a row `{"id": 1, "state": "paid"}`
    When it passes the transforms `[{ rename = { state = "status" } }, { where = "status", is = ["paid"] }, { drop = ["id"] }]`
    Then it is `{"status": "paid"}`

  Scenario: run__land__transform__s2
    Given a row `{"id": 1, "state": "paid"}`
    When it passes the transforms `[{ where = "state", is_not = ["paid"] }]`
    Then it is gone

  Scenario: run__land__typed_pull__s1
    Given a source of 1 pages
    And page 1 declares column `at` as `timestamp`
    When the fire runs
    Then the schema has column `at` as `timestamp`

  Scenario: run__land__typed_pull__s2
    Given a source of 1 pages
    And page 1 declares column `at` as `sometime`
    When the fire runs
    Then the fire fails with `StoreSchemaIncompatible`

  Scenario: run__land__late_type__s1
    Given a source of 3 pages
    And page 2 declares column `at` as `timestamp`
    When the fire runs
    Then the fire fails with `PipelineTypeDeclaredLate`
    And the fire commits 0 times
    And its owner is released

  Scenario: run__land__on_table_error__s1
    Given a fire of pipeline `shop` over tables `orders, items`
    And table `orders` fails `Permanent`
    When the fire runs
    Then table `items` is never pulled

  Scenario: run__land__on_table_error__s2
    Given a fire of pipeline `shop` over tables `orders, items`
    And table `orders` fails `Permanent`
    And it declares `on_table_error` as `continue`
    When the fire runs
    Then the run of table `items` closes `success`
    And the fire exits with 1

  Scenario: run__land__table_failed__s1
    Given a fire of pipeline `shop` over tables `orders, items`
    And table `orders` fails `Permanent`
    When the fire runs
    Then `PipelineTableFailed` is raised
    And its `table` is `orders`
    And its `tag` is `Permanent`

  Scenario: run__land__unknown_destination__s1
    Given a source of 1 pages
    And it declares `destination` as `warehouse`
    When the fire runs
    Then `PipelineUnknownDestination` is raised
    And its `destination` is `warehouse`
    And page 1 has been pulled 0 times
