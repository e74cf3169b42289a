"""Plans as planners write them: their JSON Schema, and a reply read into checked steps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Final
from urllib.parse import quote

from agentctl.engine.structured import Unfit, found_object
from agentctl.jsonschemas import problems
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.spec.strategies import PlanStep

_MOST_PROBLEMS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """No steps: the work is finished, and `answer` says what came of it."""

    steps: tuple[PlanStep, ...] = ()
    answer: str = ""

    def as_json(self) -> JsonObject:
        steps: list[Json] = [
            {"id": one.id, "agent": one.agent, "task": one.task, "depends_on": list(one.depends_on)}
            for one in self.steps
        ]
        return {"steps": steps, "answer": self.answer} if self.answer else {"steps": steps}

    def summary(self) -> str:
        """The steps in a few words: who does what after what."""
        parts = []
        for step in self.steps:
            after = f" after {', '.join(step.depends_on)}" if step.depends_on else ""
            parts.append(f"{step.id} by {step.agent}{after}")
        return "; ".join(parts)


@dataclass(slots=True, kw_only=True)
class Known:
    """What a further plan is checked against: the agents, every id used so far, the steps that are done."""

    agents: Sequence[str]
    used: set[str] = field(default_factory=set)
    done: Collection[str] = ()


def plan_schema(agents: Sequence[str] = ()) -> JsonObject:
    """`schemas/plan.schema.json`, with the names of the agents that a step may go to (any without them)."""
    named: JsonObject = {"enum": list(agents)} if agents else {}
    step: JsonObject = {
        "type": "object",
        "properties": {
            "id": {
                "description": "A short name for the step, unique among all steps.",
                "type": "string",
                "minLength": 1,
            },
            "agent": {"description": "The agent that does it.", "type": "string", **named},
            "task": {
                "description": "What the agent is to do, complete in itself.",
                "type": "string",
                "minLength": 1,
            },
            "depends_on": {
                "description": "Ids of the steps whose results it needs.",
                "type": "array",
                "items": {"description": "The id of a step.", "type": "string"},
            },
        },
        "required": ["id", "agent", "task"],
    }
    return {
        "type": "object",
        "properties": {
            "steps": {
                "description": "The steps to take; none when the work is finished.",
                "type": "array",
                "items": step,
            },
            "answer": {
                "description": "The answer to the request, when there are no steps.",
                "type": ["string", "null"],
            },
        },
    }


def read_plan(text: str, known: Known) -> Plan | Unfit:
    """A planner's reply. Plain text is an answer; text that was meant for a plan and is none is unfit."""
    found = found_object(text)
    if found is None:
        if '"steps"' in text:
            return Unfit(problem="Your reply is not valid JSON. Reply with the JSON object alone.")
        return Plan(answer=text.strip())
    wrong = problems(found, plan_schema())  # unknown agents are told of with the other mistakes
    if wrong:
        return Unfit(problem=_refusal([f"{problem}." for problem in wrong]))
    steps = tuple(_step(item) for item in as_list(found.get("steps")))
    mistakes = mistakes_in(steps, known)
    if mistakes:
        return Unfit(problem=_refusal(mistakes))
    return Plan(steps=steps, answer=as_text(found.get("answer")).strip())


def mistakes_in(steps: Sequence[PlanStep], known: Known) -> list[str]:
    """Duplicate ids, unknown agents, dependencies that cannot be met and cycles, as sentences."""
    ids = [step.id for step in steps]
    mistakes = [f"The id '{name}' is used twice." for name in dict.fromkeys(ids) if ids.count(name) > 1]
    mistakes += [f"The id '{name}' was used in an earlier plan." for name in ids if name in known.used]
    for step in steps:
        if step.agent not in known.agents:
            listed = ", ".join(known.agents)
            mistakes.append(
                f"Step '{step.id}' names the agent '{step.agent}', which does not exist; "
                f"the agents are {listed}."
            )
        for need in step.depends_on:
            if need not in ids and need not in known.done:
                state = "was not finished" if need in known.used else "does not exist"
                mistakes.append(f"Step '{step.id}' depends on '{need}', which {state}.")
    return mistakes or _cycle(steps)


def step_key(plan: int, step: PlanStep) -> str:
    """`plan-<n>/<id>`, the id written so that it is one segment of a path."""
    return f"plan-{plan}/{quote(step.id, safe='').replace('~', '%7E')}"


def _cycle(steps: Sequence[PlanStep]) -> list[str]:
    try:
        TopologicalSorter({step.id: step.depends_on for step in steps}).prepare()
    except CycleError as error:
        return [f"These steps wait for each other: {', '.join(dict.fromkeys(error.args[1]))}."]
    return []


def _step(item: Json) -> PlanStep:
    found = as_object(item)
    needs = [as_text(need) for need in as_list(found.get("depends_on"))]
    return PlanStep(
        id=as_text(found.get("id")),
        agent=as_text(found.get("agent")),
        task=as_text(found.get("task")),
        depends_on=tuple(dict.fromkeys(needs)),
    )


def _refusal(mistakes: Sequence[str]) -> str:
    return "This plan cannot be followed. " + " ".join(mistakes[:_MOST_PROBLEMS])
