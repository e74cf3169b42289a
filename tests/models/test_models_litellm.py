"""litellm as it is: each of its ways that this project relies on, or works around, held by a test."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agentctl.errors import ModelError
from agentctl.jsontypes import JsonObject
from agentctl.models import quiet
from agentctl.models.litellm_transport import from_environment
from agentctl.models.messages import Usage
from agentctl.models.opening import chat_model, open_model
from loopback.asking import LOOK, ask, request, settings
from loopback.replies import Answer, Call, Failure, Raw, text
from loopback.server import LoopbackServer

pytestmark = [
    pytest.mark.xdist_group("litellm"),  # its import takes seconds: one worker is enough
    pytest.mark.filterwarnings(
        "ignore:Accessing the 'model_:DeprecationWarning"
    ),  # litellm's own use of pydantic
]

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("streamed", [True, False])
def test_what_anthropics_cache_took_and_gave_is_priced_as_litellm_prices_it(
    openai_server: LoopbackServer, streamed: bool
) -> None:
    """litellm counts both as input and tells them apart in the details: were it otherwise, costs would be."""
    cache: JsonObject = {
        "cache_creation_input_tokens": 100,
        "cache_read_input_tokens": 50,
        "cache_creation": {"ephemeral_5m_input_tokens": 60, "ephemeral_1h_input_tokens": 40},
    }
    openai_server.say(Answer(text="a", usage={"prompt_tokens": 11, "completion_tokens": 7, "cache": cache}))
    model = chat_model(settings("anthropic/claude-sonnet-4-5", base_url=openai_server.address), {}, "litellm")
    reply = ask(model, replace(request(), streamed=streamed))
    assert reply.usage == Usage(input=161, output=7, cached=50, stored=100, stored_hour=40)
    assert reply.cost_usd == pytest.approx(0.000618)


@pytest.mark.parametrize(
    ("model", "native"), [("claude-sonnet-4-5", True), ("claude-3-haiku-20240307", False)]
)
def test_a_shape_is_native_where_its_list_says_so_and_said_in_words_elsewhere(
    openai_server: LoopbackServer, model: str, native: bool
) -> None:
    shape: JsonObject = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    openai_server.say(text('{"a": "b"}'))
    stated = settings(f"anthropic/{model}", base_url=openai_server.address)
    assert ask(chat_model(stated, {}, "litellm"), request(schema=shape)).text == '{"a": "b"}'
    body = openai_server.requests[0].body
    assert ("output_format" in body) is native
    assert ("It must fit this JSON Schema" in str(body["system"])) is not native


def in_a_process_of_its_own(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )


@pytest.mark.processes
def test_its_import_tries_no_network_and_its_failures_print_nothing(openai_server: LoopbackServer) -> None:
    """Nor does it fetch a tokenizer to count what a server did not. The collector leaves alone what was
    imported as long as a model uses it.
    """
    program = """
import asyncio, gc, os, socket, sys
from loopback.asking import ask, settings
from agentctl.errors import ModelError
from agentctl.models import litellm_setup
from agentctl.models.opening import chat_model, open_model, warm

tried = []
connect = socket.socket.connect
def watched(self, address):
    tried.append(address)
    return connect(self, address)
socket.socket.connect = watched
resolve = socket.getaddrinfo
socket.getaddrinfo = lambda host, *more, **named: (tried.append(host), resolve(host, *more, **named))[1]

def fails(model, **stated):
    try:
        ask(chat_model(settings(model, **stated), {}, "litellm"))
    except ModelError as error:
        return error
    raise AssertionError("it answered")

