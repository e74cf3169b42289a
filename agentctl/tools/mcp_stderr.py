"""The end of what a program writes to its stderr, kept for the message that says why it stopped."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, TextIO

_KEPT: Final = 2_000
_PATIENCE: Final = 0.5
"""Seconds that a program's last words may take to arrive after its end."""


class Tail:
    """Read by a thread, so that a program that writes much never waits for somebody to read it."""

    def __init__(self) -> None:
        self._text = b""
        self._thread: threading.Thread | None = None

    @contextmanager
    def writing(self) -> Iterator[TextIO]:
        """The stream to start the program with; this process closes its copy as soon as it has started."""
        reader, writer = os.pipe()
        self._thread = threading.Thread(target=self._read, args=(reader,), name="mcp-stderr", daemon=True)
        self._thread.start()
        with os.fdopen(writer, "w") as stream:
            yield stream

    def text(self) -> str:
        """The last of it, complete where the program has ended."""
        if self._thread is not None:
            self._thread.join(timeout=_PATIENCE)
        return self._text.decode("utf-8", "replace")

    def _read(self, reader: int) -> None:
        with suppress(OSError), os.fdopen(reader, "rb", buffering=0) as stream:
            while part := stream.read(4096):
                self._text = (self._text + part)[-_KEPT:]
