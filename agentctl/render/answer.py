"""The answer of a run on stdout: dressed as Markdown on a terminal, byte for byte anywhere else."""

from __future__ import annotations

from typing import Final, TextIO

from rich.text import Text

from agentctl.render.terminal import console, is_terminal, print_answer
from agentctl.render.visible import visible

_WIDEST: Final = 100
"""Cells; longer lines are hard to read."""


def print_markdown(answer: str, stream: TextIO) -> None:
    """A text of Markdown. Nothing in it is lost: HTML is shown as it was written, and so is where a link
    leads, and lines end where it ends them.
    """
    target = console(stream)
    if not is_terminal(stream) or target.is_dumb_terminal:
        print_answer(answer, stream)
        return
    from agentctl.render.markdown import markdown  # its parser is slow to import

    target.print(Text(), markdown(visible(answer)), width=min(target.width, _WIDEST), soft_wrap=False)
