"""All that led to an error, wherever Python or a library keeps it."""

from __future__ import annotations

from collections.abc import Iterator


def causes(error: BaseException) -> Iterator[BaseException]:
    """The error and all that led to it: litellm keeps what a client raised in an attribute too, and depending
    on where a stream breaks only there."""
    waiting, found = [error], set[int]()
    while waiting:
        cause = waiting.pop(0)
        if id(cause) in found:
            continue
        found.add(id(cause))
        yield cause
        led = (cause.__cause__, cause.__context__, getattr(cause, "original_exception", None))
        waiting += [each for each in led if isinstance(each, BaseException)]
