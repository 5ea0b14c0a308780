"""The steps of the generated scenarios, a module an operation, on one stage."""
