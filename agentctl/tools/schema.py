"""What a model is shown of a function's parameters, and how its arguments become those of a call."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from agentctl.diagnostics import nearest
from agentctl.jsontypes import JsonObject
from agentctl.tools.capture import ToStderr, routed
from agentctl.tools.checking import problems_text, unchecked_text
from agentctl.tools.fields import build_model, field_name, is_field, json_schema
from agentctl.tools.loosening import loosened
from agentctl.tools.parameters import Parameter
from agentctl.tools.problems import Fault
from agentctl.tools.tool import ToolContext
from agentctl.tools.wording import bounded, said

if TYPE_CHECKING:
    from pydantic import BaseModel


class Unfit(Exception):
    """Arguments do not fit; the message is for the model that wrote them."""


class Shape:
    """The parameters of one tool. `fixed` are arguments given by the team file, hidden from the model.

    Raises what pydantic, or a type's own methods, find wrong with a hint.
    """

    def __init__(
        self, parameters: Sequence[Parameter], described: Mapping[str, str], fixed: JsonObject
    ) -> None:
        self._parameters = tuple(parameters)
        self._given = fixed
        shown = [each for each in parameters if not each.context]
        self._hidden = _Half([each for each in shown if each.name in fixed], described) if fixed else None
        self._visible = _Half([each for each in shown if each.name not in fixed], described)
        self.schema = json_schema(self._visible.model)

    def check(self, arguments: JsonObject) -> str | None:
        """What is wrong with the arguments that a model wrote, in its language, or None."""
        try:
            self._visible.read(arguments)
        except Unfit as unfit:
            return str(unfit)
        return None

    def check_fixed(self) -> str | None:
        if self._hidden is None:
            return None
        try:
            self._hidden.read(self._given)
        except Unfit as unfit:
            return str(unfit)
        return None

    def bind(self, arguments: JsonObject, context: ToolContext) -> tuple[list[object], dict[str, object]]:
        """Positional and keyword arguments, converted to the hinted types. Raises `Unfit`.

        What the function gets is its own: changing it changes no record.
        """
        values: dict[str, object] = {each.name: context for each in self._parameters if each.context}
        values |= self._visible.read(copy.deepcopy(dict(arguments)))
        if self._hidden is not None:
            values |= self._hidden.read(copy.deepcopy(dict(self._given)))
        first = [values.pop(each.name, each.default) for each in self._parameters if each.positional]
        return first, values


class _Half:
    """Some of a function's parameters, as one pydantic model."""

    def __init__(self, parameters: Sequence[Parameter], described: Mapping[str, str]) -> None:
        self.model: type[BaseModel] = build_model(parameters, described)
        self._parameters = parameters

    def read(self, arguments: JsonObject) -> dict[str, object]:
        """The values that were given, converted, by parameter; defaults are left to the function."""
        from pydantic import ValidationError

        try:
            with routed(ToStderr()):
                found = self._validated(arguments)
        except ValidationError as error:
            raise Unfit(problems_text(error, [each.name for each in self._parameters])) from None
        except Exception as error:  # a validator of the tool's own types may raise anything
            raise Unfit(unchecked_text(error)) from None
        return {
            each.name: getattr(found, field_name(each))
            for each in self._parameters
            if field_name(each) in found.model_fields_set or is_field(each.default)
        }

    def _validated(self, arguments: JsonObject) -> BaseModel:
        from pydantic import ValidationError

        try:
            return self.model.model_validate(arguments)
        except ValidationError as error:
            meant = loosened(arguments, error)
            if meant is None:
                raise
            try:
                return self.model.model_validate(meant)
            except ValidationError as left:
                raise (left if left.error_count() < error.error_count() else error) from None


def read_shape(
    parameters: Sequence[Parameter], described: Mapping[str, str], fixed: JsonObject, text: str
) -> Shape | list[Fault]:
    """`described` are descriptions by parameter; `text` is how the team file names the function."""
    names = [each.name for each in parameters if not each.context]
    unknown = [_unknown(name, names, text) for name in fixed if name not in names]
    try:
        shape = Shape(parameters, described, {name: fixed[name] for name in fixed if name in names})
        unfit = shape.check_fixed()
    except Exception as error:  # pydantic's own errors, and those of foreign types
        blamed = [fault for each in parameters for fault in _untypable(each, text)]
        return [*unknown, *(blamed or [_no_schema(f'"{text}"', error)])]
    if unfit:
        message = f'the fixed `args` do not fit "{text}": {unfit}'
        at = next((("args", name) for name in fixed if unfit.startswith(f"{name}: ")), ("args",))
        return [*unknown, Fault(code="tool-args", message=message, hint="give values of those types", at=at)]
    return unknown or shape


def _unknown(name: str, names: Sequence[str], text: str) -> Fault:
    close = nearest(name, names)
    listed = ", ".join(f'"{each}"' for each in names)
    return Fault(
        code="tool-args",
        message=f'"{text}" has no parameter "{name}", which `args` fixes',
        hint=f'did you mean "{close}"?' if close else f"it has {listed or 'no parameters'}",
        at=("args", name),
    )


def _untypable(parameter: Parameter, text: str) -> list[Fault]:
    if parameter.context:
        return []
    try:
        json_schema(build_model([parameter], {}))
    except Exception as error:  # as above, now known whose
        return [_no_schema(f'parameter "{parameter.name}" of "{text}"', error)]
    return []


def _no_schema(what: str, error: Exception) -> Fault:
    return Fault(
        code="tool-type",
        message=f"{what} has no JSON Schema: {bounded(said(error).partition(chr(10))[0], 300)}",
        hint="use a plain type, a list or dict of them, an Enum, a dataclass or a pydantic model",
    )
