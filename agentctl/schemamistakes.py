"""Mistakes in a JSON Schema that a person wrote: each once, at its place, with how to mend it.

Stricter than the standard, which takes any unknown word: a word near a known one is a mistake here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, TypeAlias

from agentctl.diagnostics import nearest
from agentctl.jsonschemas import Path, schema_problems
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, canonical
from agentctl.regexes import regex_hint, regex_problem
from agentctl.schemadeadends import dead_ends
from agentctl.schemawords import TYPES, kind_of, target

SYNONYMS: Final[Mapping[str, str]] = {
    word: kind
    for kind, words in {
        "string": "str text varchar char date datetime uuid email url enum",
        "integer": "int long whole count",
        "number": "float double decimal numeric real money currency",
        "boolean": "bool flag yesno",
        "object": "dict map mapping struct record json",
        "array": "list set tuple sequence",
        "null": "none nil nothing",
    }.items()
    for word in words.split()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """`path` leads to the value, or where `at_key`, to that key's. What is `harmless` only says nothing."""

    path: Path
    message: str
    hint: str
    at_key: bool = False
    harmless: bool = False


Check: TypeAlias = Callable[[Json, Path, "_Schema"], Iterator[Mistake]]


@dataclass(frozen=True, slots=True)
class _Schema:
    """The schema around a keyword, and the root that references begin at."""

    around: JsonObject
    root: Json
    path: Path


def schema_mistakes(schema: JsonObject) -> list[Mistake]:
    """All of them; where these rules see nothing, what the standard's own schema has against it."""
    found = list(_schema(schema, (), schema))
    if any(not mistake.harmless for mistake in found):
        return found
    rest = (
        Mistake(path=problem.path, message=f"{_name(problem.path)} {problem.message}", hint=_EXAMPLE)
        for problem in schema_problems(schema)
    )
    return [*found, *rest]


def type_meant(word: str) -> str | None:
    """The type of JSON Schema that a word most likely stands for."""
    folded = word.strip().casefold()
    return folded if folded in TYPES else SYNONYMS.get(folded) or nearest(folded, TYPES)


def _schema(value: Json, path: Path, root: Json) -> Iterator[Mistake]:
    if isinstance(value, bool):
        return
    if not isinstance(value, Mapping):
        yield _no_schema(value, path)
        return
    unknown = [key for key in value if key not in _WORDS]
    if unknown and len(unknown) == len(value) and not any(_word_meant(key) for key in unknown):
        yield _only_fields(value, path)
        return
    for key in unknown:
        yield from _unknown(key, value, path)
    for key, below in value.items():
        word = key if key in _WORDS else _word_meant(key)
        if word is not None:
            yield from _WORDS[word](below, (*path, key), _Schema(value, root, path))
    for end in dead_ends(value, root):
        yield Mistake(path=(*path, *end.path), message=end.message, hint=end.hint)


def _no_schema(value: Json, path: Path) -> Mistake:
    message = f"{_name(path)} must be a JSON Schema, a mapping, not {TYPES[kind_of(value)]}"
    meant = type_meant(value) if isinstance(value, str) else None
    key = f"{path[-1]}: " if path and isinstance(path[-1], str) else ""
    if isinstance(value, str) and value.casefold() in ("no", "off", "yes", "on"):
        truth = "true" if value.casefold() in ("yes", "on") else "false"
        return Mistake(path=path, message=message, hint=f"write `{key}{truth}`")
    return Mistake(path=path, message=message, hint=f"write `{key}{{type: {meant or 'string'}}}`")


def _only_fields(value: JsonObject, path: Path) -> Mistake:
    """`{total: number}`: the fields themselves, where a schema of them must stand."""
    first = next(iter(value))
    message = f"{_name(path)} holds no word of JSON Schema, so that it says nothing"
    below = value[first]
    shown = f"{{type: {type_meant(below) or 'string'}}}" if isinstance(below, str) else "…"
    return Mistake(
        path=path,
        message=message,
        hint=f"write its fields under `properties`: `{{type: object, properties: {{{first}: {shown}}}}}`",
    )


def _unknown(key: str, around: JsonObject, path: Path) -> Iterator[Mistake]:
    near = _word_meant(key)
    message = f'"{key}" is no word of JSON Schema'
    if near in around:
        hint = f'did you mean "{near}"? It is given too: join the two, or take this out'
        yield Mistake(path=(*path, key), message=message, hint=hint, at_key=True)
    elif near is not None:
        yield Mistake(path=(*path, key), message=message, hint=f'did you mean "{near}"?', at_key=True)
    elif not key.startswith("x-"):
        hint = f"a field stands under `properties`: `properties: {{{key}: …}}`; else take it out"
        yield Mistake(
            path=(*path, key), message=f"{message} and says nothing", hint=hint, at_key=True, harmless=True
        )


