"""The diagnostics of a report as they may be shown: what looks like a key of a provider is masked in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from agentctl.diagnostics import Diagnostic, Report
from agentctl.journal.redact import Redactor

_KEYS: Final = Redactor()


def told(report: Report) -> list[Diagnostic]:
    return [_masked(diagnostic) for diagnostic in report]


def _masked(diagnostic: Diagnostic) -> Diagnostic:
    message, hint = _KEYS.text(diagnostic.message), diagnostic.hint and _KEYS.text(diagnostic.hint)
    if (message, hint) == (diagnostic.message, diagnostic.hint):
        return diagnostic
    return replace(diagnostic, message=message, hint=hint)
