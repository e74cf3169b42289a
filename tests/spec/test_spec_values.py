from __future__ import annotations

import math

import pytest
from spec_teams import agent, codes, read, reported, told

from agentctl.diagnostics import Span
from agentctl.document import Scalar
from agentctl.spec.functions import all_functions
from agentctl.spec.instructions import first_sentence
from agentctl.spec.strategies import PlanExecute, Swarm
from agentctl.spec.values import duration, whole

SPAN = Span(path="x", line=1, column=1, end_line=1, end_column=1)


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("500ms", 0.5),
        ("30s", 30.0),
        ("5m", 300.0),
        ("2h", 7200.0),
        ("1.5h", 5400.0),
        ("45", 45.0),
        (45, 45.0),
        (0.25, 0.25),
        ("soon", None),
        ("5d", None),
        ("-5s", None),
        (-1, None),
        (True, None),
        (None, None),
    ],
)
def test_durations(written: str | float | None, seconds: float | None) -> None:
    assert duration(Scalar(value=written, span=SPAN)) == seconds


@pytest.mark.parametrize(
    ("value", "expected"), [(6, 6), (6.0, 6), (6.5, None), (True, None), ("6", None), (math.inf, None)]
)
def test_whole_numbers(value: str | float, expected: int | None) -> None:
    assert whole(Scalar(value=value, span=SPAN)) == expected


@pytest.mark.parametrize(
    ("instructions", "sentence"),
    [
        ("You pay. You refund.", "You pay."),
        ("You answer\nquestions on money.\n\nBe short.", "You answer questions on money."),
        ("Handle payments, e.g. invoices, i.e. bills. More.", "Handle payments, e.g. invoices, i.e. bills."),
        ("Version 1.5 is out! Say so.", "Version 1.5 is out!"),
        ("# Desk\n- one", "# Desk"),
        ("No end", "No end"),
        ("  \n", ""),
    ],
)
def test_the_first_sentence_describes_an_agent(instructions: str, sentence: str) -> None:
    assert first_sentence(instructions) == sentence


def test_a_stated_description_stands() -> None:
    text = "name: a\nmodel: offline\ninstructions: One. Two.\n"
    assert read(text).root.description == "One."
    assert read(f"{text}description: Mine\n").root.description == "Mine"


def test_limits_in_their_units() -> None:
    limits = read(
        "name: a\nmodel: offline\nlimits: {turns: 6, cost_usd: 0.05, time: 2m, tokens: unlimited}\n"
    )
    assert {name: limit.value for name, limit in limits.root.limits.items()} == {
        "turns": 6,
        "cost_usd": 0.05,
        "time": 120.0,
        "tokens": math.inf,
    }
    place = limits.root.limits["cost_usd"].span
    assert (place.line, place.column) == (3, 20)


def test_a_wrong_value_leaves_the_rest_standing() -> None:
    text = "name: a\nmodel: offline\ninstructions: x\nlimits: {turns: 0, time: 0, tool_calls: 5}\n"
    assert codes(text) == ["wrong-value", "wrong-value"]


@pytest.mark.parametrize("version", ["1", '"1"', "1.0"])
def test_versions_that_are_read(version: str) -> None:
    assert read(f"version: {version}\nname: a\nmodel: offline\ninstructions: x\n").root.name == "a"


def test_places_of_keys_are_kept() -> None:
    team = read("name: desk\nmodel: offline\ninstructions: x\nagents:\n  - name: one\n    instructions: y\n")
    spans = agent(team, "one").spans
    assert (spans["name"].line, spans["name"].column) == (5, 11)
    assert (spans["instructions"].line, spans["instructions"].column) == (6, 5)
    assert spans[""].line == 5
    assert agent(team, "one").pointer == "/agents/0"


