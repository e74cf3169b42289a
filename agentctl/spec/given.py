"""Given run inputs against the declared ones, and a team with them filled in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from agentctl.diagnostics import nearest
from agentctl.errors import UsageError
from agentctl.jsontypes import Json, JsonObject
from agentctl.spec.inputs import TEMPLATE, InputType, fits
from agentctl.spec.strategies import PlanExecute, Strategy
from agentctl.spec.team import Agent, Input, Team


def resolve_inputs(team: Team, given: Mapping[str, Json]) -> JsonObject:
    """The value of every declared input, null where it has none.

    Text is read as the declared type. Raises one `UsageError` that tells everything that is wrong.
    """
    wrong = [_unknown(name, team) for name in given if name not in team.inputs]
    values: dict[str, Json] = {}
    for name, declared in team.inputs.items():
        if given.get(name) is None:
            values[name] = declared.default
            if declared.required:
                wrong.append(_missing(name, declared))
            continue
        value = read_value(given[name], declared.type)
        if value is None:
            wrong.append(f'input "{name}" must be {_article(declared.type)}, not {json.dumps(given[name])}')
        values[name] = value
    if wrong:
        known = ", ".join(team.inputs) or "none"
        raise UsageError(
            "; ".join(wrong), hint=f"inputs of this team: {known}; set one with --input NAME=VALUE"
        )
    return values


def _unknown(name: str, team: Team) -> str:
    near = nearest(name, team.inputs)
    return f'there is no input "{name}"' + (f' (did you mean "{near}"?)' if near else "")


def _missing(name: str, declared: Input) -> str:
    return f'input "{name}" is missing' + (f" ({declared.description})" if declared.description else "")


def _article(kind: InputType) -> str:
    return {
        "string": "text",
        "number": "a number",
        "integer": "a whole number",
        "boolean": "true or false",
    }[kind]


def read_value(value: Json, kind: InputType) -> Json:
    """The value as the type has it, or None."""
    if not isinstance(value, str) or kind == "string":
        return value if fits(value, kind) else None
    if kind == "boolean":
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(
            value.strip().casefold()
        )
    try:
        number = float(value)
        return (
            int(value)
            if kind == "integer" or (number == int(number) and value.strip("+-").isdigit())
            else number
        )
    except (ValueError, OverflowError):
        return None


def with_inputs(team: Team, given: Mapping[str, Json]) -> Team:
    """The team with `{{ inputs.NAME }}` filled in wherever it is read. Raises as `resolve_inputs` does."""
    values = resolve_inputs(team, given)
    return replace(team, root=_filled(team.root, values))


def _filled(agent: Agent, values: JsonObject) -> Agent:
    return replace(
        agent,
        instructions=fill(agent.instructions, values),
        description=fill(agent.description, values),
        strategy=_filled_strategy(agent.strategy, values),
        agents=tuple(_filled(below, values) for below in agent.agents),
    )


def _filled_strategy(strategy: Strategy | None, values: JsonObject) -> Strategy | None:
    if not isinstance(strategy, PlanExecute) or strategy.planner is None:
        return strategy
    instructions = strategy.planner.instructions
    if instructions is None:
        return strategy
    return replace(strategy, planner=replace(strategy.planner, instructions=fill(instructions, values)))


def fill(text: str, values: JsonObject) -> str:
    """`text` with its templates replaced; a value is not read for templates again."""
    return TEMPLATE.sub(lambda found: _text(values.get(found[1])), text)


def _text(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
