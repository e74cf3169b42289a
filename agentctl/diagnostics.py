"""What is wrong in a team file, as data: where, which code, what, and how to mend it.

Every stage appends to one `Report`; renderers turn it into text, JSON and the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """A stretch of one file. Lines and columns (in characters) count from 1; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __contains__(self, other: Span) -> bool:
        """Whether `other` begins and ends in this stretch."""
        begins = (self.line, self.column) <= (other.line, other.column)
        ends = (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        return self.path == other.path and begins and ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A second place that explains a diagnostic, such as the first of two duplicates."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One problem. `pointer` is the JSON Pointer of the value inside its own file."""

    severity: Severity
    code: str
    message: str
    span: Span
    hint: str | None = None
    pointer: str = ""
    related: tuple[Related, ...] = ()


@dataclass(slots=True)
class Report:
    """All diagnostics of one validation, and the text of every file they point into."""

    found: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        hint: str | None = None,
        pointer: str = "",
        related: tuple[Related, ...] = (),
    ) -> None:
        self._add(Severity.ERROR, code, message, span, hint, pointer, related)

    def warning(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        hint: str | None = None,
        pointer: str = "",
        related: tuple[Related, ...] = (),
    ) -> None:
        self._add(Severity.WARNING, code, message, span, hint, pointer, related)

    def _add(
        self,
        severity: Severity,
        code: str,
        message: str,
        span: Span,
        hint: str | None,
        pointer: str,
        related: tuple[Related, ...],
    ) -> None:
        self.found.append(
            Diagnostic(
                severity=severity,
                code=code,
                message=message,
                span=span,
                hint=hint,
                pointer=pointer,
                related=related,
            )
        )

    def sorted(self) -> list[Diagnostic]:
        """By place, errors before warnings at the same place, exact repetitions once."""
        unique = dict.fromkeys(self.found)
        return sorted(unique, key=lambda d: (d.span, d.severity, d.code, d.message))

    @property
    def errors(self) -> int:
        return sum(d.severity is Severity.ERROR for d in self.sorted())

    @property
    def warnings(self) -> int:
        return sum(d.severity is Severity.WARNING for d in self.sorted())

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.sorted())


def nearest(word: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """The known word that `word` is most likely meant to be, or None when none is near: from 0, when nothing
    of two words is the same, to 1, when all of it is.
    """
    by_fold: dict[str, str] = {}
    for name in known:
        by_fold.setdefault(_fold(name), name)
    close = get_close_matches(_fold(word), by_fold, n=1, cutoff=cutoff)
    return by_fold[close[0]] if close else None


def nearest_file(name: str, known: Iterable[str]) -> str | None:
    """As `nearest`, for names of files: an ending that both have makes no two of them alike."""
    stem, ending = _split(name)
    names = list(known)
    same = {_split(each)[0]: each for each in names if _split(each)[1] == ending}
    near = nearest(stem, same)
    if near is not None:
        return same[near]
    return next((each for each in names if _fold(_split(each)[0]) == _fold(stem)), None)


def _split(name: str) -> tuple[str, str]:
    stem, dot, ending = name.rpartition(".")
    return (stem, ending.casefold()) if dot and stem else (name, "")


def _fold(word: str) -> str:
    return word.casefold().replace("-", "_")
