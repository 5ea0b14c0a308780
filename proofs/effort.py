"""How hard the proofs try: `make test` runs them all, `make proofs` runs them further.

`CONTEXTFUL_PROOFS=full` widens what is sampled and walked. What is sampled is the same in each run, but for a full run
on somebody's own machine: that looks where nobody has looked yet.
"""

from __future__ import annotations

import os

FULL = os.environ.get("CONTEXTFUL_PROOFS") == "full"
DERANDOMIZED = "CI" in os.environ or not FULL
