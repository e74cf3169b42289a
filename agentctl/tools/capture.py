"""Keeps what foreign code prints off the process's stdout: each call's text goes where its context says.

While any call is under way, `sys.stdout` and `sys.stderr` are routers that ask a context variable where
to write; without a route they hand everything on to the real stream. Output of subprocesses is not seen.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Final, Protocol, TextIO, cast

from agentctl.tools.isolation import is_space_module

PRINTED_LIMIT: Final = 50_000
"""Characters kept of what one call prints."""


class Route(Protocol):
    def write(self, text: str) -> None: ...


class Printed:
    """What one call has printed so far, from whichever of its threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: list[str] = []
        self._kept = 0
        self._dropped = 0

    def write(self, text: str) -> None:
        with self._lock:
            part = text[: PRINTED_LIMIT - self._kept]
            self._parts.append(part)
            self._kept += len(part)
            self._dropped += len(text) - len(part)

    def text(self) -> str:
        with self._lock:
            kept = "".join(self._parts).encode("utf-8", "replace").decode("utf-8")
            return f"{kept}\n… {self._dropped:,} more characters were printed" if self._dropped else kept


class ToStderr:
    """The route of code whose words nobody keeps but a person should see."""

    def write(self, text: str) -> None:
        stream = sys.stderr
        real = stream.real if isinstance(stream, _Router) else stream
        if real is not None:
            real.write(text)


@contextmanager
def routed(route: Route) -> Iterator[None]:
    """Within it, what this context (and what it starts) prints goes to `route`.

    Threads that team code starts by itself carry no context; their text goes to the only call under way,
    or to stderr when there are several.
    """
    token = _route.set(route)
    _installation.enter(route)
    try:
        yield
    finally:
        _installation.leave(route)
        _route.reset(token)


_route: ContextVar[Route | None] = ContextVar("agentctl_printed", default=None)


class _Router:
    """Stands in for a text stream; anything but writing is the real stream's business."""

    def __init__(self, real: TextIO | None) -> None:
        self.real = real

    def write(self, text: str) -> int:
        route = _route.get() or _installation.adopted()
        if route is not None:
            route.write(text)
        elif self.real is not None:
            self.real.write(text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if _route.get() is None and self.real is not None:
            self.real.flush()

    def close(self) -> None:
        if _route.get() is None and self.real is not None:
            self.real.close()

    def isatty(self) -> bool:
        return _route.get() is None and self.real is not None and self.real.isatty()

    @property
    def buffer(self) -> object:
        route = _route.get()
        return getattr(self.real, "buffer", None) if route is None else _Bytes(route)

    def __getattr__(self, name: str) -> object:
        return getattr(self.real, name)


class _Bytes:
    def __init__(self, route: Route) -> None:
        self._route = route

    def write(self, data: bytes) -> int:
        self._route.write(bytes(data).decode("utf-8", "replace"))
        return len(data)

    def flush(self) -> None:
        return


class _Installation:
    """Puts the routers in place for the first call under way and takes them out after the last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._routes: list[Route] = []

    def enter(self, route: Route) -> None:
        with self._lock:
            self._routes.append(route)
            if not isinstance(sys.stdout, _Router):
                sys.stdout = cast("TextIO", _Router(sys.stdout))
            if not isinstance(sys.stderr, _Router):
                sys.stderr = cast("TextIO", _Router(sys.stderr))

    def leave(self, route: Route) -> None:
        with self._lock:
            self._routes.remove(route)
            if self._routes:
                return
            if isinstance(sys.stdout, _Router):
                sys.stdout = cast("TextIO", sys.stdout.real)
            if isinstance(sys.stderr, _Router):
                sys.stderr = cast("TextIO", sys.stderr.real)

    def adopted(self) -> Route | None:
        """Where the text of a thread goes that has no route but runs code of a team."""
        if threading.current_thread() is threading.main_thread() or not _in_team_code():
            return None
        routes = set(self._routes)
        return routes.pop() if len(routes) == 1 else ToStderr()


_installation: Final = _Installation()


def _in_team_code() -> bool:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_space_module(frame.f_globals.get("__name__")):
        frame = frame.f_back
    return frame is not None
