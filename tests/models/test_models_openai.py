"""The openai client's way over a real connection: what is sent, what comes back, what is held and let go."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Unpack

import pytest

from agentctl.errors import ModelError
from agentctl.jsontypes import JsonObject
from agentctl.models.messages import Usage
from agentctl.models.model import Model
from agentctl.models.opening import client_of, open_model
from loopback.asking import LOOK, Heard, Stated, ask, request, settings
from loopback.replies import Answer, Call, Failure, Raw, Scripted, text
from loopback.server import LoopbackServer, Seen

SHAPE: JsonObject = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def opened(
    server: LoopbackServer, environ: Mapping[str, str] | None = None, **stated: Unpack[Stated]
) -> Model:
    whole: Stated = {"base_url": server.base_url, "retries": 0, **stated}
    return open_model(settings(**whole), environ=environ or {})


def test_a_streamed_reply_with_calls_is_told_as_it_comes_and_priced(openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(text="let me look", calls=[Call(name="look", arguments={"what": "it"})]))
    heard = Heard()
    reply = ask(opened(openai_server), request(tools=[LOOK]), heard)
    assert [event["text"] for event in heard.events] == ["let m", "e loo", "k"]
    assert reply.text == "let me look"
    assert [(call.name, call.arguments) for call in reply.calls] == [("look", '{"what":"it"}')]
    assert (reply.finish, reply.model, reply.usage) == (
        "calls",
        "openai/gpt-4o-mini",
        Usage(input=11, output=7),
    )
    assert reply.cost_usd == pytest.approx(5.85e-06)


def test_usage_that_never_came_has_no_price(openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(text="a", usage=None))
    reply = ask(opened(openai_server))
    assert (reply.usage, reply.cost_usd) == (Usage(counted=False), None)


def test_a_server_that_does_not_stream_works(openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(text="all at once", stream=False))
    heard = Heard()
    assert ask(opened(openai_server), heard=heard).text == heard.text == "all at once"


def test_a_file_can_turn_streaming_off(openai_server: LoopbackServer) -> None:
    openai_server.say(text("whole"))
    assert ask(opened(openai_server, params={"stream": False})).text == "whole"
    assert "stream" not in openai_server.requests[0].body


@pytest.mark.parametrize("content_type", ["text/plain", "application/json"])
def test_a_stream_under_a_wrong_content_type_is_read(
    openai_server: LoopbackServer, content_type: str
) -> None:
    chunk = '{"choices": [{"delta": {"content": "hi"}, "finish_reason": "stop"}]}'
    openai_server.say(
        Raw(body=f": ping\n\nevent: x\ndata:{chunk}\n\ndata: [DONE]\n\n", content_type=content_type)
    )
    assert ask(opened(openai_server)).text == "hi"


def test_a_stream_without_its_end_mark_is_whole_when_the_model_had_ended(
    openai_server: LoopbackServer,
) -> None:
    openai_server.say(Answer(text="fine", done_mark=False), Answer(text="fine", finish_mark=False))
    assert ask(opened(openai_server)).text == "fine"
    assert ask(opened(openai_server)).text == "fine"


def test_an_error_inside_a_stream_is_that_error(openai_server: LoopbackServer) -> None:
    error = {"error": {"message": "slow down", "code": 429}}
    openai_server.say(Raw(body=f"data: {json.dumps(error)}\n\n", content_type="text/event-stream"))
    with pytest.raises(ModelError) as caught:
        ask(opened(openai_server))
    assert (caught.value.kind, caught.value.status) == ("rate_limit", 429)


def refuses(word: str) -> Failure:
    return Failure(status=400, body={"error": {"message": f"Unknown parameter: '{word}'"}})


def test_a_server_that_refuses_stream_options_is_asked_without_and_that_is_remembered(
    openai_server: LoopbackServer,
) -> None:
    openai_server.say(refuses("stream_options"), text("a"), text("b"))

    async def main() -> None:
        model = opened(openai_server)
        await model.reply(request(), Heard())
        await model.reply(request(), Heard())
        await model.close()

    asyncio.run(main())
    assert ["stream_options" in seen.body for seen in openai_server.requests] == [True, False, False]


def test_calls_at_once_all_get_over_what_the_server_refuses(openai_server: LoopbackServer) -> None:
    gate = threading.Barrier(4)

    def script(seen: Seen) -> Scripted:
        if "stream_options" not in seen.body:
            return text("a")
        gate.wait(timeout=10)
        return refuses("stream_options")

    openai_server.script = script

    async def main() -> None:
        model = opened(openai_server)
        await asyncio.gather(*(model.reply(request(), Heard()) for _ in range(4)))
        await model.close()

    asyncio.run(main())
    assert len(openai_server.requests) == 8


def test_a_refusal_of_something_never_sent_is_raised(openai_server: LoopbackServer) -> None:
    openai_server.say(refuses("response_format and tool_choice"))
    with pytest.raises(ModelError, match="response_format"):
        ask(opened(openai_server))
    assert len(openai_server.requests) == 1


def test_a_schema_is_an_instruction_to_a_server_that_is_not_openais(openai_server: LoopbackServer) -> None:
    openai_server.say(text('{"a": "b"}'))
    ask(opened(openai_server), request(schema=SHAPE))
    seen = openai_server.requests[0]
    assert "response_format" not in seen.body
    assert '"required":["a"]' in str(seen.messages[0]["content"])


def test_the_key_of_the_named_variable_is_sent_and_organization_and_project_with_it(
    openai_server: LoopbackServer,
) -> None:
    openai_server.say(text("a"))
    environ = {
        "MY_KEY": "sk-mine",
        "OPENAI_API_KEY": "sk-other",
        "OPENAI_ORG_ID": "org",
        "OPENAI_PROJECT_ID": "prj",
    }
    ask(opened(openai_server, environ, api_key_env="MY_KEY"))
    headers = openai_server.requests[0].headers
    assert headers["authorization"] == "Bearer sk-mine"
    assert (headers["openai-organization"], headers["openai-project"]) == ("org", "prj")


def test_a_server_without_keys_is_sent_a_dummy(openai_server: LoopbackServer) -> None:
    openai_server.say(text("a"))
    ask(opened(openai_server))
    assert openai_server.requests[0].headers["authorization"] == "Bearer no-key-needed"


@pytest.mark.parametrize("variable", ["OPENAI_BASE_URL", "OPENAI_API_BASE"])
@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "gpt-4o-mini"])
def test_the_usual_variables_move_openais_models(
    openai_server: LoopbackServer, variable: str, model: str
) -> None:
    openai_server.say(text("a"))
    reply = ask(open_model(settings(model), environ={variable: openai_server.base_url}))
    assert reply.model == model
    assert openai_server.requests[0].body["model"] == "gpt-4o-mini"


def test_params_may_speak_to_the_client_itself(openai_server: LoopbackServer) -> None:
    openai_server.say(text("a"))
    params: JsonObject = {
        "extra_headers": {"x-team": "t"},
        "extra_query": {"v": "2"},
        "extra_body": {"top_k": 4},
        "seed": 1,
    }
    ask(opened(openai_server, params=params))
    seen = openai_server.requests[0]
    assert seen.headers["x-team"] == "t"
    assert seen.path == "/v1/chat/completions?v=2"
    assert (seen.body["top_k"], seen.body["seed"]) == (4, 1)
    assert "extra_body" not in seen.body


def test_a_key_that_the_server_repeats_is_not_repeated(openai_server: LoopbackServer) -> None:
    openai_server.say(
        Failure(status=401, body={"error": {"message": "Incorrect API key provided: sk-secret-1"}})
    )
    with pytest.raises(ModelError) as caught:
        ask(opened(openai_server, {"OPENAI_API_KEY": "sk-secret-1"}))
    assert "sk-secret-1" not in str(caught.value.as_json())


def test_a_reply_that_stops_coming_runs_into_the_timeout(openai_server: LoopbackServer) -> None:
    hold = threading.Event()
    openai_server.say(Answer(text="x" * 10, piece=1, hold=hold, hold_after=3))
    with pytest.raises(ModelError, match=r"nothing more of it came for 0\.5 s") as caught:
        ask(opened(openai_server, timeout=0.5))
    hold.set()
    assert (caught.value.kind, caught.value.unpriced) == ("timeout", 1)


def test_a_server_that_says_nothing_runs_into_the_timeout(openai_server: LoopbackServer) -> None:
    hold = threading.Event()
    openai_server.say(Answer(text="late", hold=hold))
    with pytest.raises(ModelError) as caught:
        ask(opened(openai_server, timeout=0.1))
    hold.set()
    assert caught.value.kind == "timeout"


def test_nobody_there_is_a_failed_connection() -> None:
    model = open_model(settings(base_url="http://127.0.0.1:9/v1", retries=0), environ={})
    with pytest.raises(ModelError) as caught:
        ask(model)
    assert caught.value.kind == "connection"


@pytest.mark.parametrize("begun", [False, True])
def test_a_call_is_cancelled_at_once_and_leaves_nothing_open(
    openai_server: LoopbackServer, begun: bool
) -> None:
    hold = threading.Event()

    async def main() -> None:
        loop, reached = asyncio.get_running_loop(), asyncio.Event()

        def script(seen: Seen) -> Answer:
            if begun:
                return Answer(text="x" * 500, piece=1, pause=0.01)
            loop.call_soon_threadsafe(reached.set)
            return Answer(text="late", hold=hold)

        openai_server.script = script
        model = opened(openai_server)
        task = asyncio.create_task(model.reply(request(), lambda event: reached.set()))
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await model.close()

    asyncio.run(main())
    hold.set()


def test_the_models_of_a_loop_share_its_connections_which_end_with_it(openai_server: LoopbackServer) -> None:
    openai_server.script = lambda seen: text("a")

    async def main() -> None:
        first, second = opened(openai_server), opened(openai_server, temperature=0.0)
        for model in (first, second, first):
            await model.reply(request(), Heard())
            await model.close()
            await model.close()

    for loops in (1, 2):
        asyncio.run(main())  # what it left open would be a ResourceWarning, and so an error
        assert openai_server.connections == loops
    assert len(openai_server.requests) == 6


@pytest.mark.parametrize("listened", [True, False])
def test_a_reply_streams_only_where_somebody_wants_its_text_as_it_comes(
    openai_server: LoopbackServer, listened: bool
) -> None:
    openai_server.say(Answer(text="let me look", calls=[Call(name="look", arguments={"what": "it"})]))
    reply = ask(opened(openai_server), replace(request(tools=[LOOK]), streamed=listened))
    assert (reply.text, reply.calls[0].arguments) == ("let me look", '{"what":"it"}')
    assert (reply.finish, reply.usage) == ("calls", Usage(input=11, output=7))
    assert openai_server.requests[0].body.get("stream", False) is listened


def test_many_at_once_are_under_way_at_once(openai_server: LoopbackServer) -> None:
    gate = threading.Barrier(20)

    def script(seen: object) -> Answer:
        gate.wait(timeout=10)
        return text("a")

    openai_server.script = script

    async def main() -> None:
        model = opened(openai_server)
        await asyncio.gather(*(model.reply(request(), Heard()) for _ in range(20)))
        await model.close()

    asyncio.run(main())
    assert openai_server.most_at_once == 20


@pytest.mark.parametrize(
    ("model", "base_url", "environ", "client"),
    [
        ("offline", None, {}, "offline"),
        ("script:a.yaml", None, {}, "script"),
        ("openai/gpt-4o-mini", None, {}, "openai"),
        ("gpt-4o-mini", None, {}, "openai"),
        ("o3", None, {}, "openai"),
        ("openai/o1-pro", None, {}, "litellm"),
        ("openai/o1-pro", None, {"OPENAI_BASE_URL": "http://localhost:1/v1"}, "openai"),
        ("my-model", "http://localhost:1", {}, "openai"),
        ("meta-llama/Llama-3", "http://localhost:1", {}, "openai"),
        ("openai/meta-llama/Llama-3", "http://localhost:1", {}, "openai"),
        ("anthropic/claude-sonnet-4-5", None, {}, "litellm"),
        ("anthropic/claude-sonnet-4-5", "http://localhost:1", {}, "litellm"),
        ("claude-sonnet-4-5", None, {}, "litellm"),
        ("ollama/llama3", None, {}, "litellm"),
    ],
)
def test_which_client_carries_which_model(
    model: str, base_url: str | None, environ: dict[str, str], client: str
) -> None:
    assert client_of(settings(model, base_url=base_url), environ) == client


def test_the_way_through_the_openai_client_imports_no_litellm_and_prints_nothing(
    openai_server: LoopbackServer,
) -> None:
    program = """
import asyncio, os, sys
from loopback.asking import ask, request, settings
from agentctl.models.opening import open_model, warm
assert not {"openai", "litellm"} & set(sys.modules)
stated = settings(base_url=sys.argv[1])
warm(stated, environ=os.environ)
assert ask(open_model(stated, environ=os.environ)).text == "hello"
assert "openai" in sys.modules and "litellm" not in sys.modules
"""
    openai_server.say(text("hello"))
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, openai_server.base_url],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
