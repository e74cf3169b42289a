"""An examination for a person: what is there, what is not and how to mend it, which setting won."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from agentctl.api.findings import Diagnosis, Finding, State
from agentctl.render.amounts import plural
from agentctl.render.visible import one_line, visible

_MARKS: Final[dict[State, tuple[str, str]]] = {
    "ok": ("ok", "green"),
    "note": ("note", "yellow"),
    "missing": ("missing", "bold red"),
    "wrong": ("wrong", "bold red"),
}


def diagnosis_lines(diagnosis: Diagnosis) -> list[Text]:
    lines = [line for finding in diagnosis.findings for line in _finding(finding)]
    lines.append(Text("settings:"))
    width = max(len(one_line(setting.name)) for setting in diagnosis.settings)
    for setting in diagnosis.settings:
        line = Text(f"  {one_line(setting.name):<{width}}  ").append(visible(setting.value), style="bold")
        lines.append(line.append(f"  {one_line(setting.source)}", style="dim"))
    count = len([*diagnosis.lacks])
    style = "bold red" if count else "green"
    return [*lines, Text(f"{plural(count, 'problem')}" if count else "nothing is missing", style=style)]


def _finding(finding: Finding) -> Iterator[Text]:
    mark, style = _MARKS[finding.state]
    yield (
        Text(f"{mark:<8}", style=style)
        .append(f"{finding.about:<8}", style="dim")
        .append(visible(finding.message), style="none")
    )
    if finding.mend:
        yield Text(" " * 16).append(visible(finding.mend), style="bold")
