"""Nodes of `guardrails` into `Guardrail`s."""

from __future__ import annotations

from typing import Final

from agentctl.document.nodes import Node
from agentctl.regexes import replacement_problem
from agentctl.spec.functions import read_function
from agentctl.spec.options import read_regex
from agentctl.spec.reading import TeamFile
from agentctl.spec.settings import Guardrail, GuardrailAction, GuardrailPlace
from agentctl.spec.values import choice, count, getter, items, text, texts

_PLACES: Final[tuple[GuardrailPlace, ...]] = ("input", "output", "tool")
_ACTIONS: Final[tuple[GuardrailAction, ...]] = ("fail", "retry", "fix", "ask")


def read_guardrails(node: Node | None, file: TeamFile) -> tuple[Guardrail, ...]:
    return tuple(rail for item in items(node) if (rail := _guardrail(item, file)) is not None)


def _guardrail(node: Node, file: TeamFile) -> Guardrail | None:
    get = getter(node)
    place = next((word for word in _PLACES if word == text(get("on"))), None)
    regex, function = read_regex(get("regex"), file), read_function(get("function"), file)
    if place is None or (regex is None) == (function is None):
        return None
    replacement = text(get("replacement"))
    _check_replacement(regex, replacement, get("replacement"), file)
    return Guardrail(
        on=place,
        regex=regex,
        function=function,
        action=choice(get("action"), _ACTIONS, "fail"),
        message=text(get("message")) or None,
        attempts=count(get("attempts"), Guardrail(on=place, span=node.span).attempts),
        replacement=replacement,
        tools=texts(get("tools")),
        span=node.span,
        pointer=node.pointer,
    )


def _check_replacement(regex: str | None, stated: str | None, node: Node | None, file: TeamFile) -> None:
    r"""In a replacement `\1` and `\g<name>` are what a group found; any other backslash begins an escape."""
    wrong = None if regex is None or stated is None else replacement_problem(regex, stated)
    if node is not None and wrong is not None:
        message = f'"{stated}" cannot replace what the regex finds: {wrong}'
        hint = r"name a group that the regex has, as `\1` or `\g<name>`; a backslash itself is written `\\`"
        file.error("wrong-regex", message, node, hint=hint)
