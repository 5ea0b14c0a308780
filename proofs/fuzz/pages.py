"""What the fuzzers begin with: the project's own pages, the page that the tests break, and the words of the grammar."""

from __future__ import annotations

from pathlib import Path

from tests.codegen.corpus import PAGE

ROOT = Path(__file__).parents[2]
SPEC = tuple(path.read_text(encoding="utf-8") for path in sorted((ROOT / "spec").glob("*/*.md")))
SEEDS = (PAGE, *(piece for page in SPEC for piece in page.split("\n\n## ")))
WORDS = (
    *("---\n", "\n## ", "\n### ", "\n#### Scenarios\n", "\n## Shapes\n", "\n### Refusals\n", "\n### Limits\n"),
    *("- `", "` — ", "` [test:1] — ", "  *because ", "*\n", "  *P6*\n", "{{", "}}", "WHEN ", ", THEN ", ", AND "),
    *("unsettled: ", " owner: ", " affects: ", "| ", " |\n", "| --- |\n", "```", "````", "~~~", "`", "``", "<", "> "),
    *("\r\n", "\t", "\u2028", "\u0085", "\x0c", "\ufeff", "\u200b", "e\u0301", "list<", "map<str, ", "\\|", "—"),
)
