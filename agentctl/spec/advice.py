"""The hints of the schema's diagnostics: what was most likely meant, and how to write it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from agentctl.diagnostics import nearest
from agentctl.jsonschemas import Path, Problem
from agentctl.jsontypes import Json, as_object, as_text
from agentctl.spec.literals import for_literal
from agentctl.spec.samples import for_any_value, for_missing
from agentctl.spec.schema import team_schema
from agentctl.spec.strategies import STRATEGIES
from agentctl.spec.vocabulary import KEYS, STRATEGY_NAMES, meant

Root: TypeAlias = Literal["agent", "test file", "script", "recording"]
"""What a mapping is that is held against a schema."""
_SECRET: Final = re.compile(r"key|token(?!s)|secret|password|credential|auth", re.IGNORECASE)
_DOCUMENT_ONLY: Final = ("version", "inputs", "models", "mcp_servers", "tests")
_MISSING: Final[Mapping[tuple[str, str], str]] = {
    ("agent", "name"): "give the agent a name, such as `name: billing`",
    ("tools", "function"): "name a Python function, such as `function: tools:lookup`",
    ("mcp_servers", "command"): "say how it is started, `command: npx`, or where it is, `url: https://…`",
    ("strategy", "type"): "name the strategy, such as `type: handoff`",
    ("model", "id"): "name the model, such as `id: openai/gpt-4o-mini`",
}
_VARIABLE: Final = re.compile(r"\$\{?([A-Z_][A-Z0-9_]*)\b")
_PERSON: Final = ("human", "user", "operator", "people", "manual", "ask", "me")


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
    if problem.key == "api_key":
        return None
    word = meant(problem.key, problem.known, _other_names(problem, what))
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
    word = meant(problem.key, known, _other_names(problem, what))
    if word is None:
        return f"known here: {', '.join(known)}"
    outer, dot, inner = word.partition(".")
    return f"write it under `{outer}`: `{outer}: {{{inner}: …}}`" if dot else f'did you mean "{word}"?'


def for_missing_key(problem: Problem, what: Root) -> str:
    return _MISSING.get((_kind(problem.path, what), problem.key)) or for_missing(problem)


def for_wrong_key(problem: Problem) -> str:
    """A name that holds what no name can."""
    return _for_name(problem.key) or "rename it, for instance to `billing`"


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


def for_value(problem: Problem, value: Json) -> str:
    """How to write the value: by what stands there, where that can be told, else by what belongs there."""
    told = _for_known_slip(problem, value)
    return told or for_any_value(problem, value, secret=may_be_secret(problem.path))


def _for_known_slip(problem: Problem, value: Json) -> str | None:
    last = problem.path[-1] if problem.path else ""
    key = next((part for part in reversed(problem.path) if isinstance(part, str)), "")
    if last == "approve" and isinstance(value, bool):
        return f"write `approve: {'always' if value else 'never'}`"
    if last in ("agents", "tools", "examples") and isinstance(value, Mapping | str):
        return 'write a list: begin each item with "- "'
    if key == "agents" and isinstance(value, str):
        return "an agent is a mapping that begins with `name:`, or names another file with `{file: PATH}`"
    if last == "instructions" and isinstance(value, list | tuple):
        return "write one text: `instructions: |`, and the lines below it"
    if last == "api_key_env":
        named = _VARIABLE.match(value) if isinstance(value, str) else None
        if named is not None:
            return f"write the name alone: `api_key_env: {named[1]}`"
        return "write the name of the variable, such as OPENAI_API_KEY, never the key itself"
    if last == "name" and key == "name" and isinstance(value, str):
        return _for_name(value)
    if last == "choose" and isinstance(value, str) and value.casefold() in _PERSON:
        return 'did you mean "person"?'
    return _for_word(problem, key, value)


def _for_word(problem: Problem, key: str, value: Json) -> str | None:
    if key in ("tools", "function", "by", "choose", "when") and isinstance(value, str):
        return _for_function(value)
    if names_a_strategy(problem) and isinstance(value, str):
        word = meant(value, problem.known, STRATEGY_NAMES)
        return f'did you mean "{word}"?' if word else f"one of: {', '.join(problem.known)}"
    if problem.kind == "unknown-value" and isinstance(value, str):
        word = nearest(value, problem.known)
        if word:
            return f'did you mean "{word}"?'
    return None if may_be_secret(problem.path) else for_literal(problem.message, value)


def names_a_strategy(problem: Problem) -> bool:
    """Whether the value is the name of a strategy, alone or under `type`."""
    return problem.path in (("strategy",), ("strategy", "type"))


def _for_name(name: str) -> str | None:
    letters = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_-")[:32]
    if not letters:
        return None
    return f'such as "{letters}"' if letters[0].isalpha() else f'such as "agent_{letters}"'


def _for_function(text: str) -> str:
    where, colon, name = text.strip().rpartition(":")
    if colon and name.endswith("()"):
        return f"write `{where}:{name[:-2]}`, without parentheses"
    module, dot, name = text.strip().rpartition(".")
    if dot and not colon and name.isidentifier() and name != "py":
        return f"write `{module}:{name}`, with a colon before the function's name"
    return "write `module:function`, or `./file.py:function` for a file beside this one"


def may_be_secret(path: Path) -> bool:
    """Whether the value at `path` must not be repeated in a message."""
    return any(isinstance(part, str) and _SECRET.search(part) for part in path)


def _options(strategy: str) -> Mapping[str, Json]:
    definitions = as_object(team_schema()["$defs"])
    return as_object(as_object(definitions[strategy])["properties"])


def _agent_schema() -> Mapping[str, Json]:
    return as_object(as_object(team_schema()["$defs"])["agent"])
