"""Chat completions through litellm, for every provider that does not speak OpenAI's protocol itself."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from typing import Any, Final

from agentctl.errors import ModelError
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models import litellm_setup, quiet
from agentctl.models.addresses import NO_KEY, api_key, base_url, is_loopback
from agentctl.models.chat import Part
from agentctl.models.failures import model_error
from agentctl.models.litellm_failures import litellm_failure, refused_parameters
from agentctl.models.litellm_stream import Lines, whole_as_counted
from agentctl.models.providers import provider_of
from agentctl.spec.settings import ModelSettings

_ARGUMENTS: Final = {
    "AWS_ACCESS_KEY_ID": "aws_access_key_id",
    "AWS_SECRET_ACCESS_KEY": "aws_secret_access_key",
    "AWS_SESSION_TOKEN": "aws_session_token",
    "AWS_REGION_NAME": "aws_region_name",
    "AWS_PROFILE": "aws_profile_name",
    "VERTEXAI_PROJECT": "vertex_project",
    "VERTEXAI_LOCATION": "vertex_location",
    "GOOGLE_APPLICATION_CREDENTIALS": "vertex_credentials",
    "AZURE_API_VERSION": "api_version",
    "AZURE_AD_TOKEN": "azure_ad_token",
}
"""litellm's arguments for variables that it would read from the process's own environment."""
_PREFIXES: Final = {
    "aws": ("bedrock", "sagemaker"),
    "vertex": ("vertex_ai",),
    "azure": ("azure",),
    "api": ("azure",),
}
_TOOL_KEYS: Final = {"tools", "tool_choice"}


class LitellmTransport:
    def __init__(self, settings: ModelSettings, *, environ: Mapping[str, str]) -> None:
        self.model = settings.id
        self._settings = settings
        self._url = base_url(settings, environ)
        self._key = api_key(settings, environ)
        self._arguments = dict(from_environment(settings, environ))
        self._litellm: Any = None

    async def prepare(self) -> None:
        if self._litellm is None:
            self._litellm = await litellm_setup.use(self)

    async def close(self) -> None:
        if self._litellm is not None:
            self._litellm = None
            await litellm_setup.done(self)

    async def answer(self, body: dict[str, Json]) -> AsyncGenerator[Part, None]:
        spoke = False
        try:
            async with aclosing(self._parts(body)) as parts:
                async for part in parts:
                    spoke = spoke or _says_something(part.value)
                    yield part
        except ModelError:
            raise
        except Exception as error:  # litellm raises its own, the clients' and plain exceptions alike
            raise litellm_failure(error, self.model, self._key) from error
        if not spoke:
            raise model_error("bad_response", self.model, "litellm could read no reply from it")

    async def _parts(self, body: dict[str, Json]) -> AsyncGenerator[Part, None]:
        with quiet.aside():
            answer = await self._begun({**body, **self._sent_along()})
        if not body.get("stream"):
            yield Part(kind="whole", value=whole_as_counted(answer.model_dump()))
            return
        lines = Lines(answer)
        pieces = aiter(answer)
        try:
            while True:
                with quiet.aside():  # never around a yield, which would carry it into the caller's context
                    piece = await anext(pieces, None)
                if piece is None:
                    break
                yield Part(kind="piece", value=lines.as_counted(piece.model_dump()))
        finally:
            if hasattr(answer, "aclose"):  # not every provider's stream has it
                await answer.aclose()
        if lines.refusal:
            yield Part(kind="piece", value={"choices": [{"delta": {"refusal": lines.refusal}}]})
        if lines.whole is not None:
            error = model_error("bad_request", self.model, "streaming is not what the server does")
            error.unpriced = 1  # it answered whole, in a form that litellm reads only when told so
            raise error

    async def _begun(self, arguments: dict[str, Any]) -> Any:
        """litellm takes models that its list does not know for unable to call tools: it is told otherwise."""
        try:
            return await self._litellm.acompletion(**arguments)
        except Exception as error:
            allowed = refused_parameters(error) & _TOOL_KEYS
            if not allowed:
                raise
        return await self._litellm.acompletion(**arguments, allowed_openai_params=sorted(allowed))

    def _sent_along(self) -> dict[str, Any]:
        along: dict[str, Any] = {"num_retries": 0, "max_retries": 0, **self._arguments}
        if self._url is not None:
            along["base_url"] = self._url
        key = self._key or (NO_KEY if self._url is not None and is_loopback(self._url) else None)
        return along if key is None else {**along, "api_key": key}


def from_environment(settings: ModelSettings, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Arguments for variables of `environ` (a `.env` file) that the process's environment has otherwise."""
    provider = provider_of(settings.id) or ""
    for variable, argument in _ARGUMENTS.items():
        concerned = provider.startswith(_PREFIXES[argument.partition("_")[0]])
        if concerned and environ.get(variable) and environ[variable] != os.environ.get(variable):
            yield argument, environ[variable]


def _says_something(value: JsonObject) -> bool:
    """Whether there is anything of a model in it; litellm makes an empty reply of a page that is none."""
    if value.get("usage"):
        return True
    choices = [as_object(choice) for choice in as_list(value.get("choices"))]
    if any(as_text(choice.get("finish_reason")) not in ("", "stop") for choice in choices):
        return True
    spoken = [as_object(choice.get("delta") or choice.get("message")) for choice in choices]
    return any(delta.get(key) for delta in spoken for key in ("content", "tool_calls", "refusal"))
