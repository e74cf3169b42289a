"""Recordings: what counts as the same call, how a file reads and is written, what a replay gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentctl.document import dump
from agentctl.errors import ModelError, UsageError
from agentctl.jsonschemas import Checker
from agentctl.jsontypes import as_list, as_object
from agentctl.models.messages import Message, ModelRequest, Reply, Role, ToolCall, ToolSpec, Usage
from agentctl.models.opening import open_model
from agentctl.models.recording import RecordedCall, RecordedTool, Recording, Sent
from agentctl.models.recording_file import read_recording
from agentctl.models.recording_json import recording_json, step_order
from agentctl.models.recording_keys import exact_key, loose_key
from agentctl.models.replay import ReplayModel, Tape, sent_of
from agentctl.schemafiles import schema
from loopback.asking import Heard, ask, settings

SYSTEM = Message(role="system", text="Be brief.")
HELLO = Message(role="user", text="What is the balance of ACC-1?")


def called(identity: str = "call_1", arguments: str = '{"id": "ACC-1"}') -> tuple[Message, Message]:
    call = ToolCall(id=identity, name="balance", arguments=arguments)
    return (
        Message(role="assistant", text="", calls=(call,)),
        Message(role="tool", text="42.00", call_id=identity),
    )


FIRST = RecordedCall(
    step="desk/turn-1",
    sent=Sent(agent="desk", messages=(SYSTEM, HELLO), tools=("balance",)),
    reply=Reply(
        calls=called()[0].calls,
        finish="calls",
        model="openai/gpt-4o",
        usage=Usage(input=10, output=2, cached=3),
        cost_usd=0.01,
    ),
)
SECOND = RecordedCall(
    step="desk/turn-2",
    sent=Sent(agent="desk", messages=(SYSTEM, HELLO, *called()), tools=("balance",)),
    reply=Reply(text="It is 42.00.", model="openai/gpt-4o", cost_usd=None),
    pieces=(3, 9),
)
LOOKED = RecordedTool(
    step="desk/turn-1/call-1.balance",
    agent="desk",
    tool="balance",
    arguments={"id": "ACC-1"},
    text="42.00",
    state={"seen": 1},
)
ENDED = replace(LOOKED, step="desk/turn-2/call-1.balance", text="too dear", state={}, fatal=True)
WHOLE = Recording(
    path="a.yaml",
    team="desk",
    question="What is the balance of ACC-1?",
    calls=(SECOND, FIRST),
    tools=(LOOKED, ENDED),
    draws={"desk/turn-1": {"chosen": "one", "seed": 3}},
    answers={"desk/choose-1": {"choose": "one"}},
)


def asked(*messages: Message, agent: str = "desk", tools: tuple[str, ...] = ("balance",)) -> ModelRequest:
    offered = tuple(ToolSpec(name=name, description="", parameters={}) for name in tools)
    return ModelRequest(agent=agent, turn=1, messages=messages, tools=offered)


def model(*calls: RecordedCall, live: Reply | None = None) -> ReplayModel:
    recording = replace(WHOLE, calls=calls or WHOLE.calls)
    return ReplayModel("recording:a.yaml", Tape(recording), _Live(live) if live else None)


class _Live:
    def __init__(self, answer: Reply) -> None:
        self.answer = answer
        self.closed = False

    @property
    def id(self) -> str:
        return "live"

    async def reply(self, request: ModelRequest, notify: object) -> Reply:
        return self.answer

    async def close(self) -> None:
        self.closed = True


def written(recording: Recording, folder: Path) -> Path:
    path = folder / "a.yaml"
    path.write_text(dump(recording_json(recording)), encoding="utf-8")
    return path


def test_a_file_reads_back_as_what_was_written(tmp_path: Path) -> None:
    path = written(WHOLE, tmp_path)
    back = read_recording(path, shown="a.yaml")
    assert [replace(call, line=0) for call in back.calls] == [FIRST, SECOND]
    assert [replace(tool, line=0) for tool in back.tools] == [LOOKED, ENDED]
    assert (back.team, back.question, back.draws, back.answers) == (
        "desk",
        "What is the balance of ACC-1?",
        WHOLE.draws,
        WHOLE.answers,
    )
    assert written(back, tmp_path).read_text() == path.read_text()


def test_a_call_that_goes_on_from_another_holds_the_new_messages_only() -> None:
    first, second = (as_object(call) for call in as_list(recording_json(WHOLE)["calls"]))
    assert (first["step"], second["step"], second["continues"]) == (
        "desk/turn-1",
        "desk/turn-2",
        "desk/turn-1",
    )
    assert [as_object(message)["role"] for message in as_list(second["sent"])] == ["tool"]


def test_ids_of_calls_are_numbers_so_that_a_recording_made_anew_is_the_same() -> None:
    def recorded(identity: str) -> Recording:
        messages = (SYSTEM, HELLO, *called(identity))
        first = replace(FIRST, reply=replace(FIRST.reply, calls=called(identity)[0].calls))
        return replace(WHOLE, calls=(first, replace(SECOND, sent=replace(SECOND.sent, messages=messages))))

    assert recording_json(recorded("toolu_01AbC")) == recording_json(recorded("call_x9"))
    assert "call_1" in dump(recording_json(recorded("toolu_01AbC")))


def test_a_shape_of_answer_stands_there_once(tmp_path: Path) -> None:
    plan = {"type": "object", "required": ["steps"]}
    asked_for = [replace(call, sent=replace(call.sent, schema=plan)) for call in (FIRST, SECOND)]
    other = replace(FIRST, step="desk/turn-3", sent=replace(FIRST.sent, schema={"type": "array"}))
    path = written(replace(WHOLE, calls=(*asked_for, other)), tmp_path)
    assert path.read_text().count("steps") == 1
    back = read_recording(path, shown="a.yaml")
    assert [call.sent.schema for call in back.calls] == [plan, plan, {"type": "array"}]
    path.write_text(path.read_text().replace("schema: desk-2", "schema: desk-3"))
    with pytest.raises(UsageError, match='"schema" names "desk-3", which is none of `schemas`'):
        read_recording(path, shown="a.yaml")


def test_an_edited_reply_is_what_later_calls_were_sent(tmp_path: Path) -> None:
    path = written(WHOLE, tmp_path)
    path.write_text(path.read_text().replace("id: ACC-1", "id: ACC-2"))
    back = read_recording(path, shown="a.yaml")
    assert back.calls[1].sent.messages[2].calls[0].arguments == '{"id": "ACC-2"}'


def test_what_is_written_fits_the_schema() -> None:
    failed = replace(FIRST, step="desk/turn-3", error={"kind": "auth", "message": "no key", "status": 401})
    broken = replace(FIRST, step="desk/turn-4", sent=Sent(agent="a", messages=called(arguments="{oh")))
    whole = replace(WHOLE, calls=(FIRST, SECOND, failed, broken))
    assert Checker(schema("recording")).problems(recording_json(whole)) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("recording: 2", "recording"),
        ("recording: 1\ncals: []", "cals"),
        ("recording: 1\ncalls: [{step: a, agent: b, sent: []}]", "reply"),
        ("- no", "mapping"),
        (
            "recording: 1\ncalls:\n" + "  - {step: a, agent: b, sent: [], reply: {}}\n" * 2,
            "twice",
        ),
        ("recording: 1\ncalls: [{step: a, agent: b, continues: c, sent: [], reply: {}}]", "nowhere before"),
    ],
)
def test_a_file_that_is_no_recording_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(UsageError, match="is not valid") as raised:
        read_recording(tmp_path / "a.yaml", shown="a.yaml")
    assert told in raised.value.message


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_recording(tmp_path / "none.yaml", shown="none.yaml")


def test_replies_are_given_to_what_was_sent_in_any_order() -> None:
    replaying = model()
    assert ask(replaying, asked(SYSTEM, HELLO, *called())).text == "It is 42.00."
    assert ask(replaying, asked(SYSTEM, HELLO)) == FIRST.reply
    assert replaying.id == "recording:a.yaml"


def test_call_ids_and_the_writing_of_arguments_do_not_matter() -> None:
    others = called(identity="toolu_7", arguments='{ "id":"ACC-1" }')
    assert ask(model(), asked(SYSTEM, HELLO, *others)).text == "It is 42.00."


def looked_at(moment: str) -> tuple[Message, ...]:
    made, gave = called()
    return (HELLO, made, replace(gave, text=f"Now it is {moment}; go on"))


def test_times_and_ids_of_runs_do_not_matter_in_results_unless_they_tell_calls_apart() -> None:
    def at(moment: str, answer: str) -> RecordedCall:
        sent = Sent(agent="desk", messages=looked_at(moment))
        return replace(SECOND, step=answer, sent=sent, reply=Reply(text=answer))

    early, late = at("2026-11-29T15:00:00Z", "early"), at("2026-11-29 18:30", "late")
    replaying = model(early, late)
    assert ask(replaying, asked(*late.sent.messages, tools=())).text == "late"
    assert ask(replaying, asked(*looked_at("2027-01-01T00:00:00.123+01:00"), tools=())).text == "early"
    with pytest.raises(ModelError, match="sent now: tool to call 1: Now it is tomorrow"):
        ask(replaying, asked(*looked_at("tomorrow"), tools=()))


@pytest.mark.parametrize("role", ["user", "system"])
def test_times_that_people_write_are_what_they_ask(role: Role) -> None:
    def about(moment: str) -> Message:
        return Message(role=role, text=f"Stock of aspirin at {moment}")

    then = replace(FIRST, sent=Sent(agent="desk", messages=(about("2027-01-01T10:15:00Z"),)))
    assert ask(model(then), asked(about("2027-01-01T10:15:00Z"), tools=())) == then.reply
    with pytest.raises(ModelError, match=r"sent now: .* aspirin at 2031-01-01T11:15:00Z"):
        ask(model(then), asked(about("2031-01-01T11:15:00Z"), tools=()))


def test_where_the_whole_of_a_long_text_is_kept_does_not_matter() -> None:
    def cut(place: str) -> Message:
        return Message(role="user", text=f"One [the whole text is kept in {place}]")

    then = replace(FIRST, sent=Sent(agent="desk", messages=(cut("a/1.txt"),)))
    assert ask(model(then), asked(cut("b/2.txt"), tools=())) == then.reply


def test_ids_of_calls_can_be_edited(tmp_path: Path) -> None:
    path = written(WHOLE, tmp_path)
    path.write_text(path.read_text().replace("id: call_1", "id: mine", 1))
    back = read_recording(path, shown="a.yaml")
    assert [call.id for call in back.calls[0].reply.calls] == ["mine"]
    assert ask(model(*back.calls), asked(SYSTEM, HELLO, *called())).text == "It is 42.00."


def test_results_that_change_places_are_another_request() -> None:
    calls = tuple(ToolCall(id=name, name="balance", arguments="{}") for name in ("a", "b"))
    made = Message(role="assistant", text="", calls=calls)
    one, two = (Message(role="tool", text=text, call_id=text) for text in ("a", "b"))
    then = replace(SECOND, sent=Sent(agent="desk", messages=(made, one, two)))
    turned = (replace(one, call_id="b"), replace(two, call_id="a"))
    with pytest.raises(ModelError) as raised:
        ask(model(then), asked(made, *turned, tools=()))
    assert "recorded: tool to call 1: a\n  sent now: tool to call 2: a" in raised.value.message


def test_a_difference_in_white_space_is_seen() -> None:
    with pytest.raises(ModelError) as raised:
        ask(model(FIRST), asked(SYSTEM, replace(HELLO, text="What is the balance\nof ACC-1?")))
    recorded, now = raised.value.message.split("\n")[1:]
    assert recorded.partition(": ")[2] != now.partition(": ")[2]
    assert "balance\\nof" in now


def test_the_same_request_gets_its_replies_in_turn_and_then_none() -> None:
    again = replace(FIRST, step="desk/turn-9", reply=Reply(text="second"))
    replaying = model(FIRST, again)
    assert [ask(replaying, asked(SYSTEM, HELLO)).text for _ in range(2)] == ["", "second"]
    with pytest.raises(ModelError, match='sent this by agent "desk" 2 times, and it is sent once more'):
        ask(replaying, asked(SYSTEM, HELLO))
    filled = model(FIRST, again, live=Reply(text="live"))
    assert [ask(filled, asked(SYSTEM, HELLO)).text for _ in range(3)] == ["", "second", "live"]


def test_of_equal_requests_the_step_tells_which_reply_is_due() -> None:
    again = replace(FIRST, step="desk/turn-9", reply=Reply(text="second"))
    replaying = model(FIRST, again)
    assert ask(replaying, replace(asked(SYSTEM, HELLO), step="desk/turn-9")).text == "second"
    assert ask(replaying, replace(asked(SYSTEM, HELLO), step="desk/turn-7")) == FIRST.reply


def test_a_conversation_that_was_too_long_is_too_long_again_when_shortened() -> None:
    failed = replace(FIRST, error={"kind": "context_overflow", "message": "too long"})
    replaying = model(failed)
    for request in (asked(SYSTEM, HELLO), asked(SYSTEM)):
        with pytest.raises(ModelError, match="too long"):
            ask(replaying, replace(request, step=FIRST.step))


def test_text_streams_in_the_pieces_it_came_in_unless_it_was_edited() -> None:
    heard = Heard()
    ask(model(), asked(SYSTEM, HELLO, *called()), heard)
    assert [event["text"] for event in heard.events] == ["It ", "is 42.00."]
    edited = Heard()
    ask(model(replace(SECOND, reply=Reply(text="Nothing."))), asked(SYSTEM, HELLO, *called()), edited)
    assert [event["text"] for event in edited.events] == ["Nothing."]


def test_a_recorded_failure_fails_again() -> None:
    failed = replace(FIRST, error={"kind": "auth", "message": "no key", "status": 401, "hint": "set it"})
    with pytest.raises(ModelError, match="no key") as raised:
        ask(model(failed), asked(SYSTEM, HELLO))
    assert (raised.value.kind, raised.value.status, raised.value.hint) == ("auth", 401, "set it")


def test_ids_that_are_taken_are_made_new() -> None:
    empty = replace(FIRST, sent=Sent(agent="desk", messages=(SYSTEM, *called())), reply=FIRST.reply)
    reply = ask(model(empty), asked(SYSTEM, *called(), tools=()))
    assert reply.calls[0].id not in ("", "call_1")


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (asked(SYSTEM, HELLO, agent="nobody"), "no call of this agent"),
        (asked(SYSTEM, Message(role="user", text="Something else")), "sent now: user: Something else"),
        (asked(SYSTEM, HELLO, tools=("other",)), "the tools offered differs"),
        (asked(SYSTEM), "1 now"),
        (replace(asked(SYSTEM, HELLO), schema={"type": "object"}), "the schema of the answer differs"),
    ],
)
def test_what_was_not_recorded_is_told_with_what_differs(request_: ModelRequest, told: str) -> None:
    with pytest.raises(ModelError) as raised:
        ask(model(), request_)
    assert raised.value.kind == "script"
    assert told in raised.value.message
    assert "--record" in (raised.value.hint or "")


def test_a_live_model_is_asked_what_was_not_recorded() -> None:
    replaying = model(live=Reply(text="live"))
    assert ask(replaying, asked(SYSTEM)).text == "live"


def test_it_is_a_model_like_any_other(tmp_path: Path) -> None:
    written(WHOLE, tmp_path)
    opened = open_model(replace(settings("recording:a.yaml"), folder=tmp_path), environ={})
    assert ask(opened, asked(SYSTEM, HELLO, *called())).text == "It is 42.00."


def test_steps_are_ordered_as_numbers_and_own_turns_first() -> None:
    steps = [
        "desk/turn-10",
        "desk/billing.1/turn-1",
        "desk/turn-2",
        "desk/billing.1/turn-2",
        "desk/billing.1~2/turn-1",
        "desk/billing.1~10/turn-1",
    ]
    assert sorted(steps, key=step_order) == [steps[2], steps[0], steps[1], *steps[3:]]
    backwards = list(reversed(steps))
    backwards.sort(key=step_order)
    assert sorted(steps, key=step_order) == backwards


@given(st.text(), st.text())
def test_equal_texts_have_equal_keys_and_others_have_not(one: str, other: str) -> None:
    first, second = (sent_of(asked(Message(role="user", text=text))) for text in (one, other))
    assert (exact_key(first) == exact_key(second)) is (one == other)
    assert one != other or loose_key(first) == loose_key(second)
