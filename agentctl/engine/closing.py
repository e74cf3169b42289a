"""What a model wrote as its answer, into one that may stand: its shape read, its guardrails passed.

What may not stand goes back to the model in words, as often as the file allows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from agentctl.engine.crew import Crew
from agentctl.engine.found import fitting
from agentctl.engine.guards import Again, Guards
from agentctl.engine.steps import Steps
from agentctl.engine.task import Answer
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import Json
from agentctl.spec.team import Agent
from agentctl.tools.schema import Unfit


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """`output` is the parsed answer where the agent states a shape."""

    text: str
    output: Json = None
    has_output: bool = False

    def given(self, answer: Answer) -> Answer:
        return replace(answer, text=self.text, output=self.output, has_output=self.has_output)


@dataclass(frozen=True, slots=True, kw_only=True)
class Misshapen:
    """`problem` tells the model what is wrong; it needs no tools to mend it."""

    problem: str


class Closing:
    """Of one execution: it counts the further turns that were used."""

    def __init__(self, agent: Agent, steps: Steps, crew: Crew) -> None:
        self.shape = crew.outputs.get(agent.name)
        self.guards = Guards(agent, steps)
        self._agent = agent
        self._misshapen = 0

    async def judge(self, text: str, key: str, *, cut: bool = False) -> Closed | Again | Misshapen:
        """`key` is that of the turn, `cut` whether its reply ended at the length limit. Raises where the
        further turns are used up, or nothing may pass."""
        found = self.shaped(text, cut=cut)
        if isinstance(found, Misshapen):
            return found
        passed = await self.guards.text("output", found.text, key)
        if isinstance(passed, Again) or passed == found.text:
            return passed if isinstance(passed, Again) else found
        try:
            return self._shaped(passed)
        except Unfit as unfit:
            raise ExecutionFailed(
                f"what the guardrails of agent '{self._agent.name}' made of its answer does not have the "
                f"shape of its `output`: {unfit}",
                rule="guardrail",
                hint="let the replacement fit the shape",
            ) from None

    def shaped(self, text: str, *, cut: bool = False) -> Closed | Misshapen:
        """The text read as its shape asks, before any guardrail. Raises as `judge` does."""
        try:
            return self._shaped(text)
        except Unfit as unfit:
            if cut:
                raise self._too_long(unfit) from None
            return self._told(str(unfit))

    def _shaped(self, text: str) -> Closed:
        if self.shape is None:
            return Closed(text=text)
        value = fitting(text, self.shape)
        written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return Closed(text=written, output=value, has_output=True)

    def _too_long(self, unfit: Unfit) -> ExecutionFailed:
        """Asked again, it would only be cut again."""
        return ExecutionFailed(
            f"the answer of agent '{self._agent.name}' was cut at its length limit, also where it was "
            f"continued, and does not have the shape that its `output` states: {unfit}",
            rule="invalid-output",
            hint="raise `max_tokens` of the model, or ask for a shorter answer",
        )

    def _told(self, problem: str) -> Misshapen:
        self._misshapen += 1
        allowed = self._agent.output_retries
        if self._misshapen > allowed:
            asked = "once" if allowed == 0 else f"{allowed + 1} times"
            raise ExecutionFailed(
                f"agent '{self._agent.name}' wrote no answer of the shape that its `output` states, asked "
                f"{asked}; the last one: {problem}",
                rule="invalid-output",
                hint="raise `output_retries`, make the shape simpler, or try another model",
            )
        return Misshapen(
            problem=f"The answer does not have the shape that is asked for: {problem}. "
            "Write the whole answer again, as one JSON value of that shape and nothing else."
        )
