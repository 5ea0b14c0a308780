"""From a test run to a verdict per clause, and answers to questions about a clause."""
