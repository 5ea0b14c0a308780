# Written by `python -m codegen` from spec/run/callback-guard.md: change the page.
Feature: run.callback-guard

  Scenario: run__callback_guard__scope__s1
    Given item `a` of job `score` is in a guarded callback
    When `takeover of the owner of item a` is tried
    Then it is refused

  Scenario: run__callback_guard__scope__s2
    Given item `a` of job `score` is in a guarded callback
    When `takeover of the owner of job score` is tried
    Then it is refused

  Scenario: run__callback_guard__scope__s3
    Given item `a` of job `score` is in a guarded callback
    When `takeover of the entity lease of item a` is tried
    Then it is refused

  Scenario: run__callback_guard__scope__s4
    Given item `a` of job `score` is in a guarded callback
    When `admission of job grade` is tried
    Then it goes ahead

  Scenario: run__callback_guard__scope__s5
    Given item `a` of job `score` is in a guarded callback
    When `an unrelated export` is tried
    Then it goes ahead

  Scenario: run__callback_guard__scope__s6
    Given a guard over the rows `job:score`
    When `takeover of the owner of item a` is tried
    Then it goes ahead
    And the next callback of item `a` waits on the row `job:score`

  Scenario: run__callback_guard__acquire__s1
    When callbacks over the rows `a, b` and `c, d` ask for guards at once
    Then 2 callbacks are admitted

  Scenario: run__callback_guard__acquire__s2
    When callbacks over the rows `a, b` and `b, c` ask for guards at once
    Then 1 callbacks are admitted

  Scenario: run__callback_guard__acquire__s3
    Given the `fence` of row `a` has moved on
    When a callback over the rows `a, b` asks for a guard
    Then 0 callbacks are admitted
    And no guard is over row `b`

  Scenario: run__callback_guard__acquire__s4
    Given the `owner` of row `a` has moved on
    When a callback over the rows `a, b` asks for a guard
    Then 0 callbacks are admitted
    And no guard is over row `b`

  Scenario: run__callback_guard__acquire__s5
    Given the `attempt` of row `a` has moved on
    When a callback over the rows `a, b` asks for a guard
    Then 0 callbacks are admitted
    And no guard is over row `b`

  Scenario: run__callback_guard__holder_identity__s1
    When 2 engines start over one database
    Then their holder identities differ
    And each is registered before its engine's first guard

  Scenario: run__callback_guard__identity__s1
    When a callback with key `k-1` is admitted at `2026-01-05T10:00:00Z` to a destination with window `10 min`
    Then its guard records the execution, attempt, holder identity and entry key of the callback
    And its guard records key `k-1`, admission `2026-01-05T10:00:00Z` and window `10 min`

  Scenario: run__callback_guard__identity__s2
    When a callback with key `k-1` is admitted at `2026-01-05T10:00:00Z` to a destination with window `none`
    Then its guard records key `k-1`, admission `2026-01-05T10:00:00Z` and window `none`

  Scenario: run__callback_guard__window__s1
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    When the clock reads `2026-01-05T10:00:00Z`
    Then the window covers its key

  Scenario: run__callback_guard__window__s2
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    When the clock reads `2026-01-05T10:09:59Z`
    Then the window covers its key

  Scenario: run__callback_guard__window__s3
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    When the clock reads `2026-01-05T10:10:00Z`
    Then the window does not cover its key

  Scenario: run__callback_guard__window__s4
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `none`
    When the clock reads `2026-01-05T10:00:00Z`
    Then the window does not cover its key

  Scenario: run__callback_guard__release__s1
    When a guarded callback returns `done`
    Then its guard is deleted before `done` is journaled

  Scenario: run__callback_guard__release__s2
    Given the process dies between the deletion of the guard and the journal entry
    When a guarded callback returns `done`
    Then no guard is left
    And its journal entry is pending

  Scenario: run__callback_guard__holder_gone__s1
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    When its holder stops
    Then its holder is gone

  Scenario: run__callback_guard__holder_gone__s2
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    When the serve process reaps its holder
    Then its holder is gone

  Scenario: run__callback_guard__holder_gone__s3
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    When the clock reads `2026-01-05T10:05:00Z`
    Then its holder is not gone

  Scenario: run__callback_guard__container_stop__s1
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    And its container stops before the holder is reaped
    When its takeover is tried at `2026-01-05T10:00:10Z`
    Then the takeover is refused
    And the guard stays

  Scenario: run__callback_guard__container_stop__s2
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    And its container stops before the holder is reaped
    When its takeover is tried at `2026-01-05T10:05:00Z`
    Then the takeover is refused
    And the guard stays

  Scenario: run__callback_guard__container_stop__s3
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    And its container stops before the holder is reaped
    When it is reconciled with evidence `idempotency:k-1` at `2026-01-05T10:05:00Z`
    Then the guard is released

  Scenario: run__callback_guard__replay__s1
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    When its takeover is tried at `2026-01-05T10:05:00Z`
    Then the takeover is refused
    And the guard stays

  Scenario: run__callback_guard__replay__s2
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    And its holder is recorded as exited
    When its takeover is tried at `2026-01-05T10:10:00Z`
    Then the takeover is refused
    And the guard stays

  Scenario: run__callback_guard__replay__s3
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `none`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    And its holder is recorded as exited
    When its takeover is tried at `2026-01-05T10:05:00Z`
    Then the takeover is refused
    And the guard stays

  Scenario: run__callback_guard__replay__s4
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    And its holder is recorded as exited
    When its takeover is tried at `2026-01-05T10:00:10Z`
    Then the takeover is refused
    And the guard stays

  Scenario: run__callback_guard__replay__s5
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    And its holder is recorded as exited
    When its takeover is tried at `2026-01-05T10:05:00Z`
    Then release and takeover commit in one batch
    And the replayed request carries key `k-1`

  Scenario: run__callback_guard__manual__s1
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `none`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    When `dana` reconciles it with evidence `receipt:k-1:rc-7` at `2026-01-05T10:05:00Z`
    Then the guard is released
    And the same batch appends an audit row with evidence `receipt:k-1:rc-7` and operator `dana`

  Scenario: run__callback_guard__live_holder__s1
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    When it is reconciled with evidence `idempotency:k-1` at `2026-01-05T10:00:10Z`
    Then `ExecutionGuardHeld` is raised
    And the guard stays

  Scenario: run__callback_guard__evidence__s1
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    When it is reconciled with evidence `idempotency:another` at `2026-01-05T10:05:00Z`
    Then `ExecutionGuardEvidenceMismatch` is raised
    And the guard stays

  Scenario: run__callback_guard__evidence__s2
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `none`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    When it is reconciled with evidence `idempotency:k-1` at `2026-01-05T10:05:00Z`
    Then `ExecutionGuardEvidenceMismatch` is raised
    And the guard stays

  Scenario: run__callback_guard__evidence__s3
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `none`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    When it is reconciled with evidence `receipt:k-1:rc-7` at `2026-01-05T10:05:00Z`
    Then the guard is released

  Scenario: run__callback_guard__evidence__s4
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    When it is reconciled with evidence `receipt:another:rc-7` at `2026-01-05T10:05:00Z`
    Then `ExecutionGuardEvidenceMismatch` is raised
    And the guard stays

  Scenario: run__callback_guard__evidence__s5
    Given a guard with key `k-1` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    And its owner lease lapses at `2026-01-05T10:00:30Z`
    When it is reconciled with evidence `seen on the dashboard` at `2026-01-05T10:05:00Z`
    Then `ExecutionGuardEvidenceMismatch` is raised
    And the guard stays

  Scenario: run__callback_guard__class__s1
    Given a guard of kind `publication` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    When the clock reads `2026-01-05T10:05:00Z`
    Then its evidence class is `replay-safe`

  Scenario: run__callback_guard__class__s2
    Given a guard of kind `publication` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    When the clock reads `2026-01-05T10:10:00Z`
    Then its evidence class is `receipt-required`

  Scenario: run__callback_guard__class__s3
    Given a guard of kind `other` admitted at `2026-01-05T10:00:00Z` with window `none`
    When the clock reads `2026-01-05T10:05:00Z`
    Then its evidence class is `unknown`

  Scenario: run__callback_guard__inspect__s1
    Given item `a` of job `score` is in a guarded callback
    When `contextful storage guard --project shop` runs
    Then it prints 1 guards
    And each has every field of a guard and its evidence class

  Scenario: run__callback_guard__inspect__s2
    Given no guard is held
    When `contextful storage guard --project shop` runs
    Then it prints 0 guards

  Scenario: run__callback_guard__blocked__s1
    Given a guard of kind `publication` admitted at `2026-01-05T10:00:00Z` with window `10 min`
    When its takeover is tried at `2026-01-05T10:05:00Z`
    Then the answer is retryable
    And the answer names the guard's token
    And the answer names `replay-safe`
    And the answer does not name `contextful storage reconcile-guard`

  Scenario: run__callback_guard__blocked__s2
    Given a guard of kind `publication` admitted at `2026-01-05T10:00:00Z` with window `none`
    When its takeover is tried at `2026-01-05T10:05:00Z`
    Then the answer is retryable
    And the answer names the guard's token
    And the answer names `receipt-required`
    And the answer names `contextful storage reconcile-guard`

  Scenario: run__callback_guard__legacy_guard__s1
    Given a database of schema 3 with a `global` guard row `g-0`
    When `contextful storage initialize` runs
    Then the answer names `g-0`
    And the answer names `contextful storage initialize`
    And the database is at schema 3
