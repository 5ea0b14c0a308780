# Written by `python -m codegen` from spec/run/compile.md: change the page.
Feature: run.compile

  Scenario: run__compile__plan_version__s1
    When one plan is compiled on 2 machines
    Then both have 1 plan version
    And it has 16 chars

  Scenario: run__compile__plan_version__s2
    When a plan is compiled with step `fetch` and again with step `fetch-all`
    Then both have 2 plan versions

  Scenario: run__compile__nodes__s1
    When a plan joins the branches `left, right` and has no node `right`
    Then the plan does not compile

  Scenario: run__compile__nodes__s2
    When a plan has 2 nodes `fetch`
    Then the plan does not compile
