"""What the examples do not show: the many words of other tools, and broken parts beside others."""

from __future__ import annotations

import sys
import time
import tracemalloc

import pytest
from spec_teams import codes, reported, told

from agentctl.spec.vocabulary import KEYS, STRATEGY_NAMES, meant

HEAD = "name: desk\nmodel: offline\ninstructions: x\n"


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("sub_agents", "agents"),
        ("handoffs", "agents"),
        ("instruction", "instructions"),
        ("prompt", "instructions"),
        ("system_prompt", "instructions"),
        ("backstory", "instructions"),
        ("llm", "model"),
        ("maxTurns", "limits.turns"),
        ("max-turns", "limits.turns"),
        ("max_turns", "limits.turns"),
        ("type", "strategy"),
        ("Instructions", "instructions"),
        ("desciption", "description"),
        ("xyzzy", None),
    ],
)
def test_what_other_tools_call_it(word: str, key: str | None) -> None:
    known = ["name", "description", "model", "instructions", "tools", "agents", "strategy", "limits"]
    assert meant(word, known, KEYS["agent"]) == key


def test_a_word_means_only_what_is_known_there() -> None:
    assert meant("sub_agents", ["name"], KEYS["agent"]) is None
    assert meant("supervisor", ["handoff", "router"], STRATEGY_NAMES) == "handoff"


def test_a_misspelt_key_is_read_on_as_what_it_is_meant_for() -> None:
    text = """
name: desk
llm: offline
prompt: Route.
sub_agents:
  - name: one
    limit: {turns: 0}
    prompt: x
  - {name: one, instructions: x}
"""
    assert told(text) == [
        "3:1 unknown-key",
        "4:1 unknown-key",
        "5:1 unknown-key",
        "7:5 unknown-key",
        "7:20 wrong-value",
        "8:5 unknown-key",
        "9:12 duplicate-name",
    ]


def test_a_value_that_does_not_fit_the_meant_key_is_left_at_that() -> None:
    assert told(f"{HEAD}agents: [{{name: one, instructions: x, type: 5}}]\n") == ["4:39 unknown-key"]


def test_a_misspelt_key_beside_the_right_one_stays_unknown() -> None:
    assert told(f"{HEAD}prompt: y\n") == ["4:1 unknown-key"]


def test_a_secret_is_never_repeated() -> None:
    text = "name: desk\ninstructions: x\nmodel: {id: offline, api_key: sk-12345, api_key_env: sk-6789}\n"
    report = reported(text)[1]
    said = " ".join(f"{found.message} {found.hint}" for found in report)
    assert "sk-" not in said
    assert [found.code for found in report] == ["unknown-key", "wrong-value"]


def test_a_key_variable_is_not_filled_in() -> None:
    text = "name: desk\ninstructions: x\nmodel: {id: offline, api_key_env: '${SECRET}'}\n"
    report = reported(text, environ={"SECRET": "hunter2"})[1]
    assert [found.code for found in report] == ["wrong-value"]
    assert "hunter2" not in str(report.found)


def test_an_unset_variable_is_all_that_is_said_of_its_value() -> None:
    text = """
name: ${A}
model: ${B}
context: ${C}
strategy: {type: '${D}'}
limits: {time: '${E}'}
agents:
  - {name: one, instructions: x, tools: ['${F}']}
  - {name: two, instructions: x, model: {id: '${G}'}}
"""
    assert codes(text) == ["variable-unset"] * 7


def test_broken_references_stay_quiet_where_a_member_could_not_be_read() -> None:
    strategy = "strategy: {type: router, fallback: gone}"
    text = f"{HEAD}{strategy}\nagents: [{{instructions: x}}, {{name: b, instructions: x}}]\n"
    assert codes(text) == ["missing-key"]


def test_a_broken_swarm_is_told_of_its_breaks_alone() -> None:
    text = """
name: desk
model: offline
strategy:
  type: swarm
  transitions: {one: two, two: [one, one]}
  handoff_when: [5, {to: one, tool: x}]
agents:
  - {name: one, description: d, instructions: x}
  - {name: two, description: d, instructions: x}
"""
    assert told(text) == ["6:22 wrong-type", "7:18 wrong-type"]


def big(agents: int, *, wrong: bool = False) -> str:
    key = "descripton" if wrong else "description"
    return "name: root\nmodel: offline\nstrategy: {type: router}\ninstructions: x\nagents:\n" + "".join(
        f"  - name: agent_{number}\n"
        f"    {key}: Account balances number {number}\n"
        f"    instructions: You handle billing questions.\n"
        f"    tools: [{{function: 'tools:check', idempotent: true}}]\n"
        f"    limits: {{turns: 6, cost_usd: 0.05, time: 60s}}\n"
        for number in range(agents)
    )


@pytest.mark.parametrize("wrong", [False, True])
def test_two_thousand_agents_are_read_in_three_seconds(wrong: bool) -> None:
    if sys.gettrace() is not None:
        pytest.skip("a tracer, such as that of coverage, slows every line")
    started = time.process_time()
    found = codes(big(2000, wrong=wrong))
    assert time.process_time() - started < 3
    assert len(found) == (2000 if wrong else 0)


def test_memory_grows_with_the_team_and_no_faster() -> None:
    peaks = []
    reported(big(10))
    for agents in (100, 400):
        tracemalloc.start()
        reported(big(agents))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 5 * peaks[0]
