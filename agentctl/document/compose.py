"""Events into the root node, without recursion; what is wrong is reported and read on as well as it can be.

Only a document that goes beyond what is read (depth, size, copies, faults) stops the composition.
"""

from __future__ import annotations

from typing import Final, Literal

from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
)

from agentctl.diagnostics import Report, Span
from agentctl.document import refusals
from agentctl.document.events import DEEPEST, Reading, Stretch, Unreadable
from agentctl.document.frames import Built, Frame, ListFrame, MapFrame, Opening
from agentctl.document.nodes import Node, Scalar
from agentctl.document.places import moved
from agentctl.document.scalars import NotJson, Value, plain_value
from agentctl.document.source import Source
from agentctl.document.syntax_spaces import refuse_key
from agentctl.document.tags import collection_fault, tagged_value
from agentctl.document.trouble import runs_over_keys

MOST_VALUES: Final = 500_000
MOST_FAULTS: Final = 1_000
MOST_COPIES: Final = 200_000
# A long text counts as several values when it is copied.
_COPY_UNIT: Final = 100


class Stopped(Exception):
    """The document goes beyond what is read; the reason is reported."""


class Composer:
    """Composes the first document of one reading; use once."""

    def __init__(self, source: Source, reading: Reading, report: Report) -> None:
        self._source = source
        self._reading = reading
        self._report = report
        self._frames: list[Frame] = []
        self._anchors: dict[str, Built] = {}
        self._values = 0
        self._copies = 0
        self._root: Node | None = None
        self.last: Stretch = (0, 0)

    def compose(self) -> Node | None:
        """The root, or None where there is no document. Raises `Unreadable` and `Stopped`."""
        documents = 0
        for event in self._reading.events():
            if isinstance(event, DocumentStartEvent):
                documents += 1
            if documents > 1:
                span = self._source.span(*self._reading.extent(event))
                refusals.second_document(self._report, span)
                break
            self._take(event)
            if len(self._report.found) >= MOST_FAULTS:
                span = self._source.span(*self._reading.extent(event))
                refusals.too_many_faults(self._report, span, most=MOST_FAULTS)
                raise Stopped
        return self._root

    def _take(self, event: Event) -> None:
        if isinstance(event, ScalarEvent):
            self._scalar(event)
        elif isinstance(event, CollectionStartEvent):
            self._open(event)
        elif isinstance(event, CollectionEndEvent):
            self._close(event)
        elif isinstance(event, AliasEvent):
            self._alias(event)

    def _scalar(self, event: ScalarEvent) -> None:
        start, end = self._reading.extent(event)
        if event.style in ("|", ">"):
            end = start + len(self._source.text[start:end].rstrip())
        if event.style in ("'", '"') and runs_over_keys(self._source, start, end):
            raise Unreadable("found unexpected end", "while scanning a quoted scalar", end, start)
        span = self._source.span(start, end)
        text = self._reading.value(event)
        is_plain = self._reading.is_plain(event)
        node = Scalar(value=self._value(event, text, is_plain, span), span=span, pointer=self._pointer())
        if is_plain and self._frames and self._frames[-1].is_at_key():
            refuse_key(text, start)
        size = 1 + len(text) // _COPY_UNIT
        is_merge_sign = is_plain and text == "<<"
        built = Built(node=node, start=start, end=end, size=size, is_merge_sign=is_merge_sign)
        self.last = (start, end)
        self._place(built, event.anchor)

    def _value(self, event: ScalarEvent, text: str, is_plain: bool, span: Span) -> Value:
        if event.tag is not None:
            value = tagged_value(event.tag, text)
        else:
            value = plain_value(text) if is_plain else text
        if is_plain and isinstance(value, str) and value[:1] in refusals.TYPOGRAPHIC:
            return self._typographic(value, span)
        if not isinstance(value, NotJson):
            return value
        if not self._is_quiet():
            refuse = refusals.no_json_number if event.tag is None else refusals.wrong_tag
            refuse(self._report, span, value.reason, pointer=self._pointer())
        return text

    def _typographic(self, text: str, span: Span) -> str:
        """A text in the quotes of prose, without them; in anything else they may stand as they are."""
        if len(text) < 2 or text[-1] not in refusals.TYPOGRAPHIC[text[0]] or self._is_quiet():
            return text
        refusals.typographic_quotes(self._report, span, text, pointer=self._pointer())
        return text[1:-1]

    def _open(self, event: CollectionStartEvent) -> None:
        start, end = self._reading.extent(event)
        if len(self._frames) >= DEEPEST:
            self._stop_at_depth(self._source.span(start, end))
        self._check_tag(event)
        opening = Opening(
            start=start,
            pointer=self._pointer(),
            anchor=event.anchor,
            is_flow=bool(event.flow_style),
            is_quiet=self._is_quiet() or self._source.text.startswith("{{", start),
        )
        if isinstance(event, MappingStartEvent):
            self._frames.append(MapFrame(opening, self._source, self._report))
        else:
            self._frames.append(ListFrame(opening, self._source))

    def _check_tag(self, event: CollectionStartEvent) -> None:
        kind: Literal["mapping", "list"] = "mapping" if isinstance(event, MappingStartEvent) else "list"
        fault = collection_fault(event.tag, kind)
        if fault:
            start = self._reading.extent(event)[0]
            line_end = self._source.line_bounds(self._source.row(start))[1]
            span = self._source.span(start, line_end)
            refusals.wrong_tag(self._report, span, fault, pointer=self._pointer())

    def _close(self, event: CollectionEndEvent) -> None:
        frame = self._frames.pop()
        built = frame.finish(self._reading.extent(event)[1])
        if frame.opening.is_quiet and not self._is_quiet():
            built = self._as_text(built)
        self._place(built, frame.opening.anchor)

    def _as_text(self, built: Built) -> Built:
        """An unquoted `{{ … }}` as the text that it was meant to be."""
        text = self._source.text[built.start : built.end]
        span, pointer = built.node.span, built.node.pointer
        refusals.unquoted_template(self._report, span, text, pointer=pointer)
        node = Scalar(value=text, span=span, pointer=pointer)
        return Built(node=node, start=built.start, end=built.end)

    def _alias(self, event: AliasEvent) -> None:
        start, end = self._reading.extent(event)
        span = self._source.span(start, end)
        name = event.anchor or ""
        inside = any(frame.opening.anchor == name for frame in self._frames)
        anchored = self._anchors.get(name)
        if inside or anchored is None:
            known = self._anchors
            refusals.wrong_alias(
                self._report, span, name, inside=inside, known=known, pointer=self._pointer()
            )
            node: Node = Scalar(value=f"*{name}", span=span, pointer=self._pointer())
            self._place(Built(node=node, start=start, end=end), None)
            return
        self._bound(anchored, span)
        node = moved(anchored.node, self._pointer(), span)
        self._place(Built(node=node, start=start, end=end, size=anchored.size, height=anchored.height), None)

    def _bound(self, anchored: Built, span: Span) -> None:
        self._copies += anchored.size
        if self._copies > MOST_COPIES:
            refusals.too_many_copies(self._report, span, most=MOST_COPIES, pointer=self._pointer())
            raise Stopped
        if len(self._frames) + anchored.height > DEEPEST:
            self._stop_at_depth(span)

    def _stop_at_depth(self, span: Span) -> None:
        refusals.too_deep(self._report, span, deepest=DEEPEST, pointer=self._pointer())
        raise Stopped

    def _place(self, built: Built, anchor: str | None) -> None:
        self._values += 1
        if self._values > MOST_VALUES:
            refusals.too_many_values(self._report, built.node.span, most=MOST_VALUES)
            raise Stopped
        if anchor is not None:
            self._anchors[anchor] = built
        if self._frames:
            self._frames[-1].add(built)
        else:
            self._root = built.node

    def _pointer(self) -> str:
        return self._frames[-1].next_pointer() if self._frames else ""

    def _is_quiet(self) -> bool:
        return bool(self._frames) and self._frames[-1].opening.is_quiet
