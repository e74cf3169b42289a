"""Arguments for a JSON Schema out of texts: the nearest fitting value of each, or that it is missing.

Each value in a text serves one parameter at most. Optional parameters are left out unless clearly meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.offline.candidates import STRONG, WEAK, Candidate, candidates, listed_with
from agentctl.models.offline.fits import fits, resolved, type_of
from agentctl.models.offline.literal import looks_numeric
from agentctl.models.offline.prose import matter
from agentctl.models.offline.roles import Role, purpose_of

_MOST: Final = 5
_SINGLE: Final[frozenset[Role]] = frozenset({"prose", "date", "time", "currency"})

Given: TypeAlias = Mapping[str, Json]
"""Values known by name, such as the fields of a tool's result; they come before any text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """`missing` names the required parameters that were not found, nested ones as `address.city`."""

    arguments: JsonObject
    missing: tuple[str, ...] = ()


@dataclass(slots=True)
class _Filling:
    root: JsonObject
    sources: Sequence[str]
    given: Given
    text: str
    taken: set[tuple[int, int, int]] = field(default_factory=set)
    above: list[Json] = field(default_factory=list)
    """The properties of the objects that are being filled, so that a shape inside itself comes to an end."""


def fill(schema: JsonObject, sources: Sequence[str], given: Given | None = None, prose: str = "") -> Filled:
    """`sources` are the texts to look in, the most telling first; `prose` stands where prose is asked for."""
    found = _object(resolved(schema, schema), _Filling(schema, sources, given or {}, prose))
    if not found.missing and not fits(found.arguments, schema, schema):
        names = as_list(schema.get("required")) or list(as_object(schema.get("properties")))
        return Filled(arguments=found.arguments, missing=tuple(as_text(name) for name in names))
    return found


def _object(schema: JsonObject, filling: _Filling) -> Filled:
    if _is_around(schema, filling):
        return Filled(arguments={}, missing=tuple(as_text(name) for name in as_list(schema.get("required"))))
    filling.above.append(schema.get("properties"))
    found = _fields(schema, filling)
    filling.above.pop()
    return found


def _is_around(schema: JsonObject, filling: _Filling) -> bool:
    return bool(schema.get("properties")) and schema["properties"] in filling.above


def _fields(schema: JsonObject, filling: _Filling) -> Filled:
    properties = {
        name: resolved(one, filling.root) for name, one in as_object(schema.get("properties")).items()
    }
    required = {as_text(name) for name in as_list(schema.get("required"))}
    values: dict[str, Json] = {name: one["const"] for name, one in properties.items()
                               if "const" in one and name in required}  # fmt: skip
    for name, one in properties.items():
        if name in filling.given:
            value = _coerced(filling.given[name], one)
            if fits(value, one, filling.root):
                values[name] = value
    missing: list[str] = []
    for name, one in properties.items():
        if name not in values and type_of(one) in ("object", "array"):
            _compound(name, one, name in required, filling, values, missing)
    simple = {name: one for name, one in properties.items() if type_of(one) not in ("object", "array")}
    _assign(simple, required, filling, values)
    missing += [name for name in simple if name in required and name not in values]
    ordered = {name: values[name] for name in properties if name in values}
    unknown = [name for name in required if name not in properties]
    return Filled(arguments=ordered, missing=(*missing, *sorted(unknown)))


def _coerced(value: Json, schema: JsonObject) -> Json:
    """A number that a result writes as text, as the number that is asked for; any scalar as text."""
    wanted = type_of(schema)
    if wanted == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if wanted in ("integer", "number") and isinstance(value, str) and looks_numeric(value):
        number = float(value.replace(",", ""))
        return int(number) if wanted == "integer" and number.is_integer() else number
    return value


def _compound(
    name: str, schema: JsonObject, required: bool, filling: _Filling,
    values: dict[str, Json], missing: list[str],
) -> None:  # fmt: skip
    if type_of(schema) == "array":
        items = _items(name, schema, required, filling)
        if items and fits(items, schema, filling.root):
            values[name] = items
        elif required and _is_around(resolved(schema.get("items", {}), filling.root), filling):
            values[name] = []
        elif required:
            missing.append(name)
        return
    if not required and "properties" not in schema:
        return
    before = set(filling.taken)
    below = _object(schema, filling)
    if not below.missing and (required or below.arguments):
        values[name] = below.arguments
        return
    filling.taken = before
    if required:
        missing += [f"{name}.{one}" for one in below.missing]


def _items(name: str, schema: JsonObject, required: bool, filling: _Filling) -> list[Json]:
    """All values of the first source that has any."""
    below = resolved(schema.get("items", {}), filling.root)
    if type_of(below) == "object":
        one = _object(below, filling)
        return [one.arguments] if required and one.arguments and not one.missing else []
    singular = name.removesuffix("s")
    for number, text in enumerate(filling.sources):
        options = [
            one
            for one in candidates(singular, below, text)
            if one.score >= (WEAK if required else STRONG)
            and (number, one.start, one.end) not in filling.taken
            and fits(one.value, below, filling.root)
        ]
        best = max((one.score for one in options), default=0.0)
        kept = {(one.start, one.end): one for one in options if one.score >= min(best, STRONG) - 2.0}
        if kept:
            filling.taken.update((number, start, end) for start, end in kept)
            return [kept[place].value for place in sorted(kept)]
    return []


def _assign(
    simple: Mapping[str, JsonObject], required: set[str], filling: _Filling, values: dict[str, Json]
) -> None:
    """The best pairs of parameter and value first, source by source."""
    for number, text in enumerate(filling.sources):
        pairs = [
            (-one.score, order, place, name, one)
            for order, (name, schema) in enumerate(simple.items())
            if name not in values
            for place, one in enumerate(candidates(name, schema, text))
            if one.score >= (WEAK if name in required else STRONG) and fits(one.value, schema, filling.root)
        ]
        for _, _, _, name, one in sorted(pairs, key=lambda pair: pair[:3]):
            if name not in values and not _is_taken(one, number, filling):
                taken = [(start, end) for source, start, end in filling.taken if source == number]
                is_prose = one.start < 0 and one.value is text
                values[name] = (filling.text or matter(text, taken)) if is_prose else one.value
                filling.taken.add((number, one.start, one.end))


def _is_taken(one: Candidate, number: int, filling: _Filling) -> bool:
    return one.start >= 0 and any(
        source == number and one.start < end and start < one.end for source, start, end in filling.taken
    )


def fanned(schema: JsonObject, arguments: JsonObject, text: str) -> list[JsonObject]:
    """The arguments once for each value of a list such as `ACC-1 and ACC-2` that stands for one parameter."""
    root = resolved(schema, schema)
    for name, value in arguments.items():
        one = resolved(as_object(root.get("properties")).get(name, {}), schema)
        if type_of(one) != "string" or (purpose_of(name, one).role in _SINGLE and "enum" not in one):
            continue
        values = [other for other in listed_with(value, name, one, text) if fits(other, one, schema)]
        others = {str(other) for key, other in arguments.items() if key != name}
        if len(values) > 1 and others.isdisjoint(map(str, values)):
            return [{**arguments, name: other} for other in values[:_MOST]]
    return [arguments]
