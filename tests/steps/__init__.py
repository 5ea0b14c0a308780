"""The steps of the generated scenarios, a module an operation, on one stage; those of pipelines on a shop upon it."""
