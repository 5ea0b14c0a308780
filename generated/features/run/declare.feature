# Written by `python -m codegen` from spec/run/declare.md: change the page.
Feature: run.declare

  Scenario: run__declare__content_hash__s1
    When pipeline `shop` is declared with `write_mode` as `append` and without `write_mode`
    Then both declarations have 1 content hash

  Scenario: run__declare__content_hash__s2
    When pipeline `shop` is declared with `write_mode` as `replace` and without `write_mode`
    Then both declarations have 2 content hashes

  Scenario: run__declare__table_name__s1
    When pipeline `meta-ads` declares table `Insights`
    Then it lands in table `meta_ads_insights`

  Scenario: run__declare__table_name_collision__s1
    When pipeline `meta-ads` declares tables `a-b` and `a_b`
    Then `PipelineTableNameCollision` is raised
    And its `table` is `meta_ads_a_b`

  Scenario: run__declare__unknown_key__s1
    When pipeline `shop` is declared with the key `shedule`
    Then `PipelineUnknownConfigKey` is raised
    And its `key` is `shedule`

  Scenario: run__declare__unknown_block__s1
    When a project file has the block `pipelin`
    Then `PipelineUnknownBlock` is raised
    And its `block` is `pipelin`

  Scenario: run__declare__duplicate_id__s1
    When a project file declares pipeline `shop` 2 times
    Then `PipelineDuplicateId` is raised
    And its `pipeline` is `shop`

  Scenario: run__declare__invalid__s1
    When pipeline `shop` is declared with the value `0` for `retry.attempts`
    Then `PipelineSpecInvalid` is raised
    And its `key` is `retry.attempts`

  Scenario: run__declare__replace_unsupported__s1
    When a replacing table is declared with a `monotonic` cursor
    Then `PipelineReplaceUnsupported` is raised

  Scenario: run__declare__replace_unsupported__s2
    When a replacing table is declared with a `snapshot-id` cursor
    Then it is accepted
