# Written by `python -m codegen` from spec/store/merge.md: change the page.
Feature: store.merge

  Scenario: store__merge__rebase__s1
    Given nodes `n-1` and `n-2` have a run each
    When both push at once
    Then the bucket lists both runs

  Scenario: store__merge__exhausted__s1
    Given another node replaces the bucket's manifest before each of the next 5 commits
    When the node pushes
    Then `SyncManifestRebaseExhausted` is raised
    And its `attempts` is `5`
