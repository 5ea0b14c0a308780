# Written by `python -m codegen` from spec/store/merge.md: change the page.
Feature: store.merge

  Scenario: store__merge__rebase__s1
    Given node `n-1` has run `r-1` and node `n-2` has run `r-2`
    When both push at once
    Then the bucket has the manifest of run `r-1`
    And the bucket has the manifest of run `r-2`

  Scenario: store__merge__exhausted__s1
    Given another node replaces the bucket's manifest before each of the next 5 commits
    When the node pushes
    Then `SyncManifestRebaseExhausted` is raised
    And its `attempts` is `5`
