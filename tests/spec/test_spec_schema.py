"""The schema and the types hold each other: no key without a field, no field without a key, none unread."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import pytest
from spec_teams import read

from agentctl.document import dump
from agentctl.jsonschemas import schema_problems
from agentctl.jsontypes import Json, JsonObject, as_list, as_object
from agentctl.spec.schema import team_schema
from agentctl.spec.settings import (
    BuiltinEntry,
    Guardrail,
    McpEntry,
    McpServer,
    ModelSettings,
    Price,
    Retry,
    ToolEntry,
)
from agentctl.spec.strategies import (
    STRATEGIES,
    Handoff,
    HandoffRule,
    Manual,
    Parallel,
    PlanExecute,
    Planner,
    PlanStep,
    Random,
    RoundRobin,
    Router,
    Sequential,
    StopIf,
    Swarm,
)
from agentctl.spec.team import Agent, Input, LimitName, Team

SCHEMA = team_schema()
DEFINITIONS = as_object(SCHEMA["$defs"])


def definition(name: str) -> JsonObject:
    return as_object(DEFINITIONS[name])


def second(name: str) -> JsonObject:
    """The mapping form of a definition that also has a short one."""
    return as_object(as_list(definition(name)["anyOf"])[1])


def below(schema: JsonObject, *keys: str) -> JsonObject:
    for key in keys:
        schema = as_object(as_object(schema["properties"])[key])
    return schema


OBJECTS: dict[str, tuple[JsonObject, type, set[str]]] = {
    "agent": (definition("agent"), Agent, {"mcp_tools", "builtins", "spans", "pointer"}),
    "input": (definition("input"), Input, {"span"}),
    "model": (second("model"), ModelSettings, {"folder", "span", "pointer"}),
    "price": (below(second("model"), "price"), Price, set()),
    "tool": (second("tool"), ToolEntry, {"stated", "span", "pointer"}),
    "mcp_tools": (definition("mcp_tools"), McpEntry, {"span", "pointer"}),
    "builtin": (definition("builtin"), BuiltinEntry, {"span", "pointer"}),
    "mcp_program": (definition("mcp_program"), McpServer, {"name", "url", "headers", "span", "pointer"}),
    "mcp_address": (
        definition("mcp_address"),
        McpServer,
        {"name", "command", "args", "env", "cwd", "span", "pointer"},
    ),
    "guardrail": (definition("guardrail"), Guardrail, {"span", "pointer"}),
    "retry": (definition("retry"), Retry, set()),
    "stop_if": (definition("stop_if"), StopIf, set()),
    "rule": (
        as_object(below(definition("swarm"), "handoff_when")["items"]),
        HandoffRule,
        {"span"},
    ),
    "planner": (below(definition("plan_execute"), "planner"), Planner, set()),
    "step": (as_object(below(definition("plan_execute"), "plan")["items"]), PlanStep, set()),
    "handoff": (definition("handoff"), Handoff, set()),
    "router": (definition("router"), Router, set()),
    "sequential": (definition("sequential"), Sequential, set()),
    "parallel": (definition("parallel"), Parallel, set()),
    "swarm": (definition("swarm"), Swarm, set()),
    "round_robin": (definition("round_robin"), RoundRobin, set()),
    "random": (definition("random"), Random, set()),
    "plan_execute": (definition("plan_execute"), PlanExecute, set()),
    "manual": (definition("manual"), Manual, set()),
}


def keys(schema: JsonObject) -> set[str]:
    return set(as_object(schema["properties"]))


def mappings(schema: Json, path: str = "") -> Iterator[tuple[str, JsonObject]]:
    if isinstance(schema, Mapping):
        if schema.get("type") == "object":
            yield path, schema
        for key, value in schema.items():
            if key != "properties":
                yield from mappings(value, f"{path}/{key}")
        for key, value in as_object(schema.get("properties")).items():
            yield from mappings(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from mappings(value, f"{path}/{index}")


def test_the_schema_is_one() -> None:
    assert schema_problems(SCHEMA) == []


@pytest.mark.parametrize("name", OBJECTS)
def test_each_key_is_a_field_and_each_field_a_key(name: str) -> None:
    schema, kind, internal = OBJECTS[name]
    fields = {field.name.rstrip("_") for field in dataclasses.fields(kind)} - internal
    assert keys(schema) - {"type"} == fields - {"type"}


@pytest.mark.parametrize("name", OBJECTS)
def test_the_defaults_that_are_told_are_those_that_hold(name: str) -> None:
    schema, kind, _ = OBJECTS[name]
    fields = {field.name.rstrip("_"): field for field in dataclasses.fields(kind)}
    spoken: Mapping[object, object] = {120.0: "120s", 2.0: "2s", 60.0: "60s"}
    for key, value in as_object(schema["properties"]).items():
        resolved = as_object(value)
        if resolved.get("$ref") == "#/$defs/synthesize":
            resolved = definition("synthesize")
        told = resolved.get("default")
        if told is None or key in ("strategy", "choose"):
            continue
        held = fields[key].default
        assert told == (spoken[held] if isinstance(held, float) else held), key


def test_limits_and_strategies_are_the_same_words() -> None:
    assert keys(definition("limits")) == set(get_args(LimitName))
    named = as_object(as_list(definition("strategy")["anyOf"])[0])
    assert named["enum"] == list(STRATEGIES)
    references = [as_object(each)["$ref"] for each in as_list(definition("strategy")["anyOf"])[1:]]
    assert references == [f"#/$defs/{name}" for name in STRATEGIES]


def test_the_document_has_the_keys_of_an_agent_and_its_own() -> None:
    assert keys(SCHEMA) - keys(definition("agent")) == {"version", "inputs", "models", "mcp_servers", "tests"}
    assert keys(definition("agent")) <= keys(SCHEMA)


def test_every_mapping_is_closed_or_says_what_it_holds() -> None:
    open_ones = {path for path, schema in mappings(SCHEMA) if "additionalProperties" not in schema}
    assert {path.rsplit("/", 1)[1] for path in open_ones} == {"params", "args"}


def test_every_key_is_described() -> None:
    for path, schema in mappings(SCHEMA):
        for key, value in as_object(schema.get("properties")).items():
            described = as_object(value)
            if str(described.get("$ref", "")).startswith("#/$defs/agent/properties/"):
                continue
            if described.get("$ref") == "#/$defs/synthesize":
                continue
            assert described.get("description"), f"{path}/{key}"


def served(**options: Json) -> Json:
    """One agent with the tools of a server that `options` describe."""
    server = options or {"command": "x"}
    return root(mcp_servers={"files": server}, tools=[{"mcp": "files"}])


def _judge(stated: Mapping[str, Json]) -> dict[str, Json]:
    return {} if {"regex", "function"} & set(stated) else {"regex": "x"}


def serves(**options: Json) -> Json:
    servers: Json = {"files": {"command": "x"}, "other": {"command": "y"}}
    return root(mcp_servers=servers, tools=[{"mcp": "files", **options}])


PAIR: Json = [
    {"name": "one", "description": "1", "instructions": "First."},
    {"name": "two", "description": "2", "instructions": "Second."},
]


def root(**more: Json) -> Json:
    return {"name": "desk", "model": "offline", "instructions": "Answer.", **more}


def with_strategy(**options: Json) -> Json:
    return root(agents=PAIR, strategy=options)


def stop_if(**options: Json) -> Json:
    return with_strategy(type="sequential", stop_if=options)


def rule(**options: Json) -> Json:
    return with_strategy(type="swarm", handoff_when=[{"to": "one", **options}])


def step(**options: Json) -> Json:
    first: Json = {"id": "zero", "agent": "one", "task": "Look"}
    return with_strategy(
        type="plan_execute", plan=[first, {"id": "a", "agent": "one", "task": "Do", **options}]
    )


# Every key of the schema, with two values that differ; None stands for the key being absent.
SAMPLES: dict[str, tuple[Any, dict[str, tuple[Json, Json]]]] = {
    "document": (
        root,
        {
            "inputs": (None, {"city": {"type": "string"}}),
            "name": ("desk", "counter"),
            "description": (None, "Words"),
            "examples": (None, ["How?"]),
            "model": ("offline", "openai/gpt-4o"),
            "instructions": ("Answer.", "Reply."),
            "tools": (None, ["tools:look"]),
            "agents": (None, PAIR),
            "limits": (None, {"turns": 3}),
            "retry": (None, {"attempts": 4}),
            "context": (None, "task"),
            "output": (None, {"type": "object"}),
            "output_retries": (None, 0),
            "guardrails": (None, [{"on": "input", "regex": "x"}]),
        },
    ),
    "agent": (
        lambda **more: root(agents=[{"name": "one", "instructions": "x", **more}]),
        {
            "name": ("one", "other"),
            "description": (None, "Words"),
            "examples": (None, ["How?"]),
            "model": (None, "openai/gpt-4o"),
            "instructions": (None, "Reply."),
            "tools": (None, ["tools:look"]),
            "agents": (None, [{"name": "inner", "instructions": "x"}]),
            "limits": (None, {"turns": 3}),
            "retry": (None, {"attempts": 4}),
            "context": ("conversation", "task"),
            "output": ("tools:Shape", {"type": "object"}),
            "output_retries": (None, 0),
            "guardrails": (None, [{"on": "input", "regex": "x"}]),
        },
    ),
    "strategy": (lambda **more: root(agents=PAIR, **more), {"strategy": (None, "swarm")}),
    "models": (lambda **more: root(model="fast", **more), {"models": (None, {"fast": {"id": "offline"}})}),
    "input": (
        lambda **more: root(inputs={"city": more}),
        {
            "type": (None, "integer"),
            "description": (None, "Where"),
            "default": (None, "Rome"),
            "required": (None, True),
        },
    ),
    "model": (
        lambda **more: root(model={"id": "offline", **more}),
        {
            "id": ("offline", "openai/gpt-4o"),
            "temperature": (None, 0),
            "max_tokens": (None, 5),
            "top_p": (None, 0.5),
            "reasoning_effort": (None, "low"),
            "base_url": (None, "http://localhost/v1"),
            "api_key_env": (None, "KEY"),
            "timeout": (None, "5s"),
            "retries": (None, 0),
            "fallbacks": (None, ["openai/gpt-4o"]),
            "price": (None, {"input": 1, "output": 2}),
            "params": (None, {"seed": 1}),
        },
    ),
    "price": (
        lambda **more: root(model={"id": "offline", "price": {"input": 1, "output": 1, **more}}),
        {"input": (1, 2), "output": (1, 2)},
    ),
    "tool": (
        lambda **more: root(tools=[{"function": "tools:look", **more}]),
        {
            "function": ("tools:look", "tools:find"),
            "name": (None, "search"),
            "description": (None, "Looks"),
            "approve": (None, "always"),
            "idempotent": (None, True),
            "timeout": (None, "5s"),
            "retry": (None, {"attempts": 2}),
            "max_output": (None, 10),
            "args": (None, {"word": "x"}),
        },
    ),
    "mcp_tools": (
        serves,
        {
            "mcp": ("files", "other"),
            "include": (None, ["read_*"]),
            "exclude": (None, ["write_*"]),
            "approve": (None, "never"),
            "idempotent": (None, False),
            "timeout": (None, "5s"),
            "max_output": (None, 10),
        },
    ),
    "builtin": (
        lambda **more: root(tools=[more] if more else []),
        {"builtin": (None, "ask_person")},
    ),
    "mcp_program": (
        lambda **more: served(**{"command": "npx", **more}),
        {
            "command": ("npx", "uvx"),
            "args": (None, ["-y"]),
            "env": (None, {"TOKEN": "x"}),
            "cwd": (None, "sub"),
            "start_timeout": (None, "5s"),
        },
    ),
    "mcp_address": (
        lambda **more: served(**{"url": "http://localhost/mcp", **more}),
        {
            "url": ("http://localhost/mcp", "http://localhost/other"),
            "headers": (None, {"X-Key": "x"}),
            "start_timeout": (None, "5s"),
        },
    ),
    "guardrail": (
        lambda **more: root(guardrails=[{"on": "tool", **more, **_judge(more)}]),
        {
            "on": ("input", "output"),
            "regex": ("a", "b"),
            "function": ("tools:check", "tools:other"),
            "action": (None, "ask"),
            "message": (None, "No."),
            "attempts": (None, 3),
            "replacement": (None, "x"),
            "tools": (None, ["look"]),
        },
    ),
    "retry": (
        lambda **more: root(retry=more),
        {
            "attempts": (None, 2),
            "backoff": (None, "fixed"),
            "delay": (None, "1s"),
            "max_delay": (None, "30s"),
        },
    ),
    "limits": (
        lambda **more: root(limits=more),
        {
            "turns": (None, 2),
            "tool_calls": (None, "unlimited"),
            "tokens": (None, 100),
            "cost_usd": (None, 0.5),
            "time": (None, "5m"),
        },
    ),
    "stop_if": (
        stop_if,
        {"text": ("a", "b"), "regex": ("a", "b"), "function": ("tools:a", "tools:b")},
    ),
    "rule": (
        rule,
        {
            "to": ("one", "two"),
            "from": (None, "two"),
            "text": ("a", "b"),
            "regex": ("a", "b"),
            "tool": ("a", "b"),
            "contains": (None, "b"),
        },
    ),
    "planner": (
        lambda **more: with_strategy(type="plan_execute", planner=more),
        {"model": (None, "openai/gpt-4o"), "instructions": (None, "Plan.")},
    ),
    "step": (
        step,
        {
            "id": ("a", "b"),
            "agent": ("one", "two"),
            "task": ("Do", "Undo"),
            "depends_on": (None, ["zero"]),
        },
    ),
    "handoff": (
        lambda **more: with_strategy(type="handoff", **more),
        {
            "final": (None, "supervisor"),
            "required": (None, True),
            "max_handoffs": (None, 3),
            "synthesize": (None, True),
        },
    ),
    "router": (
        lambda **more: with_strategy(type="router", **more),
        {"by": (None, "tools:route"), "fallback": (None, "one"), "synthesize": (None, True)},
    ),
    "sequential": (
        lambda **more: with_strategy(type="sequential", **more),
        {"pass": (None, "all"), "stop_if": (None, {"text": "x"}), "synthesize": (None, True)},
    ),
    "parallel": (
        lambda **more: with_strategy(type="parallel", **more),
        {"max_concurrency": (None, 2), "on_error": (None, "continue"), "synthesize": (None, True)},
    ),
    "swarm": (
        lambda **more: with_strategy(type="swarm", **more),
        {
            "start": (None, "two"),
            "transitions": (None, {"one": ["two"], "two": ["one"]}),
            "handoff_when": (None, [{"to": "one", "text": "x"}]),
            "max_handoffs": (None, 3),
            "synthesize": (None, True),
        },
    ),
    "round_robin": (
        lambda **more: with_strategy(type="round_robin", **more),
        {"turns": (None, 3), "stop_if": (None, {"text": "x"}), "synthesize": (None, True)},
    ),
    "random": (
        lambda **more: with_strategy(type="random", **more),
        {
            "weights": (None, {"one": 1, "two": 2}),
            "seed": (None, 3),
            "turns": (None, 2),
            "synthesize": (None, True),
        },
    ),
    "plan_execute": (
        lambda **more: with_strategy(type="plan_execute", **more),
        {
            "planner": (None, {"instructions": "Plan."}),
            "plan": (None, [{"id": "a", "agent": "one", "task": "Do"}]),
            "max_concurrency": (None, 2),
            "max_replans": (None, 0),
            "max_steps": (None, 5),
            "synthesize": (None, False),
        },
    ),
    "manual": (
        lambda **more: with_strategy(type="manual", **more),
        {"choose": (None, "tools:route"), "turns": (None, 3), "synthesize": (None, True)},
    ),
}


def team_of(name: str, key: str, value: Json) -> Team:
    build, _ = SAMPLES[name]
    stated: dict[str, Json] = {} if value is None else {key: value}
    if name == "rule" and key in ("to", "from"):
        stated["text"] = "x"
    if name == "rule" and key == "contains":
        stated["tool"] = "x"
    return read(dump(build(**stated)))


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name, (_, samples) in SAMPLES.items() for key in samples]
)
def test_no_key_goes_unread(name: str, key: str) -> None:
    first, other = SAMPLES[name][1][key]
    assert team_of(name, key, first) != team_of(name, key, other)


def test_every_key_has_a_sample() -> None:
    for name, (schema, _, _) in OBJECTS.items():
        elsewhere = {"strategy"} if name == "agent" else {"type"} if name in STRATEGIES else set()
        assert keys(schema) - elsewhere == set(SAMPLES[name][1]), name
    root_keys = keys(SCHEMA) - {"version", "strategy", "models", "mcp_servers", "tests"}
    assert root_keys == set(SAMPLES["document"][1])
    assert keys(definition("limits")) == set(SAMPLES["limits"][1])
