"""Arguments for a JSON Schema out of texts: the nearest fitting value of each, or that it is missing.

Each value in a text serves one parameter at most. Optional parameters are left out unless clearly meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.offline.candidates import STRONG, WEAK, Candidate, candidates, named_list, unclear
from agentctl.models.offline.fits import fits, resolved, type_of
from agentctl.models.offline.literal import looks_numeric
from agentctl.models.offline.prose import matter
from agentctl.models.offline.words import stems

Given: TypeAlias = Mapping[str, Json]
"""Values known by name, such as the fields of a tool's result; they come before any text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """`missing` names the required parameters that were not found, nested ones as `address.city`, and any
    that the text states in a way that can be read as more than one value.

    `places` are those that were found in the first text; `tied` names those that another value of it would
    suit as well.
    """

    arguments: JsonObject
    missing: tuple[str, ...] = ()
    places: Mapping[str, Candidate] = field(default_factory=dict)
    tied: tuple[str, ...] = ()


@dataclass(slots=True)
class _Filling:
    root: JsonObject
    sources: Sequence[str]
    given: Given
    text: str
    refused: str = ""
    own: frozenset[str] = frozenset()
    taken: set[tuple[int, int, int]] = field(default_factory=set)
    above: list[Json] = field(default_factory=list)
    """The properties of the objects that are being filled, so that a shape inside itself comes to an end."""
    places: dict[str, Candidate] = field(default_factory=dict)
    tied: set[str] = field(default_factory=set)


def fill(
    schema: JsonObject,
    sources: Sequence[str],
    given: Given | None = None,
    prose: str = "",
    *,
    refused: str = "",
    own: frozenset[str] = frozenset(),
) -> Filled:
    """`sources` are the texts to look in, the most telling first; `prose` stands where prose is asked for.

    `refused` is what is not to be done: it says no more than which of the flags are off. `own` are the stems
    of what is filled: prose of nothing else is none.
    """
    filling = _Filling(schema, sources, given or {}, prose, refused, own)
    found = _object(resolved(schema, schema), filling)
    found = replace(found, places=filling.places, tied=tuple(sorted(filling.tied)))
    if not found.missing and not fits(found.arguments, schema, schema):
        names = as_list(schema.get("required")) or list(as_object(schema.get("properties")))
        return replace(found, missing=tuple(as_text(name) for name in names))
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
    written = as_object(schema.get("properties"))
    properties = {name: resolved(one, filling.root) for name, one in written.items()}
    required = {as_text(name) for name in as_list(schema.get("required"))}
    values: dict[str, Json] = {name: one["const"] for name, one in properties.items()
                               if "const" in one and name in required}  # fmt: skip
    for name, one in properties.items():
        if name in filling.given:
            value = _coerced(filling.given[name], one)
            if fits(value, one, filling.root):
                values[name] = value
    for name in required & properties.keys() - values.keys():
        if _is_around(properties[name], filling) and fits(None, written[name], filling.root):
            values[name] = None
    missing: list[str] = []
    compound = {name: one for name, one in properties.items()
                if name not in values and type_of(one) in ("object", "array")}  # fmt: skip
    for name in [name for name in compound if name in required]:
        _compound(name, compound[name], True, filling, values, missing)
    simple = {name: one for name, one in properties.items() if type_of(one) not in ("object", "array")}
    unsure = {name for name, one in simple.items() if name not in values and _is_unsure(name, one, filling)}
    _assign({name: one for name, one in simple.items() if name not in unsure}, required, filling, values)
    for name in [name for name in compound if name not in required]:
        _compound(name, compound[name], False, filling, values, missing)
    missing += [name for name in simple if name in unsure or (name in required and name not in values)]
    ordered = {name: values[name] for name in properties if name in values}
    unknown = [name for name in required if name not in properties]
    return Filled(arguments=ordered, missing=(*missing, *sorted(unknown)))


def _is_unsure(name: str, schema: JsonObject, filling: _Filling) -> bool:
    """Said, but in a way that can be read as more than one value, and nothing else there to take."""
    told = next(iter(filling.sources), "")
    return bool(unclear(name, schema, told)) and not any(
        one.score >= STRONG and fits(one.value, schema, filling.root)
        for one in candidates(name, schema, told)
    )


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
    described = {**{key: schema[key] for key in ("description",) if key in schema}, **below}
    for number, text in enumerate(filling.sources):
        named = named_list(name, text) if type_of(below) == "string" and "enum" not in below else ()
        options = [
            one
            for one in candidates(singular, described, text)
            if one.score >= (WEAK if required else STRONG)
            and (required or one.kind != "quoted" or one.score > STRONG + 1.0)
            and not _is_taken(one, number, filling)
            and fits(one.value, below, filling.root)
        ]
        best = max(options, key=lambda one: one.score, default=None)
        kept = {
            (one.start, one.end): one
            for one in options
            if best and one.score >= min(best.score, STRONG) - 2.0 and (one.kind == best.kind)
        }
        if not kept or (best is not None and best.kind in ("word", "name", "quoted")):
            kept = {
                (one.start, one.end): one for one in named if fits(one.value, below, filling.root)
            } or kept
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
            for place, one in enumerate(_options(name, schema, text, filling))
            if one.score >= (WEAK if name in required else STRONG) and fits(one.value, schema, filling.root)
        ]
        found: dict[str, Candidate] = {}
        for _, _, _, name, one in sorted(pairs, key=lambda pair: pair[:3]):
            if name not in values and not _is_taken(one, number, filling):
                taken = [(start, end) for source, start, end in filling.taken if source == number]
                is_prose = one.start < 0 and one.value is text
                value = (filling.text or matter(text, taken)) if is_prose else one.value
                if is_prose and filling.own.issuperset(stems(as_text(value))) and filling.own:
                    continue
                values[name] = value
                filling.taken.add((number, one.start, one.end))
                found[name] = one
        if number == 0:
            filling.places.update({name: one for name, one in found.items() if one.start >= 0})
            rivals = [(name, one) for _, _, _, name, one in pairs if name in found]
            filling.tied |= {name for name, one in rivals if _ties(one, found[name], filling)}


def _options(name: str, schema: JsonObject, text: str, filling: _Filling) -> list[Candidate]:
    found = candidates(name, schema, text)
    if type_of(schema) == "boolean" and filling.refused and text is filling.sources[0]:
        found = candidates(name, schema, filling.refused) or found
    return found


def _ties(one: Candidate, chosen: Candidate, filling: _Filling) -> bool:
    """Whether another value that nothing else takes has as much for it as the chosen one."""
    return (
        one.start >= 0
        and one.kind not in ("", "word")
        and one.score >= chosen.score
        and one.value != chosen.value
        and not _is_taken(one, 0, filling)
    )


def _is_taken(one: Candidate, number: int, filling: _Filling) -> bool:
    return one.start >= 0 and any(
        source == number and one.start < end and start < one.end for source, start, end in filling.taken
    )
