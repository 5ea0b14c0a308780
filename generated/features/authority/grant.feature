# Written by `python -m codegen` from spec/authority/grant.md: change the page.
Feature: authority.grant

  Scenario: authority__grant__actions__s1
    Given a credential that may `admin` pipeline `shop`
    When it asks to `execute` pipeline `shop`
    Then the answer is `no`

  Scenario: authority__grant__patterns__s1
    Given a credential that may `read` table `shop_*`
    When it asks to `read` table `shop_orders`
    Then the answer is `yes`

  Scenario: authority__grant__patterns__s2
    Given a credential that may `read` table `shop_*`
    When it asks to `read` table `books_orders`
    Then the answer is `no`

  Scenario: authority__grant__patterns__s3
    Given a credential that may `read` table `shop_orders`
    When it asks to `read` table `shop_orders_2`
    Then the answer is `no`

  Scenario: authority__grant__patterns__s4
    Given a credential that may `execute` pipeline `*`
    When it asks to `execute` pipeline `shop`
    Then the answer is `yes`

  Scenario: authority__grant__pipelines_apart__s1
    Given a credential that may `execute` table `shop_*`
    When it asks to `execute` pipeline `shop`
    Then the answer is `no`

  Scenario: authority__grant__execute__s1
    Given a credential that may `execute` pipeline `shop`
    When it asks to `execute` pipeline `shop`
    Then the answer is `yes`

  Scenario: authority__grant__execute__s2
    Given a credential that may `read` pipeline `shop`
    When it asks to `execute` pipeline `shop`
    Then the answer is `no`

  Scenario: authority__grant__local_owner__s1
    Given a run `r-1` of pipeline `shop` in status `running`
    When `contextful run cancel r-1` runs with no credential
    Then it exits with 0

  Scenario: authority__grant__history_filter__s1
    Given runs of the pipelines `shop, books`
    And a credential that may `read` pipeline `shop`
    When the runs are listed
    Then the runs of `shop` are listed
    And the runs of `books` are not listed

  Scenario: authority__grant__history_filter__s2
    Given runs of the pipelines `shop, books`
    And a credential that may `read` pipeline `garden`
    When the runs are listed
    Then `GrantRunTraceDenied` is raised

  Scenario: authority__grant__pipeline_not_covered__s1
    Given runs of the pipelines `shop, books`
    And a credential that may `read` pipeline `shop`
    When the history of pipeline `books` is asked for
    Then `GrantPipelineNotCovered` is raised
    And its `pipeline` is `books`

  Scenario: authority__grant__run_trace_denied__s1
    Given a run `r-1` of pipeline `books` in status `success`
    And a credential that may `read` pipeline `shop`
    When run `r-1` is asked for
    Then `GrantRunTraceDenied` is raised
    And the answer does not contain `books`

  Scenario: authority__grant__run_trace_denied__s2
    Given a run `r-1` of pipeline `books` in status `success`
    And a credential that may `read` pipeline `shop`
    When run `r-9` is asked for
    Then `GrantRunTraceDenied` is raised

  Scenario: authority__grant__store_driven__s1
    Given a job `score` that reads table `shop_orders`
    And a credential that may `read` table `books_*`
    When job `score` fires with that credential
    Then it fails at its input step
    And 0 rows have run
