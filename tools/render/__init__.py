"""One report, many surfaces: each module renders the same verdicts and decides nothing."""
