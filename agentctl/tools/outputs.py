"""The shape of an agent's answer, from a JSON Schema or a Python class, and answers read by it."""

from __future__ import annotations

import dataclasses
import typing
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from agentctl.jsonschemas import Checker
from agentctl.jsontypes import Json, JsonObject, to_json
from agentctl.tools.capture import ToStderr, routed
from agentctl.tools.checking import problems_text, unchecked_text
from agentctl.tools.fields import quiet_generator
from agentctl.tools.hints import supported
from agentctl.tools.problems import Fault
from agentctl.tools.schema import Unfit
from agentctl.tools.tidying import tidied
from agentctl.tools.wording import bounded, said

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_LONGEST = 1_000
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputShape:
    """`schema` is what a model is shown.

    `read` gives a parsed answer as it is recorded, or raises `Unfit` with the words for the model;
    `build` turns what was recorded into the Python value, or gives it back where there is no class.
    """

    schema: JsonObject
    read: Callable[[Json], Json]
    build: Callable[[Json], object]


def schema_shape(schema: JsonObject) -> OutputShape:
    """The shape that a JSON Schema of the team file describes."""
    checker = Checker(schema)

    def read(value: Json) -> Json:
        problems = [str(problem) for problem in checker.problems(value)[:_SHOWN]]
        if problems:
            raise Unfit(bounded("; ".join(problems), _LONGEST))
        return value

    return OutputShape(schema=schema, read=read, build=lambda value: value)


def class_shape(kind: object, text: str) -> OutputShape | Fault:
    """The shape of a pydantic model, dataclass or TypedDict; `text` is how the team file names it."""
    if not _is_shape(kind):
        message = f'"{text}" is no pydantic model, dataclass or TypedDict'
        return Fault(code="output-type", message=message, hint="name such a class, or write a JSON Schema")
    from pydantic import TypeAdapter

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # advice for the class's author
            adapter: TypeAdapter[object] = TypeAdapter(cast("type[object]", supported(kind)))
            found = to_json(adapter.json_schema(schema_generator=quiet_generator()))
    except Exception as error:  # pydantic's own errors, and those of foreign types
        why = bounded(said(error).partition("\n")[0], 300)
        message = f'"{text}" has no JSON Schema: {why}'
        return Fault(code="output-type", message=message, hint="use fields of plain types in it")
    schema = tidied(cast("JsonObject", found))
    return OutputShape(schema=schema, read=_Reader(adapter).read, build=_Reader(adapter).build)


def _is_shape(kind: object) -> bool:
    if not isinstance(kind, type):
        return False
    return dataclasses.is_dataclass(kind) or typing.is_typeddict(kind) or hasattr(kind, "model_json_schema")


@dataclass(frozen=True, slots=True)
class _Reader:
    adapter: TypeAdapter[object]

    def read(self, value: Json) -> Json:
        """The value as the class writes it: converted, defaults filled in, aliases kept."""
        built = self.build(value)
        with routed(ToStderr()):
            return to_json(self.adapter.dump_python(built, mode="json", by_alias=True, warnings=False))

    def build(self, value: Json) -> object:
        from pydantic import ValidationError

        try:
            with routed(ToStderr()):
                return self.adapter.validate_python(value)
        except ValidationError as error:
            raise Unfit(problems_text(error, [])) from None
        except Exception as error:  # a validator of the class may raise anything
            raise Unfit(unchecked_text(error)) from None
