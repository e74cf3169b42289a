"""A person's answers to what a run waits for, matched to its open questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias, assert_never

from agentctl.api.looking import Look, look
from agentctl.diagnostics import nearest
from agentctl.errors import UsageError
from agentctl.journal.lock import is_locked
from agentctl.journal.signals import alone_with_signals
from agentctl.journal.summary import RunView, StepView
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text

ReplyKind: TypeAlias = Literal["choose", "finish", "approve", "deny", "rerun", "skip", "answer"]
_ANSWERS: dict[str, tuple[ReplyKind, ...]] = {
    "choose": ("choose", "finish"),
    "approve": ("approve", "deny"),
    "in_doubt": ("rerun", "skip"),
    "question": ("answer",),
}


_LISTED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """`text` is the name chosen, the reason of a denial, or an answer in words; `step` says which of several
    questions. `always`: a call that is approved may be made for the rest of the run without being asked.
    """

    kind: ReplyKind
    text: str = ""
    step: str | None = None
    always: bool = False


def leave_answers(path: Path, replies: Sequence[Reply]) -> Look:
    """Leaves every answer for whoever works on the run next; gives the run as it stands with them, `running`
    where somebody does work on it, who takes them.

    Raises UsageError, and leaves none, where one fits no question, two contradict each other, or a question
    has been answered already, also where nobody has taken that answer yet. What is open is looked up while
    nobody else can answer, so that of two answers given at once one is refused.
    """
    with alone_with_signals(path) as inbox:
        found = look(path)
        given: dict[str, Json] = {}
        for reply in replies:
            question = _question(found, reply)
            step, value = as_text(question.get("step")), answer_value(reply, question)
            if given.setdefault(step, value) != value:
                raise UsageError(f"'{step}' is given two answers", hint="give one of them")
        for step, value in given.items():
            inbox.earlier("answer", step, value)
        for step, value in given.items():
            inbox.leave("answer", step, value)
        live = is_locked(path)  # only now: whoever works on it looks for answers after it has let go
    found = look(path)
    return replace(found, view=going_on(found.view)) if live else found


def going_on(view: RunView) -> RunView:
    """The run as it is known, while somebody works on it who may not have said so on record yet."""
    return view if view.status == "completed" else replace(view, status="running", error=None)


def is_answered(found: Look) -> bool:
    """Whether an answer that nobody has taken yet is to a question that the run waits for."""
    asked = {as_text(question.get("step")) for question in found.view.waiting_for}
    return not asked.isdisjoint(found.view.given)


def _question(found: Look, reply: Reply) -> JsonObject:
    view = found.view
    fitting = [q for q in (*view.waiting_for, *_left_by_death(found)) if _fits(reply, q)]
    if reply.step is not None:
        fitting = [question for question in fitting if _is_at(question, reply.step)]
    if len(fitting) == 1:
        return fitting[0]
    answered = [q for q in _answered(found) if _fits(reply, q) and _is_at(q, reply.step)]
    if not fitting and answered:
        raise UsageError(
            f"'{as_text(answered[-1].get('step'))}' of run '{view.run_id}' has been answered already",
            hint=f"see what became of it: agentctl show {view.run_id}",
        )
    if not fitting:
        where = f" at step '{reply.step}'" if reply.step else ""
        raise UsageError(
            f"run '{view.run_id}' has no open question{where} that --{reply.kind} answers",
            hint=_open(view) or _calls(view, reply) or "it waits for nothing",
        )
    raise UsageError(
        f"run '{view.run_id}' has {len(fitting)} open questions that --{reply.kind} answers",
        hint="say which with --step: " + ", ".join(as_text(question.get("step")) for question in fitting),
    )


def _is_at(question: JsonObject, step: str | None) -> bool:
    """Whether the question is that step's, or that of the call which is named instead of it."""
    asks = as_text(question.get("step"))
    return step is None or asks == step or asks.rpartition("/")[0] == step


def _fits(reply: Reply, question: JsonObject) -> bool:
    return reply.kind in _ANSWERS.get(as_text(question.get("kind")), ())


