"""What a run asks of its models over HTTP, where that depends on the team, the listener or the endpoint."""

from __future__ import annotations

import asyncio
import json

import pytest

import agentctl
from agentctl.jsontypes import Json, JsonObject, as_object
from e2e.cast import Stage, agent, looker, looks
from loopback.replies import Answer, Failure
from loopback.server import Seen

INVOICE: JsonObject = {
    "type": "object",
    "properties": {"total": {"type": "number"}},
    "required": ["total"],
    "additionalProperties": False,
}
TOO_LONG = Failure(status=400, body={"error": {"message": "long", "code": "context_length_exceeded"}})


@pytest.fixture
def own(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """The loopback server in place of OpenAI's own endpoint, as a proxy is."""
    for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", stage.server.address)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://api.openai.com/v1")
    return stage


def test_openais_own_endpoint_is_given_the_shape_of_the_answer(own: Stage) -> None:
    own.set(agent("desk", output=INVOICE, model={"id": "openai/gpt-4o-mini", "max_tokens": 50}))
    own.server.script = lambda seen: Answer(text='{"total": 12}')
    assert own.run().output == {"total": 12}
    (seen,) = own.server.requests
    assert seen.headers["host"] == "api.openai.com"
    shape = as_object(as_object(seen.body["response_format"])["json_schema"])
    assert (shape["schema"], shape["strict"]) == (INVOICE, True)
    assert "JSON Schema" not in str(seen.messages[0]["content"]), "it is not said twice"
    assert (seen.body["max_completion_tokens"], "max_tokens" in seen.body) == (50, False)


def test_where_a_model_refuses_the_native_way_the_shape_is_said_in_words(own: Stage) -> None:
    def script(seen: Seen) -> Answer | Failure:
        if "response_format" in seen.body:
            message = "Invalid parameter: 'response_format' of type 'json_schema' is not supported"
            return Failure(status=400, body={"error": {"message": message}})
        return Answer(text='{"total": 12}')

    own.set(agent("desk", output=INVOICE))
    own.server.script = script
    assert own.run().output == {"total": 12}
    assert "It must fit this JSON Schema" in str(own.server.requests[1].messages[0]["content"])
    assert len(own.server.requests) == 2


def test_a_script_answers_in_shape_after_it_was_told_what_is_wrong(stage: Stage) -> None:
    fits = '```json\n{"total": 12}\n```'
    turns: list[Json] = ["Twelve.", {"when": {"contains": "does not have the shape"}, "text": fits}]
    replies = json.dumps({"agents": {"desk": turns}})
    (stage.folder / "replies.yaml").write_text(replies, "utf-8")
    stage.set(agent("desk", output=INVOICE, model="script:replies.yaml"))
    run = stage.run()
    assert (run.status, run.output, run.answer) == ("completed", {"total": 12}, '{"total": 12}'), run.error
    assert run.executions[0].model_calls == 2


@pytest.mark.parametrize("listened", [True, False])
def test_replies_stream_to_whoever_listens_and_are_the_same_to_everybody(
    stage: Stage, listened: bool
) -> None:
    stage.set(looker("desk"), {"desk": [looks("a"), "A is fine, all in all."]})
    heard: list[JsonObject] = []
    listen = heard.append if listened else None
    run = asyncio.run(agentctl.run(stage.folder, "Well?", runs_dir=stage.runs, on_event=listen))
    assert (run.answer, stage.looked, run.usage.total) == ("A is fine, all in all.", ["a"], 36)
    assert [seen.body.get("stream", False) for seen in stage.server.requests] == [listened] * 2
    streamed = "".join(str(event["text"]) for event in heard if event["ev"] == "model.text")
    assert streamed == (run.answer if listened else "")


def test_a_conversation_that_is_too_long_is_shortened_before_another_model_is_asked(stage: Stage) -> None:
    """The first model goes on with less; only where that is too much still is its fallback asked."""
    stage.set({**looker("desk"), "model": {"id": "openai/small", "fallbacks": ["openai/large"]}})
    most = {"openai/small": 3_000}

    def script(seen: Seen) -> Answer | Failure:
        said = sum(len(str(message.get("content"))) for message in seen.messages)
        if seen.body["model"] == "small" and said > most["openai/small"]:
            return TOO_LONG
        turns = sum(message["role"] == "assistant" for message in seen.messages)
        return looks(f"{turns} " + "x" * 2_000) if turns < 2 else Answer(text="Done.")

    stage.server.script = script
    assert stage.run().answer == "Done."
    assert [seen.body["model"] for seen in stage.server.requests] == ["small"] * 4
    assert "more characters were left out" in json.dumps(stage.server.requests[-1].messages)
    most["openai/small"] = 100
    stage.server.requests.clear()
    assert stage.run().answer == "Done."
    asked = [
        (str(seen.body["model"]), len(json.dumps(seen.messages)) > 6_000) for seen in stage.server.requests
    ]
    assert asked[-3:] == [("small", True), ("small", False), ("large", False)]
