"""A run carried out from the command line: shown as it goes, stopped by signals, reported at its end."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TextIO, TypeAlias

from agentctl.api.targets import check_target
from agentctl.cli.asking import Asker
from agentctl.cli.failures import INTERRUPTED
from agentctl.cli.interrupts import OWN_THREADS, Interrupts
from agentctl.cli.stdin_lines import StdinLines
from agentctl.cli.streams import abandon_streams, stdout_for_answers
from agentctl.errors import AgentctlError, UsageError
from agentctl.journal.summary import RunView, run_json, summarise
from agentctl.jsontypes import Json, JsonObject, as_text
from agentctl.render.answer import print_markdown
from agentctl.render.display import Display, SilentDisplay
from agentctl.render.ending import ending
from agentctl.render.events_json import JsonDisplay, json_text
from agentctl.render.events_live import LiveDisplay
from agentctl.render.events_plain import PlainDisplay
from agentctl.render.terminal import can_animate, interactive, print_answer, print_lines

Listener: TypeAlias = Callable[[JsonObject], None]
Ask: TypeAlias = Callable[[JsonObject], Awaitable[Json]]
Start: TypeAlias = Callable[[Listener, Ask | None], Awaitable[RunView]]

_PATIENCE: Final = 0.3
"""Seconds that what is left over has to end, when everything is on record already."""
_YOUNG: Final = 100_000
"""Objects between two looks for garbage: the records of a long run stay, and looking through them again and
again takes a quarter of the time of its resume."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a run is shown: `output` takes what stdout would get; `runs_dir` is named in commands.

    `earlier` are the events that were recorded before this process took up the run. `lines` are those that
    a person types, where the process reads them for more than this run: it then goes on after an
    interrupted one, and `terminated` tells it that it should not.
    """

    as_json: bool = False
    events: bool = False
    quiet: bool = False
    output: str | None = None
    runs_dir: str | None = None
    resumable: bool = True
    earlier: Iterable[JsonObject] = ()
    lines: StdinLines | None = None
    terminated: Callable[[], object] = lambda: None


def carry_out(start: Start, manner: Manner) -> int:
    """The exit code. Raises what kept the run from starting."""
    _check(manner)
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
    return _Work(manner).carry_out(start)


def _check(manner: Manner) -> None:
    if manner.as_json and manner.events:
        raise UsageError("--json and --events exclude each other", hint="--events ends with the result")
    if manner.output is not None:
        check_target(manner.output, "the answer")


@contextmanager
def told_to_programs(*, as_json: bool, events: bool) -> Iterator[None]:
    """What keeps a command from its run ends `--json` and `--events` in their own form too."""
    try:
        yield
    except Exception as error:
        tell_programs(error, as_json=as_json, events=events)
        raise


def tell_programs(error: Exception, *, as_json: bool, events: bool) -> None:
    """A result, or a last event, of a run that never was."""
    nothing = run_json(summarise({}, [], live=False))
    result: JsonObject = {**nothing, "status": "failed", "error": _known(error)}
    if as_json:
        print_answer(json_text(result), sys.stdout)
    elif events:
        last = {"ev": "run.finished", **{key: result[key] for key in ("status", "answer", "error")}}
        print_answer(json.dumps(last), sys.stdout)


def _known(error: Exception) -> JsonObject:
    return error.as_json() if isinstance(error, AgentctlError) else {"code": "bug", "message": str(error)}


async def _left_over() -> bool:
    """Whether calls that the run no longer waits for go on even though they were told to end."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    return bool(others) and bool((await asyncio.wait(others, timeout=_PATIENCE))[1])


