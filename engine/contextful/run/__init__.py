"""The contract `run`, decided: one module an operation. Nothing here reads a port or a clock."""
