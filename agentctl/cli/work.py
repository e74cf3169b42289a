"""A run carried out from the command line: shown as it goes, stopped by signals, reported at its end."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import shlex
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, TextIO, TypeAlias

from agentctl.api.targets import STDOUT, check_target
from agentctl.api.written import unwritten, write_target
from agentctl.cli.asking import Asker
from agentctl.cli.failures import INTERRUPTED, report_failure
from agentctl.cli.interrupts import OWN_THREADS, Interrupts
from agentctl.cli.stdin_lines import StdinLines
from agentctl.cli.streams import abandon_streams, stdout_for_answers
from agentctl.errors import AgentctlError, OutputError, UsageError
from agentctl.journal.summary import RunView, run_json, summarise
from agentctl.jsontypes import Json, JsonObject, as_text
from agentctl.render.answer import print_markdown
from agentctl.render.display import Display, SilentDisplay
from agentctl.render.ending import ending, onward
from agentctl.render.events_json import JsonDisplay, json_text
from agentctl.render.events_live import LiveDisplay
from agentctl.render.events_plain import PlainDisplay
from agentctl.render.terminal import can_animate, interactive, print_answer, print_lines

Listener: TypeAlias = Callable[[JsonObject], None]
Ask: TypeAlias = Callable[[JsonObject], Awaitable[Json]]
Start: TypeAlias = Callable[[Listener, Ask | None], Awaitable[RunView]]

_CODES: Final = {"completed": 0, "interrupted": INTERRUPTED}
_PATIENCE: Final = 0.2
"""Seconds that what is left over has to end, when everything is on record already."""
_YOUNG: Final = 100_000
"""Objects between two looks for garbage: the records of a long run stay, and looking through them again and
again takes a quarter of the time of its resume."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a run is shown: `output` takes what stdout would get; `runs_dir` is named in commands.

    `earlier` are the events that were recorded before this process took up the run. `lines` are those that
    a person types, where the process reads them for more than this run: it then goes on after an
    interrupted one, and `terminated` tells it that it should not. `run_id` gives the run that it is about
    where no event has told it yet; empty where there is none.
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
    run_id: Callable[[], str] = str

    @property
    def file(self) -> str | None:
        return None if self.output == STDOUT else self.output


def carry_out(start: Start, manner: Manner) -> int:
    """The exit code. Raises what kept the run from starting."""
    _check(manner)
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
    return _Work(manner).carry_out(start)


def _check(manner: Manner) -> None:
    if manner.as_json and manner.events:
        raise UsageError("--json and --events exclude each other", hint="--events ends with the result")
    if manner.output not in (None, STDOUT):
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


def _whole(result: JsonObject) -> JsonObject:
    """With every key that a result has."""
    nothing = run_json(summarise({"run_id": as_text(result.get("run_id"))}, [], live=False))
    return {**nothing, **result}


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
        self._ended: JsonObject | None = None
        self._lost: OSError | None = None
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
            return JsonDisplay(self._answers, self._gone)
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
        if event.get("ev") == "run.finished":
            self._ended = event
        self._display.event(event)

    def _finish(self, result: JsonObject) -> None:
        """Every stream of events ends with the same event, also where the run itself had none to give."""
        if self._ended is None:
            last = {key: result[key] for key in ("status", "answer", "error") if key in result}
            self._event({"ev": "run.finished", "answer": None, **last})

    def _broken(self, error: Exception) -> int:
        """What had begun can be taken up again, and is told as a run that failed; anything else is raised. A
        run that came to its end is told as it is, with what went wrong afterwards."""
        if not self._run_id or not isinstance(error, AgentctlError):
            raise error
        if self._ended is not None:
            view = self._recorded()
            if view is not None and isinstance(error, OutputError):
                error.hint = f"the run is kept: {self._look()}"
            report_failure(error, debug=False)
            return self._report(view, self._ended) or error.exit_code
        result: JsonObject = {"status": "failed", "run_id": self._run_id, "error": error.as_json()}
        self._tell(result)
        if self._manner.as_json:
            self._give(json_text(_whole(result)))
        return error.exit_code

    def _recorded(self) -> RunView | None:
        """The run as its files tell it; None where it has none."""
        from agentctl.api.looking import open_run

        try:
            return open_run(self._run_id, runs_dir=self._manner.runs_dir)
        except AgentctlError:
            return None

    def _report(self, view: RunView | None, ended: JsonObject | None = None) -> int:
        """Says how it ended and gives the answer; the exit code. Without a view, what is known is how it
        `ended`, or that it was interrupted."""
        told: JsonObject = {key: ended[key] for key in ("status", "answer") if key in ended} if ended else {}
        run_id = self._run_id or self._manner.run_id()
        result = run_json(view) if view else {"status": "interrupted", **told, "run_id": run_id}
        self._tell(result, view.models if view else ())
        code = view.exit_code if view else _CODES.get(as_text(result["status"]), 1)
        return code if self._given(result) else code or 1

    def _given(self, result: JsonObject) -> bool:
        """Whether the answer, or the JSON, could be written; else why not is told, and how to go on."""
        answer = as_text(result.get("answer"))
        try:
            if self._manner.as_json:
                self._give(json_text(_whole(result)))
            elif answer and not (self._manner.events and self._manner.file is None):
                self._give(answer, print_answer if "output" in result else print_markdown)
        except OutputError as error:
            if self._recorded() is not None:
                error.hint = f"the answer is kept: {self._look()}"
            elif self._manner.file is not None:  # it stands nowhere else
                print_answer(answer, self._answers)
                error.hint = "it stands on stdout instead"
            report_failure(error, debug=False)
            print_lines(onward(result, self._manner.runs_dir) if self._manner.resumable else (), sys.stderr)
            return False
        return self._lost is None

    def _look(self) -> str:
        """The command that shows the run."""
        where = ["--runs-dir", self._manner.runs_dir] if self._manner.runs_dir else []
        return shlex.join(["agentctl", "show", self._run_id, *where])

    def _gone(self, error: Exception) -> None:
        """Nobody gets the events any more: the run stops, and can be taken up again."""
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            self._lost = error
            abandon_streams(self._answers)
        self._interrupts.stop()

    def _report_last(self, view: RunView | None) -> int:
        """The process ends with it, so that nothing but a command can go on with the run."""
        if self._manner.lines is not None:
            self._manner = replace(self._manner, resumable=True)
        return self._report(view)

    def _tell(self, result: JsonObject, models: Sequence[str] = ()) -> None:
        manner = self._manner
        self._finish(result)
        self._display.close()
        if self._lost is not None:
            report_failure(unwritten(self._lost, "stdout", "the events"), debug=False)
        if not (manner.quiet and result.get("status") == "completed"):
            last = ending(result, models=models, resumable=manner.resumable, runs_dir=manner.runs_dir)
            print_lines(last, sys.stderr)

    def _give(self, text: str, to_stdout: Callable[[str, TextIO], None] = print_answer) -> None:
        """Raises `OutputError`; a reader that went away is a `BrokenPipeError`."""
        if self._manner.file is not None:
            write_target(self._manner.file, f"{text}\n", "the answer")
            return
        try:
            to_stdout(text, self._answers)
            self._answers.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            abandon_streams(self._answers)
            raise unwritten(error, "stdout", "the answer") from error