class _Work:
    def __init__(self, manner: Manner) -> None:
        self._manner = manner
        self._run_id = ""
        self._finished = False
        self._answers: TextIO = sys.stdout
        self._display: Display = SilentDisplay()
        self._interrupts = Interrupts(
            give_up=lambda: self._report_last(None), restore=lambda: self._display.close()
        )
        self._talking = interactive(machine=manner.as_json or manner.events)

    def carry_out(self, start: Start) -> int:
        with self._interrupts.installed(), stdout_for_answers() as self._answers:
            self._display = self._new_display()
            self._display.recall(self._manner.earlier)
            try:
                view = asyncio.run(self._until_its_end(start))
            except Exception as error:
                return self._broken(error)
            finally:
                self._display.close()
            if self._interrupts.terminated:
                self._manner.terminated()
            return self._report(view)

    def _new_display(self) -> Display:
        if self._manner.events:
            return JsonDisplay(self._answers, self._interrupts.stop)
        if self._manner.as_json or self._manner.quiet:
            return SilentDisplay()
        return LiveDisplay(sys.stderr) if self._talking and can_animate() else PlainDisplay(sys.stderr)

    async def _until_its_end(self, start: Start) -> RunView | None:
        """None where it was interrupted before there was anything to look at."""
        lines = self._manner.lines or StdinLines()
        ask = Asker(self._display, lines).ask if self._talking else None
        task = asyncio.ensure_future(start(self._event, ask))
        try:
            with self._interrupts.cancelling(task.cancel):
                view: RunView | None = await task
        except asyncio.CancelledError:
            view = None
        stuck, alone = await _left_over(), self._manner.lines is None
        if stuck or (alone and self._interrupts.happened and threading.active_count() > OWN_THREADS):
            code = self._report_last(view)
            abandon_streams()
            os._exit(code)  # a hanging call must not keep the process
        return view

    def _event(self, event: JsonObject) -> None:
        self._run_id = as_text(event.get("run_id")) or self._run_id
        self._finished = self._finished or event.get("ev") == "run.finished"
        self._display.event(event)

    def _finish(self, result: JsonObject) -> None:
        """Every stream of events ends with the same event, also where the run itself had none to give."""
        if not self._finished:
            last = {key: result[key] for key in ("status", "answer", "error") if key in result}
            self._event({"ev": "run.finished", "answer": None, **last})

    def _broken(self, error: Exception) -> int:
        """What had begun can be taken up again, and is told as a run that failed; anything else is raised."""
        if not self._run_id or not isinstance(error, AgentctlError):
            raise error
        result: JsonObject = {"status": "failed", "run_id": self._run_id, "error": error.as_json()}
        self._tell(result)
        if self._manner.as_json:
            whole = run_json(summarise({"run_id": self._run_id}, [], live=False))
            self._give(json_text({**whole, **result}))
        return error.exit_code

    def _report(self, view: RunView | None) -> int:
        """Says how it ended and gives the answer; the exit code."""
        stopped: JsonObject = {"status": "interrupted", "run_id": self._run_id or "--last"}
        result = stopped if view is None else run_json(view)
        self._tell(result, view.models if view else ())
        answer = as_text(result.get("answer"))
        if self._manner.as_json:
            self._give(json_text(result))
        elif answer and not (self._manner.events and self._manner.output is None):
            self._give(answer, print_answer if "output" in result else print_markdown)
        return INTERRUPTED if view is None else view.exit_code

    def _report_last(self, view: RunView | None) -> int:
        """The process ends with it, so that nothing but a command can go on with the run."""
        if self._manner.lines is not None:
            self._manner = replace(self._manner, resumable=True)
        return self._report(view)

    def _tell(self, result: JsonObject, models: Sequence[str] = ()) -> None:
        manner = self._manner
        self._finish(result)
        self._display.close()
        if not (manner.quiet and result.get("status") == "completed"):
            last = ending(result, models=models, resumable=manner.resumable, runs_dir=manner.runs_dir)
            print_lines(last, sys.stderr)

    def _give(self, text: str, to_stdout: Callable[[str, TextIO], None] = print_answer) -> None:
        if self._manner.output is None:
            to_stdout(text, self._answers)
        else:
            Path(self._manner.output).write_text(f"{text}\n", encoding="utf-8")
