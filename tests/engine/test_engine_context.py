"""Requests too long for a model's window: what is shortened, what never is, that it is on record."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from agentctl.engine.context import fitted, smallest
from agentctl.errors import ModelError
from agentctl.jsontypes import JsonObject
from agentctl.models.messages import Message, ModelRequest, ToolCall
from engine.harness import (
    Ran,
    Say,
    Saying,
    SpokenModel,
    Stage,
    agent,
    call,
    calls,
    calls_are_answered,
    play,
    tool,
)

LONG = "x" * 8_000
WINDOW = 16_385


def exchange(number: int, result: str, arguments: str = "{}", *, signed: bool = False) -> list[Message]:
    made = ToolCall(id=f"c{number}", name="look", arguments=arguments)
    opaque: JsonObject = {"model": "m", "message": {"thinking": "x"}} if signed else {}
    return [
        Message(role="assistant", text="", calls=(made,), opaque=opaque),
        Message(role="tool", text=result, call_id=made.id),
    ]


def request(*exchanges: list[Message], system: str = "Do it.", asked: str = "What now?") -> ModelRequest:
    opening = [Message(role="system", text=system), Message(role="user", text=asked)]
    messages = [*opening, *(message for each in exchanges for message in each)]
    return ModelRequest(agent="solo", turn=1, messages=tuple(messages))


def test_the_oldest_results_are_shortened_first_and_only_as_many_as_needed() -> None:
    sent = request(*(exchange(number, LONG) for number in range(6)))
    found = fitted(sent, 12_000)
    lengths = [len(message.text) for message in found.request.messages if message.role == "tool"]
    assert found.shortened == 2
    assert max(lengths[:2]) < 300
    assert lengths[2:] == [8_000] * 4


def test_what_fits_and_what_has_no_known_window_is_left_alone() -> None:
    sent = request(exchange(1, LONG), exchange(2, LONG))
    assert fitted(sent, None).request is sent
    assert fitted(sent, 1_000_000).request is sent
    assert fitted(sent, 6_000).shortened == 0, "longer than the window in characters, not in tokens"


def test_long_texts_of_the_calls_go_with_their_results_unless_they_are_signed() -> None:
    written = json.dumps({"path": "a", "text": LONG, "n": 3})
    kept, cut = (
        smallest(request(exchange(1, LONG, written, signed=signed), exchange(2, "")))
        for signed in (True, False)
    )
    assert kept.request.messages[2].calls[0].arguments == written
    shorter = json.loads(cut.request.messages[2].calls[0].arguments)
    assert (shorter["path"], shorter["n"], len(shorter["text"]) < 300) == ("a", 3, True)


def test_instructions_the_request_and_the_last_exchange_are_never_touched() -> None:
    sent = request(exchange(1, LONG), exchange(2, LONG), system=LONG, asked=LONG)
    found = fitted(sent, 10)
    for place in (0, 1, 4, 5):
        assert found.request.messages[place] == sent.messages[place]
    assert found.shortened == 1


@given(st.lists(st.integers(0, 6_000), max_size=6), st.integers(1, 9_000))
def test_every_call_stays_answered_and_nothing_grows(sizes: list[int], window: int) -> None:
    sent = request(*(exchange(number, "y" * size) for number, size in enumerate(sizes)))
    for found in (fitted(sent, window), smallest(sent)):
        assert calls_are_answered(found.request.messages) == []
        assert len(found.request.messages) == len(sent.messages)
        pairs = zip(found.request.messages, sent.messages, strict=True)
        assert all(len(new.text) <= len(old.text) for new, old in pairs)


class Small(SpokenModel):
    """A model whose window is on litellm's list."""

    id = "openai/gpt-3.5-turbo"


def reads(*results: int, says: Sequence[Say] | None = None, model: type[SpokenModel] = Small) -> Ran:
    """An agent that reads results of these lengths, one after another."""
    sizes = iter(results)
    turns: list[Saying] = [calls(call("look", call_id=f"c{i}")) for i in range(len(results))]
    spoken = model({"solo": says or [*turns, "Done."]})
    look = tool("look", lambda _: "z" * next(sizes), idempotent=True)
    return play(Stage(root=agent("solo"), tools={"solo": [look]}, model=spoken))


def test_a_request_is_made_to_fit_before_it_is_sent_and_the_record_says_so() -> None:
    ran = reads(30_000, 30_000, 30_000)
    assert ran.answer == "Done."
    sent = [sum(len(message.text) for message in one.messages) for one in ran.model.saw]
    assert max(sent) / 3.5 < WINDOW
    assert [one.data.get("shortened") for one in ran.events("model.started")] == [None, None, 1, 2]


def test_a_model_that_finds_it_too_long_is_asked_once_more_with_less() -> None:
    def too_long(sent: ModelRequest) -> Saying:
        big = sum(len(message.text) for message in sent.messages) > 5_000
        return ModelError("too long", kind="context_overflow") if big else "Done."

    first: list[Saying] = [calls(call("look", call_id="a")), calls(call("look", call_id="b"))]
    ran = reads(6_000, 100, says=[*first, too_long], model=SpokenModel)
    assert ran.answer == "Done."
    assert ran.events("model.completed")[-1].data["shortened"] == 1


def test_what_cannot_be_shortened_fails_with_the_models_own_words() -> None:
    error = ModelError("too long", kind="context_overflow")
    ran = reads(6_000, says=[calls(call("look")), error], model=SpokenModel)
    assert ran.error["code"] == "model-context-overflow"
