# Written by `python -m codegen` from spec/read/respond.md: change the page.
Feature: read.respond

  Scenario: read__respond__projection__s1
    Given table `shop_orders` with 3 rows
    When it is read with a ceiling of 10 rows
    Then the answer has the keys `columns, rows, truncated`

  Scenario: read__respond__row_ceiling__s1
    Given table `shop_orders` with 3 rows
    When it is read with a ceiling of 3 rows
    Then the answer has 3 rows
    And the answer is whole

  Scenario: read__respond__row_ceiling__s2
    Given table `shop_orders` with 4 rows
    When it is read with a ceiling of 3 rows
    Then the answer has 3 rows
    And the answer is truncated

  Scenario: read__respond__row_ceiling__s3
    Given table `shop_orders` with 4 rows
    And the grant has `max_rows` 2
    When it is read with a ceiling of 3 rows
    Then the answer has 2 rows
    And the answer is truncated

  Scenario: read__respond__face_ceiling__s1
    Given table `shop_orders` with 100001 rows
    When it is read with a ceiling of 200000 rows
    Then the answer has 100000 rows
    And the answer is truncated

  Scenario: read__respond__wide_numbers__s1
    When the value `2147483648` is answered
    Then it is the JSON `"2147483648"`

  Scenario: read__respond__wide_numbers__s2
    When the value `2147483647` is answered
    Then it is the JSON `2147483647`

  Scenario: read__respond__wide_numbers__s3
    When the value `-inf` is answered
    Then it is the JSON `"-inf"`

  Scenario: read__respond__bounds_echo__s1
    Given table `shop_orders` with 3 rows
    When it is read as of `2026-01-05T10:00:00Z`
    Then the answer's bounds have `as_of` `2026-01-05T10:00:00.000000000Z`
