"""A syntax error as the parser gives it, the line it stands on, and the fault that is made of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from agentctl.diagnostics import Related, Report
from agentctl.document.events import Edit, Stretch, Unreadable
from agentctl.document.source import Source

# `key:` with any list marks before it, all in one line.
_KEY: Final = re.compile(
    r"""[ \t]*(?:-[ \t]+)*(?:"[^"]*"|'[^']*'|[^\s:#"'\[\]{}&*!|>%@`,-][^:#]*?)[ \t]*:(?=\s|$)"""
)
_LONGEST_KEY: Final = 1024  # YAML's own bound
_ITEM: Final = re.compile(r"[ \t]*(?:-[ \t]+)+")
_COMMENT: Final = re.compile(r"[ \t]#")
_WORD: Final = re.compile(r"[^\s,\[\]{}]+|[,\[\]{}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Where the parser gave up (`at`), what it was reading (`context`, from `since` on), and why (`problem`).

    `last` is the scalar that it read last. Offsets count characters from 0 and lie inside the text.
    """

    source: Source
    at: int
    since: int
    problem: str
    context: str
    last: Stretch

    @property
    def row(self) -> int:
        return self.source.row(self.at)

    def character(self) -> str:
        return self.source.text[self.at : self.at + 1]

    def value(self) -> Stretch | None:
        """The value on the line of the trouble, where the trouble lies in it or began with it."""
        for place in (self.at, self.since):
            start, end = value_of_line(self.source, self.source.row(place))
            if start <= place <= end and start < end and (place == self.at or start == place):
                return start, end
        return None

    def is_at_line_start(self) -> bool:
        start, _ = self.source.line_bounds(self.row)
        return not self.source.text[start : self.at].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is told of a syntax error.

    The file can be read on with `mend`, a stretch read as plain text, `drop`, whole lines left out,
    or `edits`.
    """

    code: str
    message: str
    hint: str
    start: int
    end: int
    mend: Stretch | None = None
    drop: Stretch | None = None
    edits: tuple[Edit, ...] = ()
    related: tuple[tuple[int, int, str], ...] = ()

    def tell(self, source: Source, report: Report) -> None:
        related = tuple(
            Related(span=source.span(start, end), message=message) for start, end, message in self.related
        )
        span = source.span(self.start, self.end)
        report.error(self.code, self.message, span, hint=self.hint, related=related)


def trouble_of(error: Unreadable, source: Source, last: Stretch) -> Trouble:
    """A place behind the last visible character is moved to its end: there is nothing to point at there."""
    visible = len(source.text.rstrip())
    return Trouble(
        source=source,
        at=min(error.at, visible),
        since=min(error.since, visible),
        problem=error.problem,
        context=error.context,
        last=last,
    )


def value_of_line(source: Source, row: int) -> Stretch:
    """The text after `key:` and list marks, without a comment; the whole line where there are neither."""
    start, end = source.line_bounds(row)
    line = source.text[start:end]
    head = _KEY.match(line[:_LONGEST_KEY]) or _ITEM.match(line[:_LONGEST_KEY])
    begin = head.end() if head else 0
    begin += len(line[begin:]) - len(line[begin:].lstrip())
    comment = _COMMENT.search(line, begin)
    stop = len((line[: comment.start()] if comment else line).rstrip())
    return start + begin, start + max(begin, stop)


def indent_of(line: str) -> str:
    """The spaces and tabs that a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def is_key_line(source: Source, row: int) -> bool:
    return _KEY.match(source.line(row)[:_LONGEST_KEY]) is not None


def word_at(source: Source, at: int) -> Stretch:
    """The word that begins at `at`, or an empty stretch where there is none."""
    found = _WORD.match(source.text, at)
    return at, found.end() if found else at


def runs_over_keys(source: Source, start: int, end: int) -> bool:
    """Whether a quoted text holds lines that are keys, no further right than the key that it belongs to.

    Nobody writes text so: its quote was not closed, and that of a later text closed it.
    """
    if "\n" not in source.text[start:end]:
        return False
    first = source.row(start)
    indent = len(indent_of(source.line(first)))
    rows = range(first + 1, source.row(end) + 1)
    return any(is_key_line(source, row) and len(indent_of(source.line(row))) <= indent for row in rows)
