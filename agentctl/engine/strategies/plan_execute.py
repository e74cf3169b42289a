"""plan_execute: a planner writes steps for the members, independent ones run at once, it sees the results.

Without `synthesize` no closing call is made: the answer is that of the steps which no other step used, and
where the file holds the `plan` too, nobody is left to plan again: a failed step then fails the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from agentctl.engine.closing import Closed
from agentctl.engine.crew import Crew
from agentctl.engine.graph import needed_by, raise_first, run_graph
from agentctl.engine.planner import Planner
from agentctl.engine.plans import Known, Plan, mistakes_in, step_key
from agentctl.engine.steps import Delegation, Done, Outcome, Steps
from agentctl.engine.strategies.common import concluded, limit_reached, listed, member_task, names
from agentctl.engine.task import Answer, Said, Task
from agentctl.errors import ExecutionFailed
from agentctl.spec.strategies import PlanExecute, PlanStep
from agentctl.spec.team import Agent

Finished: TypeAlias = tuple[PlanStep, Answer]


async def plan_execute(agent: Agent, options: PlanExecute, task: Task, steps: Steps, crew: Crew) -> Answer:
    return await _Work(agent, options, task, steps, crew).run()


async def make_plan(agent: Agent, options: PlanExecute, task: Task, steps: Steps, crew: Crew) -> Plan:
    """The first plan alone: what the file holds, else what the planner writes."""
    return await _Work(agent, options, task, steps, crew).first_plan()


class _Work:
    """`done` holds the finished steps of all plans so far, in plan order."""

    def __init__(self, agent: Agent, options: PlanExecute, task: Task, steps: Steps, crew: Crew) -> None:
        self.agent = agent
        self.options = options
        self.task = task
        self.steps = steps
        self.planner = Planner(agent, options, task, steps, crew)
        self.known = Known(agents=names(agent))
        self.done: dict[str, Finished] = {}
        self.plans = 0
        self.replans = options.plan is None or options.synthesize

    async def run(self) -> Answer:
        plan = await self.first_plan()
        while True:
            all_done = bool(plan.steps) and await self._carry_out(plan)
            if all_done and not self.options.synthesize:
                return await self._concluded()
            answer = None if plan.steps else await self._answer(plan)
            if answer is not None:
                return answer
            plan = await self._next_plan()

    async def first_plan(self) -> Plan:
        if self.options.plan is None:
            return await self._next_plan()
        plan = Plan(steps=self.options.plan)
        mistakes = mistakes_in(plan.steps, self.known)
        if mistakes:
            message = f"the plan of agent '{self.agent.name}' cannot be followed: {mistakes[0]}"
            raise ExecutionFailed(message, rule="invalid-plan", hint="mend the `plan` of its strategy")
        self._require_room(plan)
        await self._decide("plan", plan, by_file=True)
        self.planner.given(plan)
        return plan

    async def _next_plan(self) -> Plan:
        plan = await self.planner.ask(self.known, need_answer=self.options.synthesize or not self.done)
        self._require_room(plan)
        await self._decide(f"{self.planner.key}/plan", plan, by_file=False)
        return plan

    def _require_room(self, plan: Plan) -> None:
        options, last = self.options, [answer.text for _, answer in self.done.values()][-1:]
        if plan.steps and self.plans > options.max_replans:
            number = options.max_replans
            raise limit_reached(self.agent, "max_replans", number, "further plan", "".join(last))
        needs = len(self.known.used) + len(plan.steps)
        if needs > options.max_steps:
            number = options.max_steps
            raise limit_reached(self.agent, "max_steps", number, "step", "".join(last), needs=needs)

    async def _decide(self, key: str, plan: Plan, *, by_file: bool) -> None:
        members, own = names(self.agent), [self.agent.name]
        await self.steps.decide(
            key,
            chosen=[step.agent for step in plan.steps] or own,
            among=members if plan.steps else own + members,
            by="plan" if by_file else "model",
            reason=plan.summary() or ("finished" if self.plans else "answered itself"),
        )

    async def _carry_out(self, plan: Plan) -> bool:
        """Runs the steps and tells the planner what came of them; whether all are done."""
        self.plans += 1
        by_id = {step.id: step for step in plan.steps}
        needs = {step.id: [need for need in step.depends_on if need in by_id] for step in plan.steps}
        outcomes: dict[str, Outcome] = {}

        def delegation(name: str) -> Delegation:
            return self._delegation(by_id[name], self._answers(plan, outcomes), needed_by(name, needs))

        await run_graph(needs, delegation, outcomes, self.steps, self.options.max_concurrency)
        self.done = self._answers(plan, outcomes)
        self.known.used |= set(by_id)
        self.known.done = set(self.done)
        if not self.replans:
            raise_first(outcomes, by_id)
        self.planner.report(plan, outcomes, more=self.plans <= self.options.max_replans)
        return all(name in self.done for name in by_id)

    def _answers(self, plan: Plan, outcomes: Mapping[str, Outcome]) -> dict[str, Finished]:
        """Every finished step, those of this plan last."""
        found = dict(self.done)
        for step in plan.steps:
            outcome = outcomes.get(step.id)
            if isinstance(outcome, Done):
                found[step.id] = (step, Answer.from_json(outcome.value))
        return found

    def _delegation(self, step: PlanStep, answers: Mapping[str, Finished], before: set[str]) -> Delegation:
        """The step's task with the outputs of its dependencies; nothing that depends on who was faster."""
        outputs = [_titled(answers[need]) for need in step.depends_on]
        parts = [step.task, "Results of the steps before:", listed(outputs)] if outputs else [step.task]
        earlier = [_said(done) for name, done in answers.items() if name in before or name in self.done]
        task = member_task(
            self.agent,
            step.agent,
            default="task",
            request=self.task.request,
            conversation=(*self.task.inherited, *earlier),
            note=Said(agent=self.agent.name, text="\n\n".join(parts)),
        )
        return Delegation(key=step_key(self.plans, step), agent=step.agent, task=task, absorb=self.replans)

    async def _answer(self, plan: Plan) -> Answer | None:
        """What the planner answers; None where it was told why that may not stand."""
        if self.done and not self.options.synthesize:
            return await self._concluded()
        found = await self.planner.closing.judge(plan.answer, self.planner.key)
        if not isinstance(found, Closed):
            self.planner.refuse(found.problem)
            return None
        said = tuple(_said(done) for done in self.done.values())
        name = self.agent.name
        return found.given(Answer(text=found.text, agent=name, path=(name,), said=said))

    async def _concluded(self) -> Answer:
        """The answers of the steps which no other step used, untouched."""
        said = [_said(done) for done in self.done.values()]
        used = {need for step, _ in self.done.values() for need in step.depends_on}
        last = [done for name, done in self.done.items() if name not in used]
        if len(last) == 1:
            return concluded(self.agent, last[0][1], said)
        text = listed([_titled(done) for done in last])
        answer = Answer(text=text, agent=self.agent.name, path=(self.agent.name,), said=tuple(said))
        return await self.planner.closing.guards.passed_on(answer)


def _titled(done: Finished) -> tuple[str, str]:
    step, answer = done
    return f"{step.id} (by {step.agent})", answer.text


def _said(done: Finished) -> Said:
    step, answer = done
    return answer.by(step.agent)
