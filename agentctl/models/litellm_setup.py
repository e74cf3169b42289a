"""litellm, imported the way it has to be: no network at import, no banners, no retries of its own.

Holds, too, how many models use it, since its HTTP clients are shared and are closed with the last of them.
"""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Event
from typing import Any, Final

from agentctl.models import quiet
from agentctl.models.loading import begin_loading, loaded

_LOGGERS: Final = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
_LOCAL: Final = ("LITELLM_LOCAL_MODEL_COST_MAP", "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS")
_TIER: Final = "service_tier"
_using: Final[set[int]] = set()
_SPARED: Final = Event()


def begin() -> None:
    """Begins to import litellm in the background."""
    begin_loading("litellm", _load)


async def use(model: object) -> Any:
    """The module, once it is there; `model` counts as using it until `done`."""
    await loaded("litellm", _load)
    _using.add(id(model))
    quiet.guard()
    return import_module("litellm")


async def done(model: object) -> None:
    """Ends that use; the last one closes litellm's HTTP clients."""
    _using.discard(id(model))
    if _using:
        return
    litellm = import_module("litellm")
    await litellm.close_litellm_async_clients()
    litellm.in_memory_llm_clients_cache.flush_cache()
    shared = vars(litellm).get(
        "module_level_aclient"
    )  # kept outside that cache, and bound to a loop like all
    if shared is not None:
        await shared.close()
    if _SPARED.is_set():
        _SPARED.clear()
        gc.unfreeze()
    quiet.unguard()


def _load() -> None:
    for variable in _LOCAL:
        os.environ[variable] = "True"  # read at import: without it litellm fetches its list from the network
    with quiet.aside(), _spared():
        litellm: Any = import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.num_retries = 0
    litellm.disable_hf_tokenizer_download = True  # to count what a server did not, it would fetch a tokenizer
    if not hasattr(litellm.ModelResponse, _TIER):
        setattr(litellm.ModelResponse, _TIER, None)  # its groq reads it, also of answers that have none
    litellm.disable_aiohttp_transport = True  # aiohttp does not heed the proxy variables
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.ERROR)


@contextmanager
def _spared() -> Iterator[None]:
    """Spares the collector the half million objects of the import, which it would walk again and again, for a
    second in all; they stay out of its sight until the last model is closed.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # else somebody has a use of that of their own
            gc.freeze()
            _SPARED.set()
        if was_on:
            gc.enable()
