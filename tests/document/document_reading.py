"""Reads texts for the tests; `«…»` in a text marks the place where a diagnostic is expected."""

from __future__ import annotations

from agentctl.diagnostics import Diagnostic, Report, Span
from agentctl.document import Document, Node, plain, read_document
from agentctl.jsontypes import Json

PATH = "team.yaml"


def read(text: str | bytes) -> tuple[Document | None, Report]:
    report = Report()
    data = text.encode() if isinstance(text, str) else text
    return read_document(data, path=PATH, report=report), report


def good(text: str | bytes) -> Node:
    document, report = read(text)
    assert list(report) == []
    assert document is not None
    return document.root


def value_of(text: str | bytes) -> Json:
    return plain(good(text))


def codes(report: Report) -> list[str]:
    return [diagnostic.code for diagnostic in report]


def only(text: str | bytes) -> Diagnostic:
    _, report = read(text)
    (diagnostic,) = report
    return diagnostic


def marked(text: str) -> tuple[str, str]:
    """The text without its marks, and the `line:column-line:column` that they mark."""
    start = text.index("«")
    text = text.replace("«", "", 1)
    end = text.index("»")
    text = text.replace("»", "", 1)
    return text, f"{_place(text, start)}-{_place(text, end)}"


def place(span: Span) -> str:
    return f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"


def _place(text: str, offset: int) -> str:
    before = text[:offset]
    return f"{before.count(chr(10)) + 1}:{offset - before.rfind(chr(10))}"


def assert_inside(report: Report) -> None:
    """Every diagnostic lies in its file, on lines and columns that are there, and ends where it can."""
    for diagnostic in report.found:
        for span in (diagnostic.span, *(related.span for related in diagnostic.related)):
            lines = report.sources[span.path].split("\n")
            assert 1 <= span.line <= span.end_line <= len(lines), diagnostic
            assert 1 <= span.column <= len(lines[span.line - 1]) + 1, diagnostic
            assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 1, diagnostic
            assert (span.line, span.column) <= (span.end_line, span.end_column), diagnostic
