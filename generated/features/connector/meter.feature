# Written by `python -m codegen` from spec/connector/meter.md: change the page.
Feature: connector.meter

  Scenario: connector__meter__permit_per_request__s1
    Given a limiter with 10 permits
    When 3 requests leave
    Then the limiter has 7 permits

  Scenario: connector__meter__unmetered__s1
    Given a limiter with 0 permits
    When a request is sent around the reservation
    Then `ConnectorUnmetered` is raised
    And 0 requests have left

  Scenario: connector__meter__acquire_call__s1
    Given a limiter that denies with a wait of 40 s
    When a request asks for a permit
    Then the attempt fails `RateLimited`
    And its `retry_after_secs` is `40`
    And 0 s have passed

  Scenario: connector__meter__denial_ceiling__s1
    Given a limiter that denies with a wait of 301 s
    When a request asks for a permit
    Then the attempt closes `RateLimited` without sleeping

  Scenario: connector__meter__replay_reservation__s1
    Given a limiter with 10 permits
    And a source of 3 pages
    When the process dies during pull 3
    And the next fire runs
    Then the limiter has 6 permits
