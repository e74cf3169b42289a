"""Shapes of answers: from classes and JSON Schemas, what they take and what they say of what they do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import pytest
from pydantic import BaseModel, Field, field_validator

from agentctl.jsontypes import Json
from agentctl.tools.outputs import OutputShape, class_shape, schema_shape
from agentctl.tools.problems import Fault
from agentctl.tools.schema import Unfit


class Invoice(BaseModel):
    total: float
    currency: str = "USD"
    number: int = Field(default=0, alias="no")


@dataclass
class Letter:
    text: str
    pages: int = 1


class Order(TypedDict):
    id: str


class Fussy(BaseModel):
    word: str

    @field_validator("word")
    @classmethod
    def refuse(cls, word: str) -> str:
        raise RuntimeError("never")


class Opaque:
    """Something that pydantic knows nothing of."""


class NoSchema(BaseModel):
    model_config = {"arbitrary_types_allowed": True}
    thing: Opaque


def shape(kind: object) -> OutputShape:
    found = class_shape(kind, "shapes:Kind")
    assert isinstance(found, OutputShape), found
    return found


def test_a_model_is_read_with_its_defaults_and_aliases_and_built_again() -> None:
    invoice = shape(Invoice)
    recorded = invoice.read({"total": "12.5", "no": 3})
    assert recorded == {"total": 12.5, "currency": "USD", "no": 3}
    assert invoice.build(recorded) == Invoice(total=12.5, no=3)
    assert invoice.schema["required"] == ["total"]


@pytest.mark.parametrize(
    ("kind", "value", "built"),
    [(Letter, {"text": "Dear"}, Letter("Dear")), (Order, {"id": "7"}, {"id": "7"})],
)
def test_dataclasses_and_typed_dicts_are_values_too(kind: type, value: Json, built: object) -> None:
    found = shape(kind)
    assert found.build(found.read(value)) == built
    assert found.schema["type"] == "object"


@pytest.mark.parametrize(
    ("value", "told"), [({}, "total: field required"), ([], "valid dictionary"), ({"total": "x"}, "number")]
)
def test_what_does_not_fit_is_said(value: Json, told: str) -> None:
    with pytest.raises(Unfit, match=told):
        shape(Invoice).read(value)


def test_a_validator_that_raises_is_said_too() -> None:
    with pytest.raises(Unfit, match="RuntimeError: never"):
        shape(Fussy).read({"word": "x"})


@pytest.mark.parametrize("kind", [str, len, "x", Invoice(total=1), object])
def test_other_things_are_no_shapes(kind: object) -> None:
    found = class_shape(kind, "shapes:Kind")
    assert isinstance(found, Fault)
    assert found.code == "output-type"


def test_a_class_without_a_schema_is_a_fault() -> None:
    found = class_shape(NoSchema, "shapes:NoSchema")
    assert isinstance(found, Fault)
    assert "has no JSON Schema" in found.message


def test_a_json_schema_takes_what_fits_it() -> None:
    found = schema_shape({"type": "object", "required": ["a", "b"]})
    assert found.build(found.read({"a": 1, "b": 2})) == {"a": 1, "b": 2}
    with pytest.raises(Unfit, match=r'has no key "a"; .*has no key "b"'):
        found.read({})
