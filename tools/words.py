"""Two wordings in one line: what is gone in `[-…-]`, what has come in `{+…+}`, as git has them."""

from collections.abc import Iterator
from difflib import SequenceMatcher


def diff(old: str, new: str) -> str:
    """The two, word by word."""
    return " ".join(_pieces(old.split(), new.split()))


def _pieces(old: list[str], new: list[str]) -> Iterator[str]:
    for what, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = " ".join(old[start:end]), " ".join(new[new_start:new_end])
        if what == "equal":
            yield gone
        else:
            yield (f"[-{gone}-]" if gone else "") + (f"{{+{come}+}}" if come else "")
