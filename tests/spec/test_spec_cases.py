"""The schema of tests and their types hold each other; every key of a test is read."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import get_args

import pytest
from spec_teams import read

import agentctl
from agentctl.document import dump
from agentctl.errors import (
    FatalToolError,
    JournalError,
    LimitReached,
    ModelErrorKind,
    ResumeMismatch,
    UsageError,
)
from agentctl.jsonschemas import schema_problems
from agentctl.jsontypes import Json, JsonObject, as_list, as_object
from agentctl.schemafiles import schema
from agentctl.spec.cases import (
    Case,
    Expect,
    ExpectedAnswer,
    ExpectedCall,
    ExpectedDecision,
    ExpectedError,
    ExpectedWait,
    Most,
)
from agentctl.spec.resolve import dump_team
from agentctl.spec.team import Team

SCHEMA = schema("test")
DEFINITIONS = as_object(SCHEMA["$defs"])
TYPES: dict[str, type] = {
    "expect": Expect,
    "expect_decision": ExpectedDecision,
    "expect_call": ExpectedCall,
    "expect_answer": ExpectedAnswer,
    "expect_error": ExpectedError,
    "expect_wait": ExpectedWait,
    "expect_max": Most,
}


def definition(name: str) -> JsonObject:
    """The mapping form of it."""
    found = as_object(DEFINITIONS[name])
    return as_object(as_list(found["anyOf"])[1]) if name == "expect_call" else found


def keys(name: str) -> set[str]:
    return set(as_object(definition(name)["properties"]))


def test_it_is_a_schema_and_the_team_files_has_the_same() -> None:
    assert schema_problems(SCHEMA) == []
    assert schema_problems(schema("recording")) == []
    of_teams = as_object(schema("team")["$defs"])
    assert {name: of_teams[name] for name in DEFINITIONS} == DEFINITIONS


@pytest.mark.parametrize("name", TYPES)
def test_each_key_is_a_field_and_each_field_a_key(name: str) -> None:
    assert keys(name) == {field.name for field in dataclasses.fields(TYPES[name])}


def test_every_code_that_a_run_can_end_with_can_be_expected() -> None:
    sources = "".join(path.read_text("utf-8") for path in Path(agentctl.__file__).parent.rglob("*.py"))
    kinds = {f"model-{kind.replace('_', '-')}" for kind in get_args(ModelErrorKind)}
    rules = set(re.findall(r'rule="([a-z-]+)"', sources))
    known = set(as_list(as_object(as_object(definition("expect_error")["properties"])["code"])["enum"]))
    assert kinds | rules | {LimitReached.code, FatalToolError.code} <= known
    raised = {error.code for error in (JournalError, ResumeMismatch, UsageError)}
    assert known <= kinds | rules | raised | {LimitReached.code, FatalToolError.code}


def test_a_row_has_the_keys_that_can_differ() -> None:
    assert keys("case") - keys("case_row") == {"tools", "timeout", "each"}
    read_from = {field.name for field in dataclasses.fields(Case)}
    assert keys("case") - read_from == {"each"}


def team(**more: Json) -> Team:
    case: Json = {"name": "it", "question": "q", "expect": {"agent": "desk"}, **more}
    return read(
        dump(
            {
                "name": "desk",
                "model": "offline",
                "instructions": "Answer.",
                "inputs": {"city": {"type": "string"}},
                "tools": ["tools:look"],
                "tests": [case],
            }
        )
    )


# Every key with two values that differ.
SAMPLES: dict[str, tuple[Json, Json]] = {
    "name": ("it", "other"),
    "question": ("q", "r"),
    "inputs": ({}, {"city": "Rome"}),
    "model": ("offline", "script:x.yaml"),
    "answers": ([], [{"finish": True}]),
    "expect": ({"agent": "desk"}, {"path": ["desk"]}),
    "tags": (["a"], ["b"]),
    "timeout": (1, "2s"),
    "each": ([{"name": "x"}], [{"name": "y"}]),
}
EXPECTED: dict[str, tuple[Json, Json]] = {
    "status": ("completed", "failed"),
    "path": (["desk"], ["desk", "desk"]),
    "agent": (None, "desk"),
    "decisions": ([{"by": "model"}], [{"by": "plan"}]),
    "tools": (["look"], [{"name": "look", "times": 2}]),
    "not_called": (["look"], ["book"]),
    "answer": ({"contains": "a"}, {"lacks": "a"}),
    "max": ({"tokens": 1}, {"time": "5s"}),
}
PARTS: list[tuple[str, Json, Json]] = [
    ("decisions", [{"agent": "desk"}], [{"chosen": "desk"}]),
    ("decisions", [{"among": ["desk"]}], [{"reason": "x"}]),
    ("tools", [{"name": "look", "agent": "desk"}], [{"name": "look", "args": {}}]),
    ("tools", [{"name": "look", "args_include": {"a": 1}}], [{"name": "look", "args_match": {"a": "x"}}]),
    ("tools", [{"name": "look", "result": "x"}], [{"name": "look", "error": True}]),
    ("answer", {"regex": "x"}, {"equals": "x"}),
    ("answer", {"json_schema": {}}, {"function": "tools:a"}),
    *(
        ("max", {key: 1}, {key: 2})
        for key in ("model_calls", "tool_calls", "executions", "cost_usd", "waiting")
    ),
]
PEOPLE: list[Json] = [
    {"choose": "desk"},
    {"finish": True},
    {"approve": True},
    {"deny": "no"},
    {"answer": "blue"},
    {"approve": True, "tool": "look"},
    {"approve": True, "agent": "desk"},
]


@pytest.mark.parametrize("key", SAMPLES)
def test_no_key_of_a_test_goes_unread(key: str) -> None:
    first, other = SAMPLES[key]
    assert team(**{key: first}).tests != team(**{key: other}).tests


@pytest.mark.parametrize("key", EXPECTED)
def test_no_expectation_goes_unread(key: str) -> None:
    first, other = (
        team(expect={"status": "completed", **({} if value is None else {key: value})}).tests
        for value in EXPECTED[key]
    )
    assert first != other


@pytest.mark.parametrize(("key", "first", "other"), PARTS)
def test_no_part_of_an_expectation_goes_unread(key: str, first: Json, other: Json) -> None:
    bare = team(expect={"status": "completed"}).tests
    one, two = team(expect={key: first}).tests, team(expect={key: other}).tests
    assert len({repr(each) for each in (bare, one, two)}) == 3


def test_answers_of_people_differ() -> None:
    read_back = [team(answers=[answer]).tests[0].answers for answer in PEOPLE]
    assert len(set(read_back)) == len(PEOPLE)


def test_errors_and_open_questions_are_read() -> None:
    failed = (
        team(expect={"status": "failed", "error": {"code": "model-auth", "contains": ["y"]}}).tests[0].expect
    )
    assert failed.error == ExpectedError(code="model-auth", contains=("y",))
    waits: Json = [{"kind": "choose", "question": "who", "choices": ["desk"]}]
    waiting = team(expect={"status": "waiting", "waiting_for": waits}).tests[0].expect
    assert waiting.waiting_for == (ExpectedWait(kind="choose", question=("who",), choices=("desk",)),)


def test_a_recording_gives_results_of_tools_unless_they_are_live() -> None:
    assert team(model="recording:x.yaml").tests[0].recorded_tools
    assert not team(model="recording:x.yaml", tools="live").tests[0].recorded_tools
    assert not team(model={"desk": "recording:x.yaml"}).tests[0].recorded_tools


def test_tests_are_no_part_of_what_a_team_is() -> None:
    one, other = team(question="q"), team(question="r")
    assert one == other
    assert dump_team(one) == dump_team(other)
    assert "tests" not in dump_team(one)
