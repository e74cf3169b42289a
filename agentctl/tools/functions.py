"""Calls the functions that a team file names elsewhere than under `tools`: routers, choosers, conditions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import assert_never

from agentctl.errors import ExecutionFailed, FatalToolError
from agentctl.jsontypes import Json
from agentctl.tools.capture import ToStderr
from agentctl.tools.isolation import public_name
from agentctl.tools.running import Overdue, Raised, Returned, run_function
from agentctl.tools.wording import exception_text


async def call_function(function: Callable[..., object], *args: object, **kwargs: object) -> Json:
    """What the function returns, as JSON. Sync ones run in a thread; what they print goes to stderr.

    Raises ExecutionFailed (rule `function-failed`) for whatever the function raises but FatalToolError.
    """
    ending = await run_function(partial(function, *args, **kwargs), ToStderr())
    match ending:
        case Returned():
            return ending.value
        case Raised():
            if isinstance(ending.error, FatalToolError):
                raise ending.error
            raise ExecutionFailed(
                f"the function '{function_name(function)}' raised {exception_text(ending.error)}",
                rule="function-failed",
                hint="mend the function, then resume the run",
            ) from ending.error
        case Overdue():
            raise AssertionError("a function without a timeout cannot run out of time")
        case _:
            assert_never(ending)


def function_name(function: Callable[..., object]) -> str:
    """`module:name`, as a team file would name it."""
    while isinstance(function, partial):
        function = function.func
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{public_name(named.__module__)}:{named.__qualname__}"
