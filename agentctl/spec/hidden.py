"""Whether a syntax error may have taken keys away, so that none can be said to be missing."""

from __future__ import annotations

from typing import Final

from agentctl.diagnostics import Report, Span

_TAKES_KEYS: Final = (
    "yaml-indentation",
    "yaml-colon",
    "yaml-tab",
    "yaml-bracket",
    "yaml-syntax",
    "yaml-quote",
)


def is_hidden(span: Span, report: Report, *, whole: bool = False) -> bool:
    """`whole` is for the mapping of a whole file, which such an error may stand before."""
    return any(
        found.code in _TAKES_KEYS and (found.span in span or (whole and found.span.path == span.path))
        for found in report.found
    )
