"""The contract in Python: `errors`, `shapes`, `limits`, `clauses` and `statements`, written by `python -m codegen`."""
