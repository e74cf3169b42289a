"""Variables put into the strings of a document; what has no value is reported at the very `${…}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from agentctl.diagnostics import Report, Span
from agentctl.document.nodes import Array, Node, Object, Scalar
from agentctl.document.source import Source
from agentctl.document.variables import Filled, VariableFault, expand

_MOST_TOLD: Final = 1_000


def _none(_pointer: str) -> bool:
    return False


def substitute(
    node: Node,
    environ: Mapping[str, str],
    *,
    report: Report,
    path: str,
    keep: Callable[[str], bool] = _none,
    leave: Callable[[str], bool] = _none,
) -> Node:
    """`node` with `${…}` replaced in its string values. A string stays one string, whatever a variable holds.

    `path` is the file's key in `report.sources`. Strings whose pointer `keep` names are checked alike
    and stay as they are written, for `expand` to read later; those that `leave` names are not looked at. A
    string with a fault stays as it is, too; after 1,000 faults no more are looked for.
    """
    source = Source(path, report.sources.get(path, ""))
    return _Substitution(environ, report, source, keep, leave).of(node)


class _Substitution:
    def __init__(
        self,
        environ: Mapping[str, str],
        report: Report,
        source: Source,
        keep: Callable[[str], bool],
        leave: Callable[[str], bool],
    ) -> None:
        self._environ = environ
        self._report = report
        self._source = source
        self._keep = keep
        self._leave = leave
        self._told: set[tuple[Span, str]] = set()

    def of(self, node: Node) -> Node:
        match node:
            case Scalar(value=str(text)):
                is_read = "${" in text and not self._is_enough() and not self._leave(node.pointer)
                return self._scalar(node, text) if is_read else node
            case Scalar():
                return node
            case Array():
                return replace(node, items=tuple(self.of(item) for item in node.items))
            case Object():
                entries = tuple(replace(entry, value=self.of(entry.value)) for entry in node.entries)
                return replace(node, entries=entries)

    def _is_enough(self) -> bool:
        """A document with so many faults is not used, and finding more near names takes its time."""
        return len(self._told) >= _MOST_TOLD

    def _scalar(self, node: Scalar, text: str) -> Scalar:
        value, faults = expand(text, self._environ)
        for fault in faults:
            self._tell(fault, node, text)
        return node if self._keep(node.pointer) else replace(node, value=Filled(value, text))

    def _tell(self, fault: VariableFault, node: Scalar, text: str) -> None:
        """An alias repeats a string with its place: one cause is told once."""
        span = self._place(node.span, text, fault)
        if (span, fault.message) not in self._told:
            self._told.add((span, fault.message))
            self._report.error(fault.code, fault.message, span, hint=fault.hint, pointer=node.pointer)

    def _place(self, span: Span, text: str, fault: VariableFault) -> Span:
        """Where the expression is written, if its scalar is written as it reads; else the whole scalar."""
        start = self._source.offset(span.line, span.column)
        end = self._source.offset(span.end_line, span.end_column)
        written = self._source.text[start:end]
        wanted = text[fault.start : fault.end]
        at = -1
        for _ in range(text.count(wanted, 0, fault.start) + 1):
            at = written.find(wanted, at + 1)
        return span if at < 0 else self._source.span(start + at, start + at + len(wanted))