def test_tool_options_that_are_stated_are_known() -> None:
    text = """
name: a
model: offline
tools:
  - tools:one
  - {function: tools:two, idempotent: false, timeout: 5s}
"""
    plain, stated = read(text).root.tools
    assert plain.stated == frozenset()
    assert stated.stated == {"idempotent", "timeout"}
    assert (stated.timeout, stated.function.target) == (5.0, "tools:two")


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("tools:look", "tools:look"),
        ("tools.py:look", "./tools.py:look"),
        ("parts/tools.py:look", "./parts/tools.py:look"),
        ("../tools.py:look", "../tools.py:look"),
        ("pack.tools:Desk.look", "pack.tools:Desk.look"),
    ],
)
def test_functions_by_module_and_by_file(written: str, target: str) -> None:
    team = read(f"name: a\nmodel: offline\ntools: ['{written}']\n")
    assert team.root.tools[0].function.target == target
    assert team.root.tools[0].function.folder == team.folder


def test_every_function_that_is_no_tool_is_known() -> None:
    text = """
name: desk
model: offline
strategy: {type: router, by: "tools:route"}
agents:
  - name: chain
    description: d
    strategy: {type: sequential, stop_if: {function: "tools:stop"}}
    agents: [{name: a, instructions: x}, {name: b, instructions: x}]
  - name: turns
    description: d
    strategy: {type: round_robin, stop_if: {text: done}}
    agents: [{name: c, instructions: x}, {name: d, instructions: x}]
  - name: chosen
    description: d
    strategy: {type: manual, choose: "tools:choose"}
    agents:
      - name: e
        instructions: x
        tools: [{function: "tools:look", approve: {when: "tools:ask"}}, "tools:find"]
"""
    found = [function.target for function in all_functions(read(text))]
    assert found == ["tools:route", "tools:stop", "tools:choose", "tools:ask"]


@pytest.mark.parametrize(
    ("strategy", "unread"),
    [
        ("handoff", []),
        ("router", ["4:1"]),
        ("{type: router, by: 'tools:route'}", ["3:1", "4:1"]),
        ("{type: parallel, synthesize: true}", ["4:1"]),
        ("swarm", ["3:1", "4:1"]),
        ("{type: plan_execute, planner: {instructions: Plan.}}", ["3:1", "4:1"]),
        ("{type: plan_execute, planner: {model: offline}}", ["4:1"]),
    ],
)
def test_what_no_strategy_reads_is_told(strategy: str, unread: list[str]) -> None:
    text = f"""name: desk
model: offline
instructions: Who reads this?
tools: [tools:look]
strategy: {strategy}
agents: [{{name: one, description: d, instructions: x}}, {{name: two, description: d, instructions: x}}]
"""
    assert told(text) == [f"{place} unread-key" for place in unread]


def test_steps_that_are_no_steps_are_left_out() -> None:
    text = """
name: desk
model: offline
instructions: x
strategy: {type: plan_execute, plan: [5, {id: a, agent: one, task: Look, depends_on: 5}, {id: 5}]}
agents: [{name: one, instructions: x}]
"""
    team, report = reported(text)
    assert {found.code for found in report} == {"wrong-type", "missing-key"}
    assert team is not None
    assert isinstance(team.root.strategy, PlanExecute)
    assert team.root.strategy.plan is not None
    assert [step.id for step in team.root.strategy.plan] == ["a"]


def test_a_rule_whose_names_are_unknown_is_left_out() -> None:
    text = """
name: desk
model: offline
strategy:
  type: swarm
  handoff_when: [{to: one, from: zzz, text: x}, {to: zzz, text: x}, {to: one, from: two, text: x}]
agents: [{name: one, description: d, instructions: x}, {name: two, description: d, instructions: x}]
"""
    team, report = reported(text)
    assert [found.code for found in report] == ["unknown-agent", "unknown-agent"]
    assert team is not None
    assert isinstance(team.root.strategy, Swarm)
    assert [(rule.from_, rule.to) for rule in team.root.strategy.handoff_when] == [("two", "one")]


def test_a_model_that_has_no_time_is_refused() -> None:
    text = "name: a\nmodel: {id: offline, timeout: 0s}\ninstructions: x\n"
    assert told(text) == ["2:31 wrong-value"]


def test_a_tool_that_has_no_time_is_refused() -> None:
    text = "name: a\nmodel: offline\ninstructions: x\ntools: [{function: 'tools:look', timeout: 0}]\n"
    assert told(text) == ["4:43 wrong-value"]
