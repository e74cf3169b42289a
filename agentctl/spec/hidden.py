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


def is_hidden(span: Span, report: Report) -> bool:
    return any(found.code in _TAKES_KEYS and found.span in span for found in report.found)