def _word_meant(key: str) -> str | None:
    """The word that a key is a misspelling of; names of fields are easily near one, and are none."""
    folded = {word.casefold(): word for word in _WORDS}
    close = get_close_matches(key.casefold().replace("_", "").replace("-", ""), folded, n=1, cutoff=0.8)
    return folded[close[0]] if close else None


def _below(value: Json, path: Path, place: _Schema) -> Iterator[Mistake]:
    yield from _schema(value, path, place.root)


def _named(value: Json, path: Path, place: _Schema) -> Iterator[Mistake]:
    """`properties` and the like: schemas by name."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from _schema(below, (*path, key), place.root)
        return
    first = next((as_text(item) for item in as_list(value) if isinstance(item, str)), "total")
    hint = f"write each name with its schema: `{path[-1]}: {{{first}: {{type: string}}}}`"
    yield _mistyped(value, path, "a mapping of names to schemas", hint)


def _several(value: Json, path: Path, place: _Schema) -> Iterator[Mistake]:
    if isinstance(value, list | tuple) and value:
        for index, below in enumerate(value):
            yield from _schema(below, (*path, index), place.root)
        return
    hint = f"write a list: `{path[-1]}: [{{type: string}}, {{type: number}}]`"
    yield _mistyped(value, path, "a list of schemas", hint)


def _text(value: Json, path: Path, _place: _Schema) -> Iterator[Mistake]:
    if not isinstance(value, str):
        written = "…" if isinstance(value, Mapping | list | tuple) or value is None else canonical(value)
        yield _mistyped(value, path, "text", f'write it in quotes: `{path[-1]}: "{written}"`')


def _flag(value: Json, path: Path, _place: _Schema) -> Iterator[Mistake]:
    if not isinstance(value, bool):
        yes = str(value).casefold() in ("yes", "true", "on", "1")
        yield _mistyped(value, path, "true or false", f"write `{path[-1]}: {'true' if yes else 'false'}`")


def _number(value: Json, path: Path, place: _Schema) -> Iterator[Mistake]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        hint = f"write the number alone: `{path[-1]}: {_plain_number(value)}`"
        yield _mistyped(value, path, "a number", hint)
    elif path[-1] == "multipleOf" and value <= 0:
        message = '"multipleOf" must be more than 0'
        yield Mistake(path=path, message=message, hint="write the step, such as `multipleOf: 1`")
    else:
        yield from _crossed(value, path, place)


def _count(value: Json, path: Path, place: _Schema) -> Iterator[Mistake]:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0 or value != int(value):
        hint = f"write a number such as `{path[-1]}: {_plain_number(value)}`"
        yield Mistake(path=path, message=f'"{path[-1]}" must be a whole number, 0 or more', hint=hint)
    else:
        yield from _crossed(value, path, place)


def _plain_number(value: Json) -> str:
    text = value.strip() if isinstance(value, str) else ""
    return text if text.isdigit() else "1"


def _crossed(value: float, path: Path, place: _Schema) -> Iterator[Mistake]:
    """A lower bound above its upper one: nothing fits."""
    lower_name = as_text(path[-1])
    for upper_name in _UPPER.get(lower_name, ()):
        upper = place.around.get(upper_name)
        if not isinstance(upper, int | float) or isinstance(upper, bool):
            continue
        excludes = "exclusive" in lower_name or "exclusive" in upper_name
        if value > upper or (excludes and value == upper):
            relation = f'more than "{upper_name}", {upper}' if value > upper else f'and so is "{upper_name}"'
            message = f'"{lower_name}" is {value}, {relation}: nothing fits'
            yield Mistake(path=path, message=message, hint="exchange the two, or mend one")


def _types(value: Json, path: Path, _place: _Schema) -> Iterator[Mistake]:
    several = value if isinstance(value, list | tuple) else (value,)
    if not several:
        yield _mistyped(value, path, "the name of a type", f"the types are {', '.join(TYPES)}")
    for index, each in enumerate(several):
        if isinstance(each, str) and each in TYPES:
            continue
        where = (*path, index) if several is value else path
        if isinstance(each, str):
            meant = type_meant(each)
            known = f"the types are {', '.join(TYPES)}"
            message = f'"{each}" is no type of JSON Schema'
            yield Mistake(path=where, message=message, hint=f'did you mean "{meant}"?' if meant else known)
        else:
            hint = "write `null` in quotes" if each is None else f"the types are {', '.join(TYPES)}"
            yield _mistyped(each, where, "the name of a type", hint)


def _required(value: Json, path: Path, place: _Schema) -> Iterator[Mistake]:
    truth = value if isinstance(value, bool) else {"yes": True, "no": False}.get(as_text(value).casefold())
    if truth is not None:
        name = place.path[-1] if place.path else "total"
        beside = f"name it beside `properties`: `required: [{name}]`"
        hint = beside if truth else "take it out: it is so by default"
        yield _mistyped(value, path, "a list of names", hint)
    elif not isinstance(value, list | tuple):
        name = value if isinstance(value, str) and value else "total"
        yield _mistyped(value, path, "a list of names", f"write a list: `required: [{name}]`")
    else:
        yield from _required_names(value, path, as_object(place.around.get("properties")))


def _required_names(names: Json, path: Path, known: JsonObject) -> Iterator[Mistake]:
    for index, name in enumerate(as_list(names)):
        where = (*path, index)
        if not isinstance(name, str):
            yield _mistyped(name, where, "a name", "write the name of a field of `properties`")
        elif name not in known and (near := nearest(name, known)) and near not in as_list(names):
            message = f'"required" names "{name}", which is not in "properties"'
            yield Mistake(path=where, message=message, hint=f'did you mean "{near}"?')
        elif name in as_list(names)[:index]:
            message = f'"required" names "{name}" twice'
            yield Mistake(path=where, message=message, hint="take one of the two out")


def _values(value: Json, path: Path, _place: _Schema) -> Iterator[Mistake]:
    if not isinstance(value, list | tuple) or not (value or path[-1] == "examples"):
        shown = value if isinstance(value, str) and value else "a, b"
        yield _mistyped(value, path, "a list of values", f"write a list: `{path[-1]}: [{shown}]`")


def _needed(value: Json, path: Path, _place: _Schema) -> Iterator[Mistake]:
    for key, names in as_object(value).items():
        if not isinstance(names, list | tuple):
            yield _mistyped(names, (*path, key), "a list of names", f"write a list: `{key}: [total]`")
    if not isinstance(value, Mapping):
        yield _mistyped(
            value, path, "a mapping of names to lists", f"write `{path[-1]}: {{total: [currency]}}`"
        )


def _pattern(value: Json, path: Path, place: _Schema) -> Iterator[Mistake]:
    yield from _text(value, path, place)
    wrong = regex_problem(value) if isinstance(value, str) else None
    if wrong:
        yield Mistake(path=path, message=f'"pattern" {wrong}', hint=regex_hint(as_text(value)))


def _reference(value: Json, path: Path, place: _Schema) -> Iterator[Mistake]:
    yield from _text(value, path, place)
    if not isinstance(value, str) or target(place.root, value) is not None:
        return
    names = list(as_object(as_object(place.root).get("$defs")))
    near = nearest(value.rpartition("/")[2], names)
    there = f"there are {', '.join(f'#/$defs/{name}' for name in names)}"
    hint = there if names else "write the schema itself here, or put it under `$defs`"
    message = f'"$ref" refers to "{value}", which is not in this schema'
    yield Mistake(path=path, message=message, hint=f'did you mean "#/$defs/{near}"?' if near else hint)


def _anything(_value: Json, _path: Path, _place: _Schema) -> Iterator[Mistake]:
    yield from ()


def _mistyped(value: Json, path: Path, wanted: str, hint: str) -> Mistake:
    kind = "an empty list" if isinstance(value, list | tuple) and not value else TYPES[kind_of(value)]
    return Mistake(path=path, message=f"{_name(path)} must be {wanted}, not {kind}", hint=hint)


def _name(path: Path) -> str:
    if not path:
        return "it"
    last = path[-1]
    return f"item {last + 1} of {_name(path[:-1])}" if isinstance(last, int) else f'"{last}"'


_EXAMPLE: Final = "a JSON Schema is written as {type: object, properties: {total: {type: number}}}"
_UPPER: Final[Mapping[str, tuple[str, ...]]] = {
    "minimum": ("maximum", "exclusiveMaximum"),
    "exclusiveMinimum": ("maximum", "exclusiveMaximum"),
    "minLength": ("maxLength",),
    "minItems": ("maxItems",),
    "minProperties": ("maxProperties",),
    "minContains": ("maxContains",),
}
_WORDS: Final[Mapping[str, Check]] = {
    word: check
    for check, words in (
        (
            _below,
            "items contains additionalProperties propertyNames if then else not unevaluatedItems "
            "unevaluatedProperties contentSchema",
        ),
        (_named, "properties patternProperties $defs definitions dependentSchemas"),
        (_several, "allOf anyOf oneOf prefixItems"),
        (
            _text,
            "title description format $id $schema $anchor $comment $dynamicRef $dynamicAnchor "
            "contentEncoding contentMediaType",
        ),
        (_number, "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
        (
            _count,
            "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
        ),
        (_flag, "uniqueItems deprecated readOnly writeOnly"),
        (_types, "type"),
        (_required, "required"),
        (_values, "enum examples"),
        (_needed, "dependentRequired"),
        (_pattern, "pattern"),
        (_reference, "$ref"),
        (_anything, "const default $vocabulary"),
    )
    for word in words.split()
}
