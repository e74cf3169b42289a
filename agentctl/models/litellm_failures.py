"""What litellm raises into a `ModelError`: by the status and body that the exception carries.

Its own words around a server's, and the classes it chose, are left behind.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Final

from agentctl.errors import ModelError, ModelErrorKind
from agentctl.models.causes import causes
from agentctl.models.failures import Refusal, failure, model_error, without_key

_MISTAKES: Final = (AttributeError, TypeError, LookupError, AssertionError, NameError)
_MISREAD: Final = "ValidationError"  # pydantic's, over an answer
_UNSUPPORTED: Final = re.compile(r"does not support parameters: \[([^]]*)\]")
_WORD: Final = re.compile(r"\w+")
_QUOTED: Final = re.compile(r"""b(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)
_BEFORE: Final = re.compile(r"^(?:(?:litellm\.)?\w*(?:Error|Exception|Timeout)(?: Error)?(?: -|:)\s*)+")
_AFTER: Final = re.compile(
    r"\n*Traceback \(most recent call last\)| Original exception: |\. To drop these, |\.? Handle with `"
)


def litellm_failure(error: Exception, model: str, key: str | None) -> ModelError:
    """The error for what litellm raised on a call of `model`; `key` is taken out of all words."""
    said = without_key(key, _BEFORE.sub("", _AFTER.split(str(error))[0]))
    if refused_parameters(error):
        return model_error("bad_request", model, said)
    headers = _headers(error)
    lost = None if headers else _lost(error)
    if lost is not None:
        return model_error(lost, model, said)
    if not headers and _is_its_own(error):
        return model_error("unreadable", model, said.partition("\n")[0])
    status = getattr(error, "provider_status_code", None) or getattr(error, "status_code", None)
    if not isinstance(status, int):
        return model_error("bad_request", model, said)
    body = getattr(getattr(error, "response", None), "text", "") or _quoted_body(said)
    return failure(Refusal(status=status, body=without_key(key, body), headers=headers), model)


def refused_parameters(error: Exception) -> set[str]:
    """The parameters that litellm itself, without asking the provider, takes for unsupported."""
    match = _UNSUPPORTED.search(str(error))
    return set(_WORD.findall(match[1])) if match else set()


def _headers(error: Exception) -> Mapping[str, str]:
    """Those of the provider's answer, names in lower case; none when there was no answer."""
    response = getattr(error, "response", None)
    found = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
    return {str(name).lower(): str(value) for name, value in dict(found).items()}


def _lost(error: BaseException) -> ModelErrorKind | None:
    """`timeout` or `connection` where one of the causes is such a failure of the transport."""
    import httpx

    for cause in causes(error):
        clients_own = type(cause).__name__ if type(cause).__module__.startswith("openai") else ""
        if isinstance(cause, httpx.TimeoutException | TimeoutError) or clients_own == "APITimeoutError":
            return "timeout"
        if isinstance(cause, httpx.TransportError | OSError) or clients_own == "APIConnectionError":
            return "connection"
    return None


def _is_its_own(error: BaseException) -> bool:
    """Whether litellm stumbled over an answer: it tells its own mistakes as failures of the server."""
    led = [cause for cause in causes(error) if cause is not error]
    return any(isinstance(cause, _MISTAKES) or type(cause).__name__ == _MISREAD for cause in led)


def _quoted_body(said: str) -> str:
    """The server's body, which litellm quotes inside its message as the text of a bytes literal."""
    match = _QUOTED.search(said)
    try:
        quoted = ast.literal_eval(match[0]) if match is not None else said
    except (SyntaxError, ValueError):  # it only looked like one
        quoted = said
    return quoted.decode("utf-8", "replace") if isinstance(quoted, bytes) else said
