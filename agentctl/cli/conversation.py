"""A conversation at the command line: a run for each message, following the last that was answered.

Which run a message becomes is for the caller; here is what a person may type besides, and how it ends.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Final, Protocol

from agentctl.cli.failures import INTERRUPTED, report_failure
from agentctl.cli.messages import ReadLine, read_message
from agentctl.cli.work import Ask, Listener, Manner, Start, carry_out
from agentctl.diagnostics import nearest
from agentctl.errors import AgentctlError
from agentctl.journal.summary import RunView
from agentctl.jsontypes import JsonObject, as_text

_COMMAND: Final = re.compile(r"/[a-z]+")
_HELP: Final = {
    "/help": "says this",
    "/resume": "goes on with the turn that was not finished",
    "/new": "begins anew: what was said so far is not sent along",
    "/exit": "leaves, as Ctrl-D does",
}
_TYPING: Final = (
    'A line that ends with \\ goes on in the next one; a text of several lines may stand between two """.',
    "Ctrl-C stops a turn; a second one leaves.",
)


class Turns(Protocol):
    """What a turn is made of."""

    def ask(self, question: str, after: str | None) -> Start: ...

    def go_on(self, run_id: str) -> tuple[Start, list[JsonObject]]:
        """With the events that were recorded of it."""
        ...

    def command(self, run_id: str) -> str:
        """What takes the conversation up again."""
        ...


class Conversation:
    """`last` is the run that the next message follows, `unfinished` one that has to be gone on with first.

    Where `talking`, a person is there: a turn that fails ends the turn alone. Else it ends the conversation.
    """

    def __init__(
        self, turns: Turns, manner: Callable[[list[JsonObject]], Manner], read: ReadLine, *, talking: bool
    ) -> None:
        self._turns = turns
        self._manner = manner
        self._read = read
        self._talking = talking
        self._last: str | None = None
        self._unfinished: str | None = None
        self._warned = self._terminated = False

    def carry_on(self, after: RunView | None) -> int:
        """The exit code: 0 where every turn that was asked from a pipe had an answer."""
        code = 0
        with self._signals():
            try:
                if after is not None:
                    code = self._take_up(after)
                while code == 0 or self._talking:
                    code = self._next()
            except EOFError:
                code = INTERRUPTED if self._terminated else 0
            except KeyboardInterrupt:
                code = INTERRUPTED
        self._leave()
        return code

    def _take_up(self, view: RunView) -> int:
        if view.status == "completed":
            self._last = view.run_id
            return 0
        _say(f"the turn '{view.run_id}' was not finished ({view.status}): going on with it")
        self._unfinished = view.run_id
        return self._resume()

    def _next(self) -> int:
        """One message. Raises EOFError where there is none any more, or a person wants to leave."""
        try:
            message = read_message(self._read)
        except KeyboardInterrupt:
            if self._warned:
                self._terminated = True
                raise EOFError from None
            _say("\nCtrl-C again, or Ctrl-D, leaves")
            self._warned = True
            return 0
        self._warned = False
        if _COMMAND.fullmatch(message):
            return self._obey(message)
        return self._turn(self._turns.ask(message.strip(), self._last), [])

    def _obey(self, command: str) -> int:
        match command:
            case "/exit":
                raise EOFError
            case "/help":
                for line in (*(f"{name:8} {text}" for name, text in _HELP.items()), *_TYPING):
                    _say(line)
            case "/new":
                self._last = self._unfinished = None
            case "/resume":
                return self._resume()
            case _:
                near = nearest(command, _HELP)
                hint = f"did you mean {near}?" if near else "/help lists them"
                _say(f"there is no command {command}: {hint}; what begins with a space is sent as it is")
        return 0

    def _resume(self) -> int:
        if self._unfinished is None:
            _say("there is no turn to go on with")
            return 0
        start, earlier = self._turns.go_on(self._unfinished)
        return self._turn(start, earlier)

    def _turn(self, start: Start, earlier: list[JsonObject]) -> int:
        view: RunView | None = None
        run_id = ""

        async def noted(listen: Listener, ask: Ask | None) -> RunView:
            def hear(event: JsonObject) -> None:
                nonlocal run_id
                run_id = as_text(event.get("run_id")) or run_id
                listen(event)

            nonlocal view
            view = await start(hear, ask)
            return view

        try:
            code = carry_out(noted, replace(self._manner(earlier), terminated=self._be_terminated))
        except AgentctlError as error:
            if not self._talking:
                raise
            code = report_failure(error, debug=False)
        self._note(view, run_id, code)
        if self._terminated:
            raise EOFError
        return code

    def _note(self, view: RunView | None, run_id: str, code: int) -> None:
        if view is not None and view.status == "completed":
            self._last, self._unfinished = view.run_id, None
            return
        self._warned = code == INTERRUPTED
        if run_id:
            self._unfinished = run_id
        if self._unfinished and self._talking and not self._terminated:
            _say("/resume goes on with that turn; whatever else you say follows the last answer")

    def _leave(self) -> None:
        run_id = self._unfinished or self._last
        if run_id is not None and not self._manner([]).quiet:
            _say(f"go on with: {self._turns.command(run_id)}")

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """While nothing runs, Ctrl-C is for the line that is typed, and SIGTERM ends the conversation."""
        wanted = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: self._end}
        before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self._be_terminated()
        raise EOFError

    def _be_terminated(self) -> None:
        self._terminated = True


def _say(text: str) -> None:
    from agentctl.render.terminal import print_text

    print_text(text, sys.stderr)
