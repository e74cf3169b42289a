"""What can be known to be wrong with a model before it is asked: its key, its address, its id.

Nothing is sent and neither client is imported; a key's value is looked at only to see whether it is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final, Literal

from agentctl.diagnostics import nearest
from agentctl.models import price_file
from agentctl.models.addresses import api_key, base_url, is_loopback, provider, secret_variables
from agentctl.models.opening import fallback_settings
from agentctl.models.providers import PROVIDERS, Client, Provider, client_for, provider_of
from agentctl.spec.settings import ModelSettings

__all__ = ["ModelProblem", "api_key", "model_problems", "secret_variables"]

_HOST: Final = re.compile(r"[\w.-]+(?::\d+)?(?:/\S*)?$")
_OFFLINE: Final = "to try the team without a key, add `--model offline`"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelProblem:
    code: Literal["model-key", "model-unknown", "model-address", "model-script"]
    message: str
    hint: str
    severity: Literal["error", "warning"]
    at: str = "id"
    """Which of the settings it is about: `id`, `base_url`, `api_key_env` or `fallbacks/N`."""

    @property
    def blocks(self) -> bool:
        """Whether a run cannot begin with it."""
        return self.severity == "error"


def model_problems(settings: ModelSettings, environ: Mapping[str, str]) -> list[ModelProblem]:
    """Everything found for the model and its fallbacks, without repetition."""
    found = {problem.message: problem for problem in _problems(settings, environ)}
    for index, model in enumerate(fallback_settings(settings)):
        for problem in _problems(model, environ):
            at = f"fallbacks/{index}" if problem.at == "id" else problem.at
            found.setdefault(problem.message, replace(problem, at=at))
    return list(found.values())


def _problems(settings: ModelSettings, environ: Mapping[str, str]) -> Iterator[ModelProblem]:
    client = client_for(settings.id, settings.base_url)
    if client == "offline":
        return
    if client in ("script", "recording"):
        yield from _file_problems(settings, client)
        return
    unknown = list(_id_problems(settings))
    yield from unknown
    yield from _address_problems(settings, environ)
    if not any(problem.severity == "error" for problem in unknown):
        yield from _key_problems(settings, environ)


def _file_problems(settings: ModelSettings, kind: Client) -> Iterator[ModelProblem]:
    """`kind` is `script` or `recording`, whose replies stand in a file."""
    name = settings.id.partition(":")[2]
    if not (settings.folder / name).is_file():
        yield ModelProblem(
            code="model-script",
            message=f'the {kind} "{name}" of the model "{settings.id}" is not a file',
            hint=_for_file(name, kind, settings),
            severity="error",
        )


def _for_file(name: str, kind: Client, settings: ModelSettings) -> str:
    if not name.strip():
        return f"write the path of the file behind it: `{kind}:replies.yaml`"
    if name != name.strip():
        return f"write `{kind}:{name.strip()}`, without a space"
    return f'a {kind} is looked for from "{settings.folder}"'


def _id_problems(settings: ModelSettings) -> Iterator[ModelProblem]:
    name = provider_of(settings.id)
    if "{{" in settings.id:
        message = f'the model id "{settings.id}" is a template, and inputs are not filled in here'
        hint = "name the model, or a variable of the environment, such as `${MODEL}`"
        yield ModelProblem(code="model-unknown", message=message, hint=hint, severity="error")
        return
    if settings.base_url is not None or price_file.entry(settings.id) is not None:
        return
    if name is None:
        yield _unknown(settings, f'the model id "{settings.id}" does not say who provides it', "error")
    elif name not in PROVIDERS and name not in price_file.providers():
        near = nearest(name, [*PROVIDERS, *price_file.providers()])
        hint = (
            f'did you mean "{near}/…"?'
            if near
            else "a model id is PROVIDER/MODEL, such as openai/gpt-4o-mini"
        )
        message = f'the model id "{settings.id}" names the unknown provider "{name}"'
        yield ModelProblem(code="model-unknown", message=message, hint=hint, severity="error")
    elif name in PROVIDERS and not PROVIDERS[name].open and price_file.ids(name):
        yield _unknown(settings, f'the model "{settings.id}" is not in the list of known models', "warning")


def _unknown(settings: ModelSettings, message: str, severity: Literal["error", "warning"]) -> ModelProblem:
    name = provider_of(settings.id)
    makers = [name] if name else [each for each, reached in PROVIDERS.items() if not reached.open]
    known = [known_id for each in makers for known_id in price_file.ids(each)]
    by_bare = {known_id.partition("/")[2]: known_id for known_id in reversed(known)}
    maker, colon, bare = settings.id.partition(":")
    if colon and not name and maker in PROVIDERS and bare:
        hint = f"write `{maker}/{bare}`, with a slash"
        return ModelProblem(code="model-unknown", message=message, hint=hint, severity=severity)
    wanted = settings.id.removeprefix(f"{name}/").casefold().replace(" ", "-")
    close = get_close_matches(wanted, by_bare, n=3, cutoff=0.6)
    if get_close_matches(wanted, ["offline"], cutoff=0.8):
        hint = 'did you mean "offline"?'
    elif close:
        near = " or ".join(f'"{by_bare[bare]}"' for bare in close)
        hint = f"did you mean {near}?"
    elif severity == "error":
        hint = "a model id is PROVIDER/MODEL, such as openai/gpt-4o-mini; or state the server's `base_url`"
    else:
        hint = "if it exists all the same, state its `price`, so that its cost can be counted"
    return ModelProblem(code="model-unknown", message=message, hint=hint, severity=severity)


def _in_full(url: str) -> str:
    """The address itself where only its beginning is missing."""
    rest = url.rpartition("://")[2].lstrip(":/")
    return f"http://{rest}" if _HOST.match(rest) else "http://localhost:8000/v1"


def _address_problems(settings: ModelSettings, environ: Mapping[str, str]) -> Iterator[ModelProblem]:
    url = base_url(settings, environ)
    if url is not None and len(url.split()) != 1:
        yield ModelProblem(
            code="model-address",
            message=f'the address "{url}" of the model "{settings.id}" has spaces in it',
            hint="write the address alone, such as https://example.com/v1",
            severity="error",
            at="base_url",
        )
    elif url is not None and not url.startswith(("http://", "https://")):
        yield ModelProblem(
            code="model-address",
            message=f'the address "{url}" of the model "{settings.id}" begins neither with http:// nor https://',
            hint=f"write it in full, such as {_in_full(url)}",
            severity="error",
            at="base_url",
        )


def _key_problems(settings: ModelSettings, environ: Mapping[str, str]) -> Iterator[ModelProblem]:
    if settings.api_key_env is not None:
        if not api_key(settings, environ):
            message = (
                f'the environment variable "{settings.api_key_env}", which `api_key_env` of the model '
                f'"{settings.id}" names, is not set'
            )
            hint = f"set it, or name the variable that holds the key; {_OFFLINE}"
            yield ModelProblem(
                code="model-key", message=message, hint=hint, severity="error", at="api_key_env"
            )
        return
    reached = provider(settings)
    url = base_url(settings, environ)
    if not reached.keys or _has_key(reached, environ) or (url is not None and is_loopback(url)):
        return
    if settings.base_url is not None:
        yield ModelProblem(
            code="model-key",
            message=f'no key is set for the model "{settings.id}" at its `base_url`',
            hint=f"if the server wants one, set {_alternatives(reached)} or name another with `api_key_env`",
            severity="warning",
        )
        return
    message = f'the model "{settings.id}" needs {_first(reached)}, which is not set'
    yield _key(message, f"set {_alternatives(reached)}; {_OFFLINE}")


def _key(message: str, hint: str) -> ModelProblem:
    return ModelProblem(code="model-key", message=message, hint=hint, severity="error")


def _has_key(reached: Provider, environ: Mapping[str, str]) -> bool:
    return any(all(environ.get(name) for name in group) for group in reached.keys)


def _first(reached: Provider) -> str:
    return " and ".join(
        f'the environment variable "{name}"' if i == 0 else f'"{name}"'
        for i, name in enumerate(reached.keys[0])
    )


def _alternatives(reached: Provider) -> str:
    return ", or ".join(" and ".join(group) for group in reached.keys[:3])
