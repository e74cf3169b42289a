"""A report as a SARIF 2.1.0 log, for code-scanning services and editors."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Final
from urllib.parse import quote

from agentctl.diagnostics import Diagnostic, Report, Span
from agentctl.jsontypes import Json, JsonObject
from agentctl.render.told import told

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def diagnostics_sarif(report: Report, *, version: str) -> JsonObject:
    """One run of the tool `agentctl` of that version, with one result a diagnostic."""
    rules = list(dict.fromkeys(diagnostic.code for diagnostic in report))
    driver: JsonObject = {
        "name": "agentctl",
        "version": version,
        "rules": [{"id": code} for code in rules],
    }
    run: JsonObject = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, rules.index(diagnostic.code)) for diagnostic in told(report)],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(diagnostic: Diagnostic, rule: int) -> JsonObject:
    text = diagnostic.message + (f"\nhint: {diagnostic.hint}" if diagnostic.hint else "")
    result: dict[str, Json] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity.value,
        "message": {"text": text},
        "locations": [{"physicalLocation": _location(diagnostic.span)}],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": related.message},
                "physicalLocation": _location(related.span),
            }
            for number, related in enumerate(diagnostic.related)
        ]
    return result


def _location(span: Span) -> JsonObject:
    return {
        "artifactLocation": {"uri": _uri(span.path)},
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        },
    }


def _uri(path: str) -> str:
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(PurePath(path).as_posix())
