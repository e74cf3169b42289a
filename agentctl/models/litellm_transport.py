"""Chat completions through litellm, for every provider that does not speak OpenAI's protocol itself."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from typing import Any, Final

from agentctl.errors import ModelError
from agentctl.jsontypes import Json, JsonObject, as_list, as_object
from agentctl.models import litellm_setup, quiet
from agentctl.models.addresses import NO_KEY, api_key, base_url, is_loopback
from agentctl.models.chat import Part
from agentctl.models.failures import Refusal, failure, model_error
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
_QUOTED: Final = re.compile(r"""b(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)
_TOOL_KEYS: Final = {"tools", "tool_choice"}
_UNSUPPORTED: Final = re.compile(r"does not support parameters: \[([^]]*)\]")
_WORD: Final = re.compile(r"\w+")
_ADDED: Final = re.compile(
    r"\n*Traceback \(most recent call last\)| Original exception: |\. To drop these, |\.? Handle with `"
)
_CLASS_WORDS: Final = re.compile(r"^(?:(?:litellm\.)?\w*(?:Error|Exception|Timeout)(?: Error)?(?: -|:)\s*)+")


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
            async for part in self._parts(body):
                spoke = spoke or _says_something(part.value)
                yield part
        except Exception as error:  # litellm raises its own, the clients' and plain exceptions alike
            raise self._failure(error) from error
        if not spoke:
            raise model_error("bad_response", self.model, "litellm could read no reply from it")

    async def _parts(self, body: dict[str, Json]) -> AsyncGenerator[Part, None]:
        with quiet.aside():
            answer = await self._begun({**body, **self._sent_along()})
        if not body.get("stream"):
            yield Part(kind="whole", value=answer.model_dump())
            return
        pieces = aiter(answer)
        while True:
            with quiet.aside():  # never around a yield, which would carry it into the caller's context
                piece = await anext(pieces, None)
            if piece is None:
                return
            yield Part(kind="piece", value=piece.model_dump())

    async def _begun(self, arguments: dict[str, Any]) -> Any:
        """litellm takes models that its list does not know for unable to call tools: it is told otherwise."""
        try:
            return await self._litellm.acompletion(**arguments)
        except Exception as error:
            allowed = _unsupported(error) & _TOOL_KEYS
            if not allowed:
                raise
        return await self._litellm.acompletion(**arguments, allowed_openai_params=sorted(allowed))

    def _sent_along(self) -> dict[str, Any]:
        along: dict[str, Any] = {"num_retries": 0, "max_retries": 0, **self._arguments}
        if self._url is not None:
            along["base_url"] = self._url
        key = self._key or (NO_KEY if self._url is not None and is_loopback(self._url) else None)
        return along if key is None else {**along, "api_key": key}

    def _failure(self, error: Exception) -> ModelError:
        """By the status and body that the exception carries; by its causes where there was no answer."""
        if isinstance(error, ModelError):
            return error
        said = _CLASS_WORDS.sub("", _ADDED.split(str(error))[0])
        if self._key:
            said = said.replace(self._key, "…")
        if _unsupported(error):
            return model_error("bad_request", self.model, said)
        response = getattr(error, "response", None)
        headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
        if not headers and (kind := _lost(error)):
            return model_error("timeout" if kind == "timeout" else "connection", self.model, said)
        status = getattr(error, "status_code", None)
        if not isinstance(status, int):
            return model_error("bad_request", self.model, said)
        body = getattr(response, "text", "") or _quoted_body(said)
        if self._key:
            body = body.replace(self._key, "…")
        lower = {str(name).lower(): str(value) for name, value in dict(headers).items()}
        return failure(Refusal(status=status, body=body, headers=lower), self.model)


def from_environment(settings: ModelSettings, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Arguments for variables of `environ` (a `.env` file) that the process's environment has otherwise."""
    provider = provider_of(settings.id) or ""
    for variable, argument in _ARGUMENTS.items():
        concerned = provider.startswith(_PREFIXES[argument.partition("_")[0]])
        if concerned and environ.get(variable) and environ[variable] != os.environ.get(variable):
            yield argument, environ[variable]


def _unsupported(error: Exception) -> set[str]:
    """The parameters that litellm itself, without asking the provider, takes for unsupported."""
    match = _UNSUPPORTED.search(str(error))
    return set(_WORD.findall(match[1])) if match else set()


def _says_something(value: JsonObject) -> bool:
    """Whether there is anything of a model in it; litellm makes an empty reply of a page that is none."""
    if value.get("usage"):
        return True
    choices = [as_object(choice) for choice in as_list(value.get("choices"))]
    spoken = [as_object(choice.get("delta") or choice.get("message")) for choice in choices]
    return any(delta.get("content") or delta.get("tool_calls") for delta in spoken)


def _quoted_body(said: str) -> str:
    """The server's body, which litellm quotes inside its message as the text of a bytes literal."""
    match = _QUOTED.search(said)
    if match is None:
        return said
    quoted: bytes = ast.literal_eval(match[0])
    return quoted.decode("utf-8", "replace")


def _lost(error: BaseException | None) -> str:
    """`timeout` or `connection` where one of the causes is such a failure of the transport."""
    import httpx

    while error is not None:
        if isinstance(error, httpx.TimeoutException | TimeoutError):
            return "timeout"
        if isinstance(error, httpx.TransportError | OSError):
            return "connection"
        error = error.__cause__ or error.__context__
    return ""
