# Written by `python -m codegen` from spec/read/cache.md: change the page.
Feature: read.cache

  Scenario: read__cache__opt_in__s1
    Given table `shop_orders` without `result_cache`
    When one statement over it is read 2 times
    Then it has run 2 times

  Scenario: read__cache__opt_in__s2
    Given table `shop_orders` with `result_cache`
    When one statement over it is read 2 times
    Then it has run 1 times

  Scenario: read__cache__result_key__s1
    Given table `shop_orders` with `result_cache`
    When one statement over it is read 2 times, its `available_as_of` being `2014-03-05T00:00:00Z` and then `2014-03-12T00:00:00Z`
    Then it has run 2 times

  Scenario: read__cache__result_key__s2
    Given table `shop_orders` with `result_cache`
    When one statement over it is read 2 times, its `token` being `t-1` and then `t-2`
    Then it has run 2 times

  Scenario: read__cache__result_key__s3
    Given table `shop_orders` with `result_cache`
    When one statement over it is read 2 times, its `revocation epoch` being `1` and then `2`
    Then it has run 2 times

  Scenario: read__cache__result_key__s4
    Given table `shop_orders` with `result_cache`
    When one statement over it is read 2 times, its `snapshot` being `s-1` and then `s-2`
    Then it has run 2 times
