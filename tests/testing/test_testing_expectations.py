"""Every expectation holds where it should, and fails where it should with what was there instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from testing_teams import a_team, missed, only, went

from agentctl.render.tests_text import failure_text

BALANCE = "What is the balance of account ACC-1?"


def case(expect: str, more: str = "") -> str:
    return f"- name: it\n  question: {BALANCE}\n  expect: {expect}\n  {more}".rstrip()


@pytest.mark.parametrize(
    "expect",
    [
        "{path: [desk, billing]}",
        "{agent: billing}",
        "{status: completed}",
        "{decisions: [{agent: desk, by: model, among: [orders, billing], reason: balance}]}",
        "{decisions: [{chosen: [billing]}]}",
        "{tools: [balance]}",
        "{tools: [{name: balance, agent: billing, args: {account_id: ACC-1}, error: false}]}",
        "{tools: [{name: balance, args_include: {account_id: ACC-1}, result: '42.00'}]}",
        "{tools: [{name: balance, args_match: {account_id: '^ACC-[0-9]$'}, times: 1}]}",
        "{tools: [balance, {name: balance, args: {account_id: ACC-2}, times: 0}]}",
        "{not_called: [refund, order_status]}",
        "{answer: {contains: '42.00', lacks: shipped, regex: 'ACC-[0-9]'}}",
        "{answer: {contains: [ACC-1, '42.00'], lacks: [x y z]}}",
        "{answer: {function: 'tools:names_the_run'}}",
        "{max: {model_calls: 3, tool_calls: 1, executions: 2, tokens: 0, cost_usd: 0, time: 30s}}",
        "{max: {waiting: 0}}",
    ],
)
def test_what_holds_passes(tmp_path: Path, expect: str) -> None:
    result = only(a_team(tmp_path, case(expect)))
    assert (missed(result), result.message) == ({}, "")
    assert result.verdict == "passed"


@pytest.mark.parametrize(
    ("expect", "what", "actual"),
    [
        ("{path: [desk, orders]}", "path", ("desk", "billing")),
        ("{agent: orders}", "agent", "billing"),
        ("{status: waiting}", "status", "completed"),
        ("{status: failed, error: {code: limit, contains: y}}", "error.code", None),
        ("{tools: [{name: balance, args: {account_id: ACC-1}, times: 0}]}", "tools", None),
        ("{not_called: [balance]}", "not_called", None),
        ("{tools: [refund]}", "tools", None),
        ("{tools: [balance, balance]}", "tools", None),
        ("{tools: [{name: balance, times: 2}]}", "tools", None),
        ("{tools: [{name: balance, args: {}}]}", "tools", None),
        ("{tools: [{name: balance, args_include: {account_id: ACC-2}}]}", "tools", None),
        ("{tools: [{name: balance, args_match: {account_id: x}}]}", "tools", None),
        ("{tools: [{name: balance, error: true}]}", "tools", None),
        ("{decisions: [{by: person}]}", "decisions", None),
        ("{decisions: [{chosen: billing}, {chosen: billing}]}", "decisions", None),
        ("{answer: {contains: '43.00'}}", "answer.contains", None),
        ("{answer: {lacks: '42.00'}}", "answer.lacks", None),
        ("{answer: {regex: '^42'}}", "answer.regex", None),
        ("{answer: {equals: '42.00'}}", "answer.equals", None),
        ("{answer: {json_schema: {type: object}}}", "answer.json_schema", None),
        ("{answer: {json_schema: false}}", "answer.json_schema", None),
        ("{answer: {function: 'tools:is_polite'}}", "answer.function", None),
        ("{answer: {function: 'tools:forgets'}}", "answer.function", None),
        ("{answer: {function: 'tools:asserts'}}", "answer.function", None),
        ("{max: {model_calls: 2}}", "max.model_calls", 3),
        ("{max: {tool_calls: 0}}", "max.tool_calls", 1),
        ("{max: {executions: 1}}", "max.executions", 2),
    ],
)
def test_what_does_not_hold_fails(tmp_path: Path, expect: str, what: str, actual: object) -> None:
    tests = case(expect).replace("by: person", "by: person, agent: desk")
    result = only(a_team(tmp_path, tests))
    assert what in missed(result)
    assert actual is None or missed(result)[what] == actual
    assert result.verdict == "failed"
    assert result.command.startswith("agentctl show ")


def test_a_wrong_path_tells_the_reason_of_the_decision(tmp_path: Path) -> None:
    result = only(a_team(tmp_path, case("{path: [desk, orders]}")))
    (failure,) = result.failures
    assert failure.note.startswith("desk chose billing: ")


def test_any_other_failure_tells_the_decisions_and_their_reasons_too(tmp_path: Path) -> None:
    result = only(a_team(tmp_path, case("{tools: [order_status]}")))
    assert result.decided.startswith("desk chose billing: ")
    assert f"decided: {result.decided}\n" in failure_text(result)
    assert only(a_team(tmp_path, case("{path: [desk, orders]}"))).decided == ""
    assert only(a_team(tmp_path, case("{agent: billing}"))).decided == ""


def test_json_and_equality_are_judged_on_the_answer(tmp_path: Path) -> None:
    script = 'agents: {"*": [{text: \'{"n": 3}\'}]}'
    tests = """
    - name: both
      model: script:replies.yaml
      question: How many?
      expect: {answer: {equals: ' {"n": 3}', json_schema: {type: object, required: [n]}}}
    """
    assert only(a_team(tmp_path, tests, replies_yaml=script)).verdict == "passed"


def test_an_unknown_price_is_too_much(tmp_path: Path) -> None:
    script = "agents: {'*': [{text: done, cost_usd: null}]}"
    tests = """
    - {name: it, model: script:replies.yaml, question: Go, expect: {max: {cost_usd: 100}}}
    """
    assert missed(only(a_team(tmp_path, tests, replies_yaml=script))) == {"max.cost_usd": "unknown"}


def test_waiting_for_another_attempt_is_counted_and_takes_no_time(tmp_path: Path) -> None:
    """Of a model, as long as its server asks for or by doubling pauses; of a delegation, by its `retry`."""
    script = """
    agents:
      billing: [{text: done, error: {status: 429, headers: {retry-after: 50}, times: 1}}]
      orders: [{text: done, error: {kind: bad_request, message: no, times: 1}}]
      '*':
        - calls: [{name: transfer_to_billing}, {name: transfer_to_orders}]
          error: {status: 503, times: 3}
        - text: both
    """
    tests = """
    - {name: it, model: script:replies.yaml, question: Go, expect: {max: {waiting: 0, time: 10s}}}
    """
    path = a_team(tmp_path, tests, replies_yaml=script)
    text = path.read_text().replace("- name: orders", "- name: orders\n    retry: {attempts: 2, delay: 40s}")
    path.write_text(text)
    (waited,) = missed(only(path)).values()
    assert waited == pytest.approx(50 + 1 + 2 + 4 + 40, abs=0.1)


def test_a_person_is_stood_in_for(tmp_path: Path) -> None:
    script = """
    agents:
      desk: [{calls: [{name: transfer_to_billing, arguments: {reason: money}}]}]
      billing:
        - calls: [{name: refund, arguments: {account_id: ACC-1, amount: 5}}]
        - {text: it is refunded, when: {contains: refunded 5}}
        - {text: it was refused, when: {contains: not today}}
    """
    tests = """
    - name: approved
      model: script:replies.yaml
      question: Refund me
      answers: [{approve: true, tool: refund, agent: billing}]
      expect: {answer: {equals: it is refunded}, max: {waiting: 5s}}
    - name: denied
      model: script:replies.yaml
      question: Refund me
      answers: [{deny: not today}]
      expect: {answer: {equals: it was refused}, not_called: [refund]}
    - name: not asked
      model: script:replies.yaml
      question: Refund me
      answers: [{approve: true, tool: balance}]
      expect: {status: waiting, waiting_for: [{kind: approve, question: refund, choices: [deny, approve]}]}
    - name: another question
      model: script:replies.yaml
      question: Refund me
      expect: {status: waiting, waiting_for: [{kind: choose}]}
    """
    results = {
        result.item.case.name: result for result in went(a_team(tmp_path, tests, replies_yaml=script)).results
    }
    assert missed(results["approved"]) == {}
    assert missed(results["denied"]) == {}
    assert missed(results["not asked"]) == {"answers": ["unasked: approve"]}
    assert list(missed(results["another question"])) == ["waiting_for"]


def test_failures_and_limits_can_be_expected(tmp_path: Path) -> None:
    script = """
    agents:
      desk: [{error: {kind: auth, message: no such key}}]
    """
    tests = """
    - name: fails
      model: script:replies.yaml
      question: Hello
      expect: {status: failed, error: {code: model-auth, contains: No such key}}
    """
    assert missed(only(a_team(tmp_path, tests, replies_yaml=script))) == {}
    path = a_team(tmp_path, case("{status: limit, error: {code: limit, contains: turns}}"))
    billing = "    description: Account balances and refunds"
    path.write_text(path.read_text().replace(billing, f"{billing}\n    limits: {{turns: 1}}"))
    assert missed(only(path)) == {}


def test_a_run_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    script = "agents: {'*': [{text: late, delay: 30s}]}"
    tests = "- {name: it, model: script:replies.yaml, timeout: 100ms, question: Go, expect: {agent: desk}}"
    result = only(a_team(tmp_path, tests, replies_yaml=script))
    assert [failure.what for failure in result.failures] == ["timeout"]


@pytest.mark.parametrize("replies", ["script:replies.yaml", "recording:played.yaml"])
def test_what_replies_do_not_foresee_passes_only_where_the_test_says_so(tmp_path: Path, replies: str) -> None:
    tests = f"""
    - {{name: vague, model: "{replies}", question: Go, expect: {{status: failed}}}}
    - name: only the words
      model: "{replies}"
      question: Go
      expect: {{status: failed, error: {{contains: has no}}}}
    - name: said
      model: "{replies}"
      question: Go
      expect: {{status: failed, error: {{code: model-script}}}}
    """
    script = "agents: {desk: [{calls: [{name: transfer_to_billing}]}]}"
    path = a_team(tmp_path, tests, replies_yaml=script, played_yaml="recording: 1")
    results = went(path).results
    assert [list(missed(result)) for result in results] == [["unexpected"], ["unexpected"], []]
    told = results[0].failures[0]
    assert "has no" in str(told.actual)
    assert "error: {code: model-script}" in told.note


def test_numbers_are_compared_as_json(tmp_path: Path) -> None:
    script = """
    agents:
      desk: [{calls: [{name: transfer_to_billing}]}]
      billing:
        - calls: [{name: refund, arguments: {account_id: ACC-1, amount: 25}}]
        - text: Done.
    """
    args = "{account_id: ACC-1, amount: 25.0}"
    tests = f"""
    - name: it
      model: script:replies.yaml
      question: Refund
      answers: [{{approve: true}}]
      expect: {{tools: [{{name: refund, args: {args}}}, {{name: refund, args_include: {args}, times: 1}}]}}
    """
    assert missed(only(a_team(tmp_path, tests, replies_yaml=script))) == {}
