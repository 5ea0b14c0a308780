# Written by `python -m codegen` from spec/store/drain.md: change the page.
Feature: store.drain

  Scenario: store__drain__mark__s1
    Given the storage profile `postgres`
    When run `r-1` opens on node `n-1`
    Then run `r-1` is marked with node `n-1`
    And run `r-1` has committed nothing

  Scenario: store__drain__mark__s2
    Given the storage profile `cloudflare-d1`
    When run `r-1` opens on node `n-1`
    Then run `r-1` is marked with node `n-1`
    And run `r-1` has committed nothing

  Scenario: store__drain__mark__s3
    Given the storage profile `postgres`
    And the process dies after the commit of run `r-1` and before its push
    When the store is looked at
    Then run `r-1` is marked with node `n-1`

  Scenario: store__drain__mark__s4
    Given the storage profile `postgres`
    And the process dies after the commit of run `r-1` and before its push
    When a push commits on node `n-1`
    Then the bucket lists the manifest of run `r-1`
    And run `r-1` is not marked

  Scenario: store__drain__mark__s5
    Given the storage profile `postgres`
    When run `r-1` opens on node `n-1`
    And run `r-1` closes without a manifest
    Then run `r-1` is not marked

  Scenario: store__drain__record_unmarked__s1
    Given run `r-1` is marked on node `n-1`
    When the run record of the store is read
    Then the row of run `r-1` has no key `unpushed`

  Scenario: store__drain__clear__s1
    Given run `r-1` is marked on node `n-1`
    And the manifest of run `r-1` is local
    When a push commits on node `n-1`
    Then run `r-1` is not marked

  Scenario: store__drain__clear__s2
    Given run `r-1` is marked on node `n-1`
    And the disk has been replaced by an empty one
    When a push commits on node `n-1`
    Then run `r-1` is lost
    And stderr names run `r-1`
    And `sync status` exits with 0 and lists run `r-1`

  Scenario: store__drain__clear__s3
    Given run `r-1` is marked on node `n-1`
    And `pull_tables` leaves out the table of run `r-1`
    And the bucket lists the manifest of run `r-1`
    When a push commits on node `n-1`
    Then run `r-1` is not marked

  Scenario: store__drain__clear__s4
    Given run `r-1` is marked on node `n-1`
    And run `r-1` has a live owner and no manifest
    When a push commits on node `n-1`
    Then run `r-1` is marked with node `n-1`

  Scenario: store__drain__before_read__s1
    Given run `r-1` is marked on node `n-1`
    And the manifest of run `r-1` is local
    When `run start` is called and the bucket accepts the push
    Then the bucket lists the manifest of run `r-1`
    And the push comes before the new run opens

  Scenario: store__drain__before_read__s2
    Given run `r-1` is marked on node `n-1`
    And the manifest of run `r-1` is local
    When `run start` is called and the bucket refuses the push
    Then stderr names run `r-1`
    And no run opens
    And no table is read

  Scenario: store__drain__before_read__s3
    Given run `r-1` is marked on node `n-1`
    And run `r-1` has a live owner and no manifest
    When `run start` is called and the bucket accepts the push
    Then no push is made before the new run opens

  Scenario: store__drain__deadline__s1
    Given run `r-1` is marked on node `n-1`
    And the manifest of run `r-1` is local
    When `pipeline serve` gets a stop signal
    Then its children end before its push begins
    And the bucket lists the manifest of run `r-1`
    And it exits with 0

  Scenario: store__drain__unfinished__s1
    Given run `r-1` is marked on node `n-1`
    And the manifest of run `r-1` is local
    And another push holds the push guard for 16 s
    When `pipeline serve` gets a stop signal
    Then it exits with 1
    And stderr names run `r-1`
    And run `r-1` is marked with node `n-1`

  Scenario: store__drain__unfinished__s2
    Given run `r-1` is marked on node `n-1`
    And the manifest of run `r-1` is local
    And the bucket refuses every push
    When `pipeline serve` gets a stop signal
    Then it exits with 1
    And stderr names run `r-1`
    And run `r-1` is marked with node `n-1`

  Scenario: store__drain__status__s1
    Given run `r-1` is marked on node `n-1`
    When `sync status` runs
    Then it exits with 3
    And its `error` is `"SyncRunsUnpushed"`
    And its `open` is `1`
    And its `lost` is `0`
    And it lists run `r-1` with `pipeline, table, node, ended_at, lost`

  Scenario: store__drain__status__s2
    Given no run is marked
    When `sync status` runs
    Then it exits with 0
    And its `error` is `null`
    And its `runs` is `[]`

  Scenario: store__drain__status_summary__s1
    Given 300 lost marks and 1 open marks
    When `sync status` runs
    Then it exits with 3
    And its `open` is `1`
    And its `lost` is `300`
    And it lists 20 lost runs and 1 open runs, in order of run id

  Scenario: store__drain__status_all__s1
    Given 300 lost marks and 1 open marks
    When `sync status --all` runs
    Then it lists 300 lost runs and 1 open runs, in order of run id

  Scenario: store__drain__status_unread__s1
    Given the execution database cannot be read
    When `sync status` runs
    Then it exits with 1
    And its `runs` is `null`
    And its `error` names `SyncStatusUnread` and the cause

  Scenario: store__drain__prune__s1
    Given run `r-1` was lost 8 d ago
    And run `r-2` was lost 6 d ago
    When a push commits on node `n-1`
    Then run `r-1` is not marked
    And run `r-2` is lost
    And the row of run `r-1` is kept

  Scenario: store__drain__prune__s2
    Given run `r-1` is lost and has no instant
    When a push commits on node `n-1`
    Then run `r-1` is lost since that push
