"""A report as workflow commands, which GitHub Actions shows beside the lines of a change."""

from __future__ import annotations

from typing import Final

from agentctl.diagnostics import Diagnostic, Report
from agentctl.render.told import told

_IN_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY: Final = _IN_DATA | str.maketrans({":": "%3A", ",": "%2C"})


def diagnostics_github(report: Report) -> list[str]:
    """One `::error …::message` or `::warning …::message` line a diagnostic, the hint on the end."""
    return [_one(diagnostic) for diagnostic in told(report)]


def _one(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties = {
        "file": span.path.replace("\\", "/"),
        "line": str(span.line),
        "endLine": str(span.end_line),
        "title": diagnostic.code,
    }
    if span.line == span.end_line:  # columns are shown only where both ends stand in one line
        properties |= {"col": str(span.column), "endColumn": str(max(span.end_column - 1, span.column))}
    listed = ",".join(f"{key}={value.translate(_IN_PROPERTY)}" for key, value in properties.items())
    message = diagnostic.message + (f"\nhint: {diagnostic.hint}" if diagnostic.hint else "")
    return f"::{diagnostic.severity.value} {listed}::{message.translate(_IN_DATA)}"
