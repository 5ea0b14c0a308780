# Written by `python -m codegen` from spec/run/orchestrate.md: change the page.
Feature: run.orchestrate

  Scenario: run__orchestrate__role__s1
    Given the orchestrator of each target profile
    When the execution interface is listed
    Then it offers `open_or_resume, record, suspend, commit_cursor, attach_schedule, capabilities`

  Scenario: run__orchestrate__provider_step__s1
    Given a provider step over table `orders` with 4 pages
    When the provider runs the step
    Then the provider has recorded 1 steps
    And the step's record is the commit pointer of table `orders`
    And the engine's journal has recorded 4 pulls

  Scenario: run__orchestrate__provider_step__s2
    Given a provider step over chunk 3 with 4 pages
    When the provider runs the step
    Then the provider has recorded 1 steps
    And the step's record is the commit pointer of chunk 3

  Scenario: run__orchestrate__semantics__s1
    Given an adapter whose suite has not shown `run.cancel`
    When a target profile names the adapter
    Then the profile is refused
    And the answer names `run.cancel`

  Scenario: run__orchestrate__resume__s1
    Given a provider step over chunk 3 with 4 pages
    And its process dies after page 2
    When its lease lapses
    And the provider replays the step
    Then pages 1 to 2 are pulled 1 times
    And its parts equal those of an uninterrupted run

  Scenario: run__orchestrate__resume__s2
    Given a provider step over table `orders` with 4 pages
    And the step has completed
    When the provider replays the step
    Then the step answers the commit pointer on record
    And pages 1 to 4 are pulled 1 times

  Scenario: run__orchestrate__one_retry_layer__s1
    Given a provider step over table `orders` with 4 pages
    And page 2 is throttled 1 times
    When the provider runs the step
    Then page 2 is asked for 2 times
    And the provider has recorded 1 attempts of the step

  Scenario: run__orchestrate__one_retry_layer__s2
    Given a provider step over table `orders` with 4 pages
    And page 2 fails `Permanent`
    When the provider runs the step
    Then the provider has recorded 1 attempts of the step
    And the run of table `orders` closes `failed`

  Scenario: run__orchestrate__delegate_inside__s1
    Given a provider step over a delegated job with items `a, b`
    And its process dies while call 1 of item `b` is unanswered
    When its lease lapses
    And the provider replays the step
    Then call 1 of item `a` is sent 1 times
    And call 1 of item `b` is sent 2 times
    And call 1 of item `b` has one idempotency key
    And the provider has recorded 1 steps

  Scenario: run__orchestrate__step_command__s1
    Given a pipeline `shop` with table `orders`
    When `contextful pipeline step shop --run-id st-1` runs
    Then it prints a commit pointer of table `orders`
    And its run ids start with `st-1`

  Scenario: run__orchestrate__step_command__s2
    Given a pipeline `shop` with table `orders`
    And a seed plan of 5 chunks
    When `contextful pipeline step shop --run-id st-2 --chunk 3` runs
    Then it prints a commit pointer of chunk 3

  Scenario: run__orchestrate__step_command__s3
    Given a pipeline `shop` with table `orders`
    And step `st-1` has crashed once and its lease has lapsed
    When `contextful pipeline step shop --run-id st-1` runs
    Then its run ids start with `st-1.replay-1`

  Scenario: run__orchestrate__step_lease__s1
    Given a provider step over chunk 3 with 4 pages
    And its process dies after page 2
    When the provider replays the step
    Then the replay is refused
    And the answer names the dead attempt

  Scenario: run__orchestrate__step_lease__s2
    Given a provider step over chunk 3 with 4 pages
    And its process dies after page 2
    When its lease lapses
    And the provider replays the step
    Then the step answers the commit pointer of chunk 3

  Scenario: run__orchestrate__step_lease__s3
    Given a provider step over table `orders` with 4 pages
    When the provider runs the step
    Then no owner lease of the step is left
