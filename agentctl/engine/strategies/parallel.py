"""parallel: every member gets the request at once; the answer lists all answers in the order of the file."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.engine.crew import Crew
from agentctl.engine.steps import Delegation, Done, Failed, Outcome, Steps
from agentctl.engine.strategies.common import listed
from agentctl.engine.task import Answer, Task
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import JsonObject
from agentctl.spec.strategies import Parallel
from agentctl.spec.team import Agent


async def parallel(agent: Agent, options: Parallel, task: Task, steps: Steps, _crew: Crew) -> Answer:
    absorb = options.on_error == "continue"
    branches = [
        Delegation(key=f"{member.name}.1", agent=member.name, task=_branch_task(member, task), absorb=absorb)
        for member in agent.agents
    ]
    outcomes = await steps.gather(branches, options.max_concurrency)
    _raise_failures(agent, outcomes, absorb=absorb)
    answers = {
        member.name: Answer.from_json(outcome.value)
        for member, outcome in zip(agent.agents, outcomes, strict=True)
        if isinstance(outcome, Done)
    }
    pairs = zip(agent.agents, outcomes, strict=True)
    return Answer(
        text=listed([(member.name, _told(outcome)) for member, outcome in pairs]),
        agent=agent.name,
        path=(agent.name,),
        said=tuple(answer.by(name) for name, answer in answers.items()),
        answers={name: answer.text for name, answer in answers.items()},
    )


def _branch_task(member: Agent, task: Task) -> JsonObject:
    """The request with the note that came with it; what others said before only where it is asked for."""
    conversation = task.conversation if member.context == "conversation" else ()
    given = Task(request=task.request, conversation=conversation, note=task.note)
    return given.for_member(member.name).as_json()


def _raise_failures(agent: Agent, outcomes: Sequence[Outcome], *, absorb: bool) -> None:
    """The first failure in file order, unless failures are absorbed and a branch succeeded."""
    failed = [outcome.error for outcome in outcomes if isinstance(outcome, Failed)]
    if not failed or (absorb and len(failed) < len(outcomes)):
        return
    if not absorb:
        raise failed[0]
    raise ExecutionFailed(
        f"every branch of agent '{agent.name}' failed; the first error was: {failed[0]}",
        rule="all-branches-failed",
        hint="see each branch's error with `agentctl show`",
    )


def _told(outcome: Outcome) -> str:
    if isinstance(outcome, Failed):
        return f"This agent failed: {outcome.error}"
    return Answer.from_json(outcome.value).text
