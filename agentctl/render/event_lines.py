"""One plain line for each event that is worth one: who does what, with what, how long it took.

Takes events in order and gives lines without colour; what carries no news gives none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, canonical
from agentctl.render.amounts import duration, plural, tokens
from agentctl.render.decisions import answer_words, decider_words, decision_words
from agentctl.render.story import (
    Act,
    Execution,
    Story,
    error_text,
    next_attempt,
    shortened_text,
    warning_text,
)
from agentctl.render.visible import one_line

EMPTY_REPLY: Final = "gave an empty reply"

_Teller: TypeAlias = Callable[[Story, Execution | None, JsonObject], str | None]


class EventLines:
    """Holds the story so far, since a line may need what came before."""

    def __init__(self, story: Story) -> None:
        self._story = story

    def line(self, event: JsonObject) -> str | None:
        """The line for the next event, which the story has already taken."""
        teller = _TELLERS.get(as_text(event.get("ev")))
        step = as_text(event.get("step"))
        owner = self._story.execution_of(step)
        if event.get("ev") == "decision.completed":
            owner = decider(owner, event)
        text = teller(self._story, owner, event) if teller else None
        agent = owner.agent if owner else step.partition("/")[0]
        if text is None or not agent:
            return text
        return f"{agent}{text}" if text.startswith(":") else f"{agent} {text}"


def arguments_text(arguments: Json, limit: int = 60) -> str:
    """`account_id='ACC-123', limit=3`, cut at `limit` characters; text that is no object as it stands."""
    if isinstance(arguments, str):
        return one_line(arguments, limit)
    pairs = (f"{key}={_value_text(value)}" for key, value in as_object(arguments).items())
    return one_line(", ".join(pairs), limit)


def asked_for(called: Sequence[str]) -> str:
    """What a model's reply wants done: `asked for check_balance`, `asked for 3 tool calls`."""
    return f"asked for {one_line(called[0]) if len(called) == 1 else plural(len(called), 'tool call')}"


def _value_text(value: Json) -> str:
    return f"'{value}'" if isinstance(value, str) else canonical(value)


def decider(owner: Execution | None, event: JsonObject) -> Execution | None:
    """Whose model decided: among the peers of a swarm, the member that was at work."""
    asked_nobody = owner is not None and not model_of(owner)
    return (
        owner.children[-1]
        if owner and asked_nobody and event.get("by") == "model" and owner.children
        else owner
    )


def model_of(execution: Execution | None) -> str:
    """The model that an execution asked last."""
    acts = list(execution.acts.values()) if execution else []
    return next((act.title for act in reversed(acts) if act.kind == "model"), "")


def _run_started(_story: Story, _owner: Execution | None, event: JsonObject) -> str | None:
    run_id = as_text(event.get("run_id"))
    return f"run {run_id}" if run_id else None


def _run_resumed(_story: Story, _owner: Execution | None, _event: JsonObject) -> str:
    return "run resumed: what was finished is kept"


def _execution_started(_story: Story, owner: Execution | None, event: JsonObject) -> str | None:
    if owner is None or not owner.parent:
        return None
    attempt = f" (attempt {owner.attempt})" if owner.attempt > 1 else ""
    task = one_line(owner.note or as_text(event.get("request")), 80)
    return f"starts{attempt}" + (f": {task}" if task else "")


def _execution_completed(_story: Story, owner: Execution | None, _event: JsonObject) -> str | None:
    return "is done" if owner and owner.parent else None


def _execution_failed(story: Story, owner: Execution | None, event: JsonObject) -> str | None:
    """Words are told once: where they come from, and for the whole run by its last lines."""
    if event.get("absorbed") is True:  # its end was told just before
        return "failed, and the run goes on"
    if owner is not None and not owner.parent:
        return None
    error = as_object(event.get("error"))
    below = story.execution_of(as_text(error.get("execution")))
    if owner is not None and below is not None and below is not owner:
        return f"failed, as {one_line(below.agent)} did"
    newest = next(reversed(owner.acts.values()), None) if owner else None
    if newest is not None and newest.state == "failed" and newest.error == as_text(error.get("message")):
        return "failed"
    return f"failed: {one_line(error_text(event.get('error')), 200)}"


