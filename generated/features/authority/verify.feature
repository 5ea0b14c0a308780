# Written by `python -m codegen` from spec/authority/verify.md: change the page.
Feature: authority.verify

  Scenario: authority__verify__presentation__s1
    Given a valid token
    When it is sent as `Authorization: Bearer`
    Then it is admitted

  Scenario: authority__verify__presentation__s2
    Given a valid token
    When it is sent as `Authorization: DPoP` with a valid proof
    Then it is admitted

  Scenario: authority__verify__presentation__s3
    Given a valid token
    When it is given as `CONTEXTFUL_TOKEN`
    Then it is admitted

  Scenario: authority__verify__status__s1
    When a request comes with `no credential`
    Then the answer is `401`

  Scenario: authority__verify__status__s2
    When a request comes with `a credential without the grant`
    Then the answer is `403`

  Scenario: authority__verify__signature__s1
    When a request comes with `a token that another key signed`
    Then `SignatureInvalid` is raised
    And the answer is `401`

  Scenario: authority__verify__audience__s1
    When a request comes with `a token for another audience`
    Then `AudienceMismatch` is raised
    And the answer is `401`

  Scenario: authority__verify__expiry__s1
    Given a token that expires at `2026-01-05T10:00:00Z`
    When it is sent at `2026-01-05T09:59:59Z`
    Then it is admitted

  Scenario: authority__verify__expiry__s2
    Given a token that expires at `2026-01-05T10:00:00Z`
    When it is sent at `2026-01-05T10:00:00Z`
    Then `AuthorityExpired` is raised

  Scenario: authority__verify__revocation__s1
    Given a valid token
    And it is revoked
    When it is sent as `Authorization: Bearer`
    Then `AuthorityRevoked` is raised

  Scenario: authority__verify__bearer_lifetime__s1
    Given a token made out for 3600 s
    When it is sent as `Authorization: Bearer`
    Then it is admitted

  Scenario: authority__verify__bearer_lifetime__s2
    Given a token made out for 3601 s
    When it is sent as `Authorization: Bearer`
    Then `BearerLifetimeExceeded` is raised

  Scenario: authority__verify__possession__s1
    When a proof comes that is 300 s old
    Then it is admitted

  Scenario: authority__verify__possession__s2
    When a proof comes that is 301 s old
    Then `PossessionProofInvalid` is raised

  Scenario: authority__verify__possession__s3
    When a proof comes that is 31 s ahead
    Then `PossessionProofInvalid` is raised

  Scenario: authority__verify__possession__s4
    When a proof comes that was made for another `method`
    Then `PossessionProofInvalid` is raised

  Scenario: authority__verify__possession__s5
    When a proof comes that was made for another `body`
    Then `PossessionProofInvalid` is raised

  Scenario: authority__verify__replay__s1
    When one proof comes 2 times
    Then `PossessionProofReplayed` is raised

  Scenario: authority__verify__subject__s1
    Given a token on behalf of `user://dana@acme.example`
    When it is sent with body `{"on_behalf_of":"user://eve@acme.example"}`
    Then the request acts for `user://dana@acme.example`
