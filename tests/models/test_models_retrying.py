"""When a model is asked again, after which pause, when another is asked, and what is told meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from agentctl.errors import ModelError
from agentctl.models.opening import chat_model, fallback_settings, open_model
from agentctl.models.retrying import LONGEST_WAITS, RETRIES, Retrying
from loopback.asking import Heard, ask, request, settings
from loopback.replies import Answer, Drop, Failure, Raw, Scripted, text
from loopback.server import LoopbackServer

BUSY = Failure(status=503)


class Clock:
    """Notes every pause and makes none."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)


def retrying(
    server: LoopbackServer, clock: Clock, *, retries: int | None = None, draw: float = 0.0
) -> Retrying:
    inner = chat_model(settings(base_url=server.base_url), {}, "openai")
    return Retrying(inner, retries=retries, pause=clock.pause, draw=lambda: draw)


def failing(
    server: LoopbackServer, clock: Clock, *answers: Scripted, retries: int | None = None
) -> ModelError:
    server.say(*answers)
    with pytest.raises(ModelError) as caught:
        ask(retrying(server, clock, retries=retries))
    return caught.value


@pytest.mark.parametrize(
    "first",
    [
        *(Failure(status=status) for status in (408, 409, 429, 500, 502, 503, 504, 529)),
        Failure(status=502, body="<html>bad gateway</html>"),
        Raw(body="<html>sign in</html>"),
        Raw(body='{"choices": []}', content_type="application/json"),
        Raw(body="", content_type="text/event-stream"),
        Raw(body='data: {"error": {"message": "overloaded"}}\n\n', content_type="text/event-stream"),
        Raw(body="data: {broken\n\n", content_type="text/event-stream"),
        Drop(),
        Answer(text="never ends", finish_mark=False, done_mark=False),
        Answer(text="is cut off", cut_after=2),
    ],
    ids=str,
)
def test_passing_failures_are_retried(openai_server: LoopbackServer, first: Scripted) -> None:
    openai_server.say(first, text("there you are"))
    clock, heard = Clock(), Heard()
    reply = ask(retrying(openai_server, clock), heard=heard)
    assert reply.text == heard.text == "there you are"
    assert clock.pauses == [1.0]
    assert [event["attempt"] for event in heard.all("model.retrying")] == [1]


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, None, "bad_request"),
        (401, None, "auth"),
        (403, None, "permission"),
        (404, None, "not_found"),
        (429, "insufficient_quota", "quota"),
        (400, "context_length_exceeded", "context_overflow"),
        (400, "content_filter", "refused"),
    ],
)
def test_what_waiting_cannot_mend_is_raised_at_once(
    openai_server: LoopbackServer, status: int, code: str | None, kind: str
) -> None:
    clock = Clock()
    body = {"error": {"message": "no", "code": code}}
    assert failing(openai_server, clock, Failure(status=status, body=body)).kind == kind
    assert clock.pauses == []
    assert len(openai_server.requests) == 1


def test_pauses_double_and_chance_takes_up_to_half(openai_server: LoopbackServer) -> None:
    clock = Clock()
    failing(openai_server, clock, *[BUSY] * 8, retries=7)
    assert clock.pauses == [1, 2, 4, 8, 16, 30, 30]
    openai_server.say(BUSY, text("ok"))
    clock = Clock()
    ask(retrying(openai_server, clock, draw=0.9))
    assert clock.pauses == [0.55]


def test_retries_are_bounded_in_number(openai_server: LoopbackServer) -> None:
    clock = Clock()
    error = failing(openai_server, clock, *[BUSY] * 9)
    assert len(openai_server.requests) == RETRIES + 1
    assert (error.kind, error.status) == ("server", 503)
    assert f"after {RETRIES + 1} attempts" in error.message


def test_no_retries_are_none(openai_server: LoopbackServer) -> None:
    clock = Clock()
    error = failing(openai_server, clock, BUSY, retries=0)
    assert len(openai_server.requests) == 1
    assert "attempts" not in error.message


