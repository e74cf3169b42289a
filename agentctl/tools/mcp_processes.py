"""The programs that were started as servers, so that none outlives an end that does not wait for it.

The mcp library ends a server in its own time and keeps its process to itself; here it is asked for the id.
Beside each stands a shell that ends it when this process is gone, however that went.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

_LIVE: Final[set[int]] = set()
_GUARDS: Final[dict[int, subprocess.Popen[bytes]]] = {}
_GUARD: Final = 'read -r _; kill -9 "-$0" 2>/dev/null'
"""Waits for the end of its input, which comes with the end of this process."""
_OWN: Final[ContextVar[set[int] | None]] = ContextVar("agentctl_server_programs", default=None)
_START: Final = "_create_platform_compatible_process"


@contextmanager
def noted(own: set[int]) -> Iterator[None]:
    """Puts the id of every program that the library starts within into `own`, until it has ended."""
    _listen()
    token = _OWN.set(own)
    try:
        yield
    finally:
        _OWN.reset(token)
        for program in own:
            _forget(program)
        own.clear()


def end_programs(programs: Iterable[int] | None = None) -> None:
    """Ends them, all of this process by default, and whatever they started; at once and without asking."""
    for program in list(_LIVE if programs is None else programs):
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(program, signal.SIGKILL)  # the library makes each the leader of a group
            else:
                os.kill(program, signal.SIGTERM)
        _forget(program)


def _note(program: int) -> None:
    _LIVE.add(program)
    if hasattr(os, "killpg"):
        _GUARDS[program] = subprocess.Popen(  # noqa: S603  words of ours and a number
            ["/bin/sh", "-c", _GUARD, str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # what is sent to this process's group is not for it
        )


def _forget(program: int) -> None:
    """The guard goes first: by now the program's id may be another's."""
    _LIVE.discard(program)
    guard = _GUARDS.pop(program, None)
    if guard is not None:
        guard.kill()
        guard.communicate()


def _listen() -> None:
    library: Any = import_module("mcp.client.stdio")
    start = getattr(library, _START)
    if not isinstance(start, _Listening):
        setattr(library, _START, _Listening(start=start))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listening:
    """The library's own way to start a program, in whose place it stands."""

    start: Callable[..., Awaitable[Any]]

    async def __call__(self, *arguments: Any, **named: Any) -> Any:
        process = await self.start(*arguments, **named)
        own = _OWN.get()
        if own is not None:
            own.add(process.pid)
            _note(process.pid)
        return process
