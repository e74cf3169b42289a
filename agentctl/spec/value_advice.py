"""The hints for values that do not belong: how to write what was most likely meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.document.variables import Filled
from agentctl.jsonschemas import Path, Problem
from agentctl.jsontypes import Json
from agentctl.spec.literals import for_literal
from agentctl.spec.samples import for_any_value
from agentctl.spec.vocabulary import ACTIONS, STRATEGY_NAMES, meant

_SECRET: Final = re.compile(r"key|token(?!s)|secret|password|credential|auth", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"\$\{?([A-Z_][A-Z0-9_]*)\b")
WRITE_ITSELF: Final = "write the value itself: what a variable or a template gives is text, which this is not"
_PERSON: Final = ("human", "user", "operator", "people", "manual", "ask", "me")
_MODELS: Final = ("model", "llm", "ai", "agent", "auto", "supervisor")
_DECIDERS: Final[Mapping[str, str]] = {
    "llm": "model",
    "ai": "model",
    "router": "model",
    "human": "person",
    "user": "person",
    "code": "function",
    "python": "function",
    "random": "chance",
}
_REFUSALS: Final = ("false", "no", "never", "deny", "denied", "reject")
_FUNCTIONS: Final = ("tools", "function", "by", "choose", "when")


def for_value(problem: Problem, value: Json) -> str:
    """How to write the value: by what stands there, where that can be told, else by what belongs there."""
    last = problem.path[-1] if problem.path else ""
    key = next((part for part in reversed(problem.path) if isinstance(part, str)), "")
    slip = _SLIPS.get(str(last))
    told = _for_answer(problem, value) or (slip(value) if slip else None)
    if isinstance(value, Filled) and not takes_text(problem):
        return WRITE_ITSELF
    if told is None and key == "agents" and isinstance(value, str):
        told = "an agent is a mapping that begins with `name:`, or names another file with `{file: PATH}`"
    told = told or _for_word(problem, key, value)
    return told or for_any_value(problem, value, secret=may_be_secret(problem.path))


def _for_word(problem: Problem, key: str, value: Json) -> str | None:
    if key == "by":
        return _for_decider(problem, value)
    if key in _FUNCTIONS and isinstance(value, str):
        return _for_function(value)
    if key == "action" and isinstance(value, str) and (action := ACTIONS.get(value.casefold())):
        return f'did you mean "{action}"?'
    if names_a_strategy(problem) and isinstance(value, str):
        word = meant(value, problem.known, STRATEGY_NAMES)
        return f'did you mean "{word}"?' if word else f"one of: {', '.join(problem.known)}"
    if problem.kind == "unknown-value" and isinstance(value, str):
        word = nearest(value, problem.known)
        if word:
            return f'did you mean "{word}"?'
    return None if may_be_secret(problem.path) else for_literal(problem.message, value)


def _for_decider(problem: Problem, value: Json) -> str | None:
    """`by` of a strategy is a function; that of a decision which a test expects is one of the known words."""
    word = value.casefold() if isinstance(value, str) else ""
    if problem.known:
        near = _DECIDERS.get(word) or nearest(word, problem.known)
        return f'did you mean "{near}"?' if near else f"one of: {', '.join(problem.known)}"
    if word in _MODELS:
        return "leave `by` out: without it the agent's model chooses"
    return _for_function(value) if isinstance(value, str) else None


def _for_answer(problem: Problem, value: Json) -> str | None:
    """What a person answers in a test, where nothing but `true` can be written."""
    if "answers" not in problem.path or problem.path[-1] not in ("approve", "finish"):
        return None
    if problem.path[-1] == "approve" and (value is False or str(value).casefold() in _REFUSALS):
        return "write `deny:` and why, such as `deny: too dear`"
    return f"write `{problem.path[-1]}: true`"


def strategy_meant(problem: Problem, value: Json) -> str | None:
    """The strategy that a misspelt one is meant for, where its options stand beside it."""
    if problem.path != ("strategy", "type") or problem.kind != "unknown-value" or not isinstance(value, str):
        return None
    return nearest(value, problem.known)


def takes_text(problem: Problem) -> bool:
    """Whether what belongs there may be any text, or one that is written in letters."""
    return not any(words in problem.message for words in ("number", "true or false"))


def names_a_strategy(problem: Problem) -> bool:
    """Whether the value is the name of a strategy, alone or under `type`."""
    return problem.path in (("strategy",), ("strategy", "type"))


def may_be_secret(path: Path) -> bool:
    """Whether the value at `path` must not be repeated in a message."""
    return any(isinstance(part, str) and _SECRET.search(part) for part in path)


def for_name(name: Json, kind: str = "agent") -> str | None:
    """A name that is allowed, made of one that is not; `kind` is put before one that begins with a digit."""
    plain = unicodedata.normalize("NFKD", name) if isinstance(name, str) else ""
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    letters = re.sub(r"[^A-Za-z0-9_-]+", "_", letters).strip("_-")[:40]
    if not letters:
        return None
    return f'such as "{letters}"' if letters[0].isalpha() else f'such as "{kind}_{letters}"'


def _for_list(value: Json) -> str | None:
    if isinstance(value, str) and value.startswith("-"):
        return "write a space behind the `-` of each item"
    return 'write a list: begin each item with "- "' if isinstance(value, Mapping | str) else None


def _for_agents(value: Json) -> str | None:
    if isinstance(value, Mapping) and all(isinstance(each, Mapping) for each in value.values()):
        return f"write a list: `- name: {next(iter(value), 'billing')}`, its other keys below that, and so on"
    return _for_list(value)


def _for_approval(value: Json) -> str | None:
    word = str(value).casefold() if isinstance(value, str | bool) else ""
    if word in ("true", "yes", "on", "required", "ask"):
        return "write `approve: always`"
    if word in ("false", "no", "off", "none", "auto"):
        return "write `approve: never`"
    return f"write `approve: {{when: {value}}}`" if ":" in word and " " not in word else None


def _for_retry(value: Json) -> str | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value > 0
    return f"write `retry: {{attempts: {value}}}`" if is_count else None


def _for_instructions(value: Json) -> str | None:
    lines = "write one text: `instructions: |`, and the lines below it"
    return lines if isinstance(value, list | tuple) else None


def _for_variable(value: Json) -> str:
    named = _VARIABLE.match(value) if isinstance(value, str) else None
    if named is not None:
        return f"write the name alone: `api_key_env: {named[1]}`"
    return "write the name of the variable, such as OPENAI_API_KEY, never the key itself"


def _for_chooser(value: Json) -> str | None:
    is_person = isinstance(value, str) and value.casefold() in _PERSON
    return 'did you mean "person"?' if is_person else None


def _for_function(text: str) -> str:
    if text == "ask_person":
        return "write `builtin: ask_person`"
    if " - " in text:
        return "begin each `- ` of the list at the same column"
    if "," in text and ":" in text:
        return "write each function as an item of its own: begin each with `- `"
    spaced = re.fullmatch(r"\s*([\w./-]+)\s*:\s*([A-Za-z_][\w.]*)\s*", text)
    if spaced is not None:
        return f"write `{spaced[1]}:{spaced[2]}`, without the space"
    where, colon, name = text.strip().rpartition(":")
    if colon and name.endswith("()"):
        return f"write `{where}:{name[:-2]}`, without parentheses"
    module, dot, name = text.strip().rpartition(".")
    if dot and not colon and name.isidentifier() and name != "py":
        return f"write `{module}:{name}`, with a colon before the function's name"
    return "write `module:function`, or `./file.py:function` for a file beside this one"


_SLIPS: Final[Mapping[str, Callable[[Json], str | None]]] = {
    "agents": _for_agents,
    "api_key_env": _for_variable,
    "approve": _for_approval,
    "choose": _for_chooser,
    "examples": _for_list,
    "instructions": _for_instructions,
    "name": for_name,
    "retry": _for_retry,
    "tools": _for_list,
}