def test_the_servers_wish_is_kept_to_the_letter(openai_server: LoopbackServer) -> None:
    openai_server.say(
        Failure(status=429, headers={"Retry-After": "61"}),
        Failure(status=503, headers={"retry-after-ms": "1500"}),
        Failure(
            status=429, headers={"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m2s"}
        ),
        text("ok"),
    )
    clock, heard = Clock(), Heard()
    ask(retrying(openai_server, clock, draw=0.9), heard=heard)
    assert clock.pauses == [61.0, 1.5, 62.0]
    assert [event["wait_s"] for event in heard.all("model.retrying")] == [61.0, 1.5, 62.0]


def test_retries_are_bounded_in_time(openai_server: LoopbackServer) -> None:
    clock = Clock()
    half = Failure(status=429, headers={"Retry-After": str(LONGEST_WAITS / 2 + 1)})
    error = failing(openai_server, clock, half, half)
    assert len(clock.pauses) == 1
    assert error.retry_after == LONGEST_WAITS / 2 + 1


def test_text_that_a_failure_made_void_is_taken_back(openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(text="wrong beginning", cut_after=3), text("right"))
    heard = Heard()
    ask(retrying(openai_server, Clock()), heard=heard)
    names = [event["ev"] for event in heard.events]
    assert names == ["model.text", "model.text", "model.restarted", "model.retrying", "model.text"]
    assert heard.text == "right"


def test_a_cancelled_pause_stays_cancelled(openai_server: LoopbackServer) -> None:
    openai_server.say(Failure(status=429, headers={"Retry-After": "300"}))

    async def main() -> None:
        model = open_model(settings(base_url=openai_server.base_url), environ={})
        paused = asyncio.Event()
        task = asyncio.create_task(model.reply(request(), lambda event: paused.set()))
        await paused.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await model.close()

    asyncio.run(main())


def with_fallbacks(server: LoopbackServer, models: Sequence[str]) -> tuple[Heard, str]:
    stated = settings("openai/first", base_url=server.base_url, fallbacks=tuple(models), retries=0)
    heard = Heard()
    reply = ask(open_model(stated, environ={}), heard=heard)
    return heard, reply.model


def test_fallbacks_are_asked_in_order(openai_server: LoopbackServer) -> None:
    openai_server.say(BUSY, Failure(status=404), Answer(text="third"))
    heard, who = with_fallbacks(openai_server, ["openai/second", "openai/third"])
    assert who == "openai/third"
    assert [seen.body["model"] for seen in openai_server.requests] == ["first", "second", "third"]
    told = heard.all("model.fallback")
    assert [event["model"] for event in told] == ["openai/second", "openai/third"]


def test_a_fallback_takes_back_the_text_of_the_model_before(openai_server: LoopbackServer) -> None:
    openai_server.say(Answer(text="half of a", cut_after=3), text("whole"))
    heard, _ = with_fallbacks(openai_server, ["openai/second"])
    assert heard.text == "whole"


@pytest.mark.parametrize("status", [400, 401, 403])
def test_what_the_author_must_mend_is_not_hidden_behind_a_fallback(
    openai_server: LoopbackServer, status: int
) -> None:
    openai_server.say(Failure(status=status))
    with pytest.raises(ModelError) as caught:
        with_fallbacks(openai_server, ["openai/second"])
    assert caught.value.status == status
    assert len(openai_server.requests) == 1


def test_when_all_fail_the_first_failure_is_the_error_and_tells_of_the_others(
    openai_server: LoopbackServer,
) -> None:
    overflow = Failure(status=400, body={"error": {"message": "long", "code": "context_length_exceeded"}})
    openai_server.say(overflow, BUSY)
    with pytest.raises(ModelError, match=r'"openai/first".*; then Model "openai/second"') as caught:
        with_fallbacks(openai_server, ["openai/second"])
    assert caught.value.kind == "context_overflow"


def test_a_fallback_of_another_provider_gets_neither_address_nor_key_nor_params() -> None:
    stated = settings(
        "openai/a",
        base_url="http://localhost:1",
        api_key_env="MY_KEY",
        params={"x": 1},
        temperature=0.5,
        fallbacks=("openai/b", "anthropic/c"),
    )
    near, far = fallback_settings(stated)
    assert (near.id, near.base_url, near.api_key_env, near.params) == (
        "openai/b",
        "http://localhost:1",
        "MY_KEY",
        {"x": 1},
    )
    assert (far.id, far.base_url, far.api_key_env, far.params) == ("anthropic/c", None, None, {})
    assert far.temperature == 0.5
