"""The answers of a test's person, given in order to the questions that they fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from agentctl.jsontypes import Json, JsonObject, as_list, as_text
from agentctl.spec.cases import Person, PersonKind

_ANSWERS: Final[dict[PersonKind, str]] = {
    "choose": "choose",
    "finish": "choose",
    "approve": "approve",
    "deny": "approve",
    "answer": "question",
}


class Stand:
    """Stands in for a person. `left` are the answers that nothing has asked for."""

    def __init__(self, answers: Sequence[Person]) -> None:
        self.left = list(answers)

    async def ask(self, question: JsonObject) -> Json:
        for answer in self.left:
            if _fits(answer, question):
                self.left.remove(answer)
                return _value(answer)
        return None


def _fits(answer: Person, question: JsonObject) -> bool:
    if _ANSWERS[answer.kind] != question.get("kind"):
        return False
    if answer.kind == "choose" and answer.text not in map(as_text, as_list(question.get("choices"))):
        return False
    return answer.tool in (None, question.get("tool")) and answer.agent in (None, question.get("agent"))


def _value(answer: Person) -> Json:
    match answer.kind:
        case "choose":
            return {"choose": answer.text}
        case "finish":
            return {"finish": True}
        case "approve":
            return {"approve": True}
        case "deny":
            return {"approve": False, "reason": answer.text}
        case "answer":
            return {"answer": answer.text}
        case _:
            assert_never(answer.kind)
