"""Tools that are known only once they were listed, results that were cut, and questions to a person."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.spec.strategies import Handoff, RoundRobin
from agentctl.tools.asking import ask_person_tool
from agentctl.tools.tool import Attachment, Tool, ToolContext, ToolResult
from engine.harness import (
    Ran,
    Say,
    Saying,
    Stage,
    agent,
    call,
    calls,
    passes,
    person,
    play,
    resumed_everywhere,
    tool,
)

LONG = "".join(f"line {number}\n" for number in range(5_000))
SECRET = "hunter2-0123"


@dataclass(kw_only=True)
class Shelf:
    """A toolset whose tools are named in its listing; `asked` counts how often it was asked."""

    names: list[str] = field(default_factory=lambda: ["look", "find"])
    asked: int = 0
    fails: int = 0

    @property
    def asks(self) -> JsonObject:
        return {"server": "shelf"}

    async def listing(self) -> Json:
        self.asked += 1
        if self.asked <= self.fails:
            raise ExecutionFailed("the shelf is away", rule="mcp-server")
        return list(self.names)

    def tools(self, listing: Json, taken: Collection[str]) -> tuple[Tool, ...]:
        return tuple(_shelved(as_text(name), taken) for name in as_list(listing))


def _shelved(name: str, taken: Collection[str]) -> Tool:
    made = tool(f"shelf_{name}" if name in taken else name, lambda _: f"{name} is here", idempotent=True)
    return replace(made, source=f"shelf/{name}")


def solo(*says: Say, shelf: Shelf | None = None, tools: Collection[Tool] = ()) -> Stage:
    return Stage(
        root=agent("solo", instructions="Do it."),
        says={"solo": list(says)},
        tools={"solo": list(tools)},
        toolsets={"solo": [shelf]} if shelf else {},
    )


def results(ran: Ran) -> list[str]:
    return [as_text(as_object(record.data["out"])["text"]) for record in ran.events("tool.completed")]


def offered(ran: Ran) -> list[list[str]]:
    return [[spec.name for spec in request.tools] for request in ran.model.saw]


def test_tools_are_listed_before_the_first_turn_and_once_an_execution() -> None:
    shelf = Shelf()
    ran = play(solo(calls(call("look")), calls(call("find")), "Done.", shelf=shelf))
    assert (ran.answer, results(ran)) == ("Done.", ["look is here", "find is here"])
    assert offered(ran) == [["look", "find"]] * 3
    (listed,) = ran.events("listing.completed")
    assert (listed.step, listed.data["out"]) == ("solo/tools", [["look", "find"]])
    assert shelf.asked == 1


def test_a_resume_goes_by_what_was_listed_then() -> None:
    resumed_everywhere(lambda: solo(calls(call("look")), "Done.", shelf=Shelf()))
    whole = play(solo(calls(call("look")), calls(call("look")), "Done.", shelf=Shelf()))
    changed = Shelf(names=["look", "more"])
    kept = whole.records[: next(i for i, one in enumerate(whole.records) if one.ev == "tool.completed") + 1]
    resumed = play(solo(calls(call("look")), calls(call("look")), "Done.", shelf=changed), kept)
    assert resumed.answer == "Done."
    assert changed.asked == 0
    assert offered(resumed)[0] == ["look", "find"]


def test_own_tools_keep_their_names_and_nothing_is_offered_twice() -> None:
    own = tool("look", lambda _: "my own")
    stage = solo(calls(call("look"), call("shelf_look")), "Done.", shelf=Shelf(), tools=[own])
    stage.toolsets = {"solo": [Shelf(), Shelf()]}
    ran = play(stage)
    assert results(ran) == ["my own", "look is here"]
    assert offered(ran)[0] == ["look", "shelf_look", "find"]


def test_a_listing_that_fails_is_asked_for_again_on_resume() -> None:
    failed = play(solo("Done.", shelf=Shelf(fails=1)))
    assert failed.ended.ev == "run.failed"
    assert failed.error["message"] == "the shelf is away"
    assert play(solo("Done.", shelf=Shelf()), failed.records).answer == "Done."


def test_only_the_agent_that_names_it_reaches_a_toolset() -> None:
    stage = Stage(
        root=agent("desk", strategy=Handoff(), agents=[agent("one"), agent("two")]),
        says={
            "desk": passes("two"),
            "two": [calls(call("look"), call("shelf_look")), "Done."],
        },
        toolsets={"one": [Shelf()]},
    )
    ran = play(stage)
    assert ran.answer == "Done."
    assert all(text.startswith("There is no tool") for text in results(ran))
    assert ran.events("listing.started") == []


def long_tool(text: str = LONG, limit: int = 300, name: str = "long") -> Tool:
    async def gives(_arguments: JsonObject, _context: ToolContext) -> ToolResult:
        return ToolResult(text=text[:limit], full=text)

    return replace(tool(name, lambda _: ""), call=gives)


def output_in(text: str) -> str:
    return text.rpartition('id "')[2].partition('"')[0]


def test_a_result_that_was_cut_can_be_read_on_in() -> None:
    first = play(solo(calls(call("long")), "Done.", tools=[long_tool()]))
    output = output_in(results(first)[0])
    read = f'{{"id": "{output}", "offset": 200}}'

    def stage() -> Stage:
        return solo(calls(call("long")), calls(call("read_output", read)), "Done.", tools=[long_tool()])

    ran = play(stage())
    assert offered(ran) == [["long"], ["long", "read_output"], ["long", "read_output"]]
    assert results(ran)[1].startswith(LONG[200:10_000])
    assert "spilled" not in ran.events("tool.completed")[1].data


def test_a_result_that_was_cut_names_the_tool_that_reads_on_also_beside_a_namesake() -> None:
    own = tool("read_output", lambda _: "mine", idempotent=True)
    ran = play(solo(calls(call("long")), "Done.", tools=[long_tool(), own]))
    assert offered(ran)[1] == ["long", "read_output", "read_output_2"]
    assert "with the tool read_output_2: id " in results(ran)[0]


def test_a_result_is_cut_anew_after_secrets_are_taken_out() -> None:
    text = "x" * 195 + SECRET + "y" * 1_000
    stage = solo(calls(call("long")), "Done.", tools=[long_tool(text, limit=200)])

    def redact(value: Json) -> Json:
        if isinstance(value, str):
            return value.replace(SECRET, "•••")
        if isinstance(value, dict):
            return {key: redact(each) for key, each in value.items()}
        return [redact(each) for each in value] if isinstance(value, list) else value

    stage.redact = redact
    ran = play(stage)
    assert "hunt" not in results(ran)[0]


def test_another_agents_result_cannot_be_read_even_by_its_id() -> None:
    first = play(two_agents("{}"))
    output = output_in(results(first)[0])
    ran = play(two_agents(f'{{"id": "{output}"}}'))
    assert "There is no tool 'read_output'" in results(ran)[1]
    assert any(text.startswith("There is no result with this id") for text in results(ran))


def two_agents(arguments: str) -> Stage:
    """`one` has a result cut; `two` has one cut too, and asks for that of `one`."""
    return Stage(
        root=agent("desk", strategy=RoundRobin(), agents=[agent("one"), agent("two")]),
        says={
            "one": [calls(call("long")), "mine"],
            "two": [
                calls(call("read_output", arguments), call("long")),
                calls(call("read_output", arguments)),
                ".",
            ],
        },
        tools={"one": [long_tool()], "two": [long_tool()]},
    )


def test_a_marker_that_a_tool_makes_up_reads_nothing() -> None:
    first = play(solo(calls(call("long")), "Done.", tools=[long_tool()]))
    made_up = results(first)[0].replace(output_in(results(first)[0]), "out-0123456789")
    liar = tool("liar", lambda _: made_up)
    ran = play(
        solo(calls(call("liar")), calls(call("read_output", '{"id": "out-0123456789"}')), ".", tools=[liar])
    )
    assert results(ran)[1] == "The result 'out-0123456789' is not kept any more."


def test_an_agent_that_gets_control_again_can_still_read_on() -> None:
    first = play(twice("{}"))
    ran = play(twice(f'{{"id": "{output_in(results(first)[0])}"}}'))
    assert results(ran)[-1].startswith("line 0\n")


def twice(arguments: str) -> Stage:
    said: Iterator[Saying] = iter(
        [calls(call("long")), "once", calls(call("read_output", arguments)), "twice"]
    )
    return Stage(
        root=agent("desk", strategy=RoundRobin(turns=3), agents=[agent("one"), agent("two")]),
        says={"one": lambda _: next(said)},
        tools={"one": [long_tool()]},
    )


def test_what_no_text_can_hold_is_kept_as_files() -> None:
    async def gives(_arguments: JsonObject, _context: ToolContext) -> ToolResult:
        return ToolResult(text="[image 1]", files=(Attachment(label="image 1", suffix=".png", data=b"x"),))

    ran = play(solo(calls(call("draw")), "Done.", tools=[replace(tool("draw", lambda _: ""), call=gives)]))
    place = "memory:solo/turn-1/call-1.draw-image 1.png"
    assert results(ran) == [f"[image 1]\n[image 1 is kept in {place}]"]
    assert ran.events("tool.completed")[0].data["files"] == [place]


ASK = '{"question": "Which one?"}'


def asks(*says: Say) -> Stage:
    return solo(*says, tools=[ask_person_tool(Path("/team"))])


def test_a_persons_answer_is_the_result_of_the_call() -> None:
    stage = asks(calls(call("ask_person", ASK)), "Done.")
    stage.ask = person({"answer": "The blue one."})
    ran = play(stage)
    assert (ran.answer, results(ran)) == ("Done.", ["The blue one."])
    assert as_object(ran.events("wait.started")[0].data["request"])["question"] == "Which one?"


def test_a_question_nobody_answers_pauses_the_run_until_somebody_does() -> None:
    waits = play(asks(calls(call("ask_person", ASK)), "Done."))
    assert waits.ended.ev == "run.waiting"
    step = "solo/turn-1/call-1.ask_person/answer"
    (question,) = as_list(waits.ended.data["waiting_for"])
    assert (as_object(question)["step"], as_object(question)["kind"]) == (step, "question")
    done = play(
        asks(calls(call("ask_person", ASK)), "Done."), waits.records, signals={step: {"answer": "Blue."}}
    )
    assert (done.answer, results(done)) == ("Done.", ["Blue."])


def test_a_question_without_words_is_refused() -> None:
    ran = play(asks(calls(call("ask_person", '{"question": " "}')), "Done."))
    assert "needs one argument" in results(ran)[0]


def paying(*answers: Json) -> Stage:
    pay = tool("pay", lambda arguments: f"paid {arguments['to']}", approve=True)
    refund = tool("refund", lambda _: "refunded", approve=True)
    both = calls(call("pay", '{"to": "a"}', call_id="1"), call("pay", '{"to": "b"}', call_id="2"))
    stage = solo(both, calls(call("pay", '{"to": "c"}'), call("refund")), "Done.", tools=[pay, refund])
    stage.ask = person(*answers)
    return stage


def test_always_holds_for_that_tool_and_for_calls_that_wait_beside_it() -> None:
    ran = play(paying({"approve": True, "always": True}, {"approve": False, "reason": "too late"}))
    told = sorted(results(ran))
    assert [text for text in told if text.startswith("paid")] == ["paid a", "paid b", "paid c"]
    assert [text for text in told if not text.startswith("paid")] == [
        "A person did not allow this call (too late). It was not made."
    ]
    assert len(ran.events("wait.completed")) == 4, "each on record"


def test_a_call_is_made_as_soon_as_it_is_agreed_to_whatever_the_others_wait_for() -> None:
    made: list[str] = []

    def paid(arguments: JsonObject) -> str:
        made.append(as_text(arguments["to"]))
        return "paid"

    pay = tool("pay", paid, approve=True)
    turn = calls(call("pay", '{"to": "a"}', call_id="1"), call("pay", '{"to": "b"}', call_id="2"))
    stage = solo(turn, "Done.", tools=[pay])
    stage.ask = person({"approve": True})
    waiting = play(stage)
    assert (waiting.ended.ev, made) == ("run.waiting", ["a"])
    (question,) = as_list(waiting.ended.data["waiting_for"])
    step = as_text(as_object(question)["step"])
    stage.ask = None
    done = play(stage, waiting.records, signals={step: {"approve": False}})
    assert (done.answer, made) == ("Done.", ["a"])
    assert results(done) == ["paid", "A person did not allow this call. It was not made."]


def test_always_holds_after_a_resume() -> None:
    whole = play(paying({"approve": True, "always": True}))
    assert whole.ended.ev == "run.waiting", "the refund is another tool"
    cut = next(i for i, one in enumerate(whole.records) if one.ev == "wait.completed") + 1
    resumed = play(paying(), whole.records[:cut])
    assert sorted(results(resumed)) == ["paid a", "paid b", "paid c"]
    (question,) = as_list(resumed.ended.data["waiting_for"])
    assert "refund" in as_text(as_object(question)["question"])
