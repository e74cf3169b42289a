"""One execution in full: what it was given, and every model turn, call, decision and answer, uncut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from agentctl.journal.summary import DecisionView, ExecutionView, RunView, StepView
from agentctl.jsontypes import as_text
from agentctl.render.run_tree import Part, RunTree
from agentctl.render.sent import Sent, newly_sent
from agentctl.render.show_lines import decision_line, execution_line
from agentctl.render.spending import Spent, spent_by, spent_within
from agentctl.render.step_line import step_line
from agentctl.render.step_texts import Named, step_texts
from agentctl.render.story import error_text
from agentctl.render.visible import visible


def show_execution(view: RunView, execution: ExecutionView, sent: Sent | None = None) -> list[Text]:
    """Lines without a bound on their length; text of models and tools stands below its name, indented.

    `sent` are the messages of its model calls, as far as they are known.
    """
    tree = RunTree(view)
    told = newly_sent(execution, sent or {})
    lines = [_with(execution_line(execution), spent_within(tree.within(execution), execution.ms))]
    lines.append(_field("execution", execution.id))
    lines += [_field("status", execution.status), *_block("request", execution.request)]
    lines += _block("told", as_text((execution.note or {}).get("text")))
    parts = tree.parts(execution)
    for place, part in enumerate(parts):
        lines += [Text(), *_part(part, execution, parts[:place], told)]
    lines.append(Text())
    if execution.error:
        return [*lines, *_block("error", error_text(execution.error))]
    return [*lines, *_block("answer", execution.answer or "")]


def _part(
    part: Part, execution: ExecutionView, before: Sequence[Part], sent: Mapping[str, Sequence[Named]]
) -> list[Text]:
    if isinstance(part, ExecutionView):
        return [Text(f"delegated to {part.agent}: --execution {part.id}", style="bold")]
    if isinstance(part, DecisionView):
        return [decision_line(part, execution, before)]
    return [
        _with(step_line(part), spent_by(part)),
        _field("  step", part.step),
        *_texts(part, sent.get(part.step, ())),
    ]


def _texts(step: StepView, sent: Sequence[Named]) -> Iterator[Text]:
    for name, text in (*sent, *step_texts(step)):
        yield from _block(f"  {name}", text)


def _with(line: Text, spent: Spent) -> Text:
    words = spent.words()
    return line.append(f"  {words}", style="dim") if words else line


def _field(name: str, value: str) -> Text:
    return Text().append(f"{name}: ", style="cyan").append(visible(value))


def _block(name: str, text: str) -> list[Text]:
    """A name with the text beside it, or below it where it has several lines; nothing without text."""
    lines = visible(text).split("\n") if text else []
    if len(lines) <= 1:
        return [_field(name, line) for line in lines]
    indent = " " * (len(name) - len(name.lstrip()) + 2)
    return [Text(f"{name}:", style="cyan"), *(Text(indent + line) for line in lines)]
