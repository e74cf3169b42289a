"""The loop of one agent: model turn, its tool calls, again, until a turn without calls.

It holds the conversation with the model and keeps its invariant: every call is answered exactly once,
directly after its turn, in call order. It acts only through the steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from agentctl.engine.calls import ToolOutcome, prepared, run_calls
from agentctl.engine.closing import Closed, Closing, Misshapen
from agentctl.engine.crew import Crew, tool_spec
from agentctl.engine.spoken import Spoken
from agentctl.engine.steps import Call, Steps
from agentctl.engine.task import Answer, Task
from agentctl.engine.transcript import opening
from agentctl.engine.written import with_written_calls
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import Json
from agentctl.models.messages import Message, Reply, ToolCall, ToolSpec
from agentctl.models.thinking import without_thoughts
from agentctl.spec.team import Agent
from agentctl.tools.excerpts import read_output_tool, reader_name
from agentctl.tools.tool import Tool

_CONTINUATIONS: Final = 2
_REPEATS: Final = 3
_NUDGE: Final = "Your reply was empty. Answer the request, or call a tool."
_CONTINUE: Final = "Your reply was cut at its length limit. Continue exactly where it stopped."


class Loop:
    """One agent's conversation with its model; `extra` are tools that a strategy adds to its own."""

    def __init__(
        self, agent: Agent, task: Task, steps: Steps, crew: Crew, extra: Sequence[ToolSpec] = ()
    ) -> None:
        self.agent = agent
        self.steps = steps
        self.crew = crew
        self.messages = opening(agent.name, agent.instructions, task)
        self.turns = 0
        self._asked = 0
        self._opened = len(self.messages)
        self._extra = tuple(extra)
        self._is_listed = not crew.toolsets.get(agent.name)
        self._closing = Closing(agent, steps, crew)
        self._mending = False
        self._cut = False
        self._failing: tuple[str, str] = ("", "")
        self._repeats = 0
        self._spoken = Spoken()

    async def converse(self) -> Answer:
        """The whole loop of an agent that nobody else takes part in."""
        while True:
            reply = await self.turn()
            answer = None if reply.calls else await self.settled(reply.text)
            if answer is not None:
                return answer
            if reply.calls:
                self.close_turn(reply.calls, await self.run_tools(reply.calls))

    async def settled(self, text: str) -> Answer | None:
        """The answer that a turn without calls is; None where the model was told why it may not stand.

        Raises where it was told so as often as the file allows.
        """
        found = await self._closing.judge(text, f"turn-{self.turns}", cut=self._cut)
        if isinstance(found, Closed):
            return found.given(self.answer(found.text))
        self._mending = isinstance(found, Misshapen)
        self.say(found.problem)
        return None

    def answer(self, text: str) -> Answer:
        """Words that nobody judges, such as those beside a transfer."""
        name = self.agent.name
        return Answer(text=text, agent=name, path=(name,), exchanges=self.exchanges())

    def exchanges(self) -> tuple[Message, ...]:
        """What the loop added to its opening, without the closing text."""
        added = self.messages[self._opened :]
        if added and added[-1].role == "assistant" and not added[-1].calls:
            added = added[:-1]
        return tuple(added)

    async def turn(self, *, required: bool = False) -> Reply:
        """The next reply, never empty; a cut one is continued and comes back whole."""
        self.turns += 1
        reply = await self._ask(f"turn-{self.turns}", required)
        if not reply.text.strip() and not reply.calls:
            self.say(_NUDGE)
            reply = await self._ask(f"turn-{self.turns}.1", required)
            if not reply.text.strip() and not reply.calls:
                raise ExecutionFailed(
                    f"agent '{self.agent.name}' got an empty reply from its model twice in a row",
                    rule="empty-reply",
                    hint="try another model, or say in the instructions what the answer is to hold",
                )
        if reply.finish == "length" and not reply.calls:
            reply = await self._continued(reply)
        self._cut, self._mending = reply.finish == "length", False
        self.messages.append(
            Message(role="assistant", text=reply.text, calls=reply.calls, opaque=reply.opaque)
        )
        return reply

    def say(self, text: str) -> None:
        """Adds words of the runtime, as a user message."""
        self.messages.append(Message(role="user", text=text))

    async def run_tools(self, calls: Sequence[ToolCall]) -> dict[str, ToolOutcome]:
        """Runs the calls of this turn that are the agent's own, at once; outcomes by call id.

        Keys go by the place in the turn, so `calls` may be a part of it.
        """
        turn = self.messages[-1].calls
        offered = [spec.name for spec in self._offered()]
        ready = [
            prepared(
                self._tool(call.name),
                call,
                agent=self.agent.name,
                key=f"turn-{self.turns}/call-{turn.index(call) + 1}.{call.name}",
                offered=offered,
                cut=self._cut,
            )
            for call in calls
        ]
        ready = [await self._closing.guards.call(item) for item in ready]
        outcomes = await run_calls(ready, self.steps)
        return {call.id: outcome for call, outcome in zip(calls, outcomes, strict=True)}

    def close_turn(self, calls: Sequence[ToolCall], outcomes: Mapping[str, ToolOutcome]) -> None:
        """Answers every call of the turn, in call order; ends an agent that repeats a failing call."""
        for call in calls:
            outcome = outcomes[call.id]
            self.messages.append(
                Message(role="tool", text=outcome.text, call_id=call.id, error=outcome.error)
            )
            self._watch(call, outcome)

    def _watch(self, call: ToolCall, outcome: ToolOutcome) -> None:
        this = (call.name, call.arguments) if outcome.error else ("", "")
        self._repeats = self._repeats + 1 if this == self._failing and outcome.error else 1
        self._failing = this
        if outcome.error and self._repeats == _REPEATS:
            raise ExecutionFailed(
                f"agent '{self.agent.name}' made the same failing call of '{call.name}' "
                f"{_REPEATS} times in a row; the last error was: {outcome.text}",
                rule="repeated-call",
                hint="see what it sent with `agentctl show`, and say in the instructions how to call it",
            )

    async def _continued(self, reply: Reply) -> Reply:
        shown = len(self.messages)
        for count in range(1, _CONTINUATIONS + 1):
            if reply.finish != "length" or reply.calls:
                break
            del self.messages[shown:]
            self.messages.append(Message(role="assistant", text=reply.text))
            self.say(_CONTINUE)
            more = await self._ask(f"turn-{self.turns}.{count + 1}", required=False)
            reply = replace(more, text=without_thoughts(reply.text + more.text))
        del self.messages[shown:]
        return reply

    def _offered(self) -> tuple[ToolSpec, ...]:
        """The agent's own tools, those of its strategy, and one to read on in results that were cut."""
        reader = self._reader()
        own = self.crew.offered(self.agent.name)
        return (*own, *self._extra, *((tool_spec(reader),) if reader else ()))

    def _tool(self, name: str) -> Tool | None:
        reader = self._reader()
        if reader is not None and name == reader.name:
            return reader
        return self.crew.tool(self.agent.name, name)

    def _reader(self) -> Tool | None:
        outputs = self._spoken.outputs(self.messages)
        if not outputs:
            return None
        taken = [spec.name for spec in (*self.crew.offered(self.agent.name), *self._extra)]
        return read_output_tool(reader_name(taken), outputs, lambda _output: None)

    async def _list_tools(self) -> None:
        """Servers are asked once an execution, before its first turn; what they told is on record."""
        name = self.agent.name
        listing = Call(key="tools", function="listing", args={"agent": name, "asks": self.crew.asks(name)})
        self.crew.take(name, await self.steps.step(listing))
        self._is_listed = True

    async def _ask(self, key: str, required: bool) -> Reply:
        self._asked += 1
        if not self._is_listed:
            await self._list_tools()
        offered = () if self._mending else self._offered()
        args: dict[str, Json] = {
            "agent": self.agent.name,
            "messages": self._spoken.as_json(self.messages),
            "tools": [spec.as_json() for spec in offered],
            "required": required,
        }
        if self._closing.shape is not None:
            args["schema"] = self._closing.shape.schema
        reply = Reply.from_json(await self.steps.step(Call(key=key, function="model", args=args)))
        return _told_apart(with_written_calls(reply, offered, self._asked))


def _told_apart(reply: Reply) -> Reply:
    """Calls of one turn that share an id are given each its own."""
    taken: set[str] = set()
    calls = []
    for call in reply.calls:
        identity = call.id
        while identity in taken:
            identity += "_"
        taken.add(identity)
        calls.append(replace(call, id=identity))
    return replace(reply, calls=tuple(calls))
