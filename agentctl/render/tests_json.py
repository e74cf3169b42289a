"""Test results as one JSON object."""

from __future__ import annotations

from agentctl.jsontypes import Json, JsonObject
from agentctl.testing.results import Result, Summary


def results_json(summary: Summary) -> JsonObject:
    """`{"tests": [{file, name, verdict, …}], "passed", "failed", "errors", "deselected", "unfinished",
    "interrupted", "seconds"}`.
    """
    return {
        "tests": [_result(result) for result in summary.results],
        "passed": summary.count("passed"),
        "failed": summary.count("failed"),
        "errors": summary.count("error"),
        "deselected": summary.deselected,
        "unfinished": summary.unfinished,
        "interrupted": summary.interrupted,
        "seconds": round(summary.seconds, 3),
    }


def _result(result: Result) -> JsonObject:
    item = result.item
    failures: Json = [
        {"what": each.what, "expected": each.expected, "actual": each.actual, "note": each.note}
        for each in result.failures
    ]
    found: dict[str, Json] = {
        "file": item.file,
        "line": item.case.span.line,
        "name": item.case.name,
        "tags": item.case.tags,
        "verdict": result.verdict,
        "question": item.case.question,
        "answer": result.answer,
        "failures": failures,
        "seconds": round(result.seconds, 3),
        "model_calls": result.model_calls,
        "tool_calls": result.tool_calls,
        "tokens": result.tokens,
        "cost_usd": result.cost_usd,
    }
    if result.decided:
        found["decided"] = result.decided
    if result.message:
        found["error"] = {"message": result.message, "hint": result.hint}
    return {**found, "show": result.command} if result.command else found
