"""A failed call says what was reached for, and which variable moves it."""

import httpx
import pytest

from agentctl.errors import ModelError
from agentctl.models.failures import model_error
from agentctl.models.located import located, reach_of
from loopback.asking import settings as stated

LOCAL = "http://ann:secret@127.0.0.1:1/v1?key=secret"


def told(kind: str, model: str, cause: Exception | None = None, **environ: str) -> ModelError:
    settings = stated(model)
    error = model_error("auth" if kind == "auth" else "connection", model, "it was refused")
    error.__cause__ = cause
    return located(error, reach_of(settings, environ))


def test_the_address_is_named_without_what_else_is_in_it() -> None:
    error = told("connection", "openai/gpt-4o", OPENAI_BASE_URL=LOCAL)
    assert error.message == (
        'Model "openai/gpt-4o": the connection failed: it was refused (the server is "http://127.0.0.1:1")'
    )
    assert error.hint == (
        "Start the server at http://127.0.0.1:1, or set another address with `base_url` or OPENAI_BASE_URL; "
        "the run can be resumed."
    )
    assert error.kind == "connection"
    other = told("connection", "openai/gpt-4o", OPENAI_API_BASE="https://models.example:8443/v1")
    assert '"https://models.example:8443"' in other.message
    assert other.hint is not None
    assert "which `base_url` or OPENAI_API_BASE sets" in other.hint


def test_an_address_that_nobody_set_is_that_of_the_request() -> None:
    cause = httpx.ConnectError("no", request=httpx.Request("POST", "http://localhost:11434/api/chat"))
    error = told("connection", "ollama/llama3", cause)
    assert '(the server is "http://localhost:11434")' in error.message
    assert error.hint is not None
    assert "OLLAMA_API_BASE" in error.hint
    unasked = told("connection", "ollama/llama3", httpx.ConnectError("no"))
    assert unasked.message.endswith("it was refused")


@pytest.mark.parametrize("url", ["http://[::1]:9/v1", "http://[::1/v1", "http://host:port/v1"])
def test_odd_addresses_do_no_harm(url: str) -> None:
    error = told("connection", "openai/gpt-4o", OPENAI_BASE_URL=url)
    assert ('"http://[::1]:9"' in error.message) is (url == "http://[::1]:9/v1")


def test_a_refused_key_is_told_by_its_variable() -> None:
    hint = "Check the key in {} (`api_key_env` names another variable)."
    assert told("auth", "openai/gpt-4o", OPENAI_API_KEY="x").hint == hint.format("OPENAI_API_KEY")
    assert told("auth", "gemini/pro", GOOGLE_API_KEY="x").hint == hint.format("GOOGLE_API_KEY")
    assert told("auth", "gemini/pro").hint == hint.format("GEMINI_API_KEY")
    settings = stated("openai/gpt-4o", api_key_env="MY_KEY")
    error = located(model_error("auth", "openai/gpt-4o", "no"), reach_of(settings, {}))
    assert error.hint == hint.format("MY_KEY")


def test_what_is_neither_is_left_as_it_is() -> None:
    error = model_error("quota", "openai/gpt-4o", "empty")
    reach = reach_of(stated("openai/gpt-4o"), {"OPENAI_BASE_URL": LOCAL})
    assert located(error, reach) is error
