# Written by `python -m codegen` from spec/delegate/call.md: change the page.
Feature: delegate.call

  Scenario: delegate__call__call__s1
    Given a delegated body that asks 2 calls per row
    When its job fires over the input rows `a, b`
    Then row `a` has recorded the ordinals `1, 2`
    And row `b` has recorded the ordinals `1, 2`

  Scenario: delegate__call__envelope__s1
    Given a delegated body that asks 1 calls per row
    When its job fires over the input rows `a`
    Then the request's `ordinal` is `1`
    And the request's `idempotency_key` is that of its step

  Scenario: delegate__call__answer__s1
    Given a delegated body that asks 1 calls per row
    And the delegate replies `{"value":{"score":3}}`
    When its job fires over the input rows `a`
    Then call 1 of row `a` is recorded as `{"score":3}`

  Scenario: delegate__call__answer__s2
    Given a delegated body that asks 1 calls per row
    And the delegate replies `{"failure":{"tag":"Transient","message":"busy"}}` once
    When its job fires over the input rows `a`
    Then call 1 of row `a` is sent 2 times

  Scenario: delegate__call__unreadable_answer__s1
    Given a delegated body that asks 1 calls per row
    And the delegate replies `come back later`
    When its job fires over the input rows `a`
    Then call 1 of row `a` fails `Permanent`
    And call 1 of row `a` is sent 1 times

  Scenario: delegate__call__whole__s1
    Given a job `score` without a body
    And the delegate replies `{"value":{"scores":[{"id":1},{"id":2}]}}`
    When its job fires over the input rows `a`
    Then the request's `input` is `{"id":0}`
    And table `scores` gets 2 rows

  Scenario: delegate__call__whole__s2
    Given a job `score` without a body
    And the delegate replies `{"value":3}`
    When its job fires over the input rows `a`
    Then the fire fails

  Scenario: delegate__call__replayed__s1
    Given a delegated body that asks 3 calls per row
    And the process dies while call 2 of row `a` is unanswered
    When its job fires over the input rows `a`
    Then call 1 of row `a` is sent 1 times
    And call 2 of row `a` is sent 2 times
    And call 2 of row `a` has one idempotency key

  Scenario: delegate__call__inside_the_step__s1
    Given a delegated body that asks 1 calls per row
    And the owner of row `a` is superseded before its call
    When its job fires over the input rows `a`
    Then call 1 of row `a` is sent 0 times
