"""Chat completions over HTTP through the official openai client, which is imported on first use.

Body and answer are plain JSON, so that a server that strays from OpenAI's types is understood.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from agentctl.errors import ModelError
from agentctl.jsontypes import Json, JsonObject, as_object
from agentctl.models import connection, openai_loading
from agentctl.models.addresses import NO_KEY, api_key, base_url
from agentctl.models.chat import LONGEST_SILENCE, Part
from agentctl.models.failures import Refusal, failure, model_error, without_key
from agentctl.models.loading import begin_loading, loaded
from agentctl.models.providers import bare
from agentctl.models.sse import DONE, Parts, parsed
from agentctl.spec.settings import ModelSettings

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

_OWN_ADDRESS: Final = "https://api.openai.com/v1"
_DRAIN_SECONDS: Final = 0.05
_CLIENT_KEYS: Final = {"extra_headers": "headers", "extra_query": "params", "extra_body": ""}


def begin() -> None:
    """Begins to import the client and to read the trust store."""
    begin_loading("openai", _load)


def _load() -> None:
    openai_loading.load()
    connection.certificates()


class OpenAITransport:
    def __init__(self, settings: ModelSettings, *, environ: Mapping[str, str]) -> None:
        self.model = bare(settings.id)
        self._settings = settings
        self._environ = environ
        self._key = api_key(settings, environ)
        self._client: AsyncOpenAI | None = None

    async def prepare(self) -> None:
        await loaded("openai", _load)
        if self._client is None:
            self._client = self._opened(await connection.pool())

    async def close(self) -> None:
        """The connections stay for the next run of this loop."""
        self._client = None

    async def answer(self, body: dict[str, Json]) -> AsyncGenerator[Part, None]:
        response = await self._sent(body)
        library = connection.http()
        data = response.aiter_bytes()
        try:
            async for streamed, text in _parts(data):
                if text == DONE:
                    yield Part(kind="end", value={})
                    await _drain(data)
                    return
                yield Part(
                    kind="piece" if streamed else "whole", value=self._read(text, response.status_code)
                )
        except library.TimeoutException:
            raise model_error("timeout", self._settings.id, "the reply stopped coming") from None
        except (library.RequestError, OSError, EOFError) as error:
            raise model_error("connection", self._settings.id, f"it broke off: {error}") from error
        finally:
            await response.aclose()

    def _opened(self, pool: DefaultAsyncHttpxClient) -> AsyncOpenAI:
        from openai import AsyncOpenAI

        return AsyncOpenAI(
            api_key=self._key or NO_KEY,
            base_url=base_url(self._settings, self._environ) or _OWN_ADDRESS,
            organization=self._environ.get("OPENAI_ORG_ID"),
            project=self._environ.get("OPENAI_PROJECT_ID"),
            max_retries=0,
            timeout=self._settings.timeout or LONGEST_SILENCE,
            http_client=pool,
        )

    async def _sent(self, body: dict[str, Json]) -> httpx2.Response:
        """The answer's head, its body still to be read; `ModelError` for every status from 400 on."""
        from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncStream, OpenAIError

        assert self._client is not None
        try:
            response: httpx2.Response = await self._client.post(
                "/chat/completions",
                cast_to=connection.http().Response,
                stream=True,
                stream_cls=AsyncStream,
                **_split(body),
            )
            return response
        except APIStatusError as error:
            raise self._failure(error.status_code, error.response.text, error.response.headers) from error
        except APITimeoutError as error:
            raise model_error("timeout", self._settings.id, "the server did not answer") from error
        except APIConnectionError as error:
            raise model_error("connection", self._settings.id, str(error.__cause__ or error)) from error
        except OpenAIError as error:
            raise model_error("bad_request", self._settings.id, str(error)) from error

    def _read(self, text: str, status: int) -> JsonObject:
        value = parsed(text)
        if value is None:
            raise self._failure(status, text, {})
        error = value.get("error")
        if error and not value.get("choices"):
            raise self._failure(_status_in(error), text, {})
        return value

    def _failure(self, status: int, body: str, headers: Mapping[str, str]) -> ModelError:
        lower = {name.lower(): value for name, value in headers.items()}
        return failure(
            Refusal(status=status, body=without_key(self._key, body), headers=lower), self._settings.id
        )


def _split(body: dict[str, Json]) -> dict[str, Any]:
    """The client's arguments: the body, and what the file's `params` say to the client itself."""
    rest = {key: value for key, value in body.items() if key not in _CLIENT_KEYS}
    options = {name: body[key] for key, name in _CLIENT_KEYS.items() if key in body and name}
    return {"body": {**rest, **as_object(body.get("extra_body"))}, "options": options}


async def _parts(data: AsyncIterator[bytes]) -> AsyncGenerator[tuple[bool, str], None]:
    parts = Parts()
    async for piece in data:
        for part in parts.add(piece):
            yield part
    for part in parts.end():
        yield part


async def _drain(data: AsyncIterator[bytes]) -> None:
    """Reads what follows the end mark, if anything, so that the connection can be used again."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for _ in data:
                pass


def _status_in(error: Json) -> int:
    """The status that an error inside a reply with status 200 names, else 500: the server failed midway."""
    code = as_object(error).get("code") or as_object(error).get("status")
    return code if isinstance(code, int) and 400 <= code < 600 else 500
