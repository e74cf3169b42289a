"""manual: a person, or a function of the team file, chooses who goes next until they finish.

Nothing is ever chosen by default. A failure of the chosen one is told, and the choice is open again.
"""

from __future__ import annotations

from collections import Counter

from agentctl.engine.crew import Crew
from agentctl.engine.steps import Call, Decider, Delegation, Failed, Question, Steps
from agentctl.engine.strategies.common import (
    concluded,
    descriptions,
    function_args,
    names,
    next_task,
    transcript,
)
from agentctl.engine.task import Answer, Said, Task
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import Json, JsonObject, as_object, as_text, canonical
from agentctl.spec.settings import FunctionRef
from agentctl.spec.strategies import Manual
from agentctl.spec.team import Agent

_FINISH = "finish"


async def manual(agent: Agent, options: Manual, task: Task, steps: Steps, _crew: Crew) -> Answer:
    return await _Desk(agent, options, task, steps).run()


class _Desk:
    def __init__(self, agent: Agent, options: Manual, task: Task, steps: Steps) -> None:
        self.agent = agent
        self.options = options
        self.task = task
        self.steps = steps
        self.said: list[Said] = []
        self.told: list[Json] = transcript(task, ())
        self.visits: Counter[str] = Counter()
        self.asked = 0
        self.last = ""
        self.failure = ""

    async def run(self) -> Answer:
        by: Decider = "function" if self.options.choose else "person"
        answer: Answer | None = None
        for turn in range(1, self.options.turns + 1):
            chosen, reason = await self._choose()
            await self.steps.decide(
                f"turn-{turn}",
                chosen=[chosen] if chosen else [],
                among=names(self.agent),
                by=by,
                reason=reason if chosen else f"finished: {reason}" if reason else "finished",
            )
            if chosen is None:
                break
            answer = await self._run(chosen) or answer
        if answer is None:
            raise self._nobody()
        return concluded(self.agent, answer, self.said)

    async def _run(self, chosen: str) -> Answer | None:
        """The chosen one's answer, or None where it failed."""
        self.visits[chosen] += 1
        given = next_task(self.agent, chosen, self.task, self.said)
        key = f"{chosen}.{self.visits[chosen]}"
        [outcome] = await self.steps.gather([Delegation(key=key, agent=chosen, task=given, absorb=True)])
        if isinstance(outcome, Failed):
            self.last = self.failure = f"'{chosen}' failed: {outcome.error}"
            self.told.append({"agent": chosen, "text": f"failed: {outcome.error}", "failed": True})
            return None
        answer = Answer.from_json(outcome.value)
        self.last, self.failure = answer.text, ""
        self.told.append({"agent": chosen, "text": answer.text})
        self.said.append(answer.by(chosen))
        return answer

    async def _choose(self) -> tuple[str | None, str]:
        """Who is next (None: finished), and the reason where one was given."""
        self.asked += 1
        if self.options.choose is not None:
            return await self._ask_function(self.options.choose), ""
        problem = f"{self.failure.rstrip('.')}. " if self.failure else ""
        answer = as_object(await self.steps.wait(self._question(problem)))
        while not self._is_valid(answer):
            self.asked += 1
            problem = f"There is no agent '{_named(answer)}' here. "
            answer = as_object(await self.steps.wait(self._question(problem)))
        reason = as_text(answer.get("reason"))
        return (None, reason) if self._finishes(answer) else (as_text(answer.get("choose")), reason)

    async def _ask_function(self, function: FunctionRef) -> str | None:
        args = function_args(function, self.told, descriptions(self.agent))
        found = await self.steps.step(Call(key=f"choose-{self.asked}", function="function", args=args))
        if found is None:
            return None
        if isinstance(found, str) and found in names(self.agent):
            return found
        raise ExecutionFailed(
            f"function '{function.target}' chooses for agent '{self.agent.name}' and returned "
            f"{canonical(found)}, which names none of its agents",
            rule="manual-unknown",
            hint=f"return one of {', '.join(names(self.agent))}, or None to finish",
        )

    def _question(self, problem: str) -> Question:
        request: JsonObject = {
            "kind": "choose",
            "question": f"{problem}Which agent of '{self.agent.name}' goes next?",
            "agent": self.agent.name,
            "choices": [*names(self.agent), _FINISH],
            "agents": descriptions(self.agent),
            "last": self.last,
        }
        return Question(key=f"choose-{self.asked}", request=request)

    def _is_valid(self, answer: JsonObject) -> bool:
        return self._finishes(answer) or answer.get("choose") in names(self.agent)

    def _finishes(self, answer: JsonObject) -> bool:
        named = answer.get("choose") == _FINISH and _FINISH not in names(self.agent)
        return answer.get("finish") is True or named

    def _nobody(self) -> ExecutionFailed:
        because = f"; the last failure was: {self.last}" if self.last else ""
        return ExecutionFailed(
            f"agent '{self.agent.name}' ended before any of its agents had answered{because}",
            rule="manual-nobody",
            hint="choose an agent before you finish",
        )


def _named(answer: JsonObject) -> str:
    return as_text(answer.get("choose")) or canonical(answer)
