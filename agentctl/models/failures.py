"""A failed HTTP exchange into a `ModelError`: by status, error code and the words of the body.

Knows no client: which class of exception a library chose for a failure plays no part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from agentctl.errors import ModelError, ModelErrorKind
from agentctl.jsontypes import Json, as_list, as_object, as_text
from agentctl.models.waits import asked_wait

_CODES: Final[dict[str, ModelErrorKind]] = {
    "insufficient_quota": "quota",
    "billing_hard_limit_reached": "quota",
    "billing_not_active": "quota",
    "billing_error": "quota",
    "context_length_exceeded": "context_overflow",
    "request_too_large": "context_overflow",
    "content_filter": "refused",
    "content_policy_violation": "refused",
    "ResponsibleAIPolicyViolation": "refused",
    "invalid_api_key": "auth",
    "authentication_error": "auth",
    "model_not_found": "not_found",
    "rate_limit_exceeded": "rate_limit",
    "rate_limit_error": "rate_limit",
    "overloaded_error": "server",
    "api_error": "server",
    "server_error": "server",
}
_WORDS: Final[dict[ModelErrorKind, re.Pattern[str]]] = {
    "context_overflow": re.compile(
        r"maximum context length|context[ _]length|context window|prompt is too long|input is too long"
        r"|request too large|available context size|input token count|too many (input )?tokens"
        r"|exceeds? the (model's )?(maximum|context)|exceed context limit|reduce the length of the messages",
        re.IGNORECASE,
    ),
    "quota": re.compile(
        r"insufficient_quota|credit balance is too low|billing_hard_limit|out of credits"
        r"|insufficient (credits|balance|funds)",
        re.IGNORECASE,
    ),
    "refused": re.compile(
        r"content management policy|content_filter|content policy|safety system", re.IGNORECASE
    ),
    "auth": re.compile(r"api[ _]key not valid|(invalid|incorrect) api[ _]key", re.IGNORECASE),
    "not_found": re.compile(
        r"model .{0,80}(does not exist|not found)|no such model|unknown model", re.IGNORECASE
    ),
}
_SHORTEST_KEY: Final = 6
_BROKE: Final = re.compile(r"exceeded your current quota", re.IGNORECASE)
_STATUSES: Final[dict[int, ModelErrorKind]] = {
    401: "auth",
    402: "quota",
    403: "permission",
    404: "not_found",
    408: "server",
    409: "server",
    413: "context_overflow",
    429: "rate_limit",
}
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What came back instead of a reply. Header names in lower case; `body` is the raw text."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)


def failure(refusal: Refusal, model: str) -> ModelError:
    """The error for a refusal, in words of its own kind and with the setting to change."""
    said, codes = _said(refusal.body)
    wait = asked_wait(refusal.headers, refusal.body, now=datetime.now(UTC))
    kind = _kind(refusal, codes)
    if kind == "rate_limit" and wait is None and _BROKE.search(refusal.body):
        kind = "quota"  # the words of an empty account; those who merely limit the rate say until when
    return model_error(kind, model, said or f"HTTP status {refusal.status}", status=refusal.status, wait=wait)


def model_error(
    kind: ModelErrorKind, model: str, cause: str, *, status: int | None = None, wait: float | None = None
) -> ModelError:
    """An error of that kind: the model in quotes, what happened, what to do."""
    happened, hint = _PHRASES[kind]
    number = f" (HTTP {status})" if status is not None else ""
    return ModelError(
        f'Model "{model}": {happened}{number}: {cause}', kind=kind, status=status, retry_after=wait, hint=hint
    )


def without_key(key: str | None, text: str) -> str:
    """A server's words without the key; a key too short to be one would only make holes in them."""
    return text.replace(key, "…") if key and len(key) >= _SHORTEST_KEY else text


def _kind(refusal: Refusal, codes: list[str]) -> ModelErrorKind:
    status = refusal.status
    coded = next((_CODES[code] for code in codes if code in _CODES), None)
    if coded is not None and (status < 500 or coded != "auth"):
        return (
            "context_overflow"
            if coded == "rate_limit" and _worded(refusal.body) == "context_overflow"
            else coded
        )
    if status >= 500:
        return "server"
    if status < 400:
        return "bad_response"
    if status in (401, 403):
        return _STATUSES[status]
    return _worded(refusal.body) or _STATUSES.get(status, "bad_request")


def _worded(body: str) -> ModelErrorKind | None:
    return next((kind for kind, words in _WORDS.items() if words.search(body)), None)


def _said(body: str) -> tuple[str, list[str]]:
    """The server's own sentence, bounded, and every code and type it gives with it."""
    try:
        value: Json = json.loads(body)
    except (ValueError, RecursionError):
        return _plain(body), []
    outer = as_object(next(iter(as_list(value)), value))
    inner = outer.get("error")
    error = as_object(inner) or outer
    codes = [as_text(error.get(key)) for key in ("code", "type", "status")] + [as_text(outer.get("code"))]
    codes.append(as_text(as_object(error.get("innererror")).get("code")))
    said = as_text(error.get("message")) or as_text(inner) or as_text(outer.get("detail"))
    return _short(said or body), [code for code in codes if code]


def _plain(body: str) -> str:
    """A page or a line of text as one sentence: markup out, white space joined."""
    if "<" in body:
        title = re.search(r"<title[^>]*>(.*?)</title>", body, re.IGNORECASE | re.DOTALL)
        body = f"not JSON but a page: {title[1]}" if title else "not JSON but a page"
    return _short(body)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


_PHRASES: Final[dict[ModelErrorKind, tuple[str, str]]] = {
    "rate_limit": (
        "the server limits the rate of requests",
        "Resume the run later, raise `retries` of the model, or name `fallbacks`.",
    ),
    "timeout": ("no reply in time", "Raise `timeout` of the model, or name `fallbacks`."),
    "connection": (
        "the connection failed",
        "Check the network, the proxy settings and `base_url`; the run can be resumed.",
    ),
    "server": ("the server failed", "Resume the run later, or name `fallbacks` for the model."),
    "quota": (
        "the account's quota or money is used up",
        "Top up the account or raise its limit, then resume the run.",
    ),
    "auth": ("the key was not accepted", "Check the key's variable (`api_key_env` names another one)."),
    "permission": (
        "the key may not use this model",
        "Ask the provider for access, or choose another `model`.",
    ),
    "not_found": (
        "there is no such model or address",
        "Check the spelling of `model`, and `base_url` (it usually ends with `/v1`).",
    ),
    "bad_request": (
        "the request was refused",
        "Change what the server names; every setting under `model` is sent as it stands in the file.",
    ),
    "context_overflow": (
        "the conversation is longer than the model can take",
        "Choose a `model` with a larger context window, or let tools return less (`max_output`).",
    ),
    "refused": ("the provider's content policy refused it", "Change the request or the `instructions`."),
    "bad_response": (
        "the server's answer is not of the protocol",
        "Check that `base_url` is the address of an OpenAI-compatible API (it usually ends with `/v1`).",
    ),
    "unreadable": (
        "its answer came, and litellm could not read it",
        "Name `fallbacks` or choose another `model`; the call may have cost something, and another attempt "
        "would have the same end.",
    ),
    "script": ("the script has no answer", "Add one to the script."),
}
