"""Words that every operation shares: changes, tables, instants, digests, recorded bytes, failures, signals."""
