"""A recorded run walked through again without doing anything, to see what its models were sent.

The journal holds replies and a hash of what was sent; the loops and strategies, given the records, ask
the same again, and that is what is taken down here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentctl.engine.functions import Place, Result, StepFunction, World
from agentctl.engine.steps import Function
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import Json, JsonObject, digest


@dataclass(frozen=True, slots=True, kw_only=True)
class RetracingWorld(World):
    """`asked` takes the arguments of every model call that the walk comes by, by the hash on record."""

    asked: dict[str, JsonObject] = field(default_factory=dict)

    def registry(self) -> Mapping[Function, StepFunction]:
        return {name: _Seen(function, name, self.asked) for name, function in World.registry(self).items()}


class _Seen:
    """A function that is only looked up: where the records end, the walk does too."""

    def __init__(self, function: StepFunction, name: Function, asked: dict[str, JsonObject]) -> None:
        self._function = function
        self._name = name
        self._asked = asked

    def identity(self, args: JsonObject) -> Json:
        identity = self._function.identity(args)
        if self._name == "model":
            self._asked[digest(identity)] = args
        return identity

    def begun(self, args: JsonObject) -> JsonObject:
        return self._function.begun(args)

    async def run(self, args: JsonObject, place: Place) -> Result:  # noqa: ARG002 - the protocol's
        raise ExecutionFailed(f"step '{place.step}' is not on record", rule="not-recorded")
