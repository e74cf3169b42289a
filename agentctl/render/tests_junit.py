"""Test results as JUnit XML, which build servers read: a suite a file, a case a test."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from agentctl.render.tests_text import failure_text
from agentctl.testing.results import Result, Summary, Verdict

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def results_junit(summary: Summary, *, now: datetime | None = None) -> str:
    """The text of the file."""
    root = ET.Element("testsuites", _counts(summary.results, summary.seconds) | {"name": "agentctl"})
    stamp = f"{now or datetime.now(UTC):%Y-%m-%dT%H:%M:%S}"
    for file in dict.fromkeys(result.item.file for result in summary.results):
        results = [result for result in summary.results if result.item.file == file]
        seconds = sum(result.seconds for result in results)
        head = {"name": _text(file), "timestamp": stamp, "hostname": "localhost"}
        suite = ET.SubElement(root, "testsuite", head | _counts(results, seconds) | {"skipped": "0"})
        for result in results:
            _case(suite, result)
    ET.indent(root)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{ET.tostring(root, encoding='unicode')}\n"


def _case(suite: ET.Element, result: Result) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": _text(result.item.file),
            "name": _text(result.item.case.name),
            "time": f"{result.seconds:.3f}",
        },
    )
    if result.verdict == "failed":
        what = ", ".join(dict.fromkeys(failure.what for failure in result.failures))
        failure = ET.SubElement(
            case, "failure", {"message": _text(f"not as expected: {what}"), "type": "expectation"}
        )
        failure.text = _text(failure_text(result))
    elif result.verdict == "error":
        error = ET.SubElement(case, "error", {"message": _text(result.message), "type": "error"})
        error.text = _text(failure_text(result))


def _counts(results: Sequence[Result], seconds: float) -> dict[str, str]:
    def count(verdict: Verdict) -> str:
        return str(sum(result.verdict == verdict for result in results))

    return {
        "tests": str(len(results)),
        "failures": count("failed"),
        "errors": count("error"),
        "time": f"{seconds:.3f}",
    }


def _text(text: str) -> str:
    """Without the characters that no XML file can hold."""
    return _NO_XML.sub("\ufffd", text)
