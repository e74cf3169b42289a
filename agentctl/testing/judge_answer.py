"""An answer against what a test expects of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from agentctl.journal.summary import RunView
from agentctl.jsonschemas import Checker
from agentctl.jsontypes import Json, JsonObject, as_object
from agentctl.spec.cases import ExpectedAnswer
from agentctl.testing.results import Failure


def lacking(texts: Sequence[str], within: str) -> list[str]:
    """Those that do not stand in it, whatever their case."""
    folded = within.casefold()
    return [text for text in texts if text.casefold() not in folded]


def judge_answer(expected: ExpectedAnswer, view: RunView) -> Iterator[Failure]:
    """All but the function's judgement."""
    answer = view.answer or ""
    for text in lacking(expected.contains, answer):
        yield Failure(what="answer.contains", expected=text, actual=answer)
    for text in expected.lacks:
        if not lacking([text], answer):
            yield Failure(what="answer.lacks", expected=f"no {text!r}", actual=answer)
    for pattern in expected.regex:
        if re.search(pattern, answer, re.DOTALL) is None:
            yield Failure(what="answer.regex", expected=pattern, actual=answer)
    if expected.equals is not None and expected.equals.strip() != answer.strip():
        yield Failure(what="answer.equals", expected=expected.equals, actual=answer)
    if expected.json_schema is not None:
        yield from _schema(expected.json_schema, view)


def _schema(schema: Json, view: RunView) -> Iterator[Failure]:
    value = view.output_json
    if not view.has_output:
        try:
            value = json.loads(view.answer or "")
        except ValueError as error:
            note = f"it is no JSON: {error}"
            yield Failure(what="answer.json_schema", expected=schema, actual=view.answer, note=note)
            return
    problems = Checker(_as_schema(schema)).problems(value)
    if problems:
        note = "; ".join(str(problem) for problem in problems)
        yield Failure(what="answer.json_schema", expected=schema, actual=value, note=note)


def _as_schema(schema: Json) -> JsonObject:
    """`true` and `false` are schemas too."""
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return as_object(schema)
