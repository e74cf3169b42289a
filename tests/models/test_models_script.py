"""What a script replies: turns by agent, number and condition, failures, streaming, and what is not there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.diagnostics import Span
from agentctl.errors import ModelError
from agentctl.jsontypes import JsonObject
from agentctl.models.messages import Message, ModelRequest, Reply, ToolCall, Usage
from agentctl.models.script import ScriptModel
from agentctl.spec.settings import ModelSettings, Price

SPAN = Span(path="team.yaml", line=1, column=1, end_line=1, end_column=1)
Open = Callable[..., ScriptModel]


@pytest.fixture
def script(tmp_path: Path) -> Open:
    def opened(text: str, price: Price | None = None) -> ScriptModel:
        (tmp_path / "replies.yaml").write_text(text, encoding="utf-8")
        return ScriptModel(ModelSettings(id="script:replies.yaml", folder=tmp_path, price=price, span=SPAN))

    return opened


def ask(
    model: ScriptModel,
    agent: str = "billing",
    turn: int = 1,
    *said: str,
    messages: tuple[Message, ...] = (),
    heard: list[JsonObject] | None = None,
) -> Reply:
    messages = messages or tuple(Message(role="user", text=text) for text in said)
    request = ModelRequest(agent=agent, turn=turn, messages=messages)
    notify = heard.append if heard is not None else lambda event: None
    return asyncio.run(model.reply(request, notify))


def test_turns_come_by_agent_and_number(script: Open) -> None:
    model = script(
        """
        agents:
          billing:
            - calls: [{name: check_balance, arguments: {account_id: ACC-123}}]
            - The balance is 5432.10.
          sales: [We sell.]
        """
    )
    first = ask(model, "billing", 1)
    assert first.calls == (
        ToolCall(id="call_1", name="check_balance", arguments='{"account_id": "ACC-123"}'),
    )
    assert first.finish == "calls"
    assert ask(model, "billing", 2).text == "The balance is 5432.10."
    assert ask(model, "sales", 1).text == "We sell."
    assert ask(model, "billing", 1) == first, "another execution begins at the first turn again"
    assert ask(model, "sales", 1).model == model.id == "script:replies.yaml"


def test_a_star_stands_for_agents_without_a_list(script: Open) -> None:
    model = script("agents: {billing: [mine], '*': [theirs]}")
    assert ask(model, "billing").text == "mine"
    assert ask(model, "anyone").text == "theirs"
    with pytest.raises(ModelError):
        ask(model, "billing", 2)


def test_the_nth_fitting_turn_is_taken(script: Open) -> None:
    model = script(
        """
        agents:
          billing:
            - {when: {contains: approved}, calls: [{name: refund}]}
            - {when: {contains: approved}, text: Refunded.}
            - Ask for approval.
        """
    )
    assert ask(model, "billing", 1, "please").text == "Ask for approval."
    assert ask(model, "billing", 1, "it is approved").calls[0].name == "refund"
    assert ask(model, "billing", 2, "it is approved", "done").text == "Refunded."


@pytest.mark.parametrize(
    ("when", "fits"),
    [
        ("{contains: apple}", True),
        ("{contains: [apple, pear]}", True),
        ("{contains: [apple, plum]}", False),
        ("{contains: Apple}", False),
        ("{lacks: plum}", True),
        ("{lacks: [plum, pear]}", False),
        ("{regex: 'a.ple'}", True),
        ("{regex: 'no.*such.*'}", False),
        ("{contains: apple, in: last}", False),
        ("{contains: pear, in: last}", True),
        ("{contains: rules, in: instructions}", True),
        ("{contains: apple, in: instructions}", False),
        ("{contains: 'look({\"id\": 7})'}", True),
    ],
)
def test_conditions_look_at_what_was_sent(script: Open, when: str, fits: bool) -> None:
    model = script(f"agents: {{billing: [{{when: {when}, text: fits}}, does not]}}")
    sent = (
        Message(role="system", text="the rules"),
        Message(role="user", text="an apple"),
        Message(role="assistant", text="", calls=(ToolCall(id="1", name="look", arguments='{"id": 7}'),)),
        Message(role="tool", text="a pear", call_id="1"),
    )
    assert ask(model, messages=sent).text == ("fits" if fits else "does not")


def test_repeat_takes_several_numbers(script: Open) -> None:
    model = script("agents: {a: [{text: one, repeat: 2}, two, {text: rest, repeat: true}]}")
    assert [ask(model, "a", turn).text for turn in (1, 2, 3, 4, 99)] == ["one", "one", "two", "rest", "rest"]


def test_everything_else_that_a_turn_says(script: Open) -> None:
    model = script(
        """
        x-it: &said {text: cut off, finish: length, usage: {input: 10, output: 5, cached: 4, reasoning: 2}}
        agents:
          a:
            - *said
            - text: {agent: billing, reason: "ü"}
            - calls: [{name: f, raw: '{"a": '}, {name: g, id: mine}, {name: h}]
            - text: ""
        """
    )
    first = ask(model, "a", 1)
    assert (first.finish, first.usage) == ("length", Usage(input=10, output=5, cached=4, reasoning=2))
    assert json.loads(ask(model, "a", 2).text) == {"agent": "billing", "reason": "ü"}
    assert [(call.id, call.arguments) for call in ask(model, "a", 3).calls] == [
        ("call_1", '{"a": '),
        ("mine", "{}"),
        ("call_2", "{}"),
    ]
    assert ask(model, "a", 4) == Reply(model=model.id, cost_usd=0.0)


def test_ids_of_calls_are_new_in_the_conversation(script: Open) -> None:
    model = script("agents: {a: [{calls: [{name: f}]}]}")
    earlier = Message(
        role="assistant",
        text="",
        calls=tuple(ToolCall(id=one, name="f", arguments="") for one in ("x", "call_3")),
    )
    assert ask(model, "a", messages=(earlier,)).calls[0].id == "call_4"


def test_costs(script: Open) -> None:
    text = "agents: {a: [{text: x, usage: {input: 1000000, output: 500000}}, {text: x, cost_usd: 0.25}, "
    text += "{text: x, cost_usd: null}]}"
    assert [ask(script(text), "a", turn).cost_usd for turn in (1, 2, 3)] == [0.0, 0.25, None]
    priced = script(text, Price(input=2.0, output=8.0))
    assert [ask(priced, "a", turn).cost_usd for turn in (1, 2, 3)] == [6.0, 0.25, None]


def test_text_streams_in_pieces(script: Open) -> None:
    model = script(
        "agents: {a: [{text: abcdefgh, cut: 3, pace: 0, delay: 1ms}, whole, {calls: [{name: f}]}]}"
    )
    heard: list[list[JsonObject]] = [[], [], []]
    for turn in (1, 2, 3):
        ask(model, "a", turn, heard=heard[turn - 1])
    assert [[event["text"] for event in events] for events in heard] == [["abc", "def", "gh"], ["whole"], []]
    assert {event["ev"] for events in heard for event in events} == {"model.text"}


@pytest.mark.parametrize(
    ("error", "kind", "status", "wait"),
    [
        ("{status: 429, headers: {retry-after: 3}}", "rate_limit", 429, 3.0),
        ("{status: 429, headers: {retry-after-ms: '250'}}", "rate_limit", 429, 0.25),
        ("{status: 429, kind: quota}", "quota", 429, None),
        ("{status: 401}", "auth", 401, None),
        ("{status: 503, message: overloaded}", "server", 503, None),
        ("{status: 400}", "bad_request", 400, None),
        ("{status: 400, message: this model's maximum context length is 8}", "context_overflow", 400, None),
        ("{kind: connection}", "connection", None, None),
        ("{kind: timeout, message: too slow}", "timeout", None, None),
    ],
)
def test_errors_are_those_of_a_real_model(
    script: Open, error: str, kind: str, status: int | None, wait: float | None
) -> None:
    with pytest.raises(ModelError) as caught:
        ask(script(f"agents: {{a: [{{error: {error}}}]}}"), "a")
    assert (caught.value.kind, caught.value.status, caught.value.retry_after) == (kind, status, wait)
    assert '"script:replies.yaml"' in caught.value.message


def test_an_error_may_pass_after_some_attempts(script: Open) -> None:
    model = script("agents: {a: [{error: {status: 500, times: 2}, text: at last}]}")
    for request in ("one", "two"):
        for _ in range(2):
            with pytest.raises(ModelError):
                ask(model, "a", 1, request)
        assert ask(model, "a", 1, request).text == "at last"


def test_a_connection_may_break_in_the_middle(script: Open) -> None:
    model = script(
        "agents: {a: [{error: {kind: connection, after: 5, times: 1}, text: 'Hello, world', cut: 4}]}"
    )
    heard: list[JsonObject] = []
    with pytest.raises(ModelError):
        ask(model, "a", heard=heard)
    assert "".join(str(event["text"]) for event in heard) == "Hello"
    assert ask(model, "a").text == "Hello, world"


def test_a_missing_turn_is_an_error_that_shows_what_was_sent(script: Open) -> None:
    model = script("agents: {billing: [one]}")
    with pytest.raises(ModelError) as caught:
        ask(model, "billing", 2, "x" * 5000)
    assert caught.value.kind == "script"
    for part in ('"replies.yaml"', "turn 2", '"billing"', "xxxx", "of 1 there are"):
        assert part in caught.value.message
    assert len(caught.value.message) < 600
    assert caught.value.hint
    assert "repeat: true" in caught.value.hint
    with pytest.raises(ModelError, match="whose `when` holds"):
        ask(
            script("agents: {billing: [{when: {contains: a}, text: b}]}"),
            "billing",
            1,
            "bcd",
        )
    with pytest.raises(ModelError, match="of 0 there are"):
        ask(model, "stranger", 1, "hello")


def test_unused_turns_are_told(script: Open) -> None:
    model = script("agents:\n  a:\n    - one\n    - two\n  '*':\n    - rest\n")
    ask(model, "a", 2)
    assert [(one.agent, one.index, one.line) for one in model.unused()] == [("a", 1, 3), ("*", 1, 6)]
    ask(model, "b", 1)
    assert [one.agent for one in model.unused()] == ["a"]
    asyncio.run(model.close())
