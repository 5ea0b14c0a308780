# Written by `python -m codegen` from spec/connector/source.md: change the page.
Feature: connector.source

  Scenario: connector__source__pull_answer__s1
    Given a source of 3 pages
    And page 2 reports `skipped` 4
    When page 2 is pulled
    Then it decodes as a `Pull`
    And its `more` is `true`
    And its `skipped` is `4`

  Scenario: connector__source__http_class__s1
    When a server answers 401
    Then the attempt fails `AuthExpired`

  Scenario: connector__source__http_class__s2
    When a server answers 404
    Then the attempt fails `Config`

  Scenario: connector__source__http_class__s3
    When a server answers 429 with `Retry-After: 7`
    Then the attempt fails `RateLimited`
    And its `retry_after_secs` is `7`

  Scenario: connector__source__http_class__s4
    When a server answers 503
    Then the attempt fails `Transient`

  Scenario: connector__source__next_url_walk__s1
    Given a next-URL walk of 4 pages into an appending table
    When the fire runs
    Then the fire commits 1 times

  Scenario: connector__source__page_cap__s1
    Given a next-URL walk of 1001 pages into an appending table
    When the fire runs
    Then 1000 pages have been pulled
    And its `more` is `true`

  Scenario: connector__source__page_loop__s1
    Given a next-URL walk whose page 3 points to page 2
    When the fire runs
    Then `ConnectorPageLoop` is raised
    And 3 pages have been pulled

  Scenario: connector__source__file_growth__s1
    Given the files `a, b` of a row each
    When the files are read
    And file `0` comes with a row
    And the files are read
    Then the read answers the row of file `0` alone

  Scenario: connector__source__file_growth__s2
    Given the files `a, b` of a row each
    When the files are read
    And file `a` grows by a row
    And the files are read
    Then the read answers the row of file `a` alone

  Scenario: connector__source__file_changed__s1
    Given the files `a, b` of a row each
    When the files are read
    And file `a` is written anew
    And the files are read
    Then the attempt fails `Permanent`

  Scenario: connector__source__file_tail__s1
    Given a CSV file whose only record is `1,te` without its end
    When the files are read
    Then the attempt fails `Transient`

  Scenario: connector__source__file_tail__s2
    Given a CSV file whose only record is `1,te` without its end
    When its end `a` comes
    And the files are read
    Then the read answers `{"id": "1", "note": "tea"}`

  Scenario: connector__source__no_file__s1
    Given no file
    When the files are read
    Then the attempt fails `Permanent`
