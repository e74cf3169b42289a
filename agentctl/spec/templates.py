"""Templates that nothing fills in: such as stand where none is read, and such as only look like one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from agentctl.document.nodes import Array, Node, Object, Scalar
from agentctl.document.source import Source
from agentctl.spec.inputs import TEMPLATE, place_of
from agentctl.spec.reading import TeamFile
from agentctl.spec.team import Input
from agentctl.spec.values import text

_FILLED: Final = re.compile(r"(?:/agents/\d+)*/(?:instructions|description|strategy/planner/instructions)")
_MODEL: Final = re.compile(r"/(?:model|models/[^/]+)(?:/id)?$")
_LIKE: Final = re.compile(r"\{\{[^{}\n]*\}\}|\{\{\s*inputs\.[\w-]+\s*\}?|\{\s*inputs\.[\w-]+\s*\}")
_INSIDE: Final = re.compile(
    r"[{\s-]*\$?(?P<root>[A-Za-z_][\w-]*)(?:\.(?P<name>[\w-]+)|\[['\"](?P<item>[\w-]+)['\"]\])?(?P<more>[^{}]*)"
)
_ROOTS: Final = (
    "param",
    "params",
    "parameters",
    "variable",
    "variables",
    "vars",
    "var",
    "args",
    "arguments",
    "context",
)
_REQUEST: Final = (
    "question",
    "request",
    "query",
    "message",
    "user_input",
    "user_message",
    "user_query",
    "input",
    "prompt",
)
_STATE: Final = ("state", "memory", "workflow", "session")
_EARLIER: Final = (
    "agents",
    "steps",
    "tasks",
    "nodes",
    "outputs",
    "results",
    "previous",
    "messages",
    "history",
)
_ENVIRON: Final = ("env", "environ", "environment", "secrets")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Like:
    """What looks like a template: its text, the `nth` of that text in its string, and what to write."""

    written: str
    start: int
    nth: int
    hint: str


def check_templates(root: Object, file: TeamFile) -> None:
    """Templates in the strings of a file."""
    for scalar in _scalars(root):
        written = text(scalar) or ""
        if "{" not in written or scalar.pointer.startswith("/x-"):
            continue
        if _FILLED.fullmatch(scalar.pointer):
            _check_filled(written, scalar, file)
        else:
            _check_unfilled(written, scalar, file)


def check_file_templates(written: str, shown: str, file: TeamFile) -> None:
    """Templates in instructions that are a file of their own."""
    source = Source(shown, written)
    for like in _likes(written, file.reading.inputs):
        file.report.sources.setdefault(shown, written)
        span = source.span(like.start, like.start + len(like.written))
        file.report.warning("unfilled-template", _is_text(like), span, hint=like.hint)


def _check_filled(written: str, scalar: Scalar, file: TeamFile) -> None:
    for like in _likes(written, file.reading.inputs):
        span = place_of(like.written, like.nth, scalar.span, file.report)
        file.report.warning("unfilled-template", _is_text(like), span, hint=like.hint, pointer=scalar.pointer)


def _check_unfilled(written: str, scalar: Scalar, file: TeamFile) -> None:
    """Where the value is wrong with or without its templates, that is told already; of a model, later."""
    if _MODEL.search(scalar.pointer):
        return
    if any(found.pointer == scalar.pointer and found.span == scalar.span for found in file.report.found):
        return
    for template, nth in _numbered([found[0] for found in TEMPLATE.finditer(written)]):
        span = place_of(template, nth, scalar.span, file.report)
        hint = "inputs are filled in `instructions` and `description` of agents only"
        message = f"{template} stays as it is here"
        file.report.warning("unfilled-template", message, span, hint=hint, pointer=scalar.pointer)


def _is_text(like: _Like) -> str:
    return f'"{like.written}" is plain text: nothing is filled in here'


def _likes(written: str, inputs: Mapping[str, Input]) -> Iterator[_Like]:
    found = [(match.start(), match[0]) for match in _LIKE.finditer(written)]
    numbered = _numbered([template for _, template in found])
    for (start, template), (_, nth) in zip(found, numbered, strict=True):
        hint = None if TEMPLATE.fullmatch(template) else _meant(template, inputs)
        if hint is not None:
            yield _Like(written=template.rstrip(), start=start, nth=nth, hint=hint)


def _numbered(templates: list[str]) -> list[tuple[str, int]]:
    """Each with how often it came before."""
    before: Counter[str] = Counter()
    found = []
    for template in templates:
        found.append((template, before[template]))
        before[template] += 1
    return found


def _meant(template: str, inputs: Mapping[str, Input]) -> str | None:
    """What was most likely meant; None for text that only has braces."""
    inside = _INSIDE.match(template)
    if inside is None:
        return None
    root, name = inside["root"], inside["name"] or inside["item"]
    if root in _ENVIRON and name:
        return f"a variable of the environment is written as ${{{name}}}"
    if root == "inputs":
        return f"write {{{{ inputs.{name or next(iter(inputs), 'NAME')} }}}}, and nothing else in the braces"
    if name is None:
        return _of_input(root, inputs) or _of_other_tools(root)
    if root in (*_STATE, *_EARLIER, *_REQUEST):
        return _of_input(name, inputs) or _of_other_tools(root)
    if _near(root, ["inputs"]):
        return _of_input(name, inputs) or f"did you mean {{{{ inputs.{name} }}}}?"
    return _of_input(name, inputs) if root in _ROOTS else None


def _of_other_tools(root: str) -> str | None:
    """What stands here for the words that other tools fill in; any other word in braces is text."""
    if root in _REQUEST:
        return "take it out: an agent is shown the request without it"
    if root in _STATE:
        return "declare it under `inputs` and write {{ inputs.NAME }}: an agent is shown no state"
    if root in _EARLIER:
        return "take it out: the strategy shows an agent what others answered before it"
    return None


def _of_input(name: str, inputs: Mapping[str, Input]) -> str | None:
    near = name if name in inputs else _near(name, inputs)
    if near is None:
        return None
    return f"write {{{{ inputs.{near} }}}}" if near == name else f"did you mean {{{{ inputs.{near} }}}}?"


def _near(word: str, known: Iterable[str]) -> str | None:
    """As `nearest`, but surer: any other word in braces is text, and meant so."""
    return next(iter(get_close_matches(word, list(known), n=1, cutoff=0.75)), None)


def _scalars(node: Node) -> Iterator[Scalar]:
    waiting: list[Node] = [node]
    while waiting:
        match waiting.pop():
            case Scalar() as scalar:
                yield scalar
            case Array(items=below):
                waiting += reversed(below)
            case Object(entries=entries):
                waiting += reversed([entry.value for entry in entries])
