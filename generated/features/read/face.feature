# Written by `python -m codegen` from spec/read/face.md: change the page.
Feature: read.face

  Scenario: read__face__one_select__s1
    When `SELECT a FROM shop_orders` is read
    Then it is answered

  Scenario: read__face__one_select__s2
    When `DELETE FROM shop_orders` is read
    Then `ReadStatementRefused` is raised
    And the store is unchanged

  Scenario: read__face__one_select__s3
    When `SELECT 1; SELECT 2` is read
    Then `ReadStatementRefused` is raised
    And the store is unchanged

  Scenario: read__face__statement_time__s1
    When a statement is read that takes longer than it has
    Then `ReadStatementRefused` is raised
    And the store is unchanged

  Scenario: read__face__covered_relations__s1
    Given a credential that may `read` table `shop_*`
    When `SELECT a FROM books_orders` is read
    Then the answer is the same as for `SELECT a FROM no_such_table`

  Scenario: read__face__enforced__s1
    Given column `a` of table `shop_orders` with the strategy `hash`
    And a credential that may `read` table `shop_*`
    When `SELECT a FROM shop_orders` is read
    Then it answers no clear value

  Scenario: read__face__snapshot_ids__s1
    Given tables `shop_orders, shop_items, shop_people`
    When `SELECT a FROM shop_orders JOIN shop_items USING (id)` is read
    Then the tables `shop_items, shop_orders` have a snapshot id in the answer
