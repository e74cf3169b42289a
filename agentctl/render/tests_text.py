"""Test results as a person reads them: a line a test, what failed with expected beside actual, a summary."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from rich.text import Text

from agentctl.jsontypes import Json
from agentctl.render.amounts import duration, plural
from agentctl.render.visible import one_line, visible
from agentctl.testing.results import Failure, Result, Summary

_COLOURS: Final = {"passed": "green", "failed": "red", "error": "red"}
_WIDEST: Final = 100
_INLINE: Final = 88


def result_line(result: Result) -> Text:
    """`teams/support/team.yaml::name PASSED`, for when a test has ended."""
    line = Text(f"{one_line(result.item.name, 400)} ")
    return line.append(result.verdict.upper(), style=_COLOURS[result.verdict])


def summary_lines(summary: Summary, *, width: int = _WIDEST) -> list[Text]:
    """The tests that failed, in full and then a line each, and one line that counts; `width` is in cells."""
    width = min(width, _WIDEST)
    wrong = [result for result in summary.results if result.verdict != "passed"]
    lines: list[Text] = []
    if wrong:
        lines.append(_rule("FAILURES", "=", width))
    for result in wrong:
        lines += _failed(result, width)
    if wrong:
        lines.append(_rule("short test summary info", "=", width))
    return [*lines, *map(_short, wrong), _totals(summary, width)]


def _short(result: Result) -> Text:
    """`FAILED teams/support/team.yaml::name - path, tools`."""
    missed = ", ".join(dict.fromkeys(failure.what for failure in result.failures))
    line = Text(result.verdict.upper(), style=_COLOURS[result.verdict])
    return line.append(f" {one_line(result.item.name, 400)} - {one_line(result.message or missed, 200)}", "")


def failure_text(result: Result) -> str:
    """What did not hold, as plain text."""
    return "\n".join(line.plain for line in _told(result))


def expectation_text(failure: Failure) -> str:
    """One thing that did not hold, as plain text."""
    return "\n".join(line.plain for line in _failure(failure))


def _failed(result: Result, width: int) -> Iterator[Text]:
    yield _rule(one_line(result.item.name, max(width - 8, 8)), "_", width, style="red")
    yield from _told(result)


def _told(result: Result) -> Iterator[Text]:
    yield Text(f"question: {one_line(result.item.case.question, 200)}")
    if result.message:
        yield Text(f"error: {visible(result.message)}", style="red")
        if result.hint:
            yield Text(f"hint: {visible(result.hint)}")
    for failure in result.failures:
        yield from _failure(failure)
    if result.decided:
        yield Text(f"decided: {visible(result.decided)}")
    span = result.item.case.span
    yield Text(f"written at {span.path}:{span.line}", style="dim")
    if result.command:
        yield Text(f"shown by: {result.command}", style="dim", no_wrap=True)


def _failure(failure: Failure) -> Iterator[Text]:
    yield Text(failure.what, style="bold")
    yield from _side("expected", failure.expected)
    yield from _side("actual", failure.actual)
    if failure.note:
        yield Text(f"  because:  {visible(failure.note)}")


def _side(name: str, value: Json) -> Iterator[Text]:
    """On the line of its name where it fits; lists of things a line each below it."""
    head = f"  {name + ':':<10}"
    whole = _shown(value)
    if not isinstance(value, list | tuple) or not value or (len(whole) <= _INLINE and not _deep(value)):
        first, *more = visible(whole).split("\n")
        yield Text(head + first)
        for line in more:
            yield Text(" " * len(head) + line)
        return
    yield Text(head.rstrip())
    for item in value:
        yield Text(f"    - {visible(_shown(item))}")


def _deep(value: Json) -> bool:
    return (
        isinstance(value, list | tuple) and any(isinstance(item, dict) for item in value) and len(value) > 1
    )


def _shown(value: Json) -> str:
    """Text as it is; anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _totals(summary: Summary, width: int) -> Text:
    counts = [
        f"{summary.count('failed')} failed" if summary.count("failed") else "",
        plural(summary.count("error"), "error") if summary.count("error") else "",
        f"{summary.count('passed')} passed" if summary.count("passed") else "",
        f"{summary.deselected} deselected" if summary.deselected else "",
        f"{summary.unfinished} not finished" if summary.unfinished else "",
        "interrupted" if summary.interrupted else "",
    ]
    told = ", ".join(count for count in counts if count) or "no tests ran"
    style = "green" if summary.exit_code == 0 else "red"
    return _rule(f"{told} in {duration(summary.seconds * 1000)}", "=", width, style=style)


def _rule(words: str, line: str, width: int, *, style: str = "") -> Text:
    side = max(3, (width - len(words) - 2) // 2)
    return Text(f"{line * side} {words} {line * side}", style=style)
