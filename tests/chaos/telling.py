"""Where in a long series of cases a failure happened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def telling(what: object) -> Iterator[None]:
    """Adds to a failure the case at which it happened."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"at {what}")
        raise
