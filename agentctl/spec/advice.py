"""The hints for keys that do not belong, or are missing: what was most likely meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from agentctl.jsonschemas import Path, Problem
from agentctl.jsontypes import Json, as_object, as_text
from agentctl.spec.samples import for_missing
from agentctl.spec.schema import team_schema
from agentctl.spec.strategies import STRATEGIES
from agentctl.spec.value_advice import for_name
from agentctl.spec.vocabulary import KEYS, meant

Root: TypeAlias = Literal["agent", "test file", "script", "recording"]
"""What a mapping is that is held against a schema."""
_PREFIXES: Final[Mapping[str, str]] = {"models": "model", "inputs": "input", "mcp_servers": "server"}
_DOCUMENT_ONLY: Final = ("version", "inputs", "models", "mcp_servers", "tests")
_MISSING: Final[Mapping[tuple[str, str], str]] = {
    ("agent", "name"): "give the agent a name, such as `name: billing`",
    ("tools", "function"): "name a Python function, such as `function: tools:lookup`",
    ("mcp_servers", "command"): "say how it is started, `command: npx`, or where it is, `url: https://…`",
    ("strategy", "type"): "name the strategy, such as `type: handoff`",
    ("model", "id"): "name the model, such as `id: openai/gpt-4o-mini`",
}
_FOREIGN: Final[Mapping[str, str]] = {
    "tasks": "there are no tasks here: say in each agent's `instructions` what it does, and set "
    "`strategy: sequential` to put the agents in order",
    "edges": "there are no edges here: an agent's `strategy` says who comes next",
}
_INSTEAD: Final[Mapping[tuple[str, str], str]] = {
    ("agent", "memory"): "nothing is remembered between runs: `context` says what an agent is shown within "
    "one, and `agentctl chat` goes on with a conversation",
    ("agent", "human_input"): "to let its model ask a person, write `tools: [{builtin: ask_person}]`",
    ("agent", "model_settings"): "write them under `model`: `model: {id: offline, temperature: 0.2}`",
    ("model", "provider"): "write it before the model's name: `id: openai/gpt-4o-mini`",
}
_SAME: Final[Mapping[str, str]] = {
    "human_input_mode": "human_input",
    "ask_human": "human_input",
    "human_in_the_loop": "human_input",
    "model_kwargs": "model_settings",
    "model_params": "model_settings",
    "model_parameters": "model_settings",
    "generation_config": "model_settings",
}


def _kind(path: Path, what: Root = "agent") -> str:
    """What the mapping at `path` of an agent is, as the vocabulary calls it."""
    names = [part for part in path if isinstance(part, str)]
    if len(names) == 2 and names[0] in ("models", "inputs", "mcp_servers"):
        return "model" if names[0] == "models" else names[0]
    return names[-1] if names else what


def _other_names(problem: Problem, what: Root) -> Mapping[str, str]:
    """What other tools call the keys of the mapping that the problem is in."""
    is_include = not problem.path and "file" in problem.known
    return KEYS.get("include" if is_include else _kind(problem.path, what), {})


def key_meant(problem: Problem, what: Root) -> str | None:
    """The key of the same mapping that an unknown one is most likely meant for.

    What stands under `api_key` is a key itself, and is not to be read as the name of a variable.
    """
    if problem.key == "api_key" or (not problem.path and problem.key in _FOREIGN):
        return None
    if _instead(problem, what) is not None:
        return None
    word = meant(problem.key, problem.known, _other_names(problem, what))
    if word is None and problem.known == ("when",):
        return "when"
    return None if word is None or "." in word else word


def for_unknown_key(problem: Problem, what: Root) -> str:
    """Did-you-mean, or else what may stand there."""
    known = list(problem.known)
    is_agent = not problem.path and what == "agent"
    if problem.key == "api_key" and "api_key_env" in known:
        return "a key is never written in a team file: name its environment variable with `api_key_env`"
    if is_agent and problem.key in _DOCUMENT_ONLY:
        return f"`{problem.key}` stands at the top of a team file only"
    if is_agent and "file" in known and problem.key in as_object(_agent_schema().get("properties")):
        return "beside `file` stand only " + ", ".join(known[1:]) + ": change it in the other file"
    if is_agent and problem.key in _FOREIGN:
        return _FOREIGN[problem.key]
    instead = _instead(problem, what)
    if instead is not None:
        return instead
    word = meant(problem.key, known, _other_names(problem, what))
    if word is None and len(known) == 1:
        return f"only `{known[0]}` may stand here"
    if word is None and is_agent and (owner := _strategy_with(problem.key)):
        return f"write it under `strategy`: `strategy: {{type: {owner}, {problem.key}: …}}`"
    if word is None:
        return f"known here: {', '.join(known)}"
    outer, dot, inner = word.partition(".")
    first = {"model": "id: …, ", "strategy": f"type: {_strategy_with(inner)}, "}.get(outer, "")
    return f"write it under `{outer}`: `{outer}: {{{first}{inner}: …}}`" if dot else f'did you mean "{word}"?'


def _instead(problem: Problem, what: Root) -> str | None:
    """What to write for a key of other tools that is none here by any name."""
    kind = _kind(problem.path, what)
    if kind == "agent" and problem.key in STRATEGIES:
        return f"a strategy is named by `strategy: {problem.key}`, and its agents stand under `agents`"
    return _INSTEAD.get((kind, _SAME.get(problem.key, problem.key)))


def for_missing_key(problem: Problem, what: Root) -> str:
    return _MISSING.get((_kind(problem.path, what), problem.key)) or for_missing(problem)


def for_wrong_key(problem: Problem) -> str:
    """A name that holds what no name can."""
    kind = _PREFIXES.get(str(problem.path[-1])) if problem.path else None
    return for_name(problem.key, kind or "agent") or f"rename it, for instance to `{kind or 'billing'}`"


def strategies_with(problem: Problem, agent: Json) -> str | None:
    """The message where the unknown key of a strategy is an option of other strategies."""
    if problem.path != ("strategy",):
        return None
    named = as_text(as_object(as_object(agent).get("strategy")).get("type"))
    owners = [name for name in STRATEGIES if problem.key in _options(name)]
    if not owners or named not in STRATEGIES:
        return None
    listed = f"{', '.join(owners[:-1])} and {owners[-1]}" if len(owners) > 1 else owners[0]
    return f'"{problem.key}" is an option of {listed}, not of {named}'


def for_option(problem: Problem) -> str:
    return f"options here: {', '.join(key for key in problem.known if key != 'type')}"


def _strategy_with(option: str) -> str | None:
    return next((name for name in STRATEGIES if option in _options(name)), None)


def _options(strategy: str) -> Mapping[str, Json]:
    definitions = as_object(team_schema()["$defs"])
    return as_object(as_object(definitions[strategy])["properties"])


def _agent_schema() -> Mapping[str, Json]:
    return as_object(as_object(team_schema()["$defs"])["agent"])
