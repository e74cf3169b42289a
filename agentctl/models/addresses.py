"""Where a model is reached and with what key, from its settings and the environment.

A key's value leaves this module only as the return value of `api_key`.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from agentctl.models.providers import PROVIDERS, Provider, provider_of
from agentctl.spec.settings import ModelSettings

NO_KEY: Final = "no-key-needed"
"""Sent where the client insists on a key and the server needs none."""

_OPENAI_BASES: Final = ("OPENAI_BASE_URL", "OPENAI_API_BASE")
_NONE: Final = Provider()


def base_url(settings: ModelSettings, environ: Mapping[str, str]) -> str | None:
    """The file's address, else the one in the provider's variable, else None: the provider's own."""
    if settings.base_url is not None:
        return settings.base_url
    provider = provider_of(settings.id)
    if provider == "openai":
        return next((environ[name] for name in _OPENAI_BASES if environ.get(name)), None)
    variable = PROVIDERS.get(provider or "", _NONE).base
    return environ.get(variable) or None if variable else None


def base_variable(settings: ModelSettings, environ: Mapping[str, str]) -> str:
    """The variable that moves the provider's address: the one that is set, else the usual one, else empty."""
    name = provider_of(settings.id)
    usual = PROVIDERS.get(name or "", _NONE).base or ""
    names = _OPENAI_BASES if name == "openai" else ()
    return next((variable for variable in names if environ.get(variable)), usual)


def key_variable(settings: ModelSettings, environ: Mapping[str, str]) -> str:
    """The variable that the key was taken from, else the one where it belongs; empty where none is known."""
    if settings.api_key_env is not None:
        return settings.api_key_env
    names = [group[0] for group in provider(settings).keys]
    return next((name for name in names if environ.get(name)), names[0] if names else "")


def api_key(settings: ModelSettings, environ: Mapping[str, str]) -> str | None:
    """The key to send: from `api_key_env` if the file names one, else from the provider's variables."""
    if settings.api_key_env is not None:
        return environ.get(settings.api_key_env) or None
    names = [group[0] for group in provider(settings).keys if _is_key(group[0])]
    return next((environ[name] for name in names if environ.get(name)), None)


def secret_variables(settings: ModelSettings) -> set[str]:
    """Names of the variables whose values must never be shown: the keys that this model may be sent with."""
    found = {settings.api_key_env} if settings.api_key_env else set()
    providers = [
        provider(settings),
        *(PROVIDERS.get(provider_of(model) or "", _NONE) for model in settings.fallbacks),
    ]
    return found | {name for each in providers for group in each.keys for name in group if _is_secret(name)}


def provider(settings: ModelSettings) -> Provider:
    """How the model's provider is reached; OpenAI's way for an unknown one behind a `base_url`."""
    known = PROVIDERS.get(provider_of(settings.id) or "")
    if known is not None:
        return known
    return PROVIDERS["openai"] if settings.base_url is not None else _NONE


def is_own(url: str | None) -> bool:
    """Whether this is OpenAI's own endpoint, regional ones included."""
    host = _host(url) if url is not None else "api.openai.com"
    return host == "api.openai.com" or host.endswith(".api.openai.com")


def is_loopback(url: str) -> bool:
    """Whether the address is on this machine."""
    host = _host(url)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback or ip_address(host).is_unspecified
    except ValueError:
        return False


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _is_secret(name: str) -> bool:
    return any(part in name for part in ("KEY", "TOKEN", "SECRET", "JWT"))


def _is_key(name: str) -> bool:
    return _is_secret(name) and not name.startswith("AWS_")
