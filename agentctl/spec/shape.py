"""Nodes against the schema: every key and value of one agent that does not belong, at its place.

A misspelt key is reported and then read as the key that it is meant for, so that it hides nothing and
nothing else is said because of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from agentctl.diagnostics import Report, Span
from agentctl.document.nodes import Array, Entry, Node, Object, Scalar, locate, plain
from agentctl.jsonschemas import Checker, Path, Problem
from agentctl.jsontypes import Json
from agentctl.spec import advice, value_advice
from agentctl.spec.hidden import is_hidden
from agentctl.spec.slips import read_as_meant

SUPPORTED_VERSIONS: Final = ("1",)
_MOST_ROUNDS: Final = 5
_FILLED_IN: Final = ("yaml-template", "yaml-variable")


def check_shape(node: Object, checker: Checker, report: Report, *, what: advice.Root = "agent") -> Object:
    """Reports what the schema finds wrong in one agent; its sub-agents are not looked into.

    Gives the agent to read on with, its misspelt keys mended. `what` is what the mapping is, if no agent.
    """
    node = read_as_meant(node, report) if what == "agent" else node
    return _Shape(node, report, what).check(checker)


@dataclass(slots=True)
class _Shape:
    root: Object
    report: Report
    what: advice.Root
    mended: set[Path] = field(default_factory=set)
    of_reader: dict[tuple[str, int, int], int] | None = None
    """Which of the report's errors are the reader's, by where they begin."""

    def check(self, checker: Checker) -> Object:
        problems = checker.problems(_shallow(self.root))
        for _ in range(_MOST_ROUNDS):
            mends = dict(_mends(problems, self.root, self.what))
            meant = self._mend_strategy(problems)
            if not mends and not meant:
                break
            for problem, word in mends.items():
                self._tell(problem)
                self.mended.add((*problem.path, word))
                self.root = _renamed(self.root, problem.path, problem.key, word)
            problems = checker.problems(_shallow(self.root))
        for problem in problems:
            if problem.path in self.mended:
                if self._is_surely_wrong(problem):
                    self._tell(problem)
                self.root = _without(self.root, problem.path)
            elif not self._is_told(problem):
                self._tell(problem)
        return self.root

    def _mend_strategy(self, problems: Sequence[Problem]) -> bool:
        """Reads a misspelt strategy as the one that is meant, so that its options are looked at too."""
        for problem in problems:
            if problem.path != ("strategy", "type"):
                continue
            word = value_advice.strategy_meant(problem, plain(locate(self.root, problem.path)))
            if word is not None:
                self._tell(problem)
                self.root = _with_text(self.root, problem.path, word)
                return True
        return False

    def _is_surely_wrong(self, problem: Problem) -> bool:
        """Whether the value of a misspelt key is wrong by itself; one of another type means another key."""
        place = locate(self.root, problem.path)
        return problem.kind != "wrong-type" and isinstance(place, Scalar) and not self._is_told(problem)

    def _is_told(self, problem: Problem) -> bool:
        """Whether the value is wrong because of what was told before: its syntax, or an unset variable."""
        place = locate(self.root, problem.path)
        if problem.kind == "missing-key":
            return is_hidden(place.span, self.report, whole=not place.pointer)
        if problem.kind in ("unknown-key", "wrong-key"):
            return self._is_key_told(problem, place)
        if not isinstance(place, Scalar):
            return False
        for at, found in enumerate(self.report.found):
            if found.code.startswith("yaml-") and found.span in place.span:
                if found.code in _FILLED_IN and not value_advice.takes_text(problem):
                    self.report.found[at] = replace(found, hint=value_advice.WRITE_ITSELF)
                return True
        if place.value is not None:
            return False
        told = ((found.pointer, found.span.path) for found in self.report.found)
        return (place.pointer, place.span.path) in told or is_hidden(
            self._until_next(problem.path), self.report
        )

    def _is_key_told(self, problem: Problem, node: Node) -> bool:
        """Whether what is wrong with a key was told by the reader; where it belongs is said there then."""
        span, _ = _key_place(problem.key, node)
        if self.of_reader is None:
            self.of_reader = {
                (found.span.path, found.span.line, found.span.column): at
                for at, found in enumerate(self.report.found)
                if found.code.startswith("yaml-")
            }
        at = self.of_reader.get((span.path, span.line, span.column))
        if at is None:
            return False
        found = self.report.found[at]
        is_unknown = problem.kind == "unknown-key"
        hint = advice.for_unknown_key(problem, self.what) if is_unknown else advice.for_wrong_key(problem)
        if found.code == "yaml-key" or hint.startswith("write it under"):
            self.report.found[at] = replace(found, hint=hint)
        return True

    def _until_next(self, path: Path) -> Span:
        """From a value to the key after it: what is written there and cannot be read belongs to the value."""
        span = locate(self.root, path).span
        above = locate(self.root, path[:-1])
        later = (entry.key_span for entry in above.entries) if isinstance(above, Object) else ()
        after = [other for other in later if (other.line, other.column) > (span.line, span.column)]
        if not after:
            return replace(span, end_line=sys.maxsize)
        first = min(after, key=lambda other: (other.line, other.column))
        return replace(span, end_line=first.line, end_column=first.column)

    def _tell(self, problem: Problem) -> None:
        node = locate(self.root, problem.path)
        match problem.kind:
            case "unknown-key":
                self._tell_key(problem, node)
            case "wrong-key":
                code, message = (
                    "wrong-value",
                    f"{_thing(problem.path, self.root, self.what)} {problem.message}",
                )
                span, pointer = _key_place(problem.key, node)
                hint = advice.for_wrong_key(problem)
                self.report.error(code, message, span, hint=hint, pointer=pointer)
            case "missing-key":
                message = f"{_thing(problem.path, self.root, self.what)} {problem.message}"
                hint = advice.for_missing_key(problem, self.what)
                self.report.error("missing-key", message, _first_key(node), hint=hint, pointer=node.pointer)
            case "wrong-type" | "unknown-value" | "wrong-value":
                self._tell_value(problem, node)

    def _tell_key(self, problem: Problem, node: Node) -> None:
        span, pointer = _key_place(problem.key, node)
        of_others = advice.strategies_with(problem, plain(self.root) if problem.path else None)
        if of_others:
            hint = advice.for_option(problem)
            self.report.error("wrong-option", of_others, span, hint=hint, pointer=pointer)
            return
        message = f'unknown key "{problem.key}" in {_thing(problem.path, self.root, self.what)}'
        hint = advice.for_unknown_key(problem, self.what)
        meant = advice.key_meant(problem, self.what)
        if meant is not None and isinstance(node, Object) and node.entry(meant) is not None:
            hint = f'did you mean "{meant}"? It is given too: join the two, or take this out'
        self.report.error("unknown-key", message, span, hint=hint, pointer=pointer)

    def _tell_value(self, problem: Problem, node: Node) -> None:
        value = node.value if isinstance(node, Scalar) else None
        name = _value_name(problem.path, self.root, self.what)
        code: str = problem.kind
        message, hint = f"{name} {problem.message}", value_advice.for_value(problem, plain(node))
        if problem.path == ("version",):
            code, message = "unsupported-version", f"version {value} of the team format is not supported"
            hint = f"supported: {', '.join(SUPPORTED_VERSIONS)}"
        elif isinstance(node, Scalar) and value is None and code == "wrong-type":
            message = f"{name} has no value; it {problem.message.removesuffix(', not null')}"
        elif code == "unknown-value" and value_advice.names_a_strategy(problem):
            code, message = "unknown-strategy", f'unknown strategy "{value}"'
        elif (
            code == "unknown-value"
            and isinstance(value, str)
            and not value_advice.may_be_secret(problem.path)
        ):
            message = f'"{value}" is no value of {name}, which {problem.message}'
        self.report.error(code, message, node.span, hint=hint, pointer=node.pointer)


def _shallow(node: Object) -> Json:
    return {
        entry.key: _items_only(entry.value) if entry.key == "agents" else plain(entry.value)
        for entry in node.entries
    }


def _items_only(node: Node) -> Json:
    if isinstance(node, Array):
        return [{} if isinstance(item, Object) else plain(item) for item in node.items]
    return plain(node)


def _mends(problems: Sequence[Problem], root: Object, what: advice.Root) -> Iterator[tuple[Problem, str]]:
    """Unknown keys, each with the key that it is meant for and that is not there itself."""
    taken: set[Path] = set()
    for problem in problems:
        word = advice.key_meant(problem, what) if problem.kind == "unknown-key" else None
        node = locate(root, problem.path)
        if word is None or not isinstance(node, Object) or node.entry(word) is not None:
            continue
        if (*problem.path, word) not in taken:
            taken.add((*problem.path, word))
            yield problem, word


def _with_text(node: Object, path: Path, word: str) -> Object:
    """The mapping with another text at `path`."""

    def changed(entry: Entry) -> Entry:
        if entry.key != path[0]:
            return entry
        if len(path) > 1 and isinstance(entry.value, Object):
            return replace(entry, value=_with_text(entry.value, path[1:], word))
        place = Scalar(value=word, span=entry.value.span, pointer=entry.value.pointer)
        return replace(entry, value=place)

    return replace(node, entries=tuple(changed(entry) for entry in node.entries))


def _without(node: Object, path: Path) -> Object:
    """The agent without a key of its own whose value does not fit; readers leave deeper ones out."""
    entries = (entry for entry in node.entries if len(path) > 1 or entry.key != path[0])
    return replace(node, entries=tuple(entries))


def _renamed(node: Object, path: Path, key: str, word: str) -> Object:
    """The mapping with `key` at `path` renamed."""
    if not path:
        entries = (replace(entry, key=word) if entry.key == key else entry for entry in node.entries)
        return replace(node, entries=tuple(entries))
    return replace(node, entries=tuple(_renamed_below(entry, path, key, word) for entry in node.entries))


def _renamed_below(entry: Entry, path: Path, key: str, word: str) -> Entry:
    if entry.key != path[0]:
        return entry
    if isinstance(entry.value, Object):
        return replace(entry, value=_renamed(entry.value, path[1:], key, word))
    if not isinstance(entry.value, Array) or len(path) < 2:
        return entry
    items = tuple(
        _renamed(item, path[2:], key, word) if index == path[1] and isinstance(item, Object) else item
        for index, item in enumerate(entry.value.items)
    )
    return replace(entry, value=replace(entry.value, items=items))


def _key_place(key: str, node: Node) -> tuple[Span, str]:
    entry = node.entry(key) if isinstance(node, Object) else None
    return (entry.key_span, entry.value.pointer) if entry else (node.span, node.pointer)


def _first_key(node: Node) -> Span:
    """Of an alias itself: what it stands for is written elsewhere."""
    first = node.entries[0].key_span if isinstance(node, Object) and node.entries else node.span
    return first if first in node.span else node.span


def _thing(path: Path, root: Object, what: advice.Root) -> str:
    """What a mapping is, in words: the agent by its name or file, else the key that it is the value of."""
    if path:
        return _value_name(path, root, what)
    if what != "agent":
        return f"the {what}"
    for key, words in (("name", 'agent "{}"'), ("file", 'the agent of "{}"')):
        node = root.get(key)
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return words.format(node.value)
    return "the agent"


def _value_name(path: Path, root: Object, what: advice.Root) -> str:
    if not path:
        return _thing(path, root, what)
    last = path[-1]
    if isinstance(last, int):
        return f"item {last + 1} of {_value_name(path[:-1], root, what)}"
    return f'"{last}"'
