"""Guardrails whose keys do not go together: a rejection that could do nothing, a key that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from agentctl.diagnostics import Report
from agentctl.spec.asked import has_loop, is_asked
from agentctl.spec.settings import Guardrail
from agentctl.spec.team import Agent, Team


def guardrails(team: Team, report: Report) -> None:
    for agent in team.agents():
        for rail in agent.guardrails:
            for message, hint in _errors(rail):
                pointer = f"{rail.pointer}/action"
                span = team.place(rail.span, pointer)
                report.error("guardrail-action", message, span, hint=hint, pointer=pointer)
            if any(found.pointer == f"{rail.pointer}/action" for found in report.found):
                continue  # what it does is not known then
            for key, message, hint in _unread(rail, agent):
                pointer = f"{rail.pointer}/{key}"
                span = team.place(rail.span, pointer, key=True)
                report.warning("unread-key", message, span, hint=hint, pointer=pointer)


def _errors(rail: Guardrail) -> Iterator[tuple[str, str]]:
    if rail.on == "input" and rail.action == "retry":
        yield (
            "`action: retry` has nobody to ask again for the input",
            "use `fail`, `fix` or `ask` for `on: input`",
        )
    if rail.action == "fix" and rail.regex is not None and rail.replacement is None:
        yield (
            "`action: fix` with a `regex` needs a `replacement`",
            'add `replacement`, such as `replacement: "[removed]"`',
        )


def _unread(rail: Guardrail, agent: Agent) -> Iterator[tuple[str, str, str]]:
    """The key, what is said of it and how it is mended."""
    bare = Guardrail(on=rail.on, span=rail.span)
    if rail.attempts != bare.attempts and rail.action != "retry":
        message = "`attempts` of the guardrail has no reader without `action: retry`"
        yield "attempts", message, "add `action: retry`, or take `attempts` out"
    if rail.replacement is not None and (rail.action != "fix" or rail.regex is None):
        message = "`replacement` of the guardrail is read only with `action: fix` and a `regex`"
        of_function = "take it out, and return `{replacement: …}` from the function"
        yield (
            "replacement",
            message,
            "add `action: fix`, or take `replacement` out" if rail.regex else of_function,
        )
    if rail.tools and rail.on != "tool":
        yield "tools", "`tools` of the guardrail has no reader without `on: tool`", "take `tools` out"
    if rail.on == "tool" and is_asked(agent) and not has_loop(agent):
        strategy = agent.strategy.type if agent.strategy else ""
        yield "on", f"the guardrail has nothing to judge: strategy {strategy} calls no tools", "take it out"
