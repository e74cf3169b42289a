"""A run as `show --json` prints it: the result with every step of it, or one execution in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from agentctl.journal.summary import ExecutionView, RunView, StepView, run_json
from agentctl.jsontypes import JsonObject, as_list, as_object, as_text
from agentctl.render.sent import Sent
from agentctl.render.spending import Spent, spent_by

_REPLY: Final = ("text", "finish", "calls", "usage")
_MESSAGE: Final = ("role", "text", "calls", "call_id", "error")


def show_json(view: RunView) -> JsonObject:
    """The result of the run, as `run --json` gives it, its executions with their steps."""
    result = run_json(view)
    told = zip(view.executions, as_list(result["executions"]), strict=True)
    executions = [{**as_object(short), **_more(execution, {})} for execution, short in told]
    return {**result, "executions": executions, "decisions": _decisions(view, result)}


def execution_json(view: RunView, execution: ExecutionView, sent: Sent) -> JsonObject:
    """One of its executions alone, with its decisions and, as far as known, the messages that its models were
    `sent`.
    """
    result = run_json(view)
    short = as_object(as_list(result["executions"])[view.executions.index(execution)])
    own = [decision for decision in _decisions(view, result) if decision["execution"] == execution.id]
    return {**short, **_more(execution, sent), "decisions": own}


def _decisions(view: RunView, result: JsonObject) -> list[JsonObject]:
    told = zip(view.decisions, as_list(result["decisions"]), strict=True)
    return [{**as_object(short), "step": decision.step, "at_ms": decision.at} for decision, short in told]


def _more(execution: ExecutionView, sent: Sent) -> JsonObject:
    told = as_text((execution.note or {}).get("text"))
    return {
        **({"strategy": execution.strategy} if execution.strategy else {}),
        **({"told": told} if told else {}),
        **({"error": execution.error, "absorbed": execution.absorbed} if execution.error else {}),
        "at_ms": execution.at,
        "steps": [_step(step, sent) for step in execution.steps],
    }


def _step(step: StepView, sent: Sent) -> JsonObject:
    told: JsonObject = {
        "step": step.step,
        "kind": step.kind,
        "status": step.status,
        "started": step.ts,
        "at_ms": step.at,
        "ms": step.ms,
        "tries": step.tries,
    }
    error = step.detail.get("error")
    failed: JsonObject = {"error": error} if isinstance(error, Mapping) else {}
    return {**told, **_kind(step, sent.get(step.step)), **failed}


def _kind(step: StepView, sent: Sequence[JsonObject] | None) -> JsonObject:
    detail = step.detail
    out = as_object(detail.get("out"))
    match step.kind:
        case "model":
            return {**_model(detail, out, spent_by(step)), **_messages(sent)}
        case "tool":
            given = _there(detail, ("tool", "arguments", "printed", "spilled", "reused"))
            answered: JsonObject = {"text": out["text"], "failed": out.get("error") is True} if out else {}
            return {**given, **answered}
        case "function":
            gave: JsonObject = {"gave": detail["out"]} if "out" in detail else {}
            return {**_there(detail, ("function",)), **gave}
        case "wait":
            return _there(detail, ("request", "answer"))
        case "timer":
            return _there(detail, ("deadline",))
        case _:
            assert_never(step.kind)


def _model(detail: JsonObject, out: JsonObject, spent: Spent) -> JsonObject:
    named: JsonObject = {"model": out.get("model", detail.get("model"))}
    if not out:
        return named
    cost: JsonObject = {"cost_usd": spent.cost_usd}
    return {**named, **_there(out, _REPLY), **cost}


def _messages(sent: Sequence[JsonObject] | None) -> JsonObject:
    """Without what only the provider that wrote a message can read."""
    return {} if sent is None else {"sent": [_there(message, _MESSAGE) for message in sent]}


def _there(value: JsonObject, keys: Sequence[str]) -> JsonObject:
    return {key: value[key] for key in keys if key in value}
