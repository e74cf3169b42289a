"""`@tool(…)`: the options of a tool written at its function, for the team files that do not state them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar, overload

from agentctl.spec.settings import Retry
from agentctl.tools.options import ATTRIBUTE, Stated

F = TypeVar("F", bound=Callable[..., object])


@overload
def tool(function: F, /) -> F: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    idempotent: bool | None = None,
    approve: bool | Literal["always", "never"] | None = None,
    timeout: float | None = None,
    retry: int | Retry | None = None,
    max_output: int | None = None,
) -> Callable[[F], F]: ...


def tool(
    function: F | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    idempotent: bool | None = None,
    approve: bool | Literal["always", "never"] | None = None,
    timeout: float | None = None,
    retry: int | Retry | None = None,
    max_output: int | None = None,
) -> F | Callable[[F], F]:
    """States a tool's options beside its function; an option that the team file states wins.

    `timeout` is in seconds, `max_output` in characters, `retry` how many attempts in all, or the whole
    `Retry`. The function itself is given back unchanged. Raises ValueError for a value out of range.
    """
    if timeout is not None and not timeout > 0:
        raise ValueError(f"'timeout' is {timeout!r}; give seconds, more than 0")
    if max_output is not None and max_output < 1:
        raise ValueError(f"'max_output' is {max_output!r}; give characters, at least 1")
    if isinstance(retry, int) and retry < 1:
        raise ValueError(f"'retry' is {retry!r}; give attempts in all, at least 1")
    if approve not in (None, True, False, "always", "never"):
        raise ValueError(f"'approve' is {approve!r}; give 'always' or 'never'")
    stated = Stated(
        name=name,
        description=description,
        approve=("always" if approve else "never") if isinstance(approve, bool) else approve,
        idempotent=idempotent,
        timeout=timeout,
        retry=Retry(attempts=retry) if isinstance(retry, int) else retry,
        max_output=max_output,
    )

    def mark(function: F) -> F:
        inner = function.__func__ if isinstance(function, staticmethod | classmethod) else function
        setattr(inner, ATTRIBUTE, stated)
        return function

    return mark if function is None else mark(function)
