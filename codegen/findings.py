"""What is wrong with a page: where, under which code, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from codegen.model import Text

HINTS = {
    # the bytes
    "unreadable": "a page is a readable, regular file",
    "encoding": "save the page as UTF-8",
    "binary": "a page is text: move this file out of spec/",
    "byte-order-mark": "save the page without a byte order mark",
    "line-end": "save the page with \\n line ends",
    "last-newline": "end the last line with \\n",
    "tab": "use spaces",
    "trailing-space": "delete the spaces at the end of the line",
    "control-character": "delete it, or name it in words",
    "invisible-character": "delete it: nobody can see it",
    "not-nfc": "write the composed character (Unicode NFC)",
    # the lines
    "front-matter": "begin with ---, contract: name, owns: operation, operation, ---",
    "title": "give the page one # title, under the front matter",
    "heading": "only # title, ## operation, ### sub-heading, #### Scenarios, ## Shapes and its four tables",
    "misplaced": "see spec/README.md, the parts of a page in order",
    "wrapped": "a fact is one line; leave a blank line before what follows it",
    "clause": "- `subject` [test:1] — statement",
    "why": "two spaces, then *because …* or *P2, P6*, on the line under the clause",
    "scenario": "- `contract.operation.subject`: GIVEN …, WHEN …, THEN …",
    "steps": "GIVEN (optional), WHEN, THEN, each perhaps followed by AND; a comma before each",
    "unsettled": "unsettled: question? owner: name affects: contract.operation",
    "list": "lists are for clauses and scenarios; write prose or a table",
    "fence": "open and close a fence at column 1; fence code that shows fences with a longer mark",
    "html": "no HTML; put <…> in back-ticks",
    "rule": "no rules and no underlined headings",
    "quote": "write it as prose",
    "reference": "this line would not be shown; link in place: [text](address)",
    "indented": "prose stands at column 1; a fact that wraps is joined into one line",
    "back-tick": "close the code span on the same line",
    "link": "{{contract.operation.subject}}, or {{subject}} where that is unique",
    "table": "a header, a row of | --- |, then rows with as many cells",
    "cell": "see spec/README.md, Shapes",
    # between the lines and the pages
    "no-clauses": "write a page at spec/<contract>/<operation>.md",
    "page-path": "a page is spec/<contract>/<operation>.md",
    "operation": "owns: and the ## headings name the same operations",
    "operation-owned-twice": "give the operation to one page",
    "empty-operation": "write its first clause, or take the operation out of owns:",
    "lede": "say in one paragraph what it does",
    "duplicate": "delete one of the two, or give it a name of its own",
    "same-statement": "state a fact once and link to it",
    "no-scenario": "add one under #### Scenarios",
    "scenario-clause": "a scenario stands under the operation of the clause it is for",
    "principle": "principles stand in spec/principles.md as ## P<n> — title",
    "dangling-link": "link to a clause of some page",
    "ambiguous-link": "write the link in full",
    "dangling-name": "add it to ## Shapes, or correct its spelling",
    "foreign-refusal": "link to the clause that owns the refusal",
    "unnamed-refusal": "name the refusal in the statement of its clause",
    "owner": "name a clause of this page by its subject",
    "limit-statement": "the statement shows the value, a space and the unit as the table has them",
    "unknown-type": "str int float bool bytes json instant, a shape, list<T>, map<str, T>; T? allows none",
    "field": "a field is a name of a-z, 0-9 and _, unlike the names that Python and the refusal base use",
    "placeholder": "a sentence uses its fields as {name}, and no other braces",
    "tag": "a tag is a value of the enumeration FailureTag",
    "presence": "omit-if-none needs T?; -zero int or float; -false bool; -empty str, list or map",
    "flag": "write yes or no in every row of the enumeration, or — in all",
    "python-name": "choose a name that makes a Python name of its own",
    # what names clauses from outside, with tools/spec lint
    "dangling-cite": "cite a clause of some page",
    "dangling-mark": "mark the test with a clause of some page",
    # the folder generated/, with --check
    "modified": "run python -m codegen and commit what it writes",
    "missing": "run python -m codegen and commit what it writes",
    "extra": "run python -m codegen, and delete by hand what it did not write itself",
}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing to change on a page."""

    path: str
    line: int
    column: int
    code: str
    message: str

    @property
    def hint(self) -> str:
        """What to do about it."""
        return HINTS[self.code]


@dataclass(slots=True)
class Notes:
    """The findings of one page, as they are met.

    `broken` are the ids and names on lines that were not well written: what is noted there is not noted
    again as missing.
    """

    path: str
    findings: list[Finding] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def add(self, at: Text, code: str, message: str) -> None:
        """Note what is wrong at a place of the page."""
        assert code in HINTS, code
        self.findings.append(Finding(self.path, at.line, at.column, code, message))

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)
