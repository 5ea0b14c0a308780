"""What the contract said before: as a commit has it, or under a revision that was accepted."""

import json
from pathlib import Path

from tools import contract, git
from tools.command import Trouble
from tools.contract import Clause, Contract


def at(root: Path, commit: str) -> Contract:
    """The contract as a commit has it."""
    found = _at(root, commit)
    if found is None:
        raise Trouble(f"there is no readable {contract.WHERE} in {commit}")
    return found


def wording(root: Path, id: str, rev: str) -> Clause | None:
    """A clause as it was under a revision, from the newest commit that has it so, whatever its id was then."""
    for commit in git.touching(root, f'"rev": "{rev}"', contract.WHERE):
        for candidate in (commit, f"{commit}~"):
            pages = _at(root, candidate)
            under = [clause for clause in pages.clauses if clause.rev == rev] if pages else []
            if under:
                return next((clause for clause in under if clause.id == id), under[0])
    return None


def _at(root: Path, commit: str) -> Contract | None:
    text = git.show(root, commit, contract.WHERE)
    try:
        return None if text is None else contract.of(json.loads(text))
    except (ValueError, KeyError, TypeError):
        return None
