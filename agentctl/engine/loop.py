"""The loop of one agent: model turn, its tool calls, again, until a turn without calls.

It holds the conversation with the model and keeps its invariant: every call is answered exactly once,
directly after its turn, in call order. It acts only through the steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from agentctl.engine.calls import ToolOutcome, prepared, run_calls
from agentctl.engine.crew import Crew
from agentctl.engine.steps import Call, Steps
from agentctl.engine.task import Answer, Task
from agentctl.engine.transcript import opening
from agentctl.errors import ExecutionFailed
from agentctl.models.messages import Message, Reply, ToolCall, ToolSpec
from agentctl.spec.team import Agent

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
        self._offered = (*crew.offered(agent.name), *extra)
        self._failing: tuple[str, str] = ("", "")
        self._repeats = 0

    async def converse(self) -> Answer:
        """The whole loop of an agent that nobody else takes part in."""
        while True:
            reply = await self.turn()
            if not reply.calls:
                return self.answer(reply.text)
            self.close_turn(reply.calls, await self.run_tools(reply.calls))

    def answer(self, text: str) -> Answer:
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
        ready = [
            prepared(
                self.crew.tool(self.agent.name, call.name),
                call,
                agent=self.agent.name,
                key=f"turn-{self.turns}/call-{turn.index(call) + 1}.{call.name}",
                offered=[spec.name for spec in self._offered],
            )
            for call in calls
        ]
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
            reply = replace(more, text=reply.text + more.text)
        del self.messages[shown:]
        return reply

    async def _ask(self, key: str, required: bool) -> Reply:
        self._asked += 1
        reply = await self.steps.step(
            Call(
                key=key,
                function="model",
                args={
                    "agent": self.agent.name,
                    "turn": self._asked,
                    "messages": [message.as_json() for message in self.messages],
                    "tools": [spec.as_json() for spec in self._offered],
                    "required": required,
                },
            )
        )
        return Reply.from_json(reply)
