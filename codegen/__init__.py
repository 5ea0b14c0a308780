"""The program that reads the contract under `spec/` and writes `generated/`."""
