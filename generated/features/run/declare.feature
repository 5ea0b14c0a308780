# Written by `python -m codegen` from spec/run/declare.md: change the page.
Feature: run.declare

  Scenario: run__declare__content_hash__s1
    When pipeline `shop` is declared with `write_mode = "append"`
    And pipeline `shop` is declared with `no write_mode`
    Then the declarations have 1 distinct `content hashes`

  Scenario: run__declare__content_hash__s2
    When pipeline `shop` is declared with `on_table_error = "continue"`
    And pipeline `shop` is declared with `no on_table_error`
    Then the declarations have 2 distinct `content hashes`

  Scenario: run__declare__manifest_missing__s1
    Given a folder without a project file
    When its project is opened
    Then `PipelineManifestMissing` is raised
    And the folder is empty

  Scenario: run__declare__table_name__s1
    When pipeline `meta-ads` is declared with `tables = ["Insights"]`
    Then its `table` is `meta_ads_insights`

  Scenario: run__declare__table_name_collision__s1
    When pipeline `meta-ads` is declared with `tables = ["a-b", "a_b"]`
    Then `PipelineTableNameCollision` is raised
    And its `table` is `meta_ads_a_b`

  Scenario: run__declare__unknown_key__s1
    When pipeline `shop` is declared with `shedule = "every 1h"`
    Then `PipelineUnknownConfigKey` is raised
    And its `key` is `shedule`

  Scenario: run__declare__unknown_block__s1
    When a project file has the blocks `pipelin`
    Then `PipelineUnknownBlock` is raised
    And its `block` is `pipelin`

  Scenario: run__declare__duplicate_id__s1
    When pipeline `shop` is declared with `a second block of its id`
    Then `PipelineDuplicateId` is raised
    And its `pipeline` is `shop`

  Scenario: run__declare__invalid__s1
    When pipeline `shop` is declared with `retry = { attempts = 0 }`
    Then `PipelineSpecInvalid` is raised
    And its `key` is `retry.attempts`

  Scenario: run__declare__replace_unsupported__s1
    When pipeline `shop` is declared with `write_mode = "replace", cursor = "monotonic"`
    Then `PipelineReplaceUnsupported` is raised

  Scenario: run__declare__replace_unsupported__s2
    When pipeline `shop` is declared with `write_mode = "replace", cursor = "snapshot-id"`
    Then it is accepted
