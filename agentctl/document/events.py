"""Text into YAML events, by libyaml where it is there, and what YAML 1.2 reads otherwise than it does.

U+0085, U+2028 and U+2029 are line breaks to the parser and plain characters in YAML 1.2: they pass through it
as private characters. A mended stretch passes as one plain word and comes back as the text it stands for;
with edits, places are still those of the text that was written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import yaml
from yaml.events import Event, ScalarEvent

Stretch: TypeAlias = tuple[int, int]
Edit: TypeAlias = tuple[int, int, str]
"""What stands from the first offset to the second is read as the text."""
Loader: TypeAlias = "type[yaml.CSafeLoader | yaml.SafeLoader]"

DEEPEST: Final = 100
FASTEST: Final[Loader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NO_BREAKS: Final = "\x85\u2028\u2029"
_PRIVATE: Final = range(0xE000, 0xF900)
_VISIBLE: Final = re.compile(r"[^\n]")
_QUOTES: Final = {"'": '"', '"': "'"}
_ESCAPE: Final = re.compile(r"\\(?:u[dD][89a-fA-F]|U)")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _extent(event: Event) -> Stretch:
    start, end = event.start_mark, event.end_mark
    return (start.index if start else 0, end.index if end else 0)


class Unreadable(Exception):
    """The text is no YAML: the parser's words, and where it gave up (`at`) on what began at `since`."""

    def __init__(self, problem: str, context: str, at: int, since: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.context = context
        self.at = at
        self.since = since


class Reading:
    """One way of reading a text: `mends` are stretches, in order, that are text whatever they hold.

    `drops` are stretches of whole lines that are left out. `edits`, in order too, do not overlap one another.
    """

    def __init__(
        self,
        text: str,
        mends: Sequence[Stretch] = (),
        drops: Sequence[Stretch] = (),
        edits: Sequence[Edit] = (),
        *,
        loader: Loader = FASTEST,
    ) -> None:
        self._mended = {start: _meant(text[start:end]) for start, end in mends}
        self._loader = loader
        masked, self._shifts = _edited(_masked(_emptied(text, drops), mends), edits)
        unused = (code for code in _PRIVATE if chr(code) not in masked)
        there = (character for character in _NO_BREAKS if character in masked)
        self._back = dict(zip(unused, there, strict=False))
        self._text = masked
        for code, character in self._back.items():
            self._text = self._text.replace(character, chr(code))

    def extent(self, event: Event) -> Stretch:
        """Where the text of an event stands, in characters from 0 of what was written."""
        start, end = _extent(event)
        return (self._written(start), self._written(end)) if self._shifts else (start, end)

    def _written(self, at: int) -> int:
        """The place in what was written of a place in what is read."""
        found = bisect_right(self._shifts, at, key=lambda shift: shift[0]) - 1
        if found < 0:
            return at
        begin, written, length = self._shifts[found]
        return written + min(at - begin, length)

    def events(self) -> Iterator[Event]:
        """Raises `Unreadable` at the first syntax error."""
        loader = self._loader(self._text)
        at = 0
        try:
            while isinstance(event := loader.get_event(), Event):
                at, end = _extent(event)
                # libyaml refuses such escapes itself, the parser written in Python lets them through.
                if isinstance(event, ScalarEvent) and _has_surrogates(event.value):
                    raise self._bad_escape(at)
                at = end
                yield event
        except yaml.MarkedYAMLError as error:
            raise self._unreadable(error) from None
        except (ValueError, OverflowError):  # from the parser written in Python, at an escape beyond Unicode
            raise self._bad_escape(at) from None
        finally:
            loader.dispose()

    def _bad_escape(self, since: int) -> Unreadable:
        found = _ESCAPE.search(self._text, since)
        at = found.end() if found else since
        return Unreadable(
            "found invalid Unicode character escape code",
            "in a quoted scalar",
            self._written(at),
            self._written(since),
        )

    def _unreadable(self, error: yaml.MarkedYAMLError) -> Unreadable:
        mark = error.problem_mark or error.context_mark
        since = error.context_mark or mark
        return Unreadable(
            str(error.problem or ""),
            str(error.context or ""),
            self._written(mark.index if mark else 0),
            self._written(since.index if since else 0),
        )

    def value(self, event: ScalarEvent) -> str:
        """The text of a scalar as it was written, or as its quotes and escapes say."""
        if self._mended:
            mended = self._mended.get(self.extent(event)[0])
            if mended is not None:
                return mended
        return str(event.value).translate(self._back) if self._back else event.value

    def is_plain(self, event: ScalarEvent) -> bool:
        """Whether the scalar is unquoted, so that `1` is a number. Mended text is text."""
        if not event.implicit[0] or event.tag is not None:
            return False
        return not self._mended or self.extent(event)[0] not in self._mended


def _meant(text: str) -> str:
    """A mended text without the quote that it begins with and never closes, or closes with the other one."""
    if text[:1] not in _QUOTES or text.count(text[0]) != 1:
        return text
    other = _QUOTES[text[0]]
    return text[1:-1] if text.endswith(other) and text.count(other) == 1 else text[1:]


def _has_surrogates(text: str) -> bool:
    return not text.isascii() and _SURROGATE.search(text) is not None


def _emptied(text: str, drops: Sequence[Stretch]) -> str:
    for start, end in drops:
        text = text[:start] + _VISIBLE.sub(" ", text[start:end]) + text[end:]
    return text


def _masked(text: str, mends: Sequence[Stretch]) -> str:
    parts: list[str] = []
    done = 0
    for start, end in mends:
        parts += (text[done:start], "x" * (end - start))
        done = end
    return "".join((*parts, text[done:]))


def _edited(text: str, edits: Sequence[Edit]) -> tuple[str, list[tuple[int, int, int]]]:
    """The edited text; and where in it each piece begins, where that was written, and how long it was."""
    if not edits:
        return text, []
    parts: list[str] = []
    shifts: list[tuple[int, int, int]] = []
    done = made = 0
    for start, end, new in (*edits, (len(text), len(text), "")):
        for piece, since, length in ((text[done:start], done, start - done), (new, start, end - start)):
            shifts.append((made, since, length))
            parts.append(piece)
            made += len(piece)
        done = end
    return "".join(parts), shifts
