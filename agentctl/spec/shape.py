"""Nodes against the schema: every key and value of one agent that does not belong, at its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from agentctl.diagnostics import Report, Span
from agentctl.document.nodes import Array, Node, Object, Scalar, locate, plain
from agentctl.jsonschemas import Checker, Path, Problem
from agentctl.jsontypes import Json
from agentctl.spec import advice
from agentctl.spec.vocabulary import meant

SUPPORTED_VERSIONS: Final = ("1",)


def check_shape(node: Object, checker: Checker, report: Report) -> None:
    """Reports what the schema finds wrong in one agent; its sub-agents are not looked into.

    Where a diagnostic stands already, such as a variable without a value, none is added.
    """
    problems = checker.problems(_shallow(node))
    told = {(found.span.path, found.pointer) for found in report.found} if problems else set()
    for problem in _without_misspelt(problems):
        place = locate(node, problem.path)
        if problem.key or (place.span.path, place.pointer) not in told:
            _report(problem, node, report)


def _shallow(node: Object) -> Json:
    return {
        entry.key: _names_only(entry.value) if entry.key == "agents" else plain(entry.value)
        for entry in node.entries
    }


def _names_only(node: Node) -> Json:
    if isinstance(node, Array):
        return [{} if isinstance(item, Object) else plain(item) for item in node.items]
    return plain(node)


def _without_misspelt(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Leaves out a missing key that stands there under an unknown name: one cause, one diagnostic."""
    unknown = [problem for problem in problems if problem.kind == "unknown-key"]
    for problem in problems:
        misspelt = problem.kind == "missing-key" and any(
            other.path == problem.path
            and meant(other.key, other.known, advice.synonyms(other.path)) == problem.key
            for other in unknown
        )
        if not misspelt:
            yield problem


def _report(problem: Problem, root: Object, report: Report) -> None:
    node = locate(root, problem.path)
    match problem.kind:
        case "unknown-key" | "wrong-key":
            _report_key(problem, node, root, report)
        case "missing-key":
            message = f"{_thing(problem.path, root)} {problem.message}"
            hint = advice.for_missing_key(problem)
            report.error("missing-key", message, _first_key(node), hint=hint, pointer=node.pointer)
        case "wrong-type" | "unknown-value" | "wrong-value":
            _report_value(problem, node, root, report)


def _report_key(problem: Problem, node: Node, root: Object, report: Report) -> None:
    entry = node.entry(problem.key) if isinstance(node, Object) else None
    span = entry.key_span if entry else node.span
    pointer = entry.value.pointer if entry else node.pointer
    if problem.kind == "wrong-key":
        report.error("wrong-value", f"{_thing(problem.path, root)} {problem.message}", span, pointer=pointer)
        return
    owners = advice.strategies_with(problem, plain(root))
    if owners:
        report.error("wrong-option", owners, span, hint=advice.for_option(problem), pointer=pointer)
        return
    message = f'unknown key "{problem.key}" in {_thing(problem.path, root)}'
    hint = advice.for_unknown_key(problem)
    report.error("unknown-key", message, span, hint=hint, pointer=pointer)


def _report_value(problem: Problem, node: Node, root: Object, report: Report) -> None:
    value = node.value if isinstance(node, Scalar) else None
    name = _value_name(problem.path, root)
    code, hint = problem.kind, advice.for_value(problem, plain(node))
    if problem.path == ("version",):
        code_, message = "unsupported-version", f"version {value} of the team format is not supported"
        hint = f"supported: {', '.join(SUPPORTED_VERSIONS)}"
        report.error(code_, message, node.span, hint=hint, pointer=node.pointer)
        return
    if isinstance(node, Scalar) and node.value is None and code == "wrong-type":
        message = f"{name} has no value; it {problem.message.removesuffix(', not null')}"
    elif code == "unknown-value" and isinstance(value, str) and not advice.may_be_secret(problem.path):
        message = f'"{value}" is no value of {name}, which {problem.message}'
    else:
        message = f"{name} {problem.message}"
    report.error(code, message, node.span, hint=hint, pointer=node.pointer)


def _first_key(node: Node) -> Span:
    return node.entries[0].key_span if isinstance(node, Object) and node.entries else node.span


def _thing(path: Path, root: Object) -> str:
    """What a mapping is, in words: the agent by its name, else the key that it is the value of."""
    if not path:
        name = root.get("name")
        known = isinstance(name, Scalar) and isinstance(name.value, str)
        return f'agent "{name.value}"' if known and isinstance(name, Scalar) else "the agent"
    return _value_name(path, root)


def _value_name(path: Path, root: Object) -> str:
    if not path:
        return _thing(path, root)
    last = path[-1]
    if isinstance(last, int):
        return f"item {last + 1} of {_value_name(path[:-1], root)}"
    return f'"{last}"'
