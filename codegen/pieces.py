"""What a line that states a fact looks like, piece by piece: the first wrong piece has its column."""

from __future__ import annotations

import re
from dataclasses import dataclass

from codegen.findings import Notes
from codegen.model import Evidence, Text

ID = r"[a-z0-9-]+"
OPERATION_ID = rf"{ID}\.{ID}"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a line, and how to say what it is."""

    pattern: re.Pattern[str]
    expected: str


Pieces = list[Piece]


def _pieces(*described: tuple[str, str]) -> Pieces:
    return [Piece(re.compile(pattern), expected) for pattern, expected in described]


FRONT = [
    _pieces(("---", "---")),
    _pieces((rf"contract: (?P<contract>{ID})$", "contract: and a name of a-z, 0-9 and -")),
    _pieces((rf"owns: (?P<owns>{ID}(?:, {ID})*)$", "owns: and operations, set apart by a comma and a space")),
    _pieces(("---", "--- after contract: and owns:")),
]
CLAUSE = _pieces(
    (r"- ", "a dash and a space, at column 1"),
    (r"`", "the subject in back-ticks"),
    (rf"(?P<subject>{ID})", "a subject of a-z, 0-9 and -"),
    (r"`", "the end of the subject, which is of a-z, 0-9 and -"),
    (r"(?: \[(?P<badge>[^\]]*)\])? — ", "a space, perhaps [test:1 theorem:1], and an em dash between spaces"),
    (r"(?P<statement>\S.*)", "the statement"),
)
WHY = _pieces(
    (r"  ", "two spaces"),
    (r"\*(?=\S)", "an asterisk after two spaces"),
    (r"(?P<why>because .*?\S|P[0-9]+(?:, P[0-9]+)*)(?=\**$)", "because and a reason, or P2, P6"),
    (r"\*$", "an asterisk that ends the line"),
)
SCENARIO = _pieces(
    (r"- `", "a dash, a space and a back-tick, at column 1"),
    (rf"(?P<clause>{OPERATION_ID}\.{ID})", "the clause's full id, contract.operation.subject"),
    (r"`: ", "a back-tick, a colon and a space"),
    (r"(?P<steps>\S.*)", "the steps"),
)
UNSETTLED = _pieces(
    (r"unsettled: ", "unsettled: and a space, at column 1"),
    (r"(?P<question>\S.*?\?)(?= owner: )", "a question that ends in ?, then owner:"),
    (rf" owner: (?P<owner>{ID})", "a name of a-z, 0-9 and -"),
    (rf" affects: (?P<affects>{OPERATION_ID}(?:, {OPERATION_ID})*)$", "affects: and contract.operation"),
)
_BADGE = re.compile(r"(?=t)(?:test:([1-9][0-9]{0,3}))?(?:(?:^| )theorem:([1-9][0-9]{0,3}))?")


def follow(text: Text, pieces: Pieces, code: str, notes: Notes) -> dict[str, Text] | None:
    """The named pieces of a line, or None and a note where it first differs from what is expected."""
    found: dict[str, Text] = {}
    position = 0
    for piece in pieces:
        match = piece.pattern.match(text.value, position)
        if match is None:
            notes.add(text.part(position), code, f"expected {piece.expected}")
            return None
        for name, value in match.groupdict().items():
            if value is not None:
                found[name] = text.part(*match.span(name))
        position = match.end()
    return found


def evidence(badge: Text, notes: Notes) -> Evidence:
    """What a badge asks for; a badge that is none is noted and asks for a test."""
    match = _BADGE.fullmatch(badge.value)
    if match is None:
        notes.add(badge, "clause", "expected [test:2 theorem:1], [test:2] or [theorem:1]")
        return Evidence(test=1, theorem=0)
    return Evidence(test=int(match[1] or 0), theorem=int(match[2] or 0))
