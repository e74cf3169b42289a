"""The last lines of a run on stderr: who answered, what it cost, what went wrong, how to go on.

Takes the run as its JSON result; the very last line of what did not complete is a command.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Final

from rich.text import Text

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, as_whole
from agentctl.render.amounts import duration, money, plural, tokens
from agentctl.render.onward import in_place
from agentctl.render.visible import one_line, visible


def ending(
    result: JsonObject, *, models: Sequence[str] = (), resumable: bool = True, runs_dir: str | None = None
) -> list[Text]:
    """`models` are the ids that were asked; `runs_dir` is named by the command that resumes.

    The commands that answer questions come with the result.
    """
    lines = _outcome(result, runs_dir)
    if "executions" in result:  # else nothing is known of what it took
        lines.append(Text(totals(result), style="dim"))
    lines += _given(result)
    lines += _offline(models)
    return lines + (onward(result, runs_dir) if resumable else [])


def onward(result: JsonObject, runs_dir: str | None) -> list[Text]:
    """The commands to go on with, said what they are; nothing where there is no going on."""
    commands = _commands(result, runs_dir)
    title = "answer with:" if result.get("status") == "waiting" else "continue with:"
    told = [Text(title)] if commands else []
    return told + [Text(command, style="bold", no_wrap=True) for command in commands]


def problem(message: str, hint: str | None) -> list[Text]:
    """`error: …` and `hint: …`, as everything that fails is reported."""
    lines = [Text().append("error: ", style="bold red").append(visible(message))]
    if hint:
        lines.append(Text().append("hint: ", style="bold cyan").append(visible(hint)))
    return lines


def totals(result: JsonObject) -> str:
    """`3 model calls, 1 tool call, 345 tokens, cost unknown, 1.2 s`."""
    executions = [as_object(execution) for execution in as_list(result.get("executions"))]
    calls = sum(as_whole(execution.get("model_calls")) for execution in executions)
    tools = sum(as_whole(execution.get("tool_calls")) for execution in executions)
    used = as_whole(as_object(result.get("usage")).get("total_tokens"))
    cost = result.get("cost_usd")
    spent = money(
        float(cost) if isinstance(cost, int | float) else None,
        complete=result.get("cost_complete") is not False,
    )
    uncounted = not used and calls and result.get("cost_complete") is False
    used_words = tokens(used, complete=not uncounted)
    ms = result.get("ms")
    took = duration(ms if isinstance(ms, int | float) else 0)
    return ", ".join((plural(calls, "model call"), plural(tools, "tool call"), used_words, spent, took))


def _outcome(result: JsonObject, runs_dir: str | None) -> list[Text]:
    status = as_text(result.get("status"))
    if not result.get("run_id"):
        return [Text("interrupted before anything was started", style="yellow")]
    if status == "completed":
        agent = as_text(result.get("agent"))
        path = " → ".join(as_text(name) for name in as_list(result.get("path")))
        way = f" ({path})" if path and path != agent else ""
        return [Text(f"{agent} answered{way}", style="green")]
    if status == "waiting":
        return [line for asked in as_list(result.get("waiting_for")) for line in _question(as_object(asked))]
    if status == "running":
        return [Text("a process works on the run", style="cyan")]
    error = as_object(result.get("error"))
    hint = in_place(as_text(error.get("hint")), runs_dir)
    lines = problem(as_text(error.get("message")), hint) if error else []
    return [Text(f"the run was {status}", style="yellow")] if status in _STOPPED else lines


_STOPPED: Final = ("interrupted", "cancelled", "stopped")
_INSTEAD: Final = {
    "approve": "to refuse it, answer --deny REASON instead of --approve",
    "choose": "to end it with what there is, answer --finish instead of --choose",
    "in_doubt": "the one makes the call again, the other lets it rest",
}


def _question(asked: JsonObject) -> list[Text]:
    question = one_line(as_text(asked.get("question")), 400)
    lines = [Text().append("waiting for a person: ", style="yellow").append(question)]
    lines += [Text(f"  {line}") for line in call_lines(asked)]
    instead = _INSTEAD.get(as_text(asked.get("kind")))
    if asked.get("kind") not in ("approve", "in_doubt", "question"):
        lines += _offered(asked)
    return [*lines, Text(f"  {instead}", style="dim")] if instead else lines


def call_lines(asked: JsonObject) -> list[str]:
    """The call, or the text, that a question is about, exactly: in full, further lines of it set in."""
    lines = [f"tool: {visible(as_text(asked.get('tool')))}"] if asked.get("tool") else []
    text: JsonObject = {"text": asked["text"]} if asked.get("text") else {}
    for name, value in {**text, **as_object(asked.get("arguments"))}.items():
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines += f"{visible(name)}: {visible(shown)}".replace("\n", "\n  ").split("\n")
    return lines


def _offered(asked: JsonObject) -> list[Text]:
    """What was answered last, and what there is to choose from: agents with what each is for."""
    last, agents = as_text(asked.get("last")), as_object(asked.get("agents"))
    is_news = last and last not in as_text(asked.get("question"))
    told = [Text(f"  answered last: {one_line(last, 400)}")] if is_news else []
    if any(as_text(purpose) for purpose in agents.values()):
        return told + [
            Text(f"  {one_line(f'{name}: {as_text(purpose)}', 200)}") for name, purpose in agents.items()
        ]
    names = [one_line(name) for name, _ in choices(asked.get("choices"))]
    return [*told, Text(f"  one of: {', '.join(names)}")] if names else told


def choices(value: Json) -> list[tuple[str, str]]:
    """Names with descriptions, from `{name: description}`, `[name]` or `[{name, description}]`."""
    if isinstance(value, dict):
        return [(name, as_text(description)) for name, description in value.items()]
    found = []
    for item in as_list(value):
        entry = as_object(item)
        name = item if isinstance(item, str) else as_text(entry.get("name"))
        found.append((name, as_text(entry.get("description"))))
    return found


def _given(result: JsonObject) -> list[Text]:
    """The answers that people gave and that no process has taken yet."""
    if result.get("status") == "completed":
        return []
    return [
        Text().append("answered, and not taken up yet: ", style="yellow").append(f"{step}: {_answer(value)}")
        for step, value in as_object(result.get("given")).items()
    ]


def _answer(value: Json) -> str:
    """An answer in the words of the options that give it."""
    said = as_object(value)
    if isinstance(value, str):
        return one_line(value)
    if "approve" in said:
        if not said["approve"]:
            return f"deny, {one_line(as_text(said.get('reason')), 400)}"
        return "approve for the rest of the run" if said.get("always") else "approve"
    if said.get("finish"):
        return "finish"
    return one_line(" ".join(as_text(text) for text in said.values()), 400)


def _offline(models: Sequence[str]) -> list[Text]:
    if "offline" not in models:
        return []
    if set(models) == {"offline"}:
        return [Text("no language model was asked (offline)", style="yellow")]
    return [Text("a part of this was done without a language model (offline)", style="yellow")]


def _commands(result: JsonObject, runs_dir: str | None) -> list[str]:
    status = result.get("status")
    where = f" --runs-dir {shlex.quote(runs_dir)}" if runs_dir else ""
    if status in ("completed", "running") or not result.get("run_id"):
        return []
    if status == "waiting":
        asked = [as_object(item) for item in as_list(result.get("waiting_for"))]
        given = as_object(result.get("given"))
        still = [item for item in asked if item.get("step") not in given]
        if still or not asked:
            return [command for item in still for command in _answers(item)]
    onward = as_text(as_object(result.get("error")).get("command")) if status == "limit" else ""
    if onward:
        return [visible(onward)]
    return [f"agentctl resume {as_text(result.get('run_id'))}{where}"]


def _answers(asked: JsonObject) -> list[str]:
    """The commands that answer a question, the one that does no harm last."""
    command = visible(as_text(asked.get("command")))
    if asked.get("kind") != "in_doubt":
        return [command]
    return [command.replace(" --skip ", " --rerun "), command]
