"""The conversation with a planner: asked for a plan, shown what came of it, asked to go on or to finish."""

from __future__ import annotations

from collections.abc import Mapping

from agentctl.engine.closing import Closing, Misshapen
from agentctl.engine.crew import Crew, purpose
from agentctl.engine.plans import Known, Plan, plan_schema, read_plan
from agentctl.engine.steps import Failed, Outcome, Steps
from agentctl.engine.structured import Inquiry, Unfit, listed_purposes
from agentctl.engine.task import Answer, Said, Task
from agentctl.engine.transcript import from_other, opening
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import Json, canonical
from agentctl.models.messages import Message
from agentctl.spec.strategies import PlanExecute
from agentctl.spec.team import Agent

_CORRECTIONS = 2
_PLAN = (
    "Plan the work for the agents below. Reply with one JSON object: "
    '{"steps": [{"id": a short name, "agent": who does it, "task": what it is to do, complete in itself, '
    '"depends_on": [ids of the steps whose results it needs]}], "answer": text}. '
    "Steps that do not depend on each other run at the same time. An agent sees its task and the results "
    "of the steps that it depends on, nothing else. When nothing is left to do, reply with no steps and "
    "with the answer to the request.\n\nThe agents:"
)
_GO_ON = (
    "If the request can be answered now, reply with no steps and the answer, written from these results. "
    "Else reply with further steps under new ids; they may depend on finished ones."
)
_NO_MORE = "No further steps can be run. Reply with no steps and the answer, written from these results."
_NOTHING = "There are no steps and no answer. Reply with steps, or with the answer."


class Planner:
    """`agent`'s own model with its instructions, or what `planner` states instead."""

    def __init__(self, agent: Agent, options: PlanExecute, task: Task, steps: Steps, crew: Crew) -> None:
        stated = options.planner
        instructions = stated.instructions if stated and stated.instructions else agent.instructions
        told = listed_purposes([(member.name, purpose(member)) for member in agent.agents])
        members = [member.name for member in agent.agents]
        self.closing = Closing(agent, steps, crew)
        self._agent = agent
        self._calls = 0
        self._inquiry = Inquiry(
            agent=agent.name,
            steps=steps,
            schema=plan_schema(members),
            search_texts={member.name: crew.search_text(member) for member in agent.agents},
            messages=opening(
                agent.name, f"{instructions}\n\n{_PLAN}\n{told}{_shape(self.closing)}".strip(), task
            ),
            model=f"{agent.name}.planner" if stated and stated.model else "",
        )

    @property
    def key(self) -> str:
        """The key of the latest call."""
        return f"turn-{self._calls}"

    async def ask(self, known: Known, *, need_answer: bool) -> Plan:
        """The next plan. Mistakes go back to the planner; raises where it does not mend them."""

        def read(text: str) -> Plan | Unfit:
            plan = read_plan(text, known)
            if isinstance(plan, Unfit) or plan.steps:
                return plan
            if not plan.answer:
                return Unfit(problem=_NOTHING) if need_answer else plan
            shaped = self.closing.shaped(plan.answer)
            return Unfit(problem=shaped.problem) if isinstance(shaped, Misshapen) else plan

        self._calls += 1
        corrections = _CORRECTIONS + (self._agent.output_retries if self.closing.shape else 0)
        found = await self._inquiry.ask(self.key, read, corrections)
        if isinstance(found, Plan):
            return found
        raise ExecutionFailed(
            f"the planner of agent '{self._agent.name}' wrote no plan that can be followed, asked "
            f"{_CORRECTIONS + 1} times; the last one: {found.problem}",
            rule="invalid-plan",
            hint="try another model for the planner, or write the `plan` in the team file",
        )

    def refuse(self, problem: str) -> None:
        """Tells why the answer of the latest plan may not stand."""
        self._inquiry.say(problem)

    def given(self, plan: Plan) -> None:
        """Takes a plan of the team file as the planner's own."""
        self._inquiry.messages.append(Message(role="assistant", text=canonical(plan.as_json())))

    def report(self, plan: Plan, outcomes: Mapping[str, Outcome], *, more: bool) -> None:
        """Tells what came of a plan's steps; `more` says whether further ones may follow."""
        states = []
        for step in plan.steps:
            outcome = outcomes.get(step.id)
            if outcome is None:
                states.append(f"'{step.id}' was not run, since a step that it depends on failed")
                continue
            failed = isinstance(outcome, Failed)
            text = f"failed: {outcome.error}" if isinstance(outcome, Failed) else _text(outcome.value)
            self._inquiry.messages.append(from_other(Said(agent=step.agent, text=text)))
            states.append(f"'{step.id}' by {step.agent} {'failed' if failed else 'is done'}")
        self._inquiry.say(f"The steps, in this order: {'; '.join(states)}. {_GO_ON if more else _NO_MORE}")


def _shape(closing: Closing) -> str:
    if closing.shape is None:
        return ""
    return f"\n\n`answer` holds one JSON value that fits this JSON Schema: {canonical(closing.shape.schema)}"


def _text(value: Json) -> str:
    return Answer.from_json(value).text