stated = settings("anthropic/claude-sonnet-4-5", base_url=sys.argv[1])
assert "litellm" not in sys.modules
warm(stated, environ={})
asyncio.run(litellm_setup.use(stated))
assert gc.isenabled() and gc.get_freeze_count() > 100_000
asyncio.run(litellm_setup.done(stated))
assert not gc.get_freeze_count()
assert fails("nobody/knows-this").kind == "bad_request"
assert tried == [], tried
assert fails("anthropic/claude-sonnet-4-5", base_url=sys.argv[1]).kind == "bad_request"
llama = settings("groq/llama-3.3-70b-versatile", base_url=sys.argv[1])
assert ask(chat_model(llama, {}, "litellm")).text == "a"
hosts = {str(address[0]) if isinstance(address, tuple) else address for address in tried}
assert hosts == {"127.0.0.1"}, tried
import litellm
assert litellm.suppress_debug_info and not litellm.num_retries
"""
    refused = Failure(status=400, body={"error": {"message": "no"}})
    openai_server.say(refused, Answer(text="a", usage=None))
    done = in_a_process_of_its_own(program, openai_server.address)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert len(openai_server.requests) == 2


def test_tools_reach_a_model_that_its_list_does_not_know(openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(calls=[Call(name="look", arguments={"what": "x"})]))
    model = chat_model(settings("sambanova/brand-new", base_url=openai_server.base_url), {}, "litellm")
    reply = ask(model, request(tools=[LOOK]))
    assert reply.calls[0].name == "look"
    assert openai_server.requests[0].tools == ["look"]


def test_a_parameter_that_it_refuses_itself_is_a_refused_request(openai_server: LoopbackServer) -> None:
    stated = settings("sambanova/brand-new", base_url=openai_server.base_url, reasoning_effort="low")
    with pytest.raises(ModelError, match="does not support parameters") as caught:
        ask(chat_model(stated, {}, "litellm"))
    assert caught.value.kind == "bad_request"
    assert "drop_params" not in caught.value.message
    assert openai_server.requests == []


def test_its_own_retries_are_off(openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(text="", cut_after=0), text("never asked for"))
    with pytest.raises(ModelError):
        ask(
            chat_model(settings("anthropic/claude-sonnet-4-5", base_url=openai_server.address), {}, "litellm")
        )
    assert len(openai_server.requests) == 1


def test_its_model_is_opened_with_retries_and_asked_by_its_provider_variables(
    openai_server: LoopbackServer,
) -> None:
    openai_server.say(text("a"))
    environ = {"ANTHROPIC_API_KEY": "sk-ant-mine", "ANTHROPIC_API_BASE": openai_server.address}
    assert ask(open_model(settings("anthropic/claude-sonnet-4-5"), environ=environ)).text == "a"
    assert openai_server.requests[0].headers["x-api-key"] == "sk-ant-mine"


def test_variables_of_a_file_are_handed_over_only_to_the_provider_that_they_are_of() -> None:
    environ = {
        "AWS_PROFILE": "mine",
        "AZURE_API_VERSION": "1",
        "VERTEXAI_PROJECT": "p",
        "AWS_REGION_NAME": "",
    }
    assert dict(from_environment(settings("bedrock/x"), environ)) == {"aws_profile_name": "mine"}
    assert dict(from_environment(settings("azure/x"), environ)) == {"api_version": "1"}
    assert dict(from_environment(settings("vertex_ai/x"), environ)) == {"vertex_project": "p"}
    assert dict(from_environment(settings("anthropic/x"), environ)) == {}


def test_variables_of_the_process_are_left_for_it_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "mine")
    assert dict(from_environment(settings("bedrock/x"), {"AWS_PROFILE": "mine"})) == {}


def test_what_it_prints_goes_aside_and_what_others_print_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    quiet.guard()
    quiet.guard()
    try:
        sys.stdout.write("an answer\n")
        with quiet.aside():
            sys.stdout.write("a banner\n")
        sys.stdout.write("more\n")
        sys.stdout.flush()
        assert not sys.stdout.isatty()
    finally:
        quiet.unguard()
        quiet.unguard()
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("an answer\nmore\n", "a banner\n")


@pytest.mark.parametrize("message", ['"words"', "[1]"])
def test_an_answer_that_it_stumbles_over_is_not_asked_for_again(
    message: str, openai_server: LoopbackServer
) -> None:
    body = f'{{"id": "a", "choices": [{{"index": 0, "message": {message}, "finish_reason": "stop"}}]}}'
    openai_server.say(Raw(body=body, content_type="application/json"))
    stated = settings("groq/openai/gpt-oss-20b", base_url=openai_server.base_url, params={"stream": False})
    with pytest.raises(ModelError) as caught:
        ask(open_model(stated, environ={}))
    assert (caught.value.kind, caught.value.unpriced) == ("unreadable", 1)
    assert len(openai_server.requests) == 1
