"""The openai client, imported without the aiohttp that it offers as another way to send and that costs
a tenth of a second; whoever asks openai for that way still gets it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, Final

_OPTIONAL: Final = "openai._vendor.httpx_aiohttp"
_NAME: Final = "DefaultAioHttpClient"
_LOOK: Final = "_loaded_legacy_httpx"


def load() -> None:
    """Imports `openai`, unless somebody did already."""
    if "openai" in sys.modules:
        _see_whole()
        return
    modules: Any = sys.modules
    modules[_OPTIONAL] = None  # the way to say that it is not to be found
    try:
        openai = import_module("openai")
    finally:
        if sys.modules.get(_OPTIONAL) is None:
            sys.modules.pop(_OPTIONAL, None)
    _offer_later(openai)
    _see_whole()


def _see_whole() -> None:
    """openai looks for an `httpx` that others have imported, and would take it up half imported while litellm
    or a tool is at it in another thread: it then waits for the rest, as an `import` does.
    """
    try:
        legacy: Any = import_module("openai._httpx2")
    except ImportError:
        return  # openai before 3 is built on httpx itself
    if hasattr(legacy, _LOOK):
        setattr(legacy, _LOOK, lambda: import_module("httpx") if "httpx" in sys.modules else None)


def _offer_later(openai: Any) -> None:
    """In place of openai's own stand-in, which would say that aiohttp is missing: one that looks again."""
    base = import_module("openai._base_client")
    stand_in = getattr(base, _NAME, None)
    if getattr(stand_in, "__name__", "") != "_MissingAioHttpClient":
        return
    options = {
        "timeout": base.DEFAULT_TIMEOUT,
        "limits": base.DEFAULT_CONNECTION_LIMITS,
        "follow_redirects": True,
    }

    def made(_kind: type, **stated: Any) -> Any:
        try:
            client: Any = import_module(_OPTIONAL).Httpx2AiohttpClient
        except ImportError:
            return stand_in(**stated) if stand_in is not None else None
        return client(**{**options, **stated})

    later = type(_NAME, (object,), {"__new__": made, "__doc__": "Sends through aiohttp."})
    setattr(base, _NAME, later)
    setattr(openai, _NAME, later)
