"""Text without NUL, for databases that cannot hold one, or that nobody knows to."""


def escaped(text: str) -> str:
    r"""The text without \x00: \x00 and \x01 become pairs. Equality and order stay."""
    if "\x00" not in text and "\x01" not in text:
        return text
    return text.replace("\x01", "\x01\x02").replace("\x00", "\x01\x01")


def unescaped(text: str) -> str:
    """The text that was escaped."""
    if "\x01" not in text:
        return text
    return text.replace("\x01\x01", "\x00").replace("\x01\x02", "\x01")
