# Written by `python -m codegen` from spec/connector/package.md: change the page.
Feature: connector.package

  Scenario: connector__package__linear_memory__s1
    When a `read` call asks for 257 MiB
    Then it has struck `linear-memory`

  Scenario: connector__package__linear_memory__s2
    When a connector is declared with 3 GiB of memory
    Then it is refused

  Scenario: connector__package__call_deadline__s1
    When a `read` call runs for 31 s
    Then it has struck `call-deadline`

  Scenario: connector__package__call_deadline__s2
    When a `discovery` call runs for 59 s
    Then it has struck `nothing`

  Scenario: connector__package__world__s1
    When a source written in Python is pinned
    Then its `world` is `native`

  Scenario: connector__package__content_hash__s1
    Given a remote artifact pinned as `d1`
    When it arrives with the digest `d2`
    Then `ConnectorDigestMismatch` is raised
    And its `expected` is `d1`
    And its `found` is `d2`

  Scenario: connector__package__hot_reload__s1
    Given a journaled run holds connector `ads`
    When connector `ads` is resolved anew
    Then `ConnectorHotReload` is raised
    And its `connector` is `ads`
