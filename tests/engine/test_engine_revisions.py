"""Revisions, doubts, branches that rest, and what is told of a step: the engine's parts, one by one."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from agentctl.engine.bell import Bell
from agentctl.engine.doubts import Doubt, doubt
from agentctl.engine.revisions import REVISION, Revisions, holding
from agentctl.engine.steps import Call
from agentctl.engine.told import Told
from agentctl.journal.memory import MemoryJournal
from agentctl.journal.redact import Redactor
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.messages import ModelRequest
from agentctl.spec.settings import Retry
from agentctl.spec.strategies import Parallel, Sequential
from agentctl.tools.tool import Tool, ToolContext, ToolResult
from engine.harness import Saying, Stage, agent, broken, call, calls, leaves, person, play, tool

STEP = "desk/turn-1/call-1.sell"
SELL = Call(
    key="turn-1/call-1.sell",
    function="tool",
    args={"agent": "desk", "tool": "sell", "arguments": {"what": "that"}},
    in_doubt={"text": "unknown", "error": True},
)


def journal(*records: tuple[str, str, JsonObject]) -> MemoryJournal:
    found = MemoryJournal()
    for ev, step, data in records:
        found.append(ev, step, data)
    return found


def held(kept: MemoryJournal, step: str, asked: str) -> Json:
    found = holding(kept, Revisions(kept.records), step, ("tool.completed",), asked)
    return None if found is None else found.data.get("out")


def test_without_a_revision_the_newest_record_is_the_one_to_compare() -> None:
    kept = journal(("tool.completed", STEP, {"in": "a", "out": 1}))
    assert (held(kept, STEP, "a"), held(kept, STEP, "b")) == (1, 1)
    assert held(kept, "desk/turn-2", "a") is None


def test_after_a_revision_only_what_was_asked_the_same_holds() -> None:
    kept = journal(
        ("tool.completed", STEP, {"in": "a", "out": 1}),
        (REVISION, "", {"kind": "team"}),
        ("tool.completed", STEP, {"in": "b", "out": 2}),
        (REVISION, "", {"kind": "team"}),
    )
    assert (held(kept, STEP, "a"), held(kept, STEP, "b"), held(kept, STEP, "c")) == (1, 2, None)


def test_what_is_to_be_done_again_holds_no_more_whatever_was_asked() -> None:
    kept = journal(
        ("tool.completed", STEP, {"in": "a", "out": 1}),
        ("tool.completed", "desk/turn-2", {"in": "a", "out": 2}),
        (REVISION, STEP, {"kind": "rerun"}),
    )
    assert (held(kept, STEP, "a"), held(kept, "desk/turn-2", "a")) == (None, 2)
    kept.append("tool.completed", STEP, {"in": "a", "out": 3})
    assert held(kept, STEP, "a") == 3
    kept.append(REVISION, "desk/one.1~2", {"kind": "retry"})
    assert Revisions(kept.records).retried("desk/one.1") == kept.records[-1].seq
    assert held(kept, STEP, "b") is None


@pytest.mark.parametrize(
    ("records", "about"),
    [
        ([], None),
        ([("tool.started", {"in": "b"})], "was under way"),
        ([("tool.started", {"in": "a", "arguments": {"what": "it"}})], "was under way"),
        ([("tool.started", {"in": "b"}), ("tool.failed", {"in": "b"})], None),
        ([("tool.started", {"in": "a"}), ("tool.completed", {"in": "a", "refused": True})], None),
        ([("tool.started", {"in": "a"}), ("tool.completed", {"in": "a"})], "with other arguments"),
        ([("tool.started", {"in": "a"}), ("tool.skipped", {"in": "a"})], "with other arguments"),
        ([("tool.started", {"in": "b"}), (REVISION, {"kind": "rerun"})], None),
    ],
)
def test_who_has_to_be_asked_before_a_call(records: list[tuple[str, JsonObject]], about: str | None) -> None:
    found = doubtful(records, SELL)
    assert (found is None) == (about is None)
    if found is not None and about is not None:
        assert about in as_text(found.request["question"])
        assert as_object(found.request["arguments"]) == {"what": "that"}


def doubtful(records: list[tuple[str, JsonObject]], made: Call) -> Doubt | None:
    kept = journal(*((ev, STEP, data) for ev, data in records))
    return doubt(made, STEP, "b", kept, Revisions(kept.records))


def test_the_earlier_arguments_are_shown_and_what_it_gave_is_told() -> None:
    found = doubtful(
        [
            ("tool.started", {"in": "a", "arguments": {"what": "it"}}),
            ("tool.completed", {"in": "a", "out": {"text": "sold"}}),
        ],
        SELL,
    )
    assert found is not None
    assert found.request["earlier"] == {"what": "it"}
    told = as_text(as_object(found.rests)["text"])
    assert 'with {"what":"it"}' in told
    assert told.endswith("It gave: sold")


def test_a_harmless_call_is_never_in_doubt() -> None:
    harmless = Call(key=SELL.key, function="tool", args=SELL.args)
    assert doubtful([("tool.started", {"in": "b"})], harmless) is None


def test_a_bell_wakes_those_who_listen_when_it_rings() -> None:
    async def listen() -> list[bool]:
        bell = Bell()
        first, second = bell.heard(), bell.heard()
        second.cancel()
        bell.ring()
        third = bell.heard()
        await first
        return [first.done(), second.cancelled(), third.done()]

    assert asyncio.run(listen()) == [True, True, False]


TWICE = Retry(attempts=3, delay=0.0)
KEY = "sk-abcdef0123456789abcdef"


@pytest.mark.parametrize("size", [1, 3, 7, 100])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"It is {KEY}, so.", "It is •••, so."),
        (f"Bearer abcdefghijklmnop1234 and {KEY}", "Bearer ••• and •••"),
        ("你好。 No key at all\n", "你好。 No key at all\n"),
    ],
)
def test_streamed_text_is_redacted_whatever_its_pieces(size: int, text: str, shown: str) -> None:
    events: list[JsonObject] = []
    told = Told("desk/turn-1", Redactor().redact, events.append)
    for start in range(0, len(text), size):
        told({"ev": "model.text", "text": text[start : start + size]})
    told.end()
    told.end()
    assert "".join(as_text(event["text"]) for event in events) == shown
    assert {event["step"] for event in events} == {"desk/turn-1"}


def test_a_reply_that_starts_again_drops_what_was_held_back() -> None:
    events: list[JsonObject] = []
    told = Told("s", Redactor([KEY]).redact, events.append)
    told({"ev": "model.text", "text": "some"})
    told({"ev": "model.restarted"})
    told({"ev": "model.text", "text": "other"})
    told({"ev": "model.retrying", "error": {"message": f"with {KEY}"}})
    assert [event.get("text") or event.get("error") or event["ev"] for event in events] == [
        "model.restarted",
        "other",
        {"message": "with •••"},
    ]


def keeping(keys: list[str]) -> Tool:
    async def made(_arguments: JsonObject, context: ToolContext) -> ToolResult:
        keys.append(context.idempotency_key)
        return ToolResult(text="kept")

    return replace(tool("keep", lambda _arguments: "", idempotent=True), call=made)


def test_a_call_has_the_same_key_in_every_attempt_and_another_one_for_other_arguments() -> None:
    keys: list[str] = []
    asked = iter(['{"a": 1}', '{"a": 1}', '{"a": 2}'])

    def acts(_request: ModelRequest) -> Saying:
        return calls(call("keep", next(asked)))

    fails: list[Exception] = [broken(), broken()]

    def closes(_request: ModelRequest) -> Saying:
        return fails.pop() if fails else "done"

    ran = play(
        Stage(
            root=agent(
                "desk",
                strategy=Sequential(),
                agents=[agent("one", retry=Retry(attempts=3, delay=0.0)), agent("two")],
            ),
            says={"one": [acts, closes]},
            tools={"one": [keeping(keys)]},
        )
    )
    assert ran.ended.ev == "run.completed"
    first, second, third = keys
    assert first == second != third


def approving(*names: str) -> Stage:
    return Stage(
        root=agent("desk", strategy=Parallel(), agents=leaves(*names)),
        says={name: [calls(call("sell")), f"{name} sold"] for name in names},
        tools={name: [tool("sell", lambda _: "sold", approve=True)] for name in names},
    )


def test_a_branch_that_nobody_answers_rests_and_the_others_end() -> None:
    ran = play(approving("one", "two"), signals=None)
    assert ran.ended.ev == "run.waiting"
    steps = [as_object(item)["step"] for item in as_list(ran.ended.data["waiting_for"])]
    assert steps == [f"desk/{name}.1/turn-1/call-1.sell/approve" for name in ("one", "two")]


def test_a_person_at_the_terminal_answers_each_of_several() -> None:
    stage = approving("one", "two")
    stage.ask = person({"approve": True}, {"approve": True})
    ran = play(stage)
    assert ran.ended.ev == "run.completed"
    assert len(ran.events("wait.completed")) == 2
