# Written by `python -m codegen` from spec/store/pull.md: change the page.
Feature: store.pull

  Scenario: store__pull__before_run__s1
    Given a project that pulls before each run
    And the bucket has 3 rows of table `orders` that this node has not
    When `contextful run start` runs
    Then table `orders` reads 3 rows

  Scenario: store__pull__before_run__s2
    Given a project that pulls before each run
    And the bucket does not answer
    When `contextful run start` runs
    Then it exits with 1
    And 0 pages have been pulled

  Scenario: store__pull__table_scope__s1
    Given `pull_tables` lists `orders`
    And the bucket has 3 rows of table `orders` that this node has not
    And the bucket has 3 rows of table `items` that this node has not
    When the node pulls
    Then table `orders` reads 3 rows
    And table `items` reads 0 rows

  Scenario: store__pull__run_state__s1
    Given node `n-1` pushed a cursor at `p4` whose run was collected
    When node `n-2` pulls
    And the fire runs
    Then pull 1 asked for position `p4`

  Scenario: store__pull__convergence__s1
    Given the bucket changes during each of the next 3 pulls
    When the node pulls
    Then `SyncPullDidNotConverge` is raised
    And its `attempts` is `3`

  Scenario: store__pull__object_digest__s1
    Given an object in the bucket was altered
    When the node pulls
    Then `SyncObjectDigestMismatch` is raised
    And the object is not in the store
