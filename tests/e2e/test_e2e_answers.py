"""Replies as they come in the wild, over HTTP: shaped answers, guardrails, calls that are written wrongly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentctl.jsontypes import Json, JsonObject
from e2e.cast import Stage, agent, crew, looker, looks, transfer
from e2e.command import Desk
from loopback.replies import Answer, Call, Failure
from loopback.server import Seen

INVOICE: JsonObject = {
    "type": "object",
    "properties": {"total": {"type": "number"}, "currency": {"enum": ["USD", "EUR"]}},
    "required": ["total", "currency"],
    "additionalProperties": False,
}
FITS = '{"total": 12.5, "currency": "EUR"}'
CLASSES = """
from dataclasses import dataclass
@dataclass
class Invoice:
    total: float
    currency: str = "USD"
"""


def test_an_answer_of_a_shape_is_asked_for_mended_and_printed_as_json(stage: Stage, wired: Desk) -> None:
    stage.set(agent("desk", output=INVOICE), {"desk": ["It is 12.50.", f"```json\n{FITS}\n```"]})
    done = wired("run", "--json", ".", "How much?")
    result = json.loads(done.stdout)
    assert (done.returncode, result["output"]) == (0, {"total": 12.5, "currency": "EUR"})
    assert json.loads(result["answer"]) == result["output"]
    first, second = (seen.messages[0]["content"] for seen in stage.server.requests)
    assert "It must fit this JSON Schema" in str(first)
    assert "does not have the shape" in str(stage.shown("desk", 2)[-1])
    assert first == second


def test_a_class_comes_back_as_its_value_also_from_the_record(stage: Stage) -> None:
    stage.set(agent("desk", output="./shapes.py:Invoice"), {"desk": '{"total": "12.5"}'})
    (stage.folder / "shapes.py").write_text(CLASSES, "utf-8")
    run = stage.run()
    assert (type(run.output).__name__, str(run.output)) == ("Invoice", "Invoice(total=12.5, currency='USD')")
    assert str(stage.resume(run).output) == str(run.output)
    assert run.output_json == {"total": 12.5, "currency": "USD"}


def test_tools_first_and_the_shape_in_the_end(stage: Stage) -> None:
    stage.set({**looker("desk"), "output": INVOICE}, {"desk": [looks("a"), "Twelve.", FITS]})
    run = stage.run()
    assert run.output == {"total": 12.5, "currency": "EUR"}
    bodies = [seen.body for seen in stage.server.requests]
    assert all("response_format" not in body for body in bodies), "none beside tools"
    assert bodies[2].get("tool_choice") == "none", "a mending turn may call nothing"


def test_an_answer_that_never_fits_fails_and_says_how_often(stage: Stage, wired: Desk) -> None:
    stage.set(agent("desk", output=INVOICE, output_retries=1), {"desk": "No."})
    done = wired("run", ".", "How much?")
    assert done.returncode == 1
    assert "asked 2 times" in done.stderr
    assert len(stage.server.requests) == 2


def guarded(**rail: Json) -> JsonObject:
    return agent("desk", guardrails=[rail])


def test_a_person_decides_about_a_rejected_answer_in_another_process(stage: Stage, wired: Desk) -> None:
    stage.set(guarded(on="output", regex="rude", action="ask", message="it is rude"), {"desk": "a rude word"})
    done = wired("run", "--yes", ".", "Well?")
    assert done.returncode == 3, "no general consent waves a rejection through"
    assert (
        "A guardrail of 'desk' rejected the answer: it is rude. Let it pass?\n  text: a rude word\n"
        in done.stderr
    )
    (asked,) = json.loads(wired("show", wired.run_id, "--json").stdout)["waiting_for"]
    assert (asked["kind"], asked["text"]) == ("approve", "a rude word")
    done = wired("resume", wired.run_id, "--approve")
    assert (done.returncode, done.stdout) == (0, "a rude word\n"), done.stderr
    assert len(stage.server.requests) == 1


def test_a_rejected_answer_is_shown_and_asked_for_again(stage: Stage, wired: Desk) -> None:
    stage.set(guarded(on="output", regex="rude", action="retry"), {"desk": ["rude", "kind"]})
    done = wired("run", ".", "Well?")
    assert (done.returncode, done.stdout) == (0, "kind\n")
    assert "a guardrail rejected the answer" in done.stderr
    assert "guardrail on the answer" in wired("show", wired.run_id).stdout


def test_what_a_supervisor_passes_on_is_judged_too(stage: Stage) -> None:
    team = agent("desk", *crew("one", "two"), strategy="handoff")
    rail: Json = [{"on": "output", "regex": "[0-9]{4}", "action": "fix", "replacement": "****"}]
    stage.set({**team, "guardrails": rail}, {"desk": transfer("one"), "one": "Card 1234."})
    assert stage.run().answer == "Card ****."


@pytest.mark.parametrize(
    "written",
    [
        '<tool_call>\n{"name": "look", "arguments": {"what": "a"}}\n</tool_call>',
        '```json\n{"name": "look", "arguments": {"what": "a"}}\n```',
        "<function=look>\n<parameter=what>\na\n</parameter>\n</function>",
    ],
)
def test_a_call_that_is_written_as_text_is_made(stage: Stage, written: str) -> None:
    stage.set(looker("desk"), {"desk": [written, "Done."]})
    assert stage.run().answer == "Done."
    assert stage.looked == ["a"]
    assert stage.shown("desk", 2) == ["user: What now?", "assistant:  [look]", "tool: a is fine"]


@pytest.mark.parametrize(("arguments", "looked"), [('{"what": "a"', ["a"]), ('{"what": "a', [])])
def test_broken_arguments_are_repaired_only_where_nothing_is_guessed(
    stage: Stage, arguments: str, looked: list[str]
) -> None:
    broken = Answer(calls=[Call(name="look", arguments=arguments)])
    stage.set(looker("desk"), {"desk": [broken, "Done."]})
    run = stage.run()
    assert (run.answer, stage.looked) == ("Done.", looked)
    notes = [step.detail.get("note") for step in run.executions[0].steps if step.kind == "tool"]
    assert bool(notes[0]) == bool(looked)


@pytest.mark.parametrize("empty", [Answer(text=None), Answer(text=""), Answer(text="  ")])
def test_an_empty_reply_is_nudged_once_and_is_never_a_success(stage: Stage, empty: Answer) -> None:
    def desk(seen: Seen) -> Answer | str:
        return "Done." if "Your reply was empty" in str(seen.messages[-1]["content"]) else empty

    stage.set(agent("desk"), {"desk": desk})
    run = stage.run()
    assert (run.status, run.answer) == ("completed", "Done.")
    stage.set(agent("desk"), {"desk": empty})
    assert (stage.run().error or {}).get("code") == "empty-reply"


def test_a_request_that_the_provider_finds_too_long_is_sent_with_less(stage: Stage, wired: Desk) -> None:
    tools: Json = [{"function": "./long.py:read", "idempotent": True}]
    (stage.folder / "long.py").write_text(
        'def read(page: int) -> str:\n    """Reads a page."""\n    return "x" * 3000\n', "utf-8"
    )

    def desk(seen: Seen) -> Answer | Failure:
        results = [message for message in seen.messages if message["role"] == "tool"]
        if sum(len(str(message["content"])) for message in results) > 5000:
            error: Json = {"message": "too long", "code": "context_length_exceeded"}
            return Failure(status=400, body={"error": error})
        if len(results) < 2:
            return Answer(calls=[Call(name="read", arguments={"page": len(results)})])
        return Answer(text="Read.")

    stage.set(agent("desk", tools=tools), {"desk": desk})
    done = wired("run", ".", "Read it.")
    assert (done.returncode, done.stdout) == (0, "Read.\n"), done.stderr
    assert "1 older tool result was shortened to fit the model's context" in done.stderr
    assert "shortened" in wired("show", wired.run_id).stdout


def test_a_warning_before_a_limit_is_shown(stage: Stage, wired: Desk, tmp_path: Path) -> None:
    stage.set({**looker("desk"), "limits": {"tokens": 40}}, {"desk": [looks("a"), "Done."]})
    done = wired("run", ".", "Well?")
    assert done.returncode == 0
    assert "desk has used 36 of 40 tokens" in done.stderr
