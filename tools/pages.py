"""The pages as they stand on disk: what generated code will say once they are sound and it is written."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from codegen import load, model, report
from codegen.as_json import as_json
from tools import contract
from tools.command import Trouble
from tools.contract import Clause, Contract


@dataclass(frozen=True)
class Pages:
    """Sound pages: with the place of every word, and as the other tools see them."""

    placed: model.Contract

    @cached_property
    def contract(self) -> Contract:
        """The clauses, as `generated/contract.json` would have them."""
        return contract.of(as_json(self.placed))

    def clause(self, asked: str) -> Clause:
        """The clause of an id, or of its last part where that is unique."""
        match self.placed.resolve(asked):
            case [id]:
                return self.contract.by_id[id]
            case []:
                from difflib import get_close_matches

                meant = get_close_matches(asked, self.contract.by_id, n=3)
                raise Trouble(
                    f"no clause is called {asked}" + (f"; did you mean {' or '.join(meant)}?" if meant else "")
                )
            case several:
                raise Trouble(f"{asked} may be {' or '.join(several)}")


def read(root: Path) -> Pages:
    """The pages under `root`; while something is wrong with them, that is the answer."""
    placed, findings = load.load(root)
    if findings:
        raise Trouble(f"the pages are not sound\n{report.text(findings, report.Count.of(placed))}", code=1)
    return Pages(placed)
