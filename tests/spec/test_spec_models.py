from __future__ import annotations

from pathlib import Path

import pytest
from spec_teams import NOWHERE, agent, codes, read, told

from agentctl.errors import UsageError
from agentctl.spec.overrides import with_models
from agentctl.spec.settings import Price
from agentctl.spec.strategies import PlanExecute
from agentctl.spec.team import Team

TREE = """
models: {fast: {id: openai/gpt-4o-mini, temperature: 0}}
name: desk
model: fast
instructions: Route.
agents:
  - name: billing
    instructions: x
  - name: orders
    model: offline
    instructions: x
    agents:
      - {name: late, instructions: x}
      - {name: lost, model: {id: openai/o3, price: {input: 1, output: 2.5}, timeout: 1m}, instructions: x}
"""


def ids(team: Team) -> dict[str, str]:
    return {each.name: each.model.id for each in team.agents() if each.model}


def test_models_are_inherited_from_the_nearest_agent_above() -> None:
    team = read(TREE)
    assert ids(team) == {
        "desk": "openai/gpt-4o-mini",
        "billing": "openai/gpt-4o-mini",
        "orders": "offline",
        "late": "offline",
        "lost": "openai/o3",
    }
    billing, lost = agent(team, "billing").model, agent(team, "lost").model
    assert billing is not None
    assert lost is not None
    assert billing.temperature == 0
    assert (lost.price, lost.timeout) == (Price(input=1, output=2.5), 60.0)


def test_nothing_is_stated_that_the_file_does_not_state() -> None:
    model = read("name: a\nmodel: openai/gpt-4o\ninstructions: x\n").root.model
    assert model is not None
    unstated = (model.temperature, model.max_tokens, model.timeout, model.retries, model.price)
    assert unstated == (None, None, None, None, None)
    assert (model.fallbacks, dict(model.params)) == ((), {})


@pytest.mark.parametrize(
    ("strategy", "needed"),
    [
        ("handoff", True),
        ("router", True),
        ("{type: router, by: 'tools:route'}", False),
        ("sequential", False),
        ("{type: sequential, synthesize: true}", True),
        ("parallel", False),
        ("swarm", False),
        ("round_robin", False),
        ("random", False),
        ("manual", False),
        ("plan_execute", True),
        ("{type: plan_execute, planner: {model: offline}}", False),
        ("{type: plan_execute, planner: {instructions: Plan.}}", True),
        ("{type: plan_execute, synthesize: false, plan: [{id: a, agent: one, task: x}]}", False),
        ("{type: plan_execute, plan: [{id: a, agent: one, task: x}]}", True),
    ],
)
def test_who_needs_a_model(strategy: str, needed: bool) -> None:
    text = f"""
name: desk
strategy: {strategy}
agents:
  - {{name: one, model: offline, description: d, instructions: x}}
  - {{name: two, model: offline, description: d, instructions: x}}
"""
    assert ("no-model" in codes(text)) is needed


def test_one_missing_model_is_one_error() -> None:
    text = "name: desk\ninstructions: x\nagents:\n" + "".join(
        f"  - {{name: a{number}, instructions: x}}\n" for number in range(6)
    )
    assert told(text) == ["1:7 no-model"]


def test_a_model_that_could_not_be_read_is_not_missing_too() -> None:
    text = "name: desk\nmodel: 5\ninstructions: x\nagents: [{name: one, instructions: x}]\n"
    assert codes(text) == ["wrong-type"]


def test_models_of_the_command_line() -> None:
    team = read(TREE)
    assert set(ids(with_models(team, {"": "offline"})).values()) == {"offline"}
    by_agent = ids(with_models(team, {"orders": "openai/gpt-4o"}))
    assert by_agent == {**ids(team), "orders": "openai/gpt-4o", "late": "openai/gpt-4o"}
    both = ids(with_models(team, {"": "offline", "late": "openai/gpt-4o"}))
    assert (both["late"], both["lost"]) == ("openai/gpt-4o", "offline")


def test_a_script_of_the_command_line_begins_in_the_working_directory() -> None:
    scripted = with_models(read(TREE), {"": "script:a.yaml"}, folder=Path("/elsewhere"))
    plain = with_models(read(TREE), {"": "offline"}, folder=Path("/elsewhere"))
    assert scripted.root.model is not None
    assert scripted.root.model.folder == Path("/elsewhere")
    assert plain.root.model is not None
    assert plain.root.model.folder == NOWHERE


def test_a_planner_is_overridden_with_its_agent() -> None:
    text = """
name: desk
strategy: {type: plan_execute, planner: {model: openai/o3}}
agents: [{name: one, model: openai/o3, description: d, instructions: x}]
"""
    strategy = with_models(read(text), {"": "offline"}).root.strategy
    assert isinstance(strategy, PlanExecute)
    assert strategy.planner is not None
    assert strategy.planner.model is not None
    assert strategy.planner.model.id == "offline"


def test_an_unknown_agent_of_the_command_line_is_refused() -> None:
    with pytest.raises(UsageError, match='no agent "biling"') as caught:
        with_models(read(TREE), {"biling": "offline"})
    assert caught.value.hint == 'did you mean "billing"?'
    with pytest.raises(UsageError) as caught:
        with_models(read(TREE), {"zzz": "offline"})
    assert "desk, billing, orders" in (caught.value.hint or "")