def _decision(_story: Story, owner: Execution | None, event: JsonObject) -> str:
    chosen = [one_line(as_text(name)) for name in as_list(event.get("chosen"))]
    reason = one_line(as_text(event.get("reason")), 160)
    agent = owner.agent if owner else ""
    words = decision_words(chosen, reason, agent=agent, step=as_text(event.get("step")))
    by = decider_words(as_text(event.get("by")), model_of(owner))
    return words + (f" ({by})" if by else "")


def _model_started(_story: Story, _owner: Execution | None, event: JsonObject) -> str | None:
    shortened = event.get("shortened")
    return _model_shortened(_story, _owner, event) if isinstance(shortened, int) else None


def _model_shortened(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    return f": {shortened_text(event)}"


def _model_completed(story: Story, _owner: Execution | None, event: JsonObject) -> str | None:
    act = story.act(event)
    if act is None:
        return None
    did = asked_for(act.called) if act.called else "replied" if act.text.strip() else EMPTY_REPLY
    spent = tokens(act.input_tokens + act.output_tokens, complete=not act.uncounted)
    return f": model {one_line(act.title)} {did}, {spent}, {duration(act.ms or 0)}"


def _model_failed(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    return f": model call failed: {one_line(error_text(event.get('error')), 200)}"


def _model_retrying(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    wait = event.get("wait_s")
    pause = duration(wait * 1000) if isinstance(wait, int | float) else "a moment"
    why = one_line(error_text(event.get("error")), 160)
    return f": model call failed ({why}); attempt {next_attempt(event)} in {pause}"


def _model_restarted(_story: Story, _owner: Execution | None, _event: JsonObject) -> str:
    return ": the reply broke off and starts again"


def _model_fallback(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    why = one_line(error_text(event.get("error")), 160)
    return f": falls back to model {one_line(as_text(event.get('model')))} ({why})"


def call_text(act: Act) -> str:
    """`check_balance(account_id='ACC-123')`."""
    return f"{one_line(act.title)}({arguments_text(act.arguments)})"


def _tool_completed(story: Story, _owner: Execution | None, event: JsonObject) -> str | None:
    act = story.act(event)
    if act is None:
        return None
    result = ("error: " if act.state == "failed" else "") + one_line(act.text, 80)
    took = "recorded earlier" if event.get("reused") else duration(act.ms or 0)
    return f": {call_text(act)} gave {result or 'nothing'} ({took})"


def _tool_failed(story: Story, _owner: Execution | None, event: JsonObject) -> str | None:
    act = story.act(event)
    why = one_line(error_text(event.get("error")), 200)
    return f": {call_text(act)} failed: {why}" if act else None


def _tool_skipped(story: Story, _owner: Execution | None, event: JsonObject) -> str | None:
    act = story.act(event)
    return f": {call_text(act)} was left as it was; its effect is unknown" if act else None


def _rejected(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    out = as_object(event.get("out"))
    why = one_line(as_text(out.get("rejected")), 160)
    did = _DID.get(as_text(out.get("action")), "")
    return f": a guardrail rejected {as_text(event.get('subject'))}: {why}{did}"


_DID: Final = {"retry": " (it is asked again)", "fix": " (it is replaced)", "ask": " (a person is asked)"}


def _listing_started(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    asked = [one_line(as_text(as_object(each).get("server"))) for each in as_list(event.get("asks"))]
    return f": asks {', '.join(dict.fromkeys(asked))} for tools"


def _listing_failed(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    return f": {one_line(error_text(event.get('error')), 300)}"


def _function_completed(story: Story, _owner: Execution | None, event: JsonObject) -> str:
    act = story.act(event)
    name = one_line(as_text(event.get("function")) or (act.title if act else "")) or "a function"
    return f": {name} gave {one_line(canonical(event.get('out')), 80)}"


def _function_failed(story: Story, _owner: Execution | None, event: JsonObject) -> str:
    act = story.act(event)
    name = one_line(as_text(event.get("function")) or (act.title if act else "")) or "a function"
    return f": {name} failed: {one_line(error_text(event.get('error')), 200)}"


def _wait_started(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    request = as_object(event.get("request"))
    given = arguments_text(request.get("arguments"), 200)
    about = f" {one_line(as_text(request.get('tool')))}({given})" if request.get("tool") else ""
    may_be_given = request.get("kind") == "approve"
    asks = "asks for approval" if may_be_given else "waits for a person"
    return f"{asks}: {one_line(as_text(request.get('question')), 200)}{about}"


def _wait_completed(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    answer = event.get("answer")
    words = one_line(answer_words(answer), 100)
    return f": {words}" if as_object(answer).get("by") else f": a person answered {words}"


def _timer_started(_story: Story, _owner: Execution | None, event: JsonObject) -> str | None:
    deadline, now = event.get("deadline"), event.get("ts")
    if not (isinstance(deadline, int | float) and isinstance(now, int | float)):
        return None
    return f"waits {duration(max(deadline - now, 0) * 1000)}"


def _limit_warning(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    return warning_text(event)


_LISTED: Final = 40
_KINDS_OF_STEPS: Final = (
    ("kept", "kept as they are:"),
    ("again", "done again, since they are asked something else:"),
    ("follow", "behind those, done again if the work still comes to them and asks something else:"),
    ("gone", "no longer in the team; what its tool calls gave is kept for the same calls elsewhere:"),
    ("new", "done for the first time:"),
    ("questions", "asked of a person:"),
)


def _revision_planned(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    """Several lines: every kind of steps, and the steps below it."""
    lines = ["the edited team changes this run:"]
    for key, title in _KINDS_OF_STEPS:
        steps = [one_line(as_text(step)) for step in as_list(event.get(key))]
        if steps:
            rest = [f"… and {len(steps) - _LISTED} more"] if len(steps) > _LISTED else []
            lines += [f"  {title}", *(f"    {step}" for step in [*steps[:_LISTED], *rest])]
    return "\n".join(lines)


_OTHER: Final = {
    "model": "another model",
    "settings": "other settings of its model",
    "described": "other descriptions of its tools",
}


def _resume_differs(_story: Story, _owner: Execution | None, event: JsonObject) -> str:
    words = [_OTHER.get(as_text(what), as_text(what)) for what in as_list(event.get("what"))]
    was, now = one_line(as_text(event.get("was"))), one_line(as_text(event.get("is")))
    models = f" ({was}, now {now})" if was != now else ""
    return f": now has {' and '.join(words)}{models}; what is recorded stands"


def _revision_recorded(_story: Story, owner: Execution | None, event: JsonObject) -> str:
    step = one_line(as_text(event.get("step")))
    match event.get("kind"):
        case "rerun":
            return (
                f": {step.rpartition('/')[2]} is to be called again" if owner else f"{step} is called again"
            )
        case "retry":
            return f"is tried again: {step}"
        case _:
            return "the run goes on with an edited team"


_TELLERS: Final[Mapping[str, _Teller]] = {
    "run.started": _run_started,
    "run.resumed": _run_resumed,
    "execution.started": _execution_started,
    "execution.completed": _execution_completed,
    "execution.failed": _execution_failed,
    "decision.completed": _decision,
    "model.started": _model_started,
    "model.shortened": _model_shortened,
    "model.completed": _model_completed,
    "model.failed": _model_failed,
    "model.retrying": _model_retrying,
    "model.restarted": _model_restarted,
    "model.fallback": _model_fallback,
    "tool.completed": _tool_completed,
    "tool.failed": _tool_failed,
    "tool.skipped": _tool_skipped,
    "guardrail.completed": _rejected,
    "listing.started": _listing_started,
    "listing.failed": _listing_failed,
    "function.completed": _function_completed,
    "function.failed": _function_failed,
    "wait.started": _wait_started,
    "wait.completed": _wait_completed,
    "timer.started": _timer_started,
    "limit.warning": _limit_warning,
    "resume.differs": _resume_differs,
    "revision.planned": _revision_planned,
    "revision.recorded": _revision_recorded,
}
