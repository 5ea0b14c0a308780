# Written by `python -m codegen` from spec/run/compile.md: change the page.
Feature: run.compile

  Scenario: run__compile__plan_version__s1
    When a plan of step `fetch` is compiled
    And a plan of step `fetch` is compiled
    Then the plans have 1 distinct `plan versions`
    And its `plan version` has 16 chars

  Scenario: run__compile__plan_version__s2
    When a plan of step `fetch` is compiled
    And a plan of step `fetch-all` is compiled
    Then the plans have 2 distinct `plan versions`

  Scenario: run__compile__nodes__s1
    When a plan with nodes `left, join of left and right` is compiled
    Then it is refused

  Scenario: run__compile__nodes__s2
    When a plan with nodes `fetch, fetch` is compiled
    Then it is refused
