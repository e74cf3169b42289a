"""One list or mapping on its way from events to a node: keys, duplicates and merges are settled here."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from agentctl.diagnostics import Related, Report, Span
from agentctl.document import refusals
from agentctl.document.nodes import Array, Entry, Node, Object, Scalar
from agentctl.document.places import below, merge_sources, merged
from agentctl.document.source import Source

_MOST_SHOWN: Final = 60
_COMMAS: Final = re.compile("[0-9]{1,3}(?:,[0-9]{3}){1,6}")


@dataclass(slots=True, kw_only=True)
class Built:
    """A finished node. `size` counts it and all below it, `height` the collections on its longest way down.

    Its text is `start` to `end`; `is_merge_sign` marks an unquoted `<<`.
    """

    node: Node
    start: int
    end: int
    size: int = 1
    height: int = 0
    is_merge_sign: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Where a collection begins, and how. `is_quiet` is the inside of an unquoted `{{ … }}`."""

    start: int
    pointer: str
    anchor: str | None
    is_flow: bool
    is_quiet: bool


class ListFrame:
    def __init__(self, opening: Opening, source: Source) -> None:
        self.opening = opening
        self._source = source
        self._items: list[Node] = []
        self._extent = _Extent(opening)

    def next_pointer(self) -> str:
        return below(self.opening.pointer, len(self._items))

    def is_at_key(self) -> bool:
        return False

    def add(self, built: Built) -> None:
        self._extent.add(built)
        self._items.append(built.node)

    def finish(self, end: int) -> Built:
        end = self._extent.close(end)
        span = self._source.span(self.opening.start, end)
        node = Array(items=tuple(self._items), span=span, pointer=self.opening.pointer)
        return self._extent.built(node)


@dataclass(slots=True)
class _Key:
    name: str
    span: Span
    is_merge: bool = False
    is_repeated: bool = False
    is_tail: bool = False
    """It is no key, but what follows a comma in the text before it."""


