"""A source without what a cite marks: the smallest thing that begins or ends on the marked line.

a statement                                  `pass` stands in its place, for the whole of a `for` or `match`
a `with`; an `if` marked behind its colon    the guard goes, its block stays
an argument, an element, an entry            it goes, with its comma
a part of an `and` or `or`                   the others decide
an arm of `a if b else c`                    the other arm stands in its place
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from tools.cites import Cite
from tools.command import Trouble

COMMA = re.compile(rb"\A\s*,")

Node = ast.stmt | ast.expr | ast.keyword


@dataclass(frozen=True, slots=True)
class Piece:
    """The first and the last line of something, its bytes, and what stands in their place once it is cut."""

    lines: tuple[int, int]
    start: int
    end: int
    instead: bytes


def without(source: bytes, cite: Cite) -> bytes:
    """The source once what the cite marks is deleted."""
    text = _Text(source)
    for pieces in (text.statements(behind=cite.written == cite.line), text.parts()):
        marked = [piece for piece in pieces if cite.line in piece.lines]
        if marked:
            # of two on the same lines, the one that holds the other was met first
            piece = min(marked, key=lambda piece: piece.lines[1] - piece.lines[0])
            rest = source[piece.end :]
            return source[: piece.start] + piece.instead + (rest if piece.instead else COMMA.sub(b"", rest))
    raise Trouble(f"{cite.file}:{cite.line} is no statement, and no part of one that could go: move its cite")


class _Text:
    """A source, by the places of its nodes."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._nodes = list(ast.walk(ast.parse(source)))
        self._lines = [0, *accumulate(map(len, source.splitlines(keepends=True)))]

    def statements(self, *, behind: bool) -> Iterator[Piece]:
        """Every statement; of one that guards a block, what is above the block."""
        for node in self._nodes:
            match node:
                case ast.With(body=[first, *_]):
                    yield self._guard(node, first)
                case ast.If(body=[first, *_]) if behind:
                    yield self._guard(node, first)
                case ast.stmt():
                    yield self._piece(node, b"pass")

    def parts(self) -> Iterator[Piece]:
        """Every part of an expression without which it is still one."""
        for node in self._nodes:
            match node:
                case ast.Call(args=arguments, keywords=keywords):
                    yield from (*map(self._piece, arguments), *map(self._piece, keywords))
                case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                    yield from map(self._piece, parts)
                case ast.Dict(keys=keys, values=values):
                    yield from (self._piece(key, to=value) for key, value in zip(keys, values, strict=True) if key)
                case ast.BoolOp(op=operator, values=parts):
                    neutral = b"True" if isinstance(operator, ast.And) else b"False"
                    yield from (self._piece(part, neutral) for part in parts)
                case ast.IfExp(body=one, orelse=other):
                    yield from (self._piece(one, self._written(other)), self._piece(other, self._written(one)))

    def _piece(self, node: Node, instead: bytes = b"", *, to: Node | None = None) -> Piece:
        last = to or node
        return Piece((node.lineno, last.end_lineno or 0), self._start(node), self._end(last), instead)

    def _guard(self, node: ast.stmt, first: ast.stmt) -> Piece:
        block = b"if True:\n" + b" " * first.col_offset
        return Piece((node.lineno, first.lineno - 1), self._start(node), self._start(first), block)

    def _written(self, node: Node) -> bytes:
        return self._source[self._start(node) : self._end(node)]

    def _start(self, node: Node) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: Node) -> int:
        assert node.end_lineno is not None, "ast.parse places every node"
        assert node.end_col_offset is not None, "ast.parse places every node"
        return self._lines[node.end_lineno - 1] + node.end_col_offset
