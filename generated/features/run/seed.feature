# Written by `python -m codegen` from spec/run/seed.md: change the page.
Feature: run.seed

  Scenario: run__seed__scope__s1
    Given table `orders` seeds from source `dump` while its live source is `api`
    When both scopes open
    Then the scopes are `orders, orders#seed`
    And they have 2 owners

  Scenario: run__seed__unpinned__s1
    Given table `orders` seeds from source `dump` while its live source is `api`
    When its declaration changes
    And the seed fires again
    Then the fire completes
