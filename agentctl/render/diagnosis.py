"""An examination for a person: what is there, what is not and how to mend it, which setting won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from agentctl.api.findings import Diagnosis, Finding, Setting, State
from agentctl.render.amounts import plural
from agentctl.render.visible import one_line, visible
from agentctl.render.wrapped import wrapped

_STYLES: Final[dict[State, str]] = {
    "ok": "green",
    "note": "yellow",
    "missing": "bold red",
    "wrong": "bold red",
}
_MARK, _ABOUT = 8, 9


def diagnosis_lines(diagnosis: Diagnosis, *, width: int) -> list[Text]:
    """Broken at words where a line is wider; what is to be pasted never is."""
    lines = [line for finding in diagnosis.findings for line in _finding(finding, width)]
    lines += [Text("settings:"), *_settings(diagnosis.settings, width)]
    count = len([*diagnosis.lacks])
    end = Text(plural(count, "problem") if count else "nothing is missing")
    end.stylize("bold red" if count else "green")
    return [*lines, end]


def _finding(finding: Finding, width: int) -> Iterator[Text]:
    message = Text(visible(finding.message))
    below = " " * (_MARK + _ABOUT)
    first, *rest = wrapped(message, guide=below, below=below, width=width)
    head = Text(f"{finding.state:<{_MARK}}", style=_STYLES[finding.state])
    head.append(f"{finding.about:<{_ABOUT}}", style="not bold default dim")
    yield head.append_text(Text(first.plain[len(below) :], style="not bold default"))
    yield from rest
    if finding.mend:
        yield Text(below, no_wrap=True).append(visible(finding.mend), style="bold")


def _settings(settings: Sequence[Setting], width: int) -> Iterator[Text]:
    """Where a setting comes from stands behind its value, or below it where there is no room."""
    names = [one_line(setting.name) for setting in settings]
    room = max(map(len, names))
    for name, setting in zip(names, settings, strict=True):
        line = Text(f"  {name:<{room}}  ").append(visible(setting.value), style="bold")
        source = Text(one_line(setting.source, 300), style="dim")
        if line.cell_len + 2 + source.cell_len <= width:
            yield line.append("  ").append_text(source)
        else:
            yield line
            yield from wrapped(source, guide=" " * 4, below=" " * 4, width=width)
