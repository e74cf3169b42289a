"""A report on a stream, dressed for it: colour and links on a terminal, plain text elsewhere."""

from __future__ import annotations

from typing import TextIO

from agentctl.diagnostics import Report
from agentctl.render.diagnostics_text import diagnostics_text
from agentctl.render.terminal import console, print_lines


def show_report(report: Report, stream: TextIO) -> None:
    target = console(stream)
    width = target.width if target.is_terminal else 100
    links = target.is_terminal and not target.is_dumb_terminal
    print_lines(diagnostics_text(report, width=width, links=links), stream)
