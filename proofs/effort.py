"""How hard the proofs try: `make test` runs them all, `make proofs` runs them further.

`CONTEXTFUL_PROOFS=full` kills the listed mutants as well, and widens every sampled or walked domain.
"""

from __future__ import annotations

import os

FULL = os.environ.get("CONTEXTFUL_PROOFS") == "full"
