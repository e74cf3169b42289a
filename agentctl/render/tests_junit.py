"""Test results as JUnit XML, which build servers read: a suite a file, a case a test."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import PurePath
from typing import Final

from agentctl.render.tests_text import failure_text
from agentctl.testing.results import Result, Summary, Verdict

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def results_junit(summary: Summary, *, now: datetime | None = None) -> str:
    """The text of the file, valid both for the readers of Apache Ant's reports and for Jenkins."""
    root = ET.Element("testsuites")
    stamp = f"{now or datetime.now(UTC):%Y-%m-%dT%H:%M:%S}"
    for number, file in enumerate(dict.fromkeys(result.item.file for result in summary.results)):
        results = [result for result in summary.results if result.item.file == file]
        _suite(root, file, results, {"id": str(number), "timestamp": stamp})
    ET.indent(root)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{ET.tostring(root, encoding='unicode')}\n"


def _suite(root: ET.Element, file: str, results: Sequence[Result], head: Mapping[str, str]) -> None:
    dotted = _dotted(file)
    package = dotted.rpartition(".")[0] or dotted
    named = {"name": _text(file), "package": package, "hostname": "localhost"}
    suite = ET.SubElement(root, "testsuite", {**named, **head, **_counts(results)})
    properties = ET.SubElement(suite, "properties")
    ET.SubElement(properties, "property", {"name": "agentctl", "value": version("agentctl")})
    for result in results:
        _case(suite, result, dotted)
    shown = [result.command for result in results if result.command]
    ET.SubElement(suite, "system-out").text = _text("\n".join(shown))
    ET.SubElement(suite, "system-err")


def _dotted(file: str) -> str:
    """The file as a class is named, by whose dots build servers sort: `teams.support.team`."""
    parts = PurePath(file).with_suffix("").parts
    return _text(".".join(part for part in parts if part not in ("/", ".", "..")))


def _case(suite: ET.Element, result: Result, classname: str) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": classname,
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


def _counts(results: Sequence[Result]) -> dict[str, str]:
    def count(verdict: Verdict) -> str:
        return str(sum(result.verdict == verdict for result in results))

    return {
        "tests": str(len(results)),
        "failures": count("failed"),
        "errors": count("error"),
        "skipped": "0",
        "time": f"{sum(result.seconds for result in results):.3f}",
    }


def _text(text: str) -> str:
    """Without the characters that no XML file can hold."""
    return _NO_XML.sub("\ufffd", text)
