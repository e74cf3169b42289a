from __future__ import annotations

import pytest
from spec_teams import read

from agentctl.errors import UsageError
from agentctl.jsontypes import Json
from agentctl.spec.resolve import resolve_inputs, with_inputs
from agentctl.spec.strategies import PlanExecute

TEAM = """
name: desk
model: offline
inputs:
  customer: {type: string, description: who asks, required: true}
  limit: {type: integer, default: 5}
  rate: {type: number}
  strict: {type: boolean, default: false}
description: "For {{ inputs.customer }}"
instructions: "{{inputs.customer}} {{ inputs.limit }} {{ inputs.rate }} {{ inputs.strict }} {{ other }}"
strategy: {type: plan_execute, planner: {instructions: "Plan for {{ inputs.customer }}"}}
agents:
  - {name: one, instructions: "Serve {{ inputs.customer }}. Be kind."}
"""


def test_inputs_are_read_by_their_type() -> None:
    given: dict[str, Json] = {"customer": "7", "limit": "12", "rate": "1.5", "strict": "yes"}
    assert resolve_inputs(read(TEAM), given) == {"customer": "7", "limit": 12, "rate": 1.5, "strict": True}
    assert resolve_inputs(read(TEAM), {"customer": "Ada"}) == {
        "customer": "Ada",
        "limit": 5,
        "rate": None,
        "strict": False,
    }
    assert resolve_inputs(read(TEAM), {"customer": "Ada", "rate": 2, "strict": True, "limit": 3}) == {
        "customer": "Ada",
        "limit": 3,
        "rate": 2,
        "strict": True,
    }


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        resolve_inputs(
            read(TEAM), {"custmer": "Ada", "limit": "many", "rate": True, "strict": "maybe", "zz": 1}
        )
    assert caught.value.exit_code == 2
    assert caught.value.message == (
        'there is no input "custmer" (did you mean "customer"?); there is no input "zz"; '
        'input "customer" is missing (who asks); input "limit" must be a whole number, not "many"; '
        'input "rate" must be a number, not true; input "strict" must be true or false, not "maybe"'
    )
    assert "customer, limit, rate, strict" in (caught.value.hint or "")


@pytest.mark.parametrize("value", [5, ["a"], {"a": 1}, False])
def test_text_is_not_made_of_other_values(value: Json) -> None:
    with pytest.raises(UsageError, match="must be text"):
        resolve_inputs(read(TEAM), {"customer": value})


@pytest.mark.parametrize("value", ["nan", "inf", "1e999", "1.5", ""])
def test_what_is_no_whole_number(value: str) -> None:
    with pytest.raises(UsageError, match="must be a whole number"):
        resolve_inputs(read(TEAM), {"customer": "Ada", "limit": value})


@pytest.mark.parametrize("value", ["nan", "inf", "x"])
def test_what_is_no_number(value: str) -> None:
    with pytest.raises(UsageError, match="must be a number"):
        resolve_inputs(read(TEAM), {"customer": "Ada", "rate": value})


def test_templates_are_filled_wherever_they_are_read() -> None:
    team = with_inputs(read(TEAM), {"customer": "Ada {{ inputs.limit }}", "rate": "2"})
    assert team.root.instructions == "Ada {{ inputs.limit }} 5 2 false {{ other }}"
    assert team.root.description == "For Ada {{ inputs.limit }}"
    assert team.root.agents[0].instructions == "Serve Ada {{ inputs.limit }}. Be kind."
    assert team.root.agents[0].description == "Serve Ada {{ inputs.limit }}."
    assert isinstance(team.root.strategy, PlanExecute)
    assert team.root.strategy.planner is not None
    assert team.root.strategy.planner.instructions == "Plan for Ada {{ inputs.limit }}"


def test_a_team_without_inputs_takes_none() -> None:
    team = read("name: a\nmodel: offline\ninstructions: x\n")
    assert with_inputs(team, {}) == team
    with pytest.raises(UsageError, match='no input "x"'):
        with_inputs(team, {"x": "1"})
