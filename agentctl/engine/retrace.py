"""A recorded run walked through again without doing anything, to see what its models were sent.

The journal holds replies and a hash of what was sent; the loops and strategies, given the records, ask
the same again, and that is what is taken down here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentctl.engine.functions import Place, Result, StepFunction, World
from agentctl.engine.steps import Function
from agentctl.errors import ExecutionFailed, ModelError, error_kind
from agentctl.jsontypes import Json, JsonObject, as_object, as_text, digest


@dataclass(frozen=True, slots=True, kw_only=True)
class RetracingWorld(World):
    """`asked` takes the arguments of every model call that the walk comes by, by the hash on record.

    `failures` are the records' data of steps that failed, by step: they fail again.
    """

    failures: Mapping[str, JsonObject] = field(default_factory=dict)
    asked: dict[str, JsonObject] = field(default_factory=dict)

    def registry(self) -> Mapping[Function, StepFunction]:
        return {name: _Seen(function, name, self) for name, function in World.registry(self).items()}


class _Seen:
    """A function that is only looked up: where the records end, the walk does too."""

    def __init__(self, function: StepFunction, name: Function, world: RetracingWorld) -> None:
        self._function = function
        self._name = name
        self._world = world

    def identity(self, args: JsonObject) -> Json:
        identity = self._function.identity(args)
        if self._name == "model":
            self._world.asked[digest(identity)] = args
        return identity

    def begun(self, args: JsonObject) -> JsonObject:
        return self._function.begun(args)

    async def run(self, args: JsonObject, place: Place) -> Result:
        failed = self._world.failures.get(place.step)
        if failed is None or failed.get("in") != digest(self._function.identity(args)):
            raise ExecutionFailed(f"step '{place.step}' is not on record", rule="not-recorded")
        error = as_object(failed.get("error"))
        message, code = as_text(error.get("message")), as_text(error.get("code"))
        if code.startswith("model-"):
            raise ModelError(message, kind=error_kind(code))
        raise ExecutionFailed(message, rule=code)
