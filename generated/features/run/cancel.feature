# Written by `python -m codegen` from spec/run/cancel.md: change the page.
Feature: run.cancel

  Scenario: run__cancel__catalog_channel__s1
    Given a run `r-1` of pipeline `shop` in status `running`
    When with reason `wrong key` a stop of scope `run` is asked of run `r-1` at `2026-01-05T10:00:00Z`
    Then run `r-1` carries the mark `{"requested_at":"2026-01-05T10:00:00Z","scope":"run","reason":"wrong key"}`

  Scenario: run__cancel__catalog_channel__s2
    Given a run `r-1` of pipeline `shop` in status `running`
    When with reason `wrong key` a stop of scope `run` is asked of run `r-1` at `2026-01-05T10:00:00Z`
    And a stop of scope `pipeline` is asked of run `r-1` at `2026-01-05T10:00:01Z`
    Then run `r-1` carries the mark `{"requested_at":"2026-01-05T10:00:01Z","scope":"pipeline"}`

  Scenario: run__cancel__two_grains__s1
    Given a fire in flight of pipeline `shop` over tables `orders, items`
    When a stop of scope `run` comes during the pull of table `orders`
    Then the fire's run of table `orders` closes `canceled`
    And the fire's run of table `items` closes `success`

  Scenario: run__cancel__two_grains__s2
    Given a fire in flight of pipeline `shop` over tables `orders, items`
    When a stop of scope `pipeline` comes during the pull of table `orders`
    Then the fire's run of table `orders` closes `canceled`
    And the fire never pulls table `items`

  Scenario: run__cancel__two_grains__s3
    Given a fire in flight of pipeline `shop` over tables `orders, items`
    When a stop of scope `galaxy` comes during the pull of table `orders`
    Then the fire's run of table `orders` closes `canceled`
    And the fire's run of table `items` closes `success`

  Scenario: run__cancel__host_grain__s1
    Given a run `r-1` under host scope `index-42` in status `running`
    And a run `r-2` under host scope `index-42` in status `waiting`
    And a run `r-3` under host scope `index-43` in status `running`
    When a stop of scope `pipeline` is asked of run `r-1` at `2026-01-05T10:00:00Z`
    Then run `r-2` carries the mark `{"requested_at":"2026-01-05T10:00:00Z","scope":"pipeline"}`
    And run `r-3` carries no mark

  Scenario: run__cancel__not_in_flight__s1
    Given a run `r-1` of pipeline `shop` in status `success`
    When a stop of scope `run` is asked of run `r-1` at `2026-01-05T10:00:00Z`
    Then `CancelTargetNotInFlight` is raised
    And run `r-1` carries no mark

  Scenario: run__cancel__not_in_flight__s2
    Given a run `r-1` of pipeline `shop` in status `failed`
    And a credential that may `execute` pipeline `shop`
    When `POST /runs/r-1/stop` is sent with body `{}`
    Then the answer is `409`
    And the answer names `CancelTargetNotInFlight`

  Scenario: run__cancel__not_in_flight__s3
    Given a run `r-1` of pipeline `shop` in status `success`
    When `contextful run cancel r-1` runs
    Then it exits with 1

  Scenario: run__cancel__authority_from_the_record__s1
    Given a run `r-1` of pipeline `shop` in status `running`
    And a credential that may `execute` pipeline `books`
    When `POST /runs/r-1/stop` is sent with body `{"pipeline":"books"}`
    Then the answer is `403`
    And run `r-1` carries no mark

  Scenario: run__cancel__stop_unauthorized__s1
    Given a run `r-1` of pipeline `shop` in status `running`
    And a credential that may `read` pipeline `shop`
    When `POST /runs/r-1/stop` is sent with body `{}`
    Then the answer is `403`
    And the answer names `CancelUnauthorized`
    And the answer does not contain `shop`

  Scenario: run__cancel__stop_unauthorized__s2
    Given no run `r-9`
    And a credential that may `execute` pipeline `books`
    When `POST /runs/r-9/stop` is sent with body `{}`
    Then the answer is `403`
    And the answer names `CancelUnauthorized`

  Scenario: run__cancel__stop_route__s1
    Given a run `r-1` of pipeline `shop` in status `running`
    And a run `r-2` of pipeline `shop` in status `pending`
    And a credential that may `execute` pipeline `shop`
    When `POST /runs/r-1/stop` is sent with body `{"scope":"pipeline","reason":"wrong key"}`
    Then the answer is `200`
    And the answer lists the marked runs `r-1, r-2`

  Scenario: run__cancel__stop_route__s2
    Given a run `r-1` of pipeline `shop` in status `running`
    And a credential that may `execute` pipeline `shop`
    When `POST /runs/r-1/stop` is sent with no body
    Then the answer is `200`
    And the answer lists the marked runs `r-1`

  Scenario: run__cancel__one_token__s1
    Given a run awaiting `a pull`
    When a stop comes 100 ms after the first await
    Then the await ends `Canceled` 500 ms after the first await

  Scenario: run__cancel__one_token__s2
    Given a run awaiting `a retry sleep`
    When a stop comes 100 ms after the first await
    Then the await ends `Canceled` 500 ms after the first await

  Scenario: run__cancel__one_token__s3
    Given a run awaiting `an awakeable`
    When a stop comes 100 ms after the first await
    Then the await ends `Canceled` 500 ms after the first await

  Scenario: run__cancel__one_token__s4
    Given a run awaiting `a subprocess`
    When a stop comes 100 ms after the first await
    Then the await ends `Canceled` 500 ms after the first await

  Scenario: run__cancel__poll_interval__s1
    Given a fire in flight of pipeline `shop` over tables `orders`
    When a stop of scope `run` comes before the pull of table `orders`
    Then the fire never pulls table `orders`
    And the fire's run of table `orders` closes `canceled`

  Scenario: run__cancel__poll_interval__s2
    Given a run awaiting `a retry sleep`
    When a stop comes 700 ms after the first await
    Then the await ends `Canceled` 1000 ms after the first await
    And the engine has read the run's row 3 times

  Scenario: run__cancel__storage_blip__s1
    Given a run awaiting `a retry sleep`
    And the poll 500 ms after the first await fails
    When a stop comes 100 ms after the first await
    Then the await ends `Canceled` 1000 ms after the first await
    And 1 warnings are given

  Scenario: run__cancel__engine_keeper__s1
    Given 20 executions open on one engine
    When the clock runs on for 10 s
    Then 1 keeper threads run
    And 20 owner leases are renewed

  Scenario: run__cancel__engine_keeper__s2
    Given 20 executions open on one engine
    When 19 executions close
    And 1 executions are dropped
    Then 0 keeper threads run

  Scenario: run__cancel__keeper_panic__s1
    Given 3 executions open on one engine
    And the keeper's renewal of execution 1 panics once
    When the clock runs on for 10 s
    Then 2 owner leases are renewed
    And 1 keeper threads run
    And 1 warnings are given

  Scenario: run__cancel__keeper_panic__s2
    Given 3 executions open on one engine
    And the keeper's renewal of execution 1 panics once
    When the clock runs on for 20 s
    Then the owner lease of execution 1 is renewed

  Scenario: run__cancel__keeper_panic__s3
    Given 3 executions open on one engine
    And the keeper's renewal of execution 1 panics once
    When the clock runs on for 10 s
    And 3 executions are dropped
    Then 0 keeper threads run

  Scenario: run__cancel__land_path_uncut__s1
    Given a fire in flight of pipeline `shop` over tables `orders`
    When a stop of scope `run` comes during the landing of table `orders`
    Then the fire's run of table `orders` closes `success`
    And every received row of table `orders` lands
    And the run of table `orders` keeps its mark

  Scenario: run__cancel__abandoned_work__s1
    Given a fire in flight of pipeline `shop` over tables `orders`
    And table `orders` stands at position `p4`
    When a stop of scope `run` comes during the pull of table `orders`
    Then the run of table `orders` has the error kind `Canceled`
    And every request of table `orders` is settled in the ledger
    And table `orders` stands at position `p4`

  Scenario: run__cancel__child_reaped__s1
    Given a run awaiting `a subprocess`
    And its process group takes 2000 ms to end
    When a stop comes 100 ms after the first await
    Then the run reads `running` 2400 ms after the first await
    And the run reads `canceled` 2500 ms after the first await

  Scenario: run__cancel__distinct_terminal_status__s1
    Given a run `r-1` of pipeline `shop` in status `canceled`
    And a run `r-2` of pipeline `shop` in status `failed`
    When the health of pipeline `shop` is observed
    Then it counts the runs `r-2`

  Scenario: run__cancel__resumable_remains__s1
    Given a fire in flight of pipeline `shop` over tables `orders`
    And its first pull of table `orders` is recorded
    When a stop of scope `run` comes during the pull of table `orders`
    Then table `orders` keeps its owner
    And the next attempt replays 1 pulls of table `orders`

  Scenario: run__cancel__resumable_remains__s2
    Given a fire in flight of pipeline `shop` over tables `orders`
    When a stop of scope `run` comes during the pull of table `orders`
    Then table `orders` has no owner

  Scenario: run__cancel__resumable_remains__s3
    Given a backfill of pipeline `shop` at attempt 2 of chunk `c-3`
    When a stop of scope `run` comes during the pull of chunk `c-3`
    Then chunk `c-3` is pending
    And chunk `c-3` counts 2 attempts
