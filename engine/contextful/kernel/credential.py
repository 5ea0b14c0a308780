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


_HINTS = (
    "sk_",
    "sk-",
    "pk_",
    "rk_",
    "gh",
    "glpat-",
    "xox",
    "hf_",
    "npm_",
    "whsec_",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "-----",
)
_SECRETS = re.compile(  # in data a false find costs a value, so these are the forms that vendors give and no other
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{4,}"
    r"|\bsk-(?=[\w-]{0,200}[0-9])(?=[\w-]{0,200}[A-Za-z])[\w-]{20,}"
    r"|\bgh[oprsu]_[A-Za-z0-9]{36,}|\bgithub_pat_\w{22,}|\bglpat-[\w-]{20,}|\bxox[abeprs]-[\w-]{10,}"
    r"|\bhf_[A-Za-z0-9]{34,}|\bnpm_[A-Za-z0-9]{36,}|\bwhsec_[\w+/=]{24,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}"
    r"|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+",
    re.DOTALL,
)
_HINTED = tuple(hint.encode() for hint in _HINTS)


def may_hold_secrets(content: bytes) -> bool:
    """Whether rows in JSON are worth a closer look; most are not, and this is quick."""
    return any(hint in content for hint in _HINTED) or b"\\u00" in content


def without_secrets(text: str, instead: str) -> str:
    """The text of a row, with something instead of each span that has the form of a vendor's secret."""
    return _SECRETS.sub(lambda _: instead, text)


def masked(text: str) -> str:
    """The text, each span of it that looks like a credential replaced."""
    for shape in _SHAPES:
        text = shape.sub(rf"\g<1>{MASKED}", text)
    return text
