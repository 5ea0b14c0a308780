"""The total as a badge: an SVG of its own, with no font and no address to fetch."""

from tools.report import Report

LABEL = "contract"
CHAR_PX = 7
PADDING_PX = 12


def coverage(report: Report) -> str:
    """`contract | 246 of 258 met`, green when all are, red while one fails."""
    every, broken = len(report.verdicts), report.totals.keys() & {"failed", "invalid"}
    text = f"{report.met} of {every} met"
    hue = "#c0272d" if broken else "#1a7f45" if report.met == every else "#9a6700"
    left, right = (len(words) * CHAR_PX + PADDING_PX for words in (LABEL, text))
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img">
<title>{LABEL}: {text}</title>
<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#444b52"/>
<rect x="{left}" width="{right}" height="20" fill="{hue}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{left / 2:g}" y="14">{LABEL}</text>
<text x="{left + right / 2:g}" y="14">{text}</text></g>
</svg>
"""
