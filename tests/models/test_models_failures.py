"""Refusals told apart by status, code and words, as providers write them; each with its own mend."""

from __future__ import annotations

from typing import get_args

import pytest

from agentctl.errors import ModelErrorKind
from agentctl.jsontypes import Json, JsonObject, canonical
from agentctl.models.failures import Refusal, failure, model_error


def refused(status: int, body: Json, **headers: str) -> Refusal:
    text = body if isinstance(body, str) else canonical(body)
    return Refusal(
        status=status, body=text, headers={name.replace("_", "-"): it for name, it in headers.items()}
    )


def openai(message: str, *, code: str | None = None, type: str = "invalid_request_error") -> JsonObject:  # noqa: A002
    return {"error": {"message": message, "type": type, "param": None, "code": code}}


def anthropic(message: str, type: str) -> JsonObject:  # noqa: A002
    return {"type": "error", "error": {"type": type, "message": message}}


def google(message: str, status: str, *details: Json) -> JsonObject:
    return {"error": {"code": 429, "message": message, "status": status, "details": list(details)}}


BROKE = "You exceeded your current quota, please check your plan and billing details."


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (refused(429, openai("Rate limit reached", code="rate_limit_exceeded")), "rate_limit"),
        (refused(429, "too many requests"), "rate_limit"),
        (refused(429, openai(BROKE, code="insufficient_quota", type="insufficient_quota")), "quota"),
        (refused(429, google(BROKE, "RESOURCE_EXHAUSTED", {"retryDelay": "12s"})), "rate_limit"),
        (refused(429, google(BROKE, "RESOURCE_EXHAUSTED")), "quota"),
        (refused(402, {"error": {"message": "Insufficient credits", "code": 402}}), "quota"),
        (refused(400, anthropic("Your credit balance is too low", "invalid_request_error")), "quota"),
        (refused(401, openai("Incorrect API key provided", code="invalid_api_key")), "auth"),
        (refused(400, google("API key not valid. Please pass a valid one.", "INVALID_ARGUMENT")), "auth"),
        (refused(403, anthropic("no access", "permission_error")), "permission"),
        (refused(404, openai("The model `gpt-9` does not exist", code="model_not_found")), "not_found"),
        (refused(404, "<html><title>404 Not Found</title></html>"), "not_found"),
        (refused(400, {"error": 'model "llama9" not found, try pulling it first'}), "not_found"),
        (refused(400, openai("too long", code="context_length_exceeded")), "context_overflow"),
        (refused(400, openai("This model's maximum context length is 128 tokens")), "context_overflow"),
        (refused(400, anthropic("prompt is too long: 2 > 1", "invalid_request_error")), "context_overflow"),
        (refused(413, "too large"), "context_overflow"),
        (
            refused(
                429, openai("Request too large for gpt-4o on tokens per min", code="rate_limit_exceeded")
            ),
            "context_overflow",
        ),
        (refused(400, {"error": {"code": "content_filter", "message": "filtered"}}), "refused"),
        (refused(400, openai("violates our content policy")), "refused"),
        (
            refused(400, {"error": {"message": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}),
            "refused",
        ),
        (refused(400, openai("Invalid value for 'temperature'")), "bad_request"),
        (refused(422, {"detail": "Unprocessable"}), "bad_request"),
        (refused(408, "slow"), "server"),
        (refused(409, {"error": {"message": "conflict"}}), "server"),
        (refused(500, openai("The server had an error", type="server_error")), "server"),
        (refused(529, anthropic("Overloaded", "overloaded_error")), "server"),
        (refused(502, "<html><head><title>Bad gateway</title></head></html>"), "server"),
        (refused(500, openai("Incorrect API key", code="invalid_api_key")), "server"),
        (refused(200, "<html><title>Sign in</title></html>"), "bad_response"),
        (refused(200, "nonsense"), "bad_response"),
        (refused(400, [{"error": {"message": "in a list", "code": "content_filter"}}]), "refused"),
    ],
)
def test_kinds(refusal: Refusal, kind: ModelErrorKind) -> None:
    error = failure(refusal, "openai/m")
    assert error.kind == kind
    assert error.status == refusal.status
    assert 'Model "openai/m"' in error.message
    assert error.hint


def test_the_servers_own_sentence_is_kept_and_bounded() -> None:
    error = failure(refused(400, openai("bad  thing\n" * 200)), "m")
    assert "bad thing bad thing" in error.message
    assert len(error.message) < 600


def test_a_page_is_named_by_its_title() -> None:
    error = failure(refused(502, "<html><title>Bad\ngateway</title><body>x</body></html>"), "m")
    assert error.message.endswith("(HTTP 502): not JSON but a page: Bad gateway")
    assert "not JSON but a page" in failure(refused(502, "<p>oops"), "m").message


def test_an_empty_body_is_named_by_its_status() -> None:
    assert failure(refused(500, ""), "m").message.endswith("HTTP status 500")


def test_the_wait_that_a_server_asks_for_goes_along() -> None:
    assert failure(refused(429, "slow down", retry_after="61"), "m").retry_after == 61.0


def test_every_kind_has_its_own_words_and_its_own_mend() -> None:
    kinds: tuple[ModelErrorKind, ...] = get_args(ModelErrorKind)
    errors = [model_error(kind, "m", "cause") for kind in kinds]
    assert len({error.message for error in errors}) == len(kinds)
    assert len({error.hint for error in errors}) == len(kinds)
