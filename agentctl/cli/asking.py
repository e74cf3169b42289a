"""Questions of a run put to the person at the terminal: which agent, may this call be made, do it again?

Takes a request of the engine and gives its answer as JSON; None means that nobody answered.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from agentctl.jsontypes import Json, JsonObject, as_object, as_text
from agentctl.render.display import Display
from agentctl.render.ending import call_lines, choices
from agentctl.render.terminal import print_text
from agentctl.render.visible import one_line, visible

ReadLine: TypeAlias = Callable[[], Awaitable[str]]
"""The next line with its line end; empty at the end of the input."""


class Asker:
    """Asks one question at a time, with the live view out of the way."""

    def __init__(self, display: Display, read_line: ReadLine) -> None:
        self._display = display
        self._read_line = read_line
        self._turn = asyncio.Lock()

    async def ask(self, request: JsonObject) -> Json:
        async with self._turn:
            with self._display.paused():
                try:
                    return await self._put(request)
                except EOFError:
                    _say("")
                    return None
                except asyncio.CancelledError:  # answered from elsewhere, or the end: off the prompt's line
                    _say("")
                    raise

    async def _put(self, request: JsonObject) -> Json:
        match as_text(request.get("kind")):
            case "approve":
                return await self._approval(request)
            case "in_doubt":
                return await self._in_doubt(request)
            case "choose":
                return await self._choice(request)
            case "question":
                return await self._question(request)
            case _:
                return await self._free(request)

    async def _approval(self, request: JsonObject) -> Json:
        _say(as_text(request.get("question")))
        _say_call(request)
        once = request.get("guardrail") is True  # what is rejected is let pass by itself or not at all
        prompt = "yes, no, or no and why" if once else "yes, no, no and why, or always (for this run)"
        words = ("yes", "no") if once else ("yes", "no", "always")
        answer = await self._one_of(prompt, words, rest=True)
        if answer == "yes":
            return {"approve": True}
        if answer == "always":
            return {"approve": True, "always": True}
        reason = answer.removeprefix("no").lstrip(" ,:;.-") or await self._reason()
        return {"approve": False, "reason": reason} if reason else {"approve": False}

    async def _reason(self) -> str:
        """Why not, which the agent is told; nothing where nobody says."""
        try:
            return await self._line("why (or Enter)", needed=False)
        except EOFError:
            return ""

    async def _in_doubt(self, request: JsonObject) -> Json:
        _say(as_text(request.get("question")))
        _say_call(request)
        return await self._one_of("rerun, or skip", ("rerun", "skip"))

    async def _choice(self, request: JsonObject) -> Json:
        offered = choices(request.get("agents") or request.get("choices"))
        question, last = as_text(request.get("question")), as_text(request.get("last"))
        if last and last not in question:
            _say(f"answered last: {last}")
        _say(question)
        for number, (name, description) in enumerate(offered, start=1):
            _say(f"  {number}. {name}" + (f": {description}" if description else ""))
        names = [name for name, _ in offered]
        answer = await self._one_of("a name, a number, or finish", [*names, "finish"], numbered=names)
        return {"finish": True} if answer == "finish" and "finish" not in names else {"choose": answer}

    async def _question(self, request: JsonObject) -> Json:
        _say(f"{as_text(request.get('agent'))} asks: {as_text(request.get('question'))}")
        return {"answer": await self._line("answer")}

    async def _free(self, request: JsonObject) -> Json:
        offered = [name for name, _ in choices(request.get("choices"))]
        _say(as_text(request.get("question")))
        if offered:
            return await self._one_of(", ".join(offered), offered, numbered=offered)
        return await self._line("answer")

    async def _one_of(
        self, prompt: str, words: Sequence[str], *, numbered: Sequence[str] = (), rest: bool = False
    ) -> str:
        """One of `words`, also by an unambiguous start or a number; with `rest`, words may follow it."""
        while True:
            line = await self._line(prompt)
            if line.isdecimal() and 1 <= int(line) <= len(numbered):
                return numbered[int(line) - 1]
            first, _, more = line.partition(" ") if rest else (line, "", "")
            word = _meant(first.rstrip(",:;."), words)
            if word is not None:
                return f"{word} {more}".strip() if more and word == "no" else word
            _say(f"'{one_line(line)}' is none of: {', '.join(words)}")

    async def _line(self, prompt: str, *, needed: bool = True) -> str:
        """Asks until a line is not empty, where one is needed."""
        while True:
            asked = self._read_line()
            sys.stderr.write(f"{visible(prompt)}> ")
            sys.stderr.flush()
            line = await asked
            if not line:
                raise EOFError
            if line.strip() or not needed:
                return line.strip()


def _meant(start: str, words: Sequence[str]) -> str | None:
    if start in words:
        return start
    found = [word for word in words if start and word.casefold().startswith(start.casefold())]
    return found[0] if len(found) == 1 else None


def _say(text: str) -> None:
    print_text(text, sys.stderr)


def _say_call(request: JsonObject) -> None:
    """The call that it is about."""
    if as_text(request.get("agent")):
        _say(f"  agent: {as_text(request.get('agent'))}")
    for line in call_lines(request):
        _say(f"  {line}")
    if as_object(request.get("earlier")):
        _say(f"  earlier it was called with: {json.dumps(request.get('earlier'), ensure_ascii=False)}")
