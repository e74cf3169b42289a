"""A run against what a test expects of it: every expectation that does not hold, in the order of the keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agentctl.errors import UNFORESEEN
from agentctl.journal.summary import RunView
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.spec.cases import Expect, ExpectedDecision, ExpectedError, ExpectedWait
from agentctl.testing.judge_answer import lacking
from agentctl.testing.judge_calls import judge_calls
from agentctl.testing.judge_most import judge_most
from agentctl.testing.matching import all_matched
from agentctl.testing.results import Failure


def judge(expect: Expect, view: RunView, *, paused: float = 0.0) -> Iterator[Failure]:
    """All but `answer`, which may need a function. For `paused` seconds models waited to be asked again."""
    yield from _status(expect, view)
    yield from _route(expect, view)
    yield from _decisions(expect.decisions, view)
    yield from judge_calls(expect, view)
    if expect.error is not None:
        yield from _error(expect.error, as_object(view.error))
    yield from _waits(expect.waiting_for, view.waiting_for)
    yield from judge_most(expect.max, view, paused)


def _status(expect: Expect, view: RunView) -> Iterator[Failure]:
    if view.status != expect.status:
        yield Failure(what="status", expected=expect.status, actual=view.status, note=_ended(view))
        return
    code = as_text(as_object(view.error).get("code"))
    if code in UNFORESEEN and (expect.error is None or expect.error.code != code):
        note = f"if that is what is tested, write `error: {{code: {code}}}`"
        yield Failure(
            what="unexpected", expected="an answer to all that is sent", actual=_ended(view), note=note
        )


def _ended(view: RunView) -> str:
    """Why a run ended as it did."""
    if view.error is not None:
        return as_text(view.error.get("message"))
    return "; ".join(as_text(waiting.get("question")) for waiting in view.waiting_for)


def _route(expect: Expect, view: RunView) -> Iterator[Failure]:
    if expect.path and expect.path != view.path:
        yield Failure(what="path", expected=expect.path, actual=view.path, note=reasons(view))
    if expect.agent is not None and expect.agent != view.agent:
        yield Failure(what="agent", expected=expect.agent, actual=view.agent, note=reasons(view))


def reasons(view: RunView) -> str:
    """Who chose whom and why, in order."""
    return "; ".join(
        f"{_agent(made.execution, view)} chose {', '.join(made.chosen) or 'nobody'}"
        + (f": {made.reason}" if made.reason else "")
        for made in view.decisions
    )


def _decisions(expected: Sequence[ExpectedDecision], view: RunView) -> Iterator[Failure]:
    made: list[JsonObject] = [
        {
            "agent": _agent(decision.execution, view),
            "by": decision.by,
            "chosen": decision.chosen,
            "among": decision.among,
            "reason": decision.reason,
        }
        for decision in view.decisions
    ]
    matched = all_matched(expected, made, _decides)
    for wanted, found in zip(expected, matched, strict=True):
        if not found:
            yield Failure(what="decisions", expected=_wanted_decision(wanted), actual=made)


def _decides(wanted: ExpectedDecision, made: JsonObject) -> bool:
    return (
        wanted.agent in (None, made["agent"])
        and wanted.by in (None, made["by"])
        and wanted.chosen in ((), made["chosen"])
        and (not wanted.among or sorted(wanted.among) == sorted(map(as_text, as_list(made["among"]))))
        and not lacking(wanted.reason, as_text(made["reason"]))
    )


def _wanted_decision(wanted: ExpectedDecision) -> Json:
    stated: dict[str, Json] = {
        "agent": wanted.agent,
        "by": wanted.by,
        "chosen": wanted.chosen,
        "among": wanted.among,
        "reason": wanted.reason,
    }
    return {key: value for key, value in stated.items() if value not in (None, ())}


def _error(expected: ExpectedError, error: JsonObject) -> Iterator[Failure]:
    if expected.code is not None and expected.code != error.get("code"):
        yield Failure(what="error.code", expected=expected.code, actual=error.get("code"))
    message = as_text(error.get("message"))
    for text in lacking(expected.contains, message):
        yield Failure(what="error.contains", expected=text, actual=message)


def _waits(expected: Sequence[ExpectedWait], waiting: Sequence[JsonObject]) -> Iterator[Failure]:
    for wanted, found in zip(expected, all_matched(expected, waiting, _waits_so), strict=True):
        if not found:
            stated: dict[str, Json] = {
                "kind": wanted.kind,
                "question": wanted.question,
                "choices": wanted.choices,
            }
            told = {key: value for key, value in stated.items() if value not in (None, ())}
            open_now: Json = [
                {key: each.get(key) for key in ("kind", "question", "choices")} for each in waiting
            ]
            yield Failure(what="waiting_for", expected=told, actual=open_now)


def _waits_so(wanted: ExpectedWait, waiting: JsonObject) -> bool:
    choices = sorted(map(as_text, as_list(waiting.get("choices"))))
    return (
        wanted.kind in (None, waiting.get("kind"))
        and not lacking(wanted.question, as_text(waiting.get("question")))
        and (not wanted.choices or sorted(wanted.choices) == choices)
    )


def _agent(execution: str, view: RunView) -> str:
    return next((each.agent for each in view.executions if each.id == execution), execution)
