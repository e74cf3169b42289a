"""The seam with pydantic: parameters become one model, and the model its JSON Schema.

Fields are numbered and carry the parameters' names as aliases, since a parameter may be called what a
field may not. pydantic takes a while to import and is imported only when a function is described.
"""

from __future__ import annotations

import types
import typing
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Optional, cast, get_args, get_origin

from agentctl.jsontypes import JsonObject, to_json
from agentctl.tools.hints import supported
from agentctl.tools.parameters import NOTHING, Parameter
from agentctl.tools.tidying import tidied

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo
    from pydantic.json_schema import GenerateJsonSchema


def field_name(parameter: Parameter) -> str:
    return f"p{parameter.number}"


def is_field(default: object) -> bool:
    """Whether a default is pydantic's `Field(…)`, which says what the default is."""
    from pydantic.fields import FieldInfo

    return isinstance(default, FieldInfo)


def build_model(parameters: Sequence[Parameter], described: Mapping[str, str]) -> type[BaseModel]:
    """Raises whatever pydantic, or a type's own schema method, finds wrong with a hint."""
    from pydantic import ConfigDict, create_model

    fields: dict[str, Any] = {
        field_name(parameter): _field(parameter, described.get(parameter.name)) for parameter in parameters
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on hints that concerns the tool's author, not its user
        return create_model("Arguments", __config__=ConfigDict(extra="forbid"), **fields)


def json_schema(model: type[BaseModel]) -> JsonObject:
    """Raises pydantic's error for a hint that can be checked but not described, such as `Callable`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = to_json(model.model_json_schema(schema_generator=quiet_generator()))
    schema = tidied(cast("JsonObject", found))
    return {"type": "object", "properties": schema.get("properties", {}), **schema}


@cache
def quiet_generator() -> type[GenerateJsonSchema]:
    from pydantic.json_schema import GenerateJsonSchema

    class Quiet(GenerateJsonSchema):
        ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012  declared so there

    return Quiet


def _field(parameter: Parameter, described: str | None) -> tuple[object, object]:
    from pydantic import Field

    hint = supported(parameter.hint)
    if parameter.default is None and not _takes_none(hint):
        hint = Optional[hint]  # noqa: UP045  the hint is a value here, which may be a string or a form
    notes: list[object] = []
    default: object = ... if parameter.default is NOTHING else parameter.default
    if is_field(default):
        notes.append(default)
        default = _default_of(cast("FieldInfo", default))
    words = _stated(hint, notes) or described
    notes.append(Field(alias=parameter.name, description=words))
    return Annotated[(hint, *notes)], default


def _default_of(found: FieldInfo) -> object:
    from pydantic import Field

    if found.is_required():
        return ...
    factory: Any = found.default_factory
    return found.default if factory is None else Field(default_factory=factory)


def _stated(hint: object, notes: Sequence[object]) -> str | None:
    """What `Field(description=…)`, `Doc(…)` or a plain string says in an `Annotated` or a default."""
    marks = [*(get_args(hint)[1:] if get_origin(hint) is Annotated else ()), *notes]
    for mark in reversed(marks):
        for words in (mark, getattr(mark, "description", None), getattr(mark, "documentation", None)):
            if isinstance(words, str):
                return words
    return None


def _takes_none(hint: object) -> bool:
    if get_origin(hint) is Annotated:
        return _takes_none(get_args(hint)[0])
    if hint is None or hint is Any or hint is object or hint is type(None):
        return True
    return any(_takes_none(member) for member in get_args(hint)) if _is_union(hint) else False


def _is_union(hint: object) -> bool:
    return get_origin(hint) in (typing.Union, types.UnionType)
