"""One case run and judged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from agentctl.api.cases import load_function
from agentctl.api.rehearsal import Rehearsal, rehearse
from agentctl.api.replays import Replay, Tools, open_replay
from agentctl.checks.usages import JUDGE
from agentctl.errors import AgentctlError, ExecutionFailed, TeamError
from agentctl.journal.summary import RunView, run_json
from agentctl.models.script import UnusedTurn
from agentctl.spec.settings import FunctionRef
from agentctl.testing.judge import judge, reasons
from agentctl.testing.judge_answer import judge_answer
from agentctl.testing.kept import keep
from agentctl.testing.people import Stand
from agentctl.testing.results import Failure, Item, Result
from agentctl.tools.functions import call_function
from agentctl.tools.importing import Importer
from agentctl.tools.signatures import taken

Unused = Mapping[str, Sequence[UnusedTurn]]
Judge = Callable[[Item, Unused], Sequence[Failure]]
"""Tells, of the turns that a case has left over, which are failures."""


async def run_case(item: Item, leftover: Judge, *, keep_in: Path | None) -> Result:
    """`keep_in` is the folder below which the run of a failing case is kept; None keeps nothing."""
    began = time.monotonic()
    stand = Stand(item.case.answers)
    try:
        async with asyncio.timeout(item.case.timeout) as clock:
            rehearsal = await _rehearsed(item, stand)
    except TimeoutError:
        return Result(item=item, failures=(_late(item),), seconds=time.monotonic() - began)
    except AgentctlError as error:
        return Result(item=item, message=_told(error), hint=error.hint or "")
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError  # by whoever runs the tests; the run has ended in order
    if clock.expired():  # the run put its interruption on record and ended in order
        command = await _kept(rehearsal, item, keep_in) if keep_in is not None else ""
        return _result(item, rehearsal.view, [_late(item)], command)
    failures = [
        *judge(item.case.expect, rehearsal.view, paused=rehearsal.paused),
        *await _answer(item, rehearsal.view),
        *_unasked(stand),
        *leftover(item, rehearsal.unused),
    ]
    command = await _kept(rehearsal, item, keep_in) if failures and keep_in is not None else ""
    return _result(item, rehearsal.view, failures, command)


def _late(item: Item) -> Failure:
    return Failure(what="timeout", expected=f"an end within {item.case.timeout:g} s", actual="none")


def _told(error: AgentctlError) -> str:
    """What keeps a case from running; of a report the errors themselves."""
    if not isinstance(error, TeamError):
        return error.message
    return "; ".join(found.message for found in error.report if found.severity == "error")


async def _rehearsed(item: Item, stand: Stand) -> Rehearsal:
    case = item.case
    return await rehearse(item.team, case.question, inputs=case.inputs, ask=stand.ask, replay=_replay(item))


def _replay(item: Item) -> Replay | None:
    """With a recording as the model of the whole test, its tools, draws and people answer too."""
    kind, _, path = item.case.model.get("", "").partition(":")
    if kind != "recording":
        return None
    tools: Tools = "recorded" if item.case.recorded_tools else "live"
    return open_replay(item.case.folder / path, tools=tools)


async def _answer(item: Item, view: RunView) -> list[Failure]:
    expected = item.case.expect.answer
    if expected is None:
        return []
    failures = list(judge_answer(expected, view))
    if expected.function is not None:
        failures += await _judged(expected.function, item, view)
    return failures


async def _judged(ref: FunctionRef, item: Item, view: RunView) -> list[Failure]:
    """The verdict of a function: true, or false, or a text that says what is wrong."""
    importer = Importer([item.team.folder])
    answer = view.answer or ""
    try:
        function = load_function(ref, importer)
        verdict = await call_function(function, *(answer, run_json(view))[: taken(function, JUDGE)])
    except ExecutionFailed as error:
        return [_verdict(ref, answer, error.message)]
    finally:
        importer.close()
    if verdict is True:
        return []
    if verdict is False:
        return [_verdict(ref, answer, "")]
    if isinstance(verdict, str):
        return [_verdict(ref, answer, verdict)] if verdict else []
    return [_verdict(ref, answer, f"it must return True, False or a text, and returned {verdict!r}")]


def _verdict(ref: FunctionRef, answer: str, note: str) -> Failure:
    return Failure(what="answer.function", expected=f"{ref.target} is content", actual=answer, note=note)


def _unasked(stand: Stand) -> Iterator[Failure]:
    if stand.left:
        listed = [f"{answer.kind} {answer.text}".strip() for answer in stand.left]
        yield Failure(
            what="answers", expected="every answer is asked for", actual=[f"unasked: {e}" for e in listed]
        )


async def _kept(rehearsal: Rehearsal, item: Item, folder: Path) -> str:
    """A run that cannot be kept takes nothing from the verdict."""
    try:
        return await keep(rehearsal, item.team, folder)
    except AgentctlError:
        return ""


def _result(item: Item, view: RunView, failures: Sequence[Failure], command: str) -> Result:
    decided = reasons(view)
    return Result(
        item=item,
        failures=tuple(failures),
        decided=decided if failures and not any(each.note == decided for each in failures) else "",
        command=command,
        answer=view.answer or "",
        seconds=view.ms / 1000,
        model_calls=sum(each.model_calls for each in view.executions),
        tool_calls=sum(each.tool_calls for each in view.executions),
        tokens=view.usage.total,
        cost_usd=view.cost_usd if view.cost_complete else None,
    )
