"""python -m proofs.fuzz.coverage_guided [libFuzzer's options] CORPUS: bytes that reach new lines of the parser."""

from __future__ import annotations

import sys
import tempfile

import atheris

with atheris.instrument_imports(include=["codegen"]):
    from tests.codegen.account import account

from proofs.fuzz.pages import WORDS


def main() -> None:
    """Read as a page whatever libFuzzer comes up with, until its time is over or something falls."""
    with tempfile.NamedTemporaryFile("w", suffix=".dict", encoding="ascii") as words:
        words.writelines(f'"{_escaped(word)}"\n' for word in WORDS)
        words.flush()
        atheris.Setup([*sys.argv, f"-dict={words.name}"], account)
        atheris.Fuzz()


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


if __name__ == "__main__":
    main()
