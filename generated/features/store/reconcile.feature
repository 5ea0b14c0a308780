# Written by `python -m codegen` from spec/store/reconcile.md: change the page.
Feature: store.reconcile

  Scenario: store__reconcile__first_sight__s1
    When run `r-1` lands column `n` as `int64`
    Then the schema has column `n` as `int64`

  Scenario: store__reconcile__additive__s1
    When run `r-1` lands column `n` as `int64`
    And run `r-2` lands column `m` as `utf8`
    Then the schema has column `n` as `int64`
    And the schema has column `m` as `utf8`
    And the row of run `r-1` has null in column `m`

  Scenario: store__reconcile__promotion__s1
    When run `r-1` lands column `n` as `int64`
    And run `r-2` lands column `n` as `float64`
    Then the schema has column `n` as `float64`

  Scenario: store__reconcile__promotion__s2
    When run `r-1` lands column `n` as `float32[3]`
    And run `r-2` lands column `n` as `float32[4]`
    Then `StoreSchemaIncompatible` is raised

  Scenario: store__reconcile__promotion_exact__s1
    When run `r-1` lands the value `9007199254740993` in column `n`
    And run `r-2` lands the value `0.5` in column `n`
    Then `StoreSchemaIncompatible` is raised
    And its `stored` is `int64`

  Scenario: store__reconcile__promotion_exact__s2
    When run `r-1` lands the value `"[1]"` in column `n`
    And run `r-2` lands the value `[1]` in column `n`
    Then column `n` reads `"[1]", [1]` in JSON

  Scenario: store__reconcile__key_widening__s1
    Given a table keyed by column `n`
    When run `r-1` lands column `n` as `int64`
    And run `r-2` lands column `n` as `float64`
    Then `StoreKeyWidened` is raised
    And its `column` is `n`

  Scenario: store__reconcile__incompatible__s1
    When run `r-1` lands column `ts` as `timestamp`
    And run `r-2` lands column `ts` as `utf8`
    Then `StoreSchemaIncompatible` is raised
    And its `column` is `ts`
    And its `stored` is `timestamp`
    And its `arriving` is `utf8`
