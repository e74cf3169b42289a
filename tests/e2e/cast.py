"""A cast of models behind the loopback server: each agent says its lines, whoever asks and however often.

Which line is due is read off the request alone, so that a process which died is answered as before.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import agentctl
from agentctl import RunView
from agentctl.engine.people import Ask
from agentctl.jsontypes import Json, JsonObject, as_object, as_text
from loopback.replies import Answer, Call, Scripted
from loopback.server import LoopbackServer, Seen

Line: TypeAlias = str | Scripted | Callable[[Seen], "str | Scripted"]
Lines: TypeAlias = Mapping[str, Line | Sequence[Line]]
"""By agent; the n-th line answers the request that shows n-1 of its own turns, the last one is repeated."""

_NAME = re.compile(r"You are (\w+)\.")
TOOLS = '''
def look(what: str) -> str:
    """Looks something up."""
    with open("looked", "a") as file:
        file.write(what + "\\n")
    return f"{what} is fine"

def third(request, agents):
    return "third"

def nobody(request, agents):
    return "nobody"

def in_turn(conversation, agents):
    """Every agent once, in order, then the end."""
    heard = [said["agent"] for said in conversation]
    return next((name for name in agents if name not in heard), None)

def asks_to_stop(conversation):
    return conversation[-1]["text"] == "stop here"
'''


def agent(name: str, *members: JsonObject, **keys: Json) -> JsonObject:
    """An agent of a team file; its instructions tell the cast who asks."""
    stated: dict[str, Json] = {
        "name": name,
        "description": f"Does {name}",
        "instructions": f"You are {name}.",
    }
    return {**stated, **({"agents": list(members)} if members else {}), **keys}


def crew(*names: str) -> list[JsonObject]:
    return [agent(name) for name in names]


def looker(name: str) -> JsonObject:
    """A leaf with a tool that writes down every call of it, outside the process."""
    return agent(name, tools=[{"function": "tools:look", "idempotent": True}])


def transfer(to: str, *, message: str = "", reason: str = "", text: str | None = None) -> Answer:
    return Answer(text=text, calls=[passes(to, message=message, reason=reason)])


def passes(to: str, *, message: str = "", reason: str = "") -> Call:
    given = {key: value for key, value in (("message", message), ("reason", reason)) if value}
    return Call(name=f"transfer_to_{to}", arguments=given)


def several(*calls: Call, text: str | None = None) -> Answer:
    """Calls of one turn, with ids of their own."""
    named = [
        Call(name=call.name, arguments=call.arguments, id=f"call_{i}") for i, call in enumerate(calls, 1)
    ]
    return Answer(text=text, calls=named)


def looks(what: str) -> Answer:
    return Answer(calls=[Call(name="look", arguments={"what": what})])


def steps(*made: tuple[str, str, Sequence[str]], answer: str = "") -> str:
    """A planner's reply: (id, agent, ids it depends on); the task names the step."""
    found: list[Json] = [
        {"id": name, "agent": who, "task": f"do {name}", "depends_on": list(needs)}
        for name, who, needs in made
    ]
    return json.dumps({"steps": found, "answer": answer} if answer else {"steps": found})


def actor(seen: Seen) -> str:
    """The agent whose request it is."""
    found = _NAME.match(as_text(seen.messages[0].get("content")))
    assert found, seen.messages[0]
    return found.group(1)


def shown(seen: Seen) -> list[str]:
    """What stands after the system text, as `role: text`, calls as `role: text [name]`."""
    return [_told(message) for message in seen.messages if message["role"] != "system"]


def _told(message: JsonObject) -> str:
    calls = message.get("tool_calls")
    made = [as_object(as_object(call).get("function")) for call in calls] if isinstance(calls, list) else []
    listed = "".join(f" [{as_text(function.get('name'))}]" for function in made)
    return f"{message['role']}: {as_text(message.get('content'))}{listed}"


@dataclass(frozen=True, slots=True)
class Cast:
    lines: Lines

    def __call__(self, seen: Seen) -> Scripted:
        line = self.lines.get(actor(seen), f"{actor(seen)} is done")
        if not (isinstance(line, str | Scripted) or callable(line)):
            own = sum(message["role"] == "assistant" for message in seen.messages)
            line = line[min(own, len(line) - 1)]
        said = line if isinstance(line, str | Scripted) else line(seen)
        return Answer(text=said) if isinstance(said, str) else said


def together(*said: Answer) -> list[Callable[[Seen], Scripted]]:
    """Lines for as many agents, none of which is said before all of them are asked."""
    all_asked = threading.Barrier(len(said))

    def line(answer: Answer) -> Callable[[Seen], Scripted]:
        def say(_seen: Seen) -> Scripted:
            all_asked.wait(timeout=30)
            return answer

        return say

    return [line(answer) for answer in said]


class Gate:
    """The cast, but replies (of one agent, if given) are held back until so many requests are under way, and
    a little longer. `held` is how many there were by then: whoever asks for more at once has sent them.
    """

    def __init__(self, full: int, cast: Cast, *, of: str | None = None) -> None:
        self.held = 0
        self._cast = cast
        self._full = full
        self._of = of
        self._waiting = 0
        self._open = threading.Event()
        self._lock = threading.Lock()

    def __call__(self, seen: Seen) -> Scripted:
        said = self._cast(seen)
        if not isinstance(said, Answer) or self._of not in (None, actor(seen)):
            return said
        with self._lock:
            self._waiting += 1
            if self._waiting == self._full:
                threading.Timer(0.2, self._let_go).start()
        return replace(said, hold=self._open)

    def _let_go(self) -> None:
        self.held = self._waiting
        self._open.set()


@dataclass(kw_only=True)
class Stage:
    """A folder with one team, whose models are all behind the server."""

    folder: Path
    server: LoopbackServer

    def set(self, team: JsonObject, lines: Lines | None = None) -> None:
        self.server.script = Cast(lines or {})
        whole: JsonObject = {"model": "openai/gpt-4o-mini", **team}
        (self.folder / "team.yaml").write_text(json.dumps(whole), "utf-8")
        (self.folder / "tools.py").write_text(TOOLS, "utf-8")

    def run(self, question: str = "What now?", *, ask: Ask | None = None) -> RunView:
        return asyncio.run(agentctl.run(self.folder, question, runs_dir=self.runs, ask=ask))

    def resume(self, run: RunView) -> RunView:
        return asyncio.run(agentctl.resume(run.run_id, runs_dir=self.runs))

    def hold(self, full: int, *, of: str | None = None) -> Gate:
        """Puts a gate before the cast that is set."""
        assert isinstance(self.server.script, Cast)
        self.server.script = gate = Gate(full, self.server.script, of=of)
        return gate

    @property
    def runs(self) -> Path:
        return self.folder / ".agentctl" / "runs"

    @property
    def order(self) -> list[str]:
        """Who asked, in order of arrival."""
        return [actor(seen) for seen in self.server.requests]

    def seen(self, name: str, visit: int = 1) -> Seen:
        """The n-th request of that agent."""
        return [seen for seen in self.server.requests if actor(seen) == name][visit - 1]

    def shown(self, name: str, visit: int = 1) -> list[str]:
        return shown(self.seen(name, visit))

    @property
    def looked(self) -> list[str]:
        """What the tool `look` was called with, by all processes."""
        path = self.folder / "looked"
        return path.read_text("utf-8").splitlines() if path.exists() else []
