"""Calls one Python tool: arguments in, what the model is told out, with retries, state and printed text."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import assert_never

from agentctl.errors import FatalToolError, ToolError
from agentctl.jsontypes import Json, JsonObject, as_object, canonical, formless, to_json
from agentctl.tools.capture import Printed
from agentctl.tools.options import Options
from agentctl.tools.results import error_text, overdue_text, shortened, unkept_text, value_text
from agentctl.tools.running import Ending, Overdue, Raised, Returned, run_function
from agentctl.tools.schema import Shape, Unfit
from agentctl.tools.tool import ToolContext, ToolResult
from agentctl.tools.wording import preview


class PythonCall:
    """The `call` of a tool. It raises `FatalToolError` and cancellation only.

    `retry` counts for idempotent tools: every attempt has the whole `timeout`, a `ToolError` is an answer
    and is not tried again. State that an attempt changed is kept only if it returned a value;
    where some of it has no JSON form, nothing is kept and the result says so.
    """

    def __init__(self, function: Callable[..., object], shape: Shape, name: str, options: Options) -> None:
        self.function = function
        self._shape = shape
        self._name = name
        self._options = options

    async def __call__(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        retry = self._options.retry if self._options.idempotent else None
        printed = Printed()
        failed = 0
        while True:
            own = _own(context)
            try:
                first, named = self._shape.bind(arguments, own)
            except Unfit as unfit:
                return ToolResult(text=str(unfit), error=True)
            work = partial(self.function, *first, **named)
            ending = await run_function(work, printed, self._options.timeout)
            failed += 1
            if retry is None or failed >= retry.attempts or not _may_pass(ending):
                return self._result(ending, context, own, printed.text())
            await asyncio.sleep(retry.pause(failed))

    def _result(self, ending: Ending, before: ToolContext, after: ToolContext, printed: str) -> ToolResult:
        match ending:
            case Returned():
                fault = _unkept(after.state)
                if fault is not None:
                    result = ToolResult(text=unkept_text(self._name, fault), error=True)
                else:
                    result = self._shortened(value_text(ending.value), error=False)
                    result = replace(result, state=_changed(before.state, after.state))
            case Raised():
                if isinstance(ending.error, FatalToolError):
                    raise ending.error
                result = self._shortened(error_text(ending.error), error=True)
            case Overdue():
                result = ToolResult(text=overdue_text(self._name, self._options.timeout), error=True)
            case _:
                assert_never(ending)
        return replace(result, printed=printed)

    def _shortened(self, text: str, *, error: bool) -> ToolResult:
        short = shortened(text, self._options.max_output)
        return ToolResult(text=short, error=error, full=None if short == text else text)


def _own(context: ToolContext) -> ToolContext:
    """A context that the tool may change as it likes."""
    state, inputs = copy.deepcopy(context.state), copy.deepcopy(dict(context.inputs))
    return replace(context, state=state, inputs=inputs)


def _may_pass(ending: Ending) -> bool:
    """Whether another attempt may end otherwise."""
    if isinstance(ending, Raised):
        return not isinstance(ending.error, ToolError | FatalToolError)
    return isinstance(ending, Overdue)


def _unkept(state: object) -> str | None:
    """What the state holds that cannot be kept with the run, in words."""
    if not isinstance(state, Mapping):
        return f"it is no mapping any more but of type '{type(state).__name__}'"
    for key, value in state.items():
        found = formless(value)
        if found is not None:
            return f"{preview(key)} holds '{found}', which has no JSON form"
    return None


def _changed(before: JsonObject, after: object) -> JsonObject:
    """The keys whose values differ; one that was taken away is null."""
    now = as_object(to_json(after))
    changed: dict[str, Json] = {
        key: value
        for key, value in now.items()
        if key not in before or canonical(before[key]) != canonical(value)
    }
    return {**changed, **dict.fromkeys(key for key in before if key not in now)}
