"""Tests carried out from the command line: told as they end, and also when they are interrupted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from agentctl.api.written import write_target
from agentctl.cli.interrupts import Interrupts
from agentctl.render.terminal import print_lines, width_of
from agentctl.render.tests_text import result_line, summary_lines
from agentctl.testing.results import Result, Summary


@dataclass(slots=True, kw_only=True)
class Progress:
    """Results as they come, for a person or a program; `planned` is how many there are to be."""

    answers: TextIO
    planned: int
    as_json: bool
    quiet: bool
    junit: str | None
    results: list[Result] = field(default_factory=list)
    summary: Summary | None = None

    def tell(self, result: Result) -> None:
        self.results.append(result)
        if not (self.quiet or self.as_json):
            print_lines([result_line(result)], self.answers)

    def carry_out(self, run: Callable[[], Coroutine[None, None, Summary]]) -> int:
        """The exit code. Tests that do not stop when they are told to are left behind."""
        interrupts = Interrupts(give_up=self.report, restore=lambda: None)

        async def work() -> None:
            task = asyncio.ensure_future(run())
            with interrupts.cancelling(task.cancel):
                self.summary = await task

        with interrupts.installed():
            try:
                asyncio.run(work())
            except asyncio.CancelledError:
                self.summary = None  # it had not begun
        return self.report()

    def report(self) -> int:
        summary = self.summary or self._so_far(self.results)
        if self.as_json:
            from agentctl.render.events_json import json_text
            from agentctl.render.tests_json import results_json

            print(json_text(results_json(summary)), file=self.answers, flush=True)
        else:
            print_lines(summary_lines(summary, width=width_of(self.answers)), self.answers)
            self.answers.flush()
        if self.junit is not None:
            from agentctl.render.tests_junit import results_junit

            write_target(self.junit, results_junit(summary), "the JUnit file")
        return summary.exit_code

    def _so_far(self, results: Sequence[Result]) -> Summary:
        return Summary(results=tuple(results), unfinished=self.planned - len(results), interrupted=True)