def _left_by_death(found: Look) -> list[JsonObject]:
    """What was under way when a process died and has no answer yet: questions to people, and tool calls that
    no resume has asked about yet."""
    view = found.view
    if view.status in ("waiting", "completed"):
        return []
    calls = [question for question in _in_doubt(found) if question.get("step") not in found.summary.answered]
    if view.status == "running":
        asked = {as_text(question.get("step")) for question in view.waiting_for}
        return [question for question in calls if question.get("step") not in asked]
    waits = [_asked(step) for step in _steps(view) if step.kind == "wait" and step.status == "started"]
    still = [one for one in waits if one.get("step") not in found.summary.answered]
    return [*(question for question in still if question.get("kind") != "in_doubt"), *calls]


def _in_doubt(found: Look) -> list[JsonObject]:
    """Every call that a process now dead has begun and not ended."""
    lost = found.summary.lost_tools if found.begun else None
    return [
        {"kind": "in_doubt", "step": step.step}
        for step in _steps(found.view)
        if step.kind == "tool" and step.status == "started" and (lost is None or step.step in lost)
    ]


def _answered(found: Look) -> list[JsonObject]:
    """Every question of the run that is not open any more."""
    view = found.view
    still = {as_text(question.get("step")) for question in view.waiting_for}
    asked = [_asked(step) for step in _steps(view) if step.kind == "wait"]
    calls = [question for question in _in_doubt(found) if question.get("step") in found.summary.answered]
    return [question for question in (*asked, *calls) if question.get("step") not in still]


def _asked(step: StepView) -> JsonObject:
    request = as_object(step.detail.get("request"))
    return {**request, "step": as_text(step.detail.get("asks")) or step.step}


def _steps(view: RunView) -> Iterator[StepView]:
    for execution in view.executions:
        yield from execution.steps


def _calls(view: RunView, reply: Reply) -> str:
    """The step that was meant, or those that there are, for what is said of a call."""
    steps = [step.step for step in _steps(view) if step.kind == "tool"]
    if reply.kind not in ("rerun", "skip") or reply.step is None or not steps:
        return ""
    near = nearest(reply.step, steps) or _ending_so(reply.step, steps)
    more = ["…"] if len(steps) > _LISTED else []
    return f"did you mean '{near}'?" if near else f"its calls are: {', '.join([*steps[:_LISTED], *more])}"


def _ending_so(named: str, steps: Sequence[str]) -> str | None:
    """The last call of a tool of that name, or at the end of that path."""
    return next((step for step in reversed(steps) if step.endswith((f".{named}", f"/{named}"))), None)


def _open(view: RunView) -> str:
    return "; ".join(
        f"{as_text(question.get('question'))} "
        f"({as_text(question.get('command')) or '--step ' + as_text(question.get('step'))})"
        for question in view.waiting_for
    )


def answer_value(reply: Reply, question: JsonObject) -> Json:
    """The answer as it stands on record. Raises UsageError for a choice that there is not."""
    match reply.kind:
        case "choose":
            return {"choose": _chosen(reply, question)}
        case "finish":
            return {"finish": True}
        case "approve":
            return {"approve": True, "always": True} if reply.always else {"approve": True}
        case "deny":
            return {"approve": False, "reason": reply.text}
        case "answer":
            return {"answer": _said(reply)}
        case "rerun" | "skip":
            return reply.kind
        case _:
            assert_never(reply.kind)


def _said(reply: Reply) -> str:
    if not reply.text.strip():
        raise UsageError("the answer is empty", hint='say it after --answer, as in: --answer "Friday"')
    return reply.text


def _chosen(reply: Reply, question: JsonObject) -> str:
    names = [as_text(choice) for choice in as_list(question.get("choices"))]
    if reply.text not in names:
        near = nearest(reply.text, names)
        meant = f"did you mean '{near}'? " if near else ""
        raise UsageError(
            f"'{reply.text}' is not one of the choices", hint=f"{meant}choices: {', '.join(names)}"
        )
    return reply.text
