"""What looks like a credential in a text that people are shown."""

from __future__ import annotations

import re

MASKED = "[REDACTED:credential]"

_NAMES = (
    r"(?:api[-_]?key|access[-_]?key(?:[-_]?id)?|session[-_]?id"
    r"|credentials?|passw(?:or)?d|pwd|secret|signature|token)"
)
_PREFIXES = "sk|pk|rk|gh[oprsu]|github_pat|glpat|xox[abeprs]|hf|npm|whsec"
_DRAWN = r"(?=[\w.~+/=-]{0,200}(?:[\d=~+/]|[a-z][A-Z])|[\w.~+/=-]{20})[\w.~+/=-]+"  # nobody would write it by hand
_SHAPES = tuple(  # the first group of each stays
    re.compile(shape)
    for shape in (
        r"(?s)()-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        r"(://)[^/\s?#]+(?=@)",  # user:password@ in an address, or a token alone
        r"(?i)(\b(?:set-)?cookie[\"']?\s*:\s*[\"']?)[^\"'\r\n]+",
        r"(?i)(\bauthorization[\"']?\s*[:=]\s*[\"']?(?:(?:apikey|basic|bearer|digest|token)\s+)?)[^\s\"',;]+",
        rf"((?i:\b(?:basic|bearer))\s+){_DRAWN}",
        rf"(?i)({_NAMES}[\"']?\s*=\s*[\"']?)[^\s\"'&,;)}}]+",
        rf"(?i)({_NAMES}[\"']\s*:\s*[\"'])[^\"']+",  # in JSON
        rf"(?i)({_NAMES}\s*:\s+)(?=\S{{0,200}}\d)[^\s\"',;]{{8,}}",  # in a header
        r"(?i)([?&](?:auth|code|jwt|key|sig)=)[^&\s\"']+",
        rf"()\b(?:{_PREFIXES})[-_](?=[\w-]{{0,200}}\d)[\w-]{{8,}}",  # a vendor's; a column's name has no digit
        r"()\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        r"()\bAIza[\w-]{35}",
        r"()\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*",
    )
)


def masked(text: str) -> str:
    """The text, each span of it that looks like a credential replaced."""
    for shape in _SHAPES:
        text = shape.sub(rf"\g<1>{MASKED}", text)
    return text
