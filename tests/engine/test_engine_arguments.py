"""Arguments as models write them: read, coerced where they have one meaning, repaired where that is safe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentctl.engine.arguments import Arguments, parse_arguments, read_arguments
from agentctl.jsontypes import JsonObject
from engine.harness import Ran, Stage, agent, call, calls, play, tool


def fits(arguments: JsonObject) -> str | None:
    return None if isinstance(arguments.get("at"), str) and len(arguments) == 1 else "at: field required"


def read(raw: str, *, idempotent: bool = True, cut: bool = False) -> Arguments:
    return read_arguments(raw, tool("look", lambda _: "", idempotent=idempotent, check=fits), cut=cut)


@pytest.mark.parametrize(
    "raw", ['{"at": "home"', "{'at': 'home'}", '{"at": "home",}', '{at: "home"}', '{"at": "home"}}']
)
def test_broken_json_is_repaired_for_a_tool_that_may_run_twice(raw: str) -> None:
    found = read(raw)
    assert (found.value, found.problem) == ({"at": "home"}, None)
    assert "were repaired" in found.note
    refused = read(raw, idempotent=False)
    assert (refused.value, refused.note) == ({}, "")
    assert "not valid JSON" in str(refused.problem)


@pytest.mark.parametrize("raw", ['{"to": "home"', "{", "home", "{" * 200_000, "[1,"])
def test_what_the_tool_would_not_accept_is_not_repaired(raw: str) -> None:
    assert "not valid JSON" in str(read(raw).problem)


@pytest.mark.parametrize("raw", ['{"at": ', '{"at": "ho', '{"at": "', '{"at": "home", "'])
def test_half_a_value_is_never_completed(raw: str) -> None:
    assert "not valid JSON" in str(read(raw).problem)


def test_arguments_that_were_cut_are_never_repaired() -> None:
    assert "not valid JSON" in str(read('{"at": "home"', cut=True).problem)


def test_json_in_a_text_is_json() -> None:
    assert parse_arguments('"{\\"at\\": \\"home\\"}"') == {"at": "home"}
    inner = tool(
        "look", lambda _: "", check=lambda found: None if isinstance(found["at"], list) else "at: list"
    )
    found = read_arguments('{"at": "[1, 2]"}', inner, cut=False)
    assert (found.value, found.problem) == ({"at": [1, 2]}, None)
    assert "read as JSON" in found.note


def test_a_text_that_looks_like_json_stays_text_where_the_tool_takes_text() -> None:
    assert read('{"at": "[1]"}').value == {"at": "[1]"}


@given(st.text(max_size=60))
def test_nothing_that_a_model_writes_raises(raw: str) -> None:
    found = read(raw)
    assert found.problem is not None or fits(found.value) is None


def once(raw: str, *, idempotent: bool) -> Ran:
    look = tool("look", lambda found: f"saw {found['at']}", idempotent=idempotent, check=fits)
    stage = Stage(
        root=agent("solo"), says={"solo": [calls(call("look", raw)), "Done."]}, tools={"solo": [look]}
    )
    return play(stage)


def test_the_record_says_that_arguments_were_repaired() -> None:
    ran = once('{"at": "home"', idempotent=True)
    assert ran.shown("solo", 2)[-1] == "tool: saw home"
    (started,) = ran.events("tool.started")
    assert "were repaired" in str(started.data["note"])


def test_a_tool_with_an_effect_is_never_run_with_guessed_arguments() -> None:
    ran = once('{"at": "home"', idempotent=False)
    assert "not valid JSON" in ran.shown("solo", 2)[-1]
    assert ran.answer == "Done."


@pytest.mark.parametrize("idempotent", [True, False])
@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ('{"at": "home", "at": "work"}', 'the key "at" stands in it twice'),
        ('{"at": NaN}', "NaN is no number"),
    ],
)
def test_what_has_two_meanings_or_none_is_told_and_never_run(raw: str, why: str, idempotent: bool) -> None:
    ran = once(raw, idempotent=idempotent)
    assert why in ran.shown("solo", 2)[-1]
    assert not ran.shown("solo", 2)[-1].startswith("tool: saw")