class MapFrame:
    def __init__(self, opening: Opening, source: Source, report: Report) -> None:
        self.opening = opening
        self._source = source
        self._report = report
        self._entries: list[Entry] = []
        self._first: dict[str, Span] = {}
        self._key: _Key | None = None
        self._merge: tuple[int, Node, Span] | None = None
        self._last: Built | None = None
        self._cut = False
        self._extent = _Extent(opening)

    def next_pointer(self) -> str:
        return below(self.opening.pointer, self._key.name) if self._key else self.opening.pointer

    def is_at_key(self) -> bool:
        """Whether what comes next is a key."""
        return self._key is None

    def add(self, built: Built) -> None:
        self._extent.add(built)
        key, self._key = self._key, None
        if key is None:
            self._key = self._read_key(built)
        elif key.is_repeated or key.is_tail:
            return
        elif key.is_merge:
            self._merge = (len(self._entries), built.node, self._source.span(built.start, built.end))
        else:
            self._entries.append(Entry(key=key.name, key_span=key.span, value=built.node))
            self._last = built

    def finish(self, end: int) -> Built:
        self._join()
        end = self._extent.close(end)
        span = self._source.span(self.opening.start, end)
        node = Object(entries=self._merged(), span=span, pointer=self.opening.pointer)
        return self._extent.built(node)

    def _read_key(self, built: Built) -> _Key:
        node = built.node
        span = node.span
        if self._is_tail(built):
            return _Key(name="", span=span, is_tail=True)
        self._join()
        if isinstance(node, Scalar) and isinstance(node.value, str):
            name = node.value
        else:
            name = self._source.text[built.start : built.end]
            self._refuse_key(node, name, span)
        first = self._first.setdefault(name, span)
        if first is not span:
            self._refuse_repetition(name, span, first, is_merge=built.is_merge_sign)
        return _Key(name=name, span=span, is_merge=built.is_merge_sign, is_repeated=first is not span)

    def _is_tail(self, built: Built) -> bool:
        """Whether this is `why` of `{text: ask who, why}`, where the comma was meant as text."""
        last, whole = self._last, self._source.text
        if (
            last is None
            or not self.opening.is_flow
            or self.opening.is_quiet
            or whole[last.start] in "\"'[{*&!"
        ):
            return False
        if not isinstance(built.node, Scalar) or whole[built.start] in "\"'*&!" or last.start == last.end:
            return False
        line_end = self._source.line_bounds(self._source.row(last.start))[1]
        is_cut = whole[last.end : built.start].strip() == "," and built.end <= line_end
        if is_cut and whole[built.end : line_end].lstrip()[:1] in (",", "}"):
            last.end = built.end
            self._cut = True
            return True
        return False

    def _join(self) -> None:
        """Tells of a text that commas cut, and takes it as a whole."""
        if not self._cut or self._last is None:
            return
        self._cut = False
        start, end = self._last.start, self._last.end
        text, span = self._source.text[start:end], self._source.span(start, end)
        number = text.replace(",", "") if _COMMAS.fullmatch(text) else None
        pointer = self._last.node.pointer
        refusals.cut_by_commas(self._report, span, text, number, pointer=pointer)
        node = Scalar(value=int(number) if number else text, span=span, pointer=pointer)
        self._entries[-1] = replace(self._entries[-1], value=node)

    def _refuse_key(self, node: Node, text: str, span: Span) -> None:
        if self.opening.is_quiet:
            return
        shown = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
        if not text:
            message, hint = "a key is missing before ':'", "write `key: value`"
        elif isinstance(node, Scalar):
            message = f'the key "{shown}" is {_TYPES[type(node.value)]}; keys are text'
            hint = f'write it in quotes: "{shown}"'
        else:
            message = f"a {'list' if isinstance(node, Array) else 'mapping'} cannot be a key; keys are text"
            hint = "write `key: value`, and quote text that begins with a bracket"
        self._report.error("yaml-key", message, span, hint=hint, pointer=self.opening.pointer)

    def _refuse_repetition(self, name: str, span: Span, first: Span, *, is_merge: bool) -> None:
        if self.opening.is_quiet:
            return
        self._report.error(
            "yaml-duplicate-key",
            f'the key "{name}" is given twice: on line {first.line} and on line {span.line}',
            span,
            hint="merge several mappings as one list: `<<: [*a, *b]`" if is_merge else "delete or rename one",
            pointer=below(self.opening.pointer, name),
            related=(Related(span=first, message=f'"{name}" is first given here'),),
        )

    def _merged(self) -> tuple[Entry, ...]:
        if self._merge is None:
            return tuple(self._entries)
        at, node, used = self._merge
        sources, wrong = merge_sources(node)
        told = {found.span for found in self._report.found if found.code == "yaml-alias"}
        for item in (item for item in wrong if item.span not in told):
            self._report.error(
                "yaml-merge",
                "'<<' merges mappings, and this is none",
                item.span if item.span in used else used,
                hint="name an anchor of a mapping, `<<: *defaults`, or several, `<<: [*a, *b]`",
                pointer=item.pointer,
            )
        return merged(self._entries, at, sources, self.opening.pointer)


Frame: TypeAlias = ListFrame | MapFrame

_TYPES: Final[dict[type, str]] = {
    bool: "a truth value",
    int: "a number",
    float: "a number",
    type(None): "null",
}


class _Extent:
    """How much a collection holds and where its text ends."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._end = opening.start
        self._size = 1
        self._height = 0

    def add(self, built: Built) -> None:
        self._end = built.end
        self._size += built.size
        self._height = max(self._height, built.height)

    def close(self, end: int) -> int:
        """A collection in brackets ends at `end`; one without ends with its last member."""
        self._end = end if self._opening.is_flow else self._end
        return self._end

    def built(self, node: Node) -> Built:
        return Built(
            node=node,
            start=self._opening.start,
            end=self._end,
            size=self._size,
            height=self._height + 1,
        )
