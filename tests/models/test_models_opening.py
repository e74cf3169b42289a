"""What a model's settings open, and that nothing is loaded, sent or left behind before it is asked."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agentctl.errors import ModelError
from agentctl.models.addresses import is_loopback, is_own
from agentctl.models.litellm_failures import litellm_failure
from agentctl.models.loading import loaded
from agentctl.models.opening import open_model, warm
from agentctl.models.retrying import Fallbacks
from agentctl.models.sse import Parts
from loopback.asking import Heard, ask, request, settings
from loopback.replies import text
from loopback.server import LoopbackServer

SCRIPT = "agents:\n  tester:\n    - text: from the script\n"


def test_offline_and_scripts_are_opened_without_a_client(tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    for model in ("offline", "script:script.yaml"):
        stated = settings(model, folder=tmp_path)
        warm(stated, environ={})
        assert open_model(stated, environ={}).id == model


def test_a_model_is_named_as_the_file_names_it_with_and_without_fallbacks() -> None:
    assert open_model(settings("gpt-4o-mini"), environ={}).id == "gpt-4o-mini"
    assert open_model(settings("gpt-4o-mini", fallbacks=("offline",)), environ={}).id == "gpt-4o-mini"


def test_offline_can_stand_in_where_the_file_says_so(openai_server: LoopbackServer) -> None:
    stated = settings(base_url="http://127.0.0.1:9/v1", retries=0, fallbacks=("offline",))
    model = open_model(stated, environ={})
    assert isinstance(model, Fallbacks)
    heard = Heard()
    assert ask(model, heard=heard).model == "offline"
    assert [event["model"] for event in heard.all("model.fallback")] == ["offline"]


def test_closing_what_was_never_asked_does_nothing() -> None:
    async def main() -> None:
        for model in ("openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5"):
            await open_model(settings(model), environ={}).close()

    asyncio.run(main())


def test_a_model_is_at_home_in_one_loop_after_another(openai_server: LoopbackServer) -> None:
    openai_server.say(text("a"), text("b"))
    model = open_model(settings(base_url=openai_server.base_url), environ={})
    assert [ask(model).text, ask(model).text] == ["a", "b"]


def test_what_loading_raised_is_raised_to_everyone_who_waits() -> None:
    def load() -> None:
        raise ImportError("it is not there")

    async def main() -> None:
        for _ in range(2):
            with pytest.raises(ImportError, match="not there"):
                await loaded("a client that is not there", load)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("url", "own", "local"),
    [
        (None, True, None),
        ("https://api.openai.com/v1", True, False),
        ("https://eu.api.openai.com/v1", True, False),
        ("https://api.openai.com.evil.example/v1", False, False),
        ("http://0.0.0.0:1", False, True),
        ("http://[broken", False, False),
        ("nonsense", False, False),
    ],
)
def test_whose_endpoint_an_address_is(url: str | None, own: bool, local: bool | None) -> None:
    assert is_own(url) is own
    assert url is None or is_loopback(url) is local


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["data: a", "data: b", "", "data: c"], [(True, "a\nb"), (True, "c")]),
        ([": comment", "", "id: 1", "data:x", "", ""], [(True, "x")]),
        (["", '{"a":', "1}"], [(False, '\n{"a":\n1}')]),
        ([], [(False, "")]),
    ],
)
def test_lines_into_events(lines: list[str], found: list[tuple[bool, str]]) -> None:
    data = "\n".join(lines).encode()
    for size in (1, 2, 3, len(data) + 1):
        assert split(data, size) == found


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_the_protocol_says_and_nowhere_else(end: str) -> None:
    """Words may hold what text calls a line separator, and a letter may come in two halves."""
    said = '{"a": "one\u2028two\x85three\u2029 \U0001f4a1"}'
    data = f"data: {said}{end}{end}data: [DONE]{end}{end}".encode()
    for size in range(1, len(data) + 1):
        assert split(data, size) == [(True, said), (True, "[DONE]")]
    body = f'{{"a": "one\u2028two"}}{end}'.encode()
    assert split(body, 4) == [(False, '{"a": "one\u2028two"}')]


def split(data: bytes, size: int) -> list[tuple[bool, str]]:
    """The parts of data that arrives so many bytes at a time."""
    parts = Parts()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    return [*(part for piece in pieces for part in parts.add(piece)), *parts.end()]


def test_an_exception_without_a_status_is_a_refused_request_in_its_own_words() -> None:
    error = litellm_failure(ValueError("litellm.BadError: no b'\\x' sk-12345 here"), "m", "sk-12345")
    assert error.kind == "bad_request"
    assert error.message.endswith("no b'\\x' … here")


def test_a_timeout_among_the_causes_is_one() -> None:
    error = RuntimeError("lost")
    error.__cause__ = TimeoutError()
    assert litellm_failure(error, "m", None).kind == "timeout"


def test_what_only_looks_like_a_quoted_body_is_left_alone() -> None:
    class Odd(Exception):
        status_code = 400

    assert "b'\\x'" in litellm_failure(Odd("no b'\\x' body"), "m", None).message


def test_a_failed_model_error_is_told_by_the_model_that_failed() -> None:
    with pytest.raises(ModelError, match='Model "openai/gpt-4o-mini": the connection failed') as caught:
        ask(open_model(settings(base_url="http://127.0.0.1:9/v1", retries=0), environ={}), request())
    assert caught.value.as_json()["code"] == "model-connection"
    assert '(the server is "http://127.0.0.1:9")' in caught.value.message


class Keeping(RuntimeError):
    """Keeps what the client raised as litellm does."""

    original_exception: Exception


def test_a_lost_connection_is_told_whichever_way_litellm_keeps_what_the_client_raised() -> None:
    from openai import APIConnectionError

    client = APIConnectionError.__new__(APIConnectionError)
    kept = Keeping("litellm.MidStreamFallbackError: Connection error.")
    kept.original_exception = client
    both = RuntimeError("litellm.APIConnectionError: Connection error.")
    both.__cause__, both.__context__ = ValueError("mapped"), ConnectionResetError()
    both.__cause__.__context__ = both
    assert [litellm_failure(error, "m", None).kind for error in (kept, both)] == ["connection"] * 2
