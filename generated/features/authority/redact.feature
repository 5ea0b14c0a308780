# Written by `python -m codegen` from spec/authority/redact.md: change the page.
Feature: authority.redact

  Scenario: authority__redact__declaration__s1
    Given the rules `[{ table = "people", column = "phone", operation = "replace", argument = "phone" }]`
    When a row with `phone` `555-0100` lands in `people`
    Then its `phone` reads `[REDACTED:phone]`

  Scenario: authority__redact__declaration__s2
    Given the rules `[{ table = "people", column = "phone", operation = "drop" }]`
    When a row with `phone` `555-0100` lands in `people`
    Then its `phone` reads `null`

  Scenario: authority__redact__bounds__s1
    Given a table with 256 rules
    When it is validated
    Then it is accepted

  Scenario: authority__redact__bounds__s2
    Given a table with 257 rules
    When it is validated
    Then `EnforceRedactionInvalid` is raised

  Scenario: authority__redact__bounds__s3
    Given a rule whose pattern is `(`
    When it is validated
    Then `EnforceRedactionInvalid` is raised

  Scenario: authority__redact__before_the_record__s1
    Given the rules `[{ table = "people", column = "phone", operation = "drop" }]`
    When a journaled pull brings a row with `phone` `555-0100`
    Then no journal row and no blob contains `555-0100`

  Scenario: authority__redact__before_the_record__s2
    Given the rules `[{ table = "people", column = "phone", operation = "drop" }]`
    When a journaled pull brings 2097152 bytes of rows with `phone` `555-0100`
    Then no journal row and no blob contains `555-0100`

  Scenario: authority__redact__no_foreign_envelope__s1
    Given the rules `[{ table = "people", column = "phone", operation = "drop" }]`
    When a source hands over a prepared payload
    Then the run fails `SchemaIncompatible`

  Scenario: authority__redact__continuation__s1
    Given the rules `[{ table = "people", column = "phone", operation = "drop", match = "[0-9]{3}-[0-9]{4}" }]`
    When a pull reports the position `after:555-0100`
    Then the pull is refused
    And no journal row and no blob contains `555-0100`

  Scenario: authority__redact__continuation__s2
    Given the rules `[{ table = "people", column = "phone", operation = "drop", match = "[0-9]{3}-[0-9]{4}" }]`
    When a pull reports the position `page:4`
    Then the pull is recorded

  Scenario: authority__redact__clock_lineage__s1
    Given the rules `[{ table = "people", column = "born", operation = "drop" }]`
    When a run opens with `born` as its clock column
    Then the run is refused before its first pull

  Scenario: authority__redact__typed_effects__s1
    Given the rules `[{ table = "people", column = "phone", operation = "drop" }]`
    When a job whose body declares no effect types is validated for `people`
    Then it is refused
