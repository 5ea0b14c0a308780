# Written by `python -m codegen` from spec/topology/deploy.md: change the page.
Feature: topology.deploy

  Scenario: topology__deploy__roles__s1
    Given the local target profile
    When its roles are read
    Then each role has 1 adapter
    And its `orchestrator` is the engine

  Scenario: topology__deploy__parity__s1
    Given a pipeline `shop` with table `orders`
    When it runs on each target
    Then its parts are the same bytes on each

  Scenario: topology__deploy__remote_state__s1
    Given the storage profile `postgres`
    And a run of pipeline `shop` is killed after its second pull
    When the disk is replaced by an empty one
    And the pipeline runs again past the lease
    Then 2 pulls are replayed
    And the rows of an uninterrupted run have landed
