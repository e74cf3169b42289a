"""What an agent does with its task: its strategy over its members, or its own loop, then the synthesis."""

from __future__ import annotations

import json
from dataclasses import replace

from agentctl.engine.crew import Crew
from agentctl.engine.guards import Guards
from agentctl.engine.loop import Loop
from agentctl.engine.member import converse_as_member
from agentctl.engine.steps import Steps
from agentctl.engine.strategies import run_strategy
from agentctl.engine.strategies.plan_execute import make_plan
from agentctl.engine.synthesis import synthesis
from agentctl.engine.task import Answer, Task
from agentctl.spec.asked import is_asked
from agentctl.spec.strategies import PlanExecute
from agentctl.spec.team import Agent


async def perform(agent: Agent, task: Task, steps: Steps, crew: Crew) -> Answer:
    """Its guardrails judge what it is given, and an answer that it passes on; its own words, its loop."""
    if not agent.guardrails or not is_asked(agent):
        return await _perform(agent, task, steps, crew)
    guards = Guards(agent, steps)
    answer = await _perform(agent, await guards.task(task), steps, crew)
    return answer if answer.agent == agent.name else await guards.passed_on(answer)


async def plan_alone(agent: Agent, task: Task, steps: Steps, crew: Crew) -> Answer:
    """The first plan of an agent that plans, as JSON text; nothing of it is carried out."""
    assert isinstance(agent.strategy, PlanExecute), agent.name
    given = await Guards(agent, steps).task(task) if agent.guardrails else task
    plan = await make_plan(agent, agent.strategy, given, steps, crew)
    text = json.dumps(plan.as_json(), indent=2, ensure_ascii=False)
    return Answer(text=text, agent=agent.name, path=(agent.name,))


async def _perform(agent: Agent, task: Task, steps: Steps, crew: Crew) -> Answer:
    strategy = agent.strategy
    if strategy is None and task.peers:
        return await converse_as_member(agent, task, steps, crew)
    if strategy is None:
        return await Loop(agent, task, steps, crew).converse()
    answer = await run_strategy(agent, strategy, task, steps, crew)
    if strategy.synthesize and not isinstance(strategy, PlanExecute) and answer.said:
        closing = await synthesis(agent, task, answer.said, steps, crew)
        return replace(closing, said=answer.said, answers=answer.answers)
    return answer
