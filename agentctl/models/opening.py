"""Settings of a team file into a `Model` that is ready to be asked; each client is imported on first use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from agentctl.models import litellm_setup, openai_transport
from agentctl.models.addresses import base_url, is_own
from agentctl.models.body import Dialect
from agentctl.models.chat import ChatModel
from agentctl.models.litellm_transport import LitellmTransport
from agentctl.models.located import reach_of
from agentctl.models.model import Model
from agentctl.models.openai_transport import OpenAITransport
from agentctl.models.prices import abilities
from agentctl.models.providers import Client, client_for, provider_of
from agentctl.models.retrying import Fallbacks, Retrying
from agentctl.spec.settings import ModelSettings


def open_model(settings: ModelSettings, *, environ: Mapping[str, str]) -> Model:
    """The model with its retries and fallbacks. Nothing is sent, imported or checked yet."""
    first = _single(settings, environ)
    if not settings.fallbacks:
        return first
    others = tuple(_single(other, environ) for other in fallback_settings(settings))
    return Fallbacks(first, others)


def warm(settings: ModelSettings, *, environ: Mapping[str, str]) -> None:
    """Begins, in the background, the import that the model's first reply will need."""
    client = client_of(settings, environ)
    if client == "openai":
        openai_transport.begin()
    elif client == "litellm":
        litellm_setup.begin()


def client_of(settings: ModelSettings, environ: Mapping[str, str]) -> Client:
    """The client that will carry the model."""
    client = client_for(settings.id, settings.base_url)
    if (
        client == "openai"
        and is_own(base_url(settings, environ))
        and abilities(settings.id).mode == "responses"
    ):
        return "litellm"  # it translates for the models that OpenAI serves through another interface only
    return client


def fallback_settings(settings: ModelSettings) -> list[ModelSettings]:
    """The settings of each fallback: the model's own; address, key and `params` only within its provider."""
    found = []
    for model in settings.fallbacks:
        near = provider_of(model) == provider_of(settings.id)
        other = replace(settings, id=model, fallbacks=(), price=None)
        found.append(other if near else replace(other, base_url=None, api_key_env=None, params={}))
    return found


def _single(settings: ModelSettings, environ: Mapping[str, str]) -> Model:
    client = client_of(settings, environ)
    if client == "offline":
        from agentctl.models.offline.model import OfflineModel

        return OfflineModel(settings)
    if client == "script":
        from agentctl.models.script import ScriptModel

        return Retrying(ScriptModel(settings), retries=settings.retries)
    if client == "recording":
        from agentctl.models.recording_file import read_recording
        from agentctl.models.replay import ReplayModel, Tape

        name = settings.id.partition(":")[2]
        return ReplayModel(settings.id, Tape(read_recording(settings.folder / name, shown=name)))
    return Retrying(chat_model(settings, environ, client), retries=settings.retries)


def chat_model(settings: ModelSettings, environ: Mapping[str, str], client: Client) -> ChatModel:
    """The model without retries and fallbacks, carried by the openai client or by litellm."""
    own = client == "openai" and is_own(base_url(settings, environ))
    dialect = Dialect(own=own, completion_tokens=own, native_schema=own)
    reach = reach_of(settings, environ)
    if client == "openai":
        carrier = OpenAITransport(settings, environ=environ)
        return ChatModel(settings, dialect=dialect, transport=carrier, reach=reach)
    dialect.native_schema = abilities(settings.id).schemas is True
    transport = LitellmTransport(settings, environ=environ)
    return ChatModel(settings, dialect=dialect, transport=transport, reach=reach)
