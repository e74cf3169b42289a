"""A report as one JSON object for programs."""

from __future__ import annotations

from agentctl.diagnostics import Diagnostic, Report
from agentctl.jsontypes import JsonObject
from agentctl.render.told import told


def diagnostics_json(report: Report) -> JsonObject:
    """`{"diagnostics": […], "errors": n, "warnings": n}`; lines and columns from 1, ends exclusive."""
    return {
        "diagnostics": [_one(diagnostic) for diagnostic in told(report)],
        "errors": report.errors,
        "warnings": report.warnings,
    }


def _one(diagnostic: Diagnostic) -> JsonObject:
    span = diagnostic.span
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "severity": diagnostic.severity.value,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "pointer": diagnostic.pointer,
    }
