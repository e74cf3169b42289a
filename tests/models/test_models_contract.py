"""One contract for every way to a model: the openai client, and litellm in two protocols."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal, Unpack

import pytest

from agentctl.errors import ModelError
from agentctl.jsontypes import JsonObject, as_list, as_object
from agentctl.models.messages import Message, Reply, Usage
from agentctl.models.model import Model
from agentctl.models.opening import chat_model
from agentctl.models.retrying import Fallbacks, Retrying
from loopback.anthropic_format import SIGNATURE
from loopback.asking import LOOK, Heard, Stated, ask, request, settings
from loopback.replies import Answer, Call, Drop, Failure, Raw, Scripted, text
from loopback.server import LoopbackServer

pytestmark = [
    pytest.mark.xdist_group("litellm"),  # its import takes seconds: one worker is enough
    pytest.mark.filterwarnings(
        "ignore:Accessing the 'model_:DeprecationWarning"
    ),  # litellm's own use of pydantic
]


@dataclass(frozen=True)
class Way:
    client: Literal["openai", "litellm"]
    model: str

    def open(self, server: LoopbackServer, **stated: Unpack[Stated]) -> Model:
        url = server.address if self.model.startswith("anthropic") else server.base_url
        stated.setdefault("base_url", url)
        return chat_model(settings(self.model, **stated), {}, self.client)


OPENAI = Way("openai", "openai/gpt-4o-mini")
LITELLM = Way("litellm", "openai/gpt-4o-mini")
GROQ = Way("litellm", "groq/openai/gpt-oss-20b")
ANTHROPIC = Way("litellm", "anthropic/claude-sonnet-4-5")

every_way = pytest.mark.parametrize(
    "way", [OPENAI, LITELLM, ANTHROPIC], ids=["openai", "litellm", "anthropic"]
)
both_modes = pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])


def replies(
    way: Way, server: LoopbackServer, answer: Scripted, *, stream: bool = True
) -> tuple[Reply, Heard]:
    server.say(answer)
    heard = Heard()
    stated: Stated = {} if stream else {"params": {"stream": False}}
    model = way.open(server, **stated)
    return ask(model, request(tools=[LOOK]), heard), heard


def fails(way: Way, server: LoopbackServer, answer: Scripted, *, stream: bool = True) -> ModelError:
    with pytest.raises(ModelError) as caught:
        replies(way, server, answer, stream=stream)
    return caught.value


@every_way
@both_modes
def test_text(way: Way, openai_server: LoopbackServer, stream: bool) -> None:
    reply, heard = replies(way, openai_server, text("Grüße, 世界, and more"), stream=stream)
    assert (reply.text, reply.calls, reply.finish) == ("Grüße, 世界, and more", (), "stop")
    assert reply.model == way.model
    assert reply.usage == Usage(input=11, output=7)
    assert heard.text == reply.text
    assert len(heard.events) > 1 or not stream


@every_way
@both_modes
def test_calls_beside_text(way: Way, openai_server: LoopbackServer, stream: bool) -> None:
    made = [Call(name="look", arguments={"what": "one"}), Call(name="look", arguments={"what": "two"})]
    reply, _ = replies(way, openai_server, Answer(text="looking", calls=made), stream=stream)
    assert (reply.text, reply.finish) == ("looking", "calls")
    assert [call.name for call in reply.calls] == ["look", "look"]
    assert [call.arguments.replace(" ", "") for call in reply.calls] == ['{"what":"one"}', '{"what":"two"}']
    assert len({call.id for call in reply.calls}) == 2


@every_way
@both_modes
def test_a_reply_cut_at_its_limit(way: Way, openai_server: LoopbackServer, stream: bool) -> None:
    reply, _ = replies(way, openai_server, Answer(text="half of", finish="length"), stream=stream)
    assert (reply.text, reply.finish) == ("half of", "length")


@every_way
@both_modes
def test_content_that_was_refused(way: Way, openai_server: LoopbackServer, stream: bool) -> None:
    for written in ("I", ""):
        error = fails(way, openai_server, Answer(text=written, finish="content_filter"), stream=stream)
        assert (error.kind, error.unpriced) == ("refused", 1)
        assert "content policy refused it" in error.message


@every_way
def test_the_price_is_by_the_same_list(way: Way, openai_server: LoopbackServer) -> None:
    reply, _ = replies(way, openai_server, text("a"))
    assert reply.cost_usd == pytest.approx(5.85e-06 if "gpt" in way.model else 11 * 3e-06 + 7 * 1.5e-05)


@every_way
def test_a_conversation_with_calls_goes_back_in_order(way: Way, openai_server: LoopbackServer) -> None:
    openai_server.say(
        Answer(text="looking", calls=[Call(name="look"), Call(name="look", arguments={"what": "b"})]),
        text("done"),
    )

    async def main() -> Reply:
        model = way.open(openai_server)
        asked = Message(role="user", text="look twice")
        first = await model.reply(request(asked, tools=[LOOK]), Heard())
        answered = Message(role="assistant", text=first.text, calls=first.calls, opaque=first.opaque)
        results = [Message(role="tool", text=f"it is {call.id}", call_id=call.id) for call in first.calls]
        last = await model.reply(request(asked, answered, *results, tools=[LOOK], turn=2), Heard())
        await model.close()
        return last

    assert asyncio.run(main()).text == "done"
    assert len(openai_server.requests[1].messages) >= 3


@every_way
@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (Failure(status=400, body={"error": {"message": "bad temperature"}}), "bad_request"),
        (
            Failure(status=401, body={"error": {"message": "who are you", "type": "authentication_error"}}),
            "auth",
        ),
        (Failure(status=403, body={"error": {"message": "not for you"}}), "permission"),
        (Failure(status=404, body={"error": {"message": "no such thing"}}), "not_found"),
        (Failure(status=400, body={"error": {"message": "prompt is too long: 9 > 1"}}), "context_overflow"),
        (Failure(status=400, body={"error": {"message": "blocked", "code": "content_filter"}}), "refused"),
        (Failure(status=429, body={"error": {"message": "slow down"}}), "rate_limit"),
        (Failure(status=429, body={"error": {"message": "broke", "code": "insufficient_quota"}}), "quota"),
        (Failure(status=408), "server"),
        (Failure(status=409), "server"),
        (Failure(status=500), "server"),
        (Failure(status=503, body="<html><title>down</title></html>"), "server"),
        (
            Failure(status=529, body={"error": {"type": "overloaded_error", "message": "Overloaded"}}),
            "server",
        ),
        (Raw(body="<html><title>Sign in</title></html>"), "bad_response"),
        (Drop(), "connection"),
        (Answer(text="is cut in the middle", cut_after=4), "connection"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_failures_are_told_apart(
    way: Way, openai_server: LoopbackServer, failure: Scripted, kind: str
) -> None:
    error = fails(way, openai_server, failure)
    assert error.kind == kind
    assert f'Model "{way.model}"' in error.message
    assert "litellm" not in error.message or kind == "bad_response"
    assert len(openai_server.requests) == 1


@every_way
def test_the_servers_words_and_wait_are_kept(way: Way, openai_server: LoopbackServer) -> None:
    body = {"error": {"message": "only 3 requests a minute", "type": "rate_limit_error"}}
    error = fails(way, openai_server, Failure(status=429, body=body, headers={"Retry-After": "17"}))
    assert error.message.endswith("(HTTP 429): only 3 requests a minute")
    assert (error.status, error.retry_after) == (429, 17.0)


@every_way
def test_a_broken_stream_is_asked_for_again(way: Way, openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(text="wrong beginning here", cut_after=5), text("right"))

    async def no_pause(seconds: float) -> None:
        return

    heard = Heard()
    reply = ask(Retrying(way.open(openai_server), pause=no_pause), heard=heard)
    assert reply.text == heard.text == "right"
    assert len(heard.all("model.restarted")) == len(heard.all("model.retrying")) == 1


@every_way
def test_a_silent_server_runs_into_the_timeout(way: Way, openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(text="xx", piece=1, pause=2.0))
    with pytest.raises(ModelError) as caught:
        ask(way.open(openai_server, timeout=0.3))
    assert caught.value.kind == "timeout"


@every_way
def test_a_forced_choice_and_settings_reach_the_server(way: Way, openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(calls=[Call(name="look", arguments={"what": "x"})]))
    ask(way.open(openai_server, temperature=0.25, max_tokens=99), request(tools=[LOOK], required=True))
    body = openai_server.requests[0].body
    assert (body["temperature"], body["max_tokens"]) == (0.25, 99)
    assert body["tool_choice"] in ("required", {"type": "any"})
    assert openai_server.requests[0].tools == ["look"]


@every_way
def test_nothing_is_printed(
    way: Way, openai_server: LoopbackServer, capfd: pytest.CaptureFixture[str]
) -> None:
    fails(way, openai_server, Failure(status=500))
    fails(way, openai_server, Failure(status=400))
    fails(way, openai_server, Drop())
    assert capfd.readouterr().out == ""


def test_anthropics_signed_thinking_goes_back_as_it_came(openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(thinking="let me think", text="hm", calls=[Call(name="look")]), text("done"))

    async def main() -> Reply:
        model = ANTHROPIC.open(openai_server, params={"thinking": {"type": "enabled", "budget_tokens": 1024}})
        asked = Message(role="user", text="q")
        first = await model.reply(request(asked, tools=[LOOK]), Heard())
        answered = Message(role="assistant", text=first.text, calls=first.calls, opaque=first.opaque)
        result = Message(role="tool", text="r", call_id=first.calls[0].id)
        await model.reply(request(asked, answered, result, tools=[LOOK], turn=2), Heard())
        await model.close()
        return first

    first = asyncio.run(main())
    assert first.text == "hm"
    turn: JsonObject = openai_server.requests[1].messages[1]
    block = as_object(as_list(turn["content"])[0])
    assert block == {"type": "thinking", "thinking": "let me think", "signature": SIGNATURE}


def test_a_schema_is_native_for_a_provider_that_litellm_knows_to_take_one(
    openai_server: LoopbackServer,
) -> None:
    openai_server.say(text('{"a": "b"}'))
    shape: JsonObject = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    ask(ANTHROPIC.open(openai_server), request(schema=shape))
    body = openai_server.requests[0].body
    assert (
        shape["properties"] == as_object(_find(body, "schema") or _find(body, "input_schema"))["properties"]
    )


def _find(value: object, key: str) -> JsonObject | None:
    if isinstance(value, dict):
        return value.get(key) or next((found for each in value.values() if (found := _find(each, key))), None)
    if isinstance(value, list):
        return next((found for each in value if (found := _find(each, key))), None)
    return None


@every_way
def test_a_reply_may_take_longer_than_the_timeout_while_it_comes(
    way: Way, openai_server: LoopbackServer
) -> None:
    openai_server.say(text("x"), Answer(text="x" * 40, piece=1, pause=0.05))
    model = way.open(openai_server, timeout=1.5)
    ask(way.open(openai_server))  # the client is loaded and connected before the time counts
    assert ask(model).text == "x" * 40


@pytest.mark.parametrize("way", [OPENAI, LITELLM, GROQ], ids=["openai", "litellm", "groq"])
def test_a_server_that_does_not_stream_is_read_and_paid_once(way: Way, openai_server: LoopbackServer) -> None:
    made = [Call(name="look", arguments={"what": "one"}), Call(name="look", arguments={"what": "two"})]
    reply, _ = replies(way, openai_server, Answer(text="at once", calls=made, stream=False))
    assert (reply.text, [call.name for call in reply.calls]) == ("at once", ["look", "look"])
    assert (reply.usage, len(openai_server.requests)) == (Usage(input=11, output=7), 1)


def test_a_whole_answer_of_another_protocol_is_asked_for_whole_and_that_is_remembered(
    openai_server: LoopbackServer,
) -> None:
    openai_server.say(*[Answer(text="at once", stream=False)] * 3)
    model = ANTHROPIC.open(openai_server)
    first, second = ask(model), ask(model)
    assert (first.text, second.text, len(openai_server.requests)) == ("at once", "at once", 3)
    assert (first.unpriced, second.unpriced) == (1, 0)


@pytest.mark.parametrize("way", [OPENAI, LITELLM, GROQ], ids=["openai", "litellm", "groq"])
@both_modes
@pytest.mark.parametrize(
    ("counted", "usage"),
    [
        (None, Usage(counted=False)),
        ({"prompt_tokens": None, "completion_tokens": None, "total_tokens": None}, Usage(counted=False)),
        ({"prompt_tokens": 100}, Usage(input=100, counted=False)),
        ({"prompt_tokens": -100, "completion_tokens": -10, "total_tokens": -110}, Usage(counted=False)),
    ],
    ids=["none", "null", "part", "negative"],
)
def test_what_a_server_did_not_count_is_unknown(
    way: Way, openai_server: LoopbackServer, stream: bool, counted: JsonObject | None, usage: Usage
) -> None:
    reply, _ = replies(way, openai_server, Answer(text="fine", usage=counted), stream=stream)
    assert (reply.text, reply.usage, reply.cost_usd) == ("fine", usage, None)


def test_an_answer_without_groqs_service_tier_is_read(openai_server: LoopbackServer) -> None:
    reply, _ = replies(GROQ, openai_server, text("fine"), stream=False)
    assert (reply.text, len(openai_server.requests)) == ("fine", 1)


@every_way
def test_a_model_that_declines_gives_no_shape(way: Way, openai_server: LoopbackServer) -> None:
    if way is ANTHROPIC:
        openai_server.say(Answer(text="", finish="content_filter"))
    else:
        openai_server.say(Answer(refusal="I cannot help with that."))
    shape: JsonObject = {"type": "object", "properties": {"n": {"type": "integer"}}}
    with pytest.raises(ModelError) as caught:
        ask(way.open(openai_server), request(schema=shape))
    assert caught.value.kind == "refused"
    assert caught.value.message.count("I cannot help with that.") == (way is not ANTHROPIC)


@every_way
@both_modes
def test_thoughts_written_into_the_text_are_no_part_of_it(
    way: Way, openai_server: LoopbackServer, stream: bool
) -> None:
    reply, heard = replies(way, openai_server, text('<think>hm {"n": 9}</think>\n\n{"n": 3}'), stream=stream)
    assert reply.text == heard.text == '{"n": 3}'


def test_an_overloaded_anthropic_is_shown_with_its_status(openai_server: LoopbackServer) -> None:
    error = fails(ANTHROPIC, openai_server, Failure(status=529))
    assert (error.kind, error.status) == ("server", 529)


@pytest.mark.parametrize("way", [OPENAI, LITELLM], ids=["openai", "litellm"])
def test_content_refused_by_one_provider_is_asked_of_the_next(
    way: Way, openai_server: LoopbackServer
) -> None:
    openai_server.say(Answer(text="", finish="content_filter"), text("from another"))
    model = Fallbacks(Retrying(way.open(openai_server)), (Retrying(way.open(openai_server)),))
    reply = ask(model)
    assert (reply.text, reply.unpriced) == ("from another", 1)
