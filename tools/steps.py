"""The steps that exist: the words of each definition, where it stands, and which steps of scenarios it takes.

Definitions are read and not run, so that a question is answered without pytest.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WHERE = Path("tests/steps")
KEYWORDS = ("given", "when", "then", "step")
FIELD = re.compile(r"\\\{[^{}]*\\\}")
ANYTHING = ".+"


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition of a step: its keyword, its words, the pattern that they are, and its lines."""

    keyword: str
    words: str
    pattern: str
    file: str
    first: int
    last: int

    def takes(self, keyword: str, step: str) -> bool:
        """Whether a step of a scenario runs this."""
        if self.keyword not in (keyword, "STEP"):
            return False
        try:
            return re.fullmatch(self.pattern, step) is not None
        except re.error:
            return False


def read(root: Path) -> tuple[Definition, ...]:
    """Every definition, by file and line."""
    return tuple(found for path in sorted((root / WHERE).rglob("*.py")) for found in of_file(root, path))


def of_file(root: Path, path: Path) -> Iterator[Definition]:
    """The definitions of one file, in their order."""
    file = path.relative_to(root).as_posix()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                match decorator:
                    case ast.Call(func=ast.Name(id=keyword), args=[said, *_]) if keyword in KEYWORDS:
                        words, pattern = _said(said)
                        first = min(each.lineno for each in node.decorator_list)
                        yield Definition(keyword.upper(), words, pattern, file, first, node.end_lineno or node.lineno)


def _said(node: ast.expr) -> tuple[str, str]:
    """The words of a definition, and the pattern that they are."""
    match node:
        case ast.Call(func=ast.Attribute(attr="re"), args=[pattern, *_]):
            return _text(pattern, "{}"), _text(pattern, ANYTHING)
        case ast.Call(args=[words, *_]):
            return _text(words, "{}"), FIELD.sub(ANYTHING, re.escape(_text(words, "{}")))
        case _:
            return _text(node, "{}"), re.escape(_text(node, "{}"))


def _text(node: ast.expr, instead: str) -> str:
    """A text as it is written, with something in the place of what is only known when it runs."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, instead) for part in parts)
        case _:
            return instead
