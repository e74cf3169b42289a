"""A report as a person reads it: place, code, message, the source with a marker, related places, a hint.

Gives rich `Text`; whoever prints it decides on colour. Knows nothing of files or of what a team is.
"""

from __future__ import annotations

from pathlib import Path

from rich.style import Style
from rich.text import Text

from agentctl.diagnostics import Diagnostic, Report, Severity, Span
from agentctl.render.amounts import plural
from agentctl.render.snippet import snippet
from agentctl.render.told import told
from agentctl.render.visible import visible

_COLOURS = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}


def diagnostics_text(report: Report, *, width: int = 100, links: bool = False) -> list[Text]:
    """Every diagnostic in order and one line that counts them; nothing at all for an empty report.

    `width` is in terminal cells and bounds source lines only; `links` makes each place a hyperlink.
    """
    lines: list[Text] = []
    for diagnostic in told(report):
        lines += [*_one(diagnostic, report, width=width, links=links), Text()]
    return [*lines, Text(count(report), style="bold")] if lines else []


def count(report: Report) -> str:
    """`2 errors, 1 warning in team.yaml`, or how many files when there are several."""
    parts = [plural(report.errors, "error")] if report.errors else []
    parts += [plural(report.warnings, "warning")] if report.warnings else []
    paths = dict.fromkeys(diagnostic.span.path for diagnostic in report)
    where = f" in {visible(next(iter(paths)))}" if len(paths) == 1 else f" in {len(paths)} files"
    return (", ".join(parts) or "no problems") + (where if paths else "")


def _one(diagnostic: Diagnostic, report: Report, *, width: int, links: bool) -> list[Text]:
    colour = _COLOURS[diagnostic.severity]
    head = _place(diagnostic.span, links=links)
    head.append(f"{diagnostic.severity.value}[{diagnostic.code}]", style=colour)
    head.append(" ").append(_line(diagnostic.message), style="bold")
    lines = [head, *_source(diagnostic.span, report, width, colour)]
    for related in diagnostic.related:
        note = _place(related.span, links=links).append(_line(related.message))
        lines += [note, *_source(related.span, report, width, "bold blue")]
    if diagnostic.hint:
        lines.append(Text().append("hint: ", style="bold cyan").append(_line(diagnostic.hint)))
    return lines


def _place(span: Span, *, links: bool) -> Text:
    target = Path(span.path)
    link = target.resolve().as_uri() if links and target.exists() else None
    place = f"{visible(span.path)}:{span.line}:{span.column}:"
    return Text().append(place, style=Style(link=link)).append(" ")


def _source(span: Span, report: Report, width: int, colour: str) -> list[Text]:
    source = report.sources.get(span.path)
    return [] if source is None else snippet(source, span, width=width, style=colour)


def _line(text: str) -> str:
    """On one line, whatever a name of the file has in it."""
    return visible(text).replace("\n", "\\n")
