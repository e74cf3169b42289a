"""Decisions and people's answers in words: who was chosen and why, or what happened instead of a choice."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.jsontypes import Json, as_object, as_text, canonical


def decision_words(chosen: Sequence[str], reason: str, *, agent: str, step: str) -> str:
    """`→ billing: because …`, `→ plan: look by a; tell by b`, `ends here: …`, `answered itself`.

    `agent` is whose decision it is, `step` its path. A choice of nobody, or of the agent itself, is told
    by its reason, which is worded so as to follow the agent's name.
    """
    if not chosen or list(chosen) == [agent]:
        return reason or ("chose nobody" if not chosen else "answered itself")
    if step.rpartition("/")[2] == "plan" and reason:
        return f"→ plan: {reason}"
    return f"→ {', '.join(chosen)}" + (f": {reason}" if reason else "")


def decision_mark(words: str) -> str:
    """What stands before a decision in a tree, where it is no choice: an end, or what was not followed."""
    if words.startswith("→"):
        return ""
    return "✗ " if words.startswith("tried ") else "■ "


def decider_words(by: str, model: str) -> str:
    """`model openai/gpt-4o`, `a person`, `the plan of the file`: who or what decided."""
    if by == "model":
        return f"model {model}" if model else "a model"
    return _DECIDERS.get(by, by)


def answer_words(answer: Json) -> str:
    """What a person answered, as they would say it: `billing`, `finish`, `yes`, `no, too much`; and by what
    a call was approved where nobody had to be asked.
    """
    found = as_object(answer)
    if "approve" in found:
        if found.get("by"):
            return f"approved by {as_text(found.get('by'))}"
        reason = as_text(found.get("reason"))
        return "yes" if found["approve"] is True else f"no, {reason}" if reason else "no"
    if found.get("finish") is True:
        return "finish"
    said = next((found[key] for key in ("choose", "answer") if key in found), answer)
    return said if isinstance(said, str) else canonical(said)


_DECIDERS = {
    "function": "a function",
    "person": "a person",
    "plan": "the plan of the file",
    "rule": "a rule",
}
