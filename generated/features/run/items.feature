# Written by `python -m codegen` from spec/run/items.md: change the page.
Feature: run.items

  Scenario: run__items__opt_in__s1
    Given a job `score` without `isolated_items`
    And input rows `a, b, c`
    And the body fails `Permanent` for `b`
    When job `score` fires
    Then no row has landed
    And `_items` holds 0 rows

  Scenario: run__items__opt_in__s2
    When a job with `isolated_items = { key = ["id"], entity_key = "customer", entity_namespace = "customers", attempts = 0 }` is validated
    Then validation refuses it and names `attempts`

  Scenario: run__items__identity__s1
    When item `a` is identified twice, its `position` being `1` and then `2`
    Then the logical identities are equal
    And the execution identities are equal

  Scenario: run__items__identity__s2
    When item `a` is identified twice, its `job` being `score` and then `grade`
    Then the logical identities are equal
    And the execution identities differ

  Scenario: run__items__identity__s3
    When item `a` is identified twice, its `row` being `{"id":"a","text":"x"}` and then `{"id":"a","text":"y"}`
    Then the logical identities are equal
    And the execution identities differ

  Scenario: run__items__identity__s4
    When item `a` is identified twice, its `policy` being `p-1` and then `p-2`
    Then the logical identities are equal
    And the execution identities differ

  Scenario: run__items__identity__s5
    When item `a` is identified twice, its `plan` being `plan-a` and then `plan-b`
    Then the logical identities are equal
    And the execution identities differ

  Scenario: run__items__identity__s6
    When item `a` is identified twice, its `namespace` being `customers` and then `suppliers`
    Then the logical identities differ
    And the execution identities differ

  Scenario: run__items__completion__s1
    Given an isolated job `score` with a budget of 3 attempts
    And input rows `a, b, c`
    And the body fails `Permanent` for `b`
    When job `score` fires
    And the input rows become `c, b, a`
    And job `score` fires
    Then items `a, c` have landed
    And item `a` has entered its body 1 times
    And item `c` has entered its body 1 times

  Scenario: run__items__completion__s2
    Given an isolated job `score` with a budget of 3 attempts
    And input rows `a, b`
    When job `score` fires
    And the input rows become `d`
    And job `score` fires
    Then items `a, b, d` have landed

  Scenario: run__items__completion__s3
    Given an isolated job `score` with a budget of 3 attempts
    And input rows `a, b`
    And the body fails `Transient` for `b` 1 times
    When job `score` fires
    And the input rows become `d`
    And job `score` fires
    Then items `a, b` have landed
    And item `d` has entered its body 0 times

  Scenario: run__items__outcomes__s1
    Given an isolated job `score` with a budget of 3 attempts
    And input rows `a, b`
    When job `score` fires
    Then item `a` reports `success`
    And item `b` reports `success`
    And the fire succeeds

  Scenario: run__items__outcomes__s2
    Given an isolated job `score` with a budget of 3 attempts
    And input rows `a, b`
    And the body parks `b`
    When job `score` fires
    Then item `a` reports `success`
    And item `b` reports `parked`
    And the fire does not succeed

  Scenario: run__items__outcomes__s3
    Given an isolated job `score` with a budget of 3 attempts
    And input rows `a, b`
    And the body fails `Transient` for `b` 1 times
    When job `score` fires
    Then item `b` reports `failure`
    And the fire does not succeed

  Scenario: run__items__retry_budget__s1
    Given an isolated job `score` with a budget of 2 attempts
    And input rows `a`
    And the body fails `Transient` for `a` 9 times
    When job `score` fires 3 times
    Then item `a` has entered its body 2 times

  Scenario: run__items__retry_budget__s2
    Given an isolated job `score` with a budget of 2 attempts
    And input rows `a`
    And the body fails `Permanent` for `a`
    When job `score` fires 3 times
    Then item `a` has entered its body 1 times

  Scenario: run__items__retry_budget__s3
    Given an isolated job `score` with a budget of 1 attempts
    And input rows `a`
    And the body parks `a`
    When job `score` fires 3 times
    Then item `a` has spent 0 attempts
    And item `a` reports `parked`

  Scenario: run__items__replay__s1
    Given an isolated job `score` with a budget of 3 attempts
    And input rows `a`
    And the body pays for call 1 and then fails `Transient` for `a` 1 times
    When job `score` fires 2 times
    Then call 1 of item `a` is sent 1 times
    And items `a` have landed

  Scenario: run__items__entity_admission__s1
    Given isolated jobs `score, grade, rank` over the namespace `customers`
    And input rows `a`
    When job `grade` fires while item `a` of job `score` is in its body
    Then in job `grade` item `a` reports `deferred`
    And in job `grade` item `a` has entered its body 0 times

  Scenario: run__items__entity_admission__s2
    Given isolated jobs `score, grade` over the namespace `customers`
    And input rows `a, b`
    When job `grade` fires while item `a` of job `score` is in its body for 40 s
    Then in job `grade` item `b` has entered its body after 0 s
    And in job `grade` item `a` has entered its body after 40 s
    And in job `grade` item `a` reports `success`
    And in job `score` item `a` reports `success`

  Scenario: run__items__entity_admission__s3
    Given an isolated job `score` with `max_in_flight = 2`
    And input rows `a, b, c, d`
    When job `score` fires
    Then at most 2 items are in a body at once
    And items `a, b, c, d` have landed

  Scenario: run__items__fence__s1
    Given isolated jobs `score, grade` over the namespace `customers`
    And input rows `a`
    And job `grade` takes the lease of entity `a` from job `score`
    When item `a` of job `score` resumes
    Then in job `score` item `a` sends 0 requests
    And in job `score` item `a` publishes 0 rows

  Scenario: run__items__delegated_item__s1
    Given an isolated job `score` with a delegated body
    And input rows `a`
    And call 1 of item `a` is answered
    And the process dies while call 2 of item `a` is unanswered
    When job `score` fires
    Then call 1 of item `a` is sent 1 times
    And call 2 of item `a` is sent 2 times
    And call 2 of item `a` has one idempotency key

  Scenario: run__items__outcome_record__s1
    Given an isolated job `score` with a budget of 1 attempts
    And input rows `a, b, c`
    And the body fails `Transient` for `b` 9 times
    When job `score` fires
    Then `_items` holds `succeeded` for item `a` of job `score`
    And `_items` holds `exhausted` for item `b` of job `score`
    And `_items` holds `succeeded` for item `c` of job `score`
    And `_items` holds 3 rows

  Scenario: run__items__outcome_record__s2
    Given an isolated job `score` with a budget of 1 attempts
    And input rows `a, b, c`
    And the body fails `Transient` for `b` 9 times
    When job `score` fires 2 times
    Then `_items` holds 3 rows

  Scenario: run__items__terminal_outcome__s1
    Given an isolated job `score` with a budget of 2 attempts
    And input rows `a`
    And the body fails `Transient` for `a` 9 times
    When job `score` fires
    Then `_items` holds 0 rows

  Scenario: run__items__terminal_outcome__s2
    Given an isolated job `score` with a budget of 2 attempts
    And input rows `a`
    And the body fails `Transient` for `a` 9 times
    When job `score` fires 2 times
    Then `_items` holds `exhausted` for item `a` of job `score`
    And the reason of item `a` starts with `Transient`

  Scenario: run__items__terminal_outcome__s3
    Given an isolated job `score` with a budget of 2 attempts
    And input rows `a`
    And the body fails `Permanent` for `a`
    When job `score` fires
    Then `_items` holds `failed` for item `a` of job `score`
    And the reason of item `a` starts with `Permanent`

  Scenario: run__items__waiting_item__s1
    Given an isolated job `score` with `max_in_flight = 1`
    And input rows `a, b`
    And the vendor throttles `a` once for 120 s
    When job `score` fires
    Then item `b` lands before item `a` enters again
    And items `a, b` have landed
    And job `score` has fired 1 times

  Scenario: run__items__waiting_item__s2
    Given an isolated job `score` with `max_in_flight = 1`
    And input rows `a, b`
    And the vendor throttles `a` once for 301 s
    When job `score` fires
    Then item `a` reports `waiting`
    And items `b` have landed
    And item `a` has spent 0 attempts

  Scenario: run__items__served_key__s1
    Given an isolated job `score` with a budget of 1 attempts
    And input rows `a, b`
    And the input table hashes its column `customer`
    When job `score` fires
    Then every row of `_items` has an entity key of 32 chars
    And no row of `_items` contains a clear key
