"""A failed model call told with what was reached for: the server's address, and what sets it or the key.

Names and addresses only: never a key, nor what else a URL may hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from agentctl.errors import ModelError
from agentctl.models.addresses import base_url, base_variable, is_loopback, key_variable
from agentctl.models.causes import causes
from agentctl.spec.settings import ModelSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How a model is reached, as far as settings and environment tell: an address without secrets, the names
    of the variables for the address and the key. Empty where there is none.
    """

    url: str = ""
    url_variable: str = ""
    key_variable: str = ""


def reach_of(settings: ModelSettings, environ: Mapping[str, str]) -> Reach:
    return Reach(
        url=_bare(base_url(settings, environ) or ""),
        url_variable="" if settings.base_url is not None else base_variable(settings, environ),
        key_variable=key_variable(settings, environ),
    )


def located(error: ModelError, reach: Reach) -> ModelError:
    """The error with the address in its message, and in its hint what sets the address or the key."""
    url = reach.url or _asked(error)
    message, hint = error.message, error.hint
    if error.kind in ("connection", "timeout") and url:
        message = f'{message} (the server is "{url}")'
    if error.kind == "connection" and url:
        hint = _connection_hint(url, reach.url_variable)
    if error.kind == "auth" and reach.key_variable:
        hint = f"Check the key in {reach.key_variable} (`api_key_env` names another variable)."
    if (message, hint) == (error.message, error.hint):
        return error
    return error.worded(message, hint)


def _connection_hint(url: str, variable: str) -> str:
    named = f"`base_url` or {variable}" if variable else "`base_url`"
    if is_loopback(url):
        return f"Start the server at {url}, or set another address with {named}; the run can be resumed."
    return (
        f"Check the network, the proxy settings and the address, which {named} sets; the run can be resumed."
    )


def _asked(error: BaseException) -> str:
    """The address of the request that failed, where an error of the HTTP library knows it: those of litellm
    carry a request that was never made.
    """
    return next((url for cause in causes(error) if (url := _request_url(cause))), "")


def _request_url(error: BaseException) -> str:
    if not type(error).__module__.startswith("httpx"):
        return ""
    try:
        request = getattr(error, "request", None)
    except RuntimeError:  # an error without a request
        return ""
    return _bare(str(getattr(request, "url", "")))


def _bare(url: str) -> str:
    """`http://localhost:11434`: no path, no query, and nobody's name or password."""
    try:
        parts = urlsplit(url)
        return f"{parts.scheme}://{_host(parts)}" if parts.hostname else ""
    except ValueError:  # no port, or no address
        return ""


def _host(parts: SplitResult) -> str:
    name = parts.hostname or ""
    name = f"[{name}]" if ":" in name else name
    return f"{name}:{parts.port}" if parts.port else name
