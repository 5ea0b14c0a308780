# Written by `python -m codegen` from spec/run/seed.md: change the page.
Feature: run.seed

  Scenario: run__seed__scope__s1
    Given table `orders` seeds from source `dump` while its live source is `api`
    When both scopes open
    Then scope `orders` has 1 owners
    And scope `orders#seed` has 1 owners

  Scenario: run__seed__unpinned__s1
    Given table `orders` seeds from source `dump` while its live source is `api`
    When both scopes open
    And its declaration changes
    And the next fire runs
    Then the fire completes
