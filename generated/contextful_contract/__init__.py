"""The contract in Python: `errors`, `shapes`, `limits` and `clauses`, written by `python -m codegen`."""
