"""JSON values against JSON Schemas (draft 2020-12): the only importer of jsonschema, on first use.

One mistake gives one `Problem`: of the branches of an anyOf or oneOf, the one that the value is most
likely meant for is reported. Schemas are never fetched from anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.regexes import regex_problem
from agentctl.schemafits import surely_fits
from agentctl.schemawords import BOUNDS, TYPES, kind_of, listed, quoted, resolved, target, wanted, words

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

Kind: TypeAlias = Literal[
    "unknown-key", "missing-key", "wrong-key", "wrong-type", "unknown-value", "wrong-value"
]
Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One mistake in a value.

    `path` leads to the value, `message` goes on from its name (`must be …`, `has no key "…"`). `key` is
    the unknown, missing or wrong key; `known` the keys or words that are allowed.
    """

    path: Path
    kind: Kind
    message: str
    key: str = ""
    known: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path)) or 'the value'} {self.message}"


class Checker:
    """A schema made ready. `definition` names one of its `$defs` to check against instead of the whole."""

    def __init__(self, schema: JsonObject, definition: str | None = None) -> None:
        self._schema = schema
        self._used = schema
        if definition is not None:
            self._used = {"$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]}

    def problems(self, value: Json) -> list[Problem]:
        """Every mistake in `value`, each once, in the order of the schema."""
        if surely_fits(value, self._used, self._used):
            return []
        return _all_problems(self._validator, value, self._schema)

    @cached_property
    def _validator(self) -> Draft202012Validator:
        from jsonschema import Draft202012Validator
        from referencing.jsonschema import EMPTY_REGISTRY

        return Draft202012Validator(self._used, registry=EMPTY_REGISTRY)


def problems(value: Json, schema: JsonObject) -> list[Problem]:
    """Every mistake in `value`, for a schema that is used once and is known to be one."""
    return Checker(schema).problems(value)


def schema_problems(schema: Json) -> list[Problem]:
    """What keeps `schema` from being a JSON Schema that can be used here."""
    from jsonschema import Draft202012Validator

    if not isinstance(schema, Mapping | bool):
        return [Problem(path=(), kind="wrong-type", message="must be a JSON Schema: a mapping")]
    meta = cast("JsonObject", Draft202012Validator.META_SCHEMA)
    found = _all_problems(Draft202012Validator(meta), schema, meta)
    return found or list(_unusable(schema, schema, ()))


def _all_problems(validator: Draft202012Validator, value: Json, schema: JsonObject) -> list[Problem]:
    try:
        mistakes = [_mistake(error) for error in validator.iter_errors(value)]
    except RecursionError:
        return [Problem(path=(), kind="wrong-value", message="is nested too deeply to be checked")]
    reader = _Reader(schema)
    return list(dict.fromkeys(found for mistake in mistakes for found in reader.read(mistake, ())))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mistake:
    """An error of jsonschema in the types of this project; paths begin at the mistake it is a branch of."""

    keyword: str
    bound: Json
    schema: JsonObject
    value: Json
    path: Path
    schema_path: Path
    message: str
    branches: tuple[_Mistake, ...]


def _mistake(error: ValidationError) -> _Mistake:
    return _Mistake(
        keyword=str(error.validator),
        bound=cast("Json", error.validator_value),
        schema=as_object(cast("Json", error.schema)),
        value=cast("Json", error.instance),
        path=tuple(error.relative_path),
        schema_path=tuple(error.relative_schema_path),
        message=error.message,
        branches=tuple(_mistake(below) for below in error.context or ()),
    )


def _unusable(part: Json, schema: Json, path: Path) -> Iterator[Problem]:
    if isinstance(part, Mapping):
        reference = part.get("$ref")
        if isinstance(reference, str) and target(schema, reference) is None:
            message = f'refers to "{reference}", which is not in this schema'
            yield Problem(path=(*path, "$ref"), kind="wrong-value", message=message)
        pattern = part.get("pattern")
        if isinstance(pattern, str) and (wrong := regex_problem(pattern)):
            yield Problem(path=(*path, "pattern"), kind="wrong-value", message=wrong)
    children: Iterable[tuple[str | int, Json]] = ()
    if isinstance(part, Mapping):
        children = part.items()
    elif isinstance(part, list | tuple):
        children = enumerate(part)
    for key, child in children:
        if key not in ("const", "enum", "default", "examples"):
            yield from _unusable(child, schema, (*path, key))


class _Reader:
    """Turns the errors of jsonschema into problems; `schema` is where local references lead."""

    def __init__(self, schema: JsonObject) -> None:
        self._schema = schema

    def read(self, mistake: _Mistake, above: Path) -> Iterator[Problem]:
        path = (*above, *mistake.path)
        keyword, schema, value = mistake.keyword, mistake.schema, mistake.value
        if _about_a_key(mistake):
            message = f'has the key "{value}", which must be {wanted(schema, self._schema)}'
            yield Problem(path=path, kind="wrong-key", message=message, key=str(value))
        elif keyword in ("anyOf", "oneOf"):
            yield from self._branches(mistake, path)
        elif keyword == "additionalProperties":
            yield from _unknown_keys(path, schema, as_object(value))
        elif keyword == "required":
            for key in as_list(schema["required"]):
                if key not in as_object(value):
                    yield _missing(path, as_text(key))
        elif keyword == "dependentRequired":
            yield from _dependents(path, schema, as_object(value))
        elif keyword == "type":
            yield self._mistyped(path, schema, value)
        elif keyword in ("enum", "const"):
            known = words(schema)
            yield Problem(
                path=path,
                kind="unknown-value",
                message=f"must be {wanted(schema, self._schema)}",
                known=known,
            )
        else:
            yield Problem(path=path, kind="wrong-value", message=self._bound(mistake))

    def _mistyped(self, path: Path, schema: JsonObject, value: Json) -> Problem:
        asked = wanted(schema, self._schema)
        message = f"must be {asked}, not {TYPES[kind_of(value)]}" if asked else "is not allowed"
        return Problem(path=path, kind="wrong-type", message=message)

    def _bound(self, mistake: _Mistake) -> str:
        keyword, bound, schema = mistake.keyword, mistake.bound, mistake.schema
        if keyword in ("minLength", "minItems", "minProperties") and bound == 1 and not mistake.value:
            return "must not be empty"
        if keyword in BOUNDS and "title" not in schema:
            return BOUNDS[keyword].format(bound)
        return f"must be {schema['title']}" if "title" in schema else f"is not allowed: {mistake.message}"

    def _branches(self, mistake: _Mistake, path: Path) -> Iterator[Problem]:
        branches = [as_object(branch) for branch in as_list(mistake.bound)]
        schema, value = mistake.schema, mistake.value
        choices = [_required_only(branch) for branch in branches]
        if all(choices) and (isinstance(value, Mapping) or "type" in schema):
            # A value of another type has all of the keys, as far as jsonschema goes; its type is told of.
            if isinstance(value, Mapping):
                yield _one_of(path, [name for name in choices if name], value)
            return
        groups: dict[int, list[_Mistake]] = {}
        for below in mistake.branches:
            groups.setdefault(int(below.schema_path[0]), []).append(below)
        fitting = [index for index in groups if self._accepts(branches[index], value)]
        if not groups:
            message = "fits more than one of the forms that exclude each other"
            yield Problem(path=path, kind="wrong-value", message=message)
        elif not fitting:
            yield self._mistyped(path, schema, value)
        elif isinstance(value, Mapping | list):
            yield from self._best([groups[index] for index in fitting], path)
        else:
            yield self._unfit(path, schema, [branches[index] for index in fitting])

    def _unfit(self, path: Path, schema: JsonObject, fitting: Sequence[JsonObject]) -> Problem:
        """A single value of a type that some branches take."""
        known = [word for branch in fitting for word in words(resolved(branch, self._schema))]
        asked = wanted(schema, self._schema)
        message = f"must be {asked}" if asked else "is not allowed"
        kind: Kind = "unknown-value" if known else "wrong-value"
        return Problem(path=path, kind=kind, message=message, known=tuple(known))

    def _best(self, groups: list[list[_Mistake]], path: Path) -> Iterator[Problem]:
        told_apart = [[mistake for mistake in group if _discriminates(mistake)] for group in groups]
        if all(told_apart) and len(groups) > 1:
            apart = [mistake for group in told_apart for mistake in group]
            known = tuple(word for mistake in apart for word in words(mistake.schema))
            where = (*path, *apart[0].path)
            message = f"must be one of {listed(known)}"
            yield Problem(path=where, kind="unknown-value", message=message, known=known)
            return
        best = min(groups, key=_distance)
        for mistake in best:
            yield from self.read(mistake, path)

    def _accepts(self, branch: JsonObject, value: Json) -> bool:
        schema = resolved(branch, self._schema)
        if "anyOf" in schema:
            return any(self._accepts(as_object(below), value) for below in as_list(schema["anyOf"]))
        allowed = schema.get("type")
        if allowed is None and ("const" in schema or "enum" in schema):
            allowed = [kind_of(word) for word in as_list(schema.get("enum", [schema.get("const")]))]
        if allowed is None:
            return True
        names = [allowed] if isinstance(allowed, str) else as_list(allowed)
        return kind_of(value) in names or (kind_of(value) == "integer" and "number" in names)


def _about_a_key(mistake: _Mistake) -> bool:
    steps = mistake.schema_path
    return any(
        step == "propertyNames" and (index == 0 or steps[index - 1] not in ("properties", "$defs"))
        for index, step in enumerate(steps)
    )


def _unknown_keys(path: Path, schema: JsonObject, value: JsonObject) -> Iterator[Problem]:
    known = tuple(as_object(schema.get("properties")))
    patterns = tuple(as_object(schema.get("patternProperties")))
    for key in value:
        if key not in known and not any(re.search(pattern, key) for pattern in patterns):
            yield Problem(
                path=path, kind="unknown-key", message=f'has the unknown key "{key}"', key=key, known=known
            )


def _missing(path: Path, key: str) -> Problem:
    return Problem(path=path, kind="missing-key", message=f'has no key "{key}"', key=key)


def _dependents(path: Path, schema: JsonObject, value: JsonObject) -> Iterator[Problem]:
    for key, needed in as_object(schema["dependentRequired"]).items():
        absent = [as_text(name) for name in as_list(needed) if name not in value]
        if key in value and absent:
            message = f"is read only beside {listed([quoted(name) for name in absent])}"
            yield Problem(path=(*path, key), kind="wrong-value", message=message)


def _required_only(branch: JsonObject) -> str | None:
    """The key of a branch that says nothing but which key it needs."""
    needed = as_list(branch.get("required"))
    return as_text(needed[0]) if len(branch) == 1 and len(needed) == 1 else None


def _one_of(path: Path, names: Sequence[str], value: JsonObject) -> Problem:
    given = [name for name in names if name in value]
    if not given:
        message = f"has none of {listed([quoted(name) for name in names])}"
        return Problem(path=path, kind="missing-key", message=message, known=tuple(names))
    message = f"has {listed([quoted(name) for name in given])}, of which only one may be given"
    return Problem(path=path, kind="wrong-value", message=message, known=tuple(names))


def _discriminates(mistake: _Mistake) -> bool:
    return mistake.keyword == "const" and len(mistake.path) == 1


def _distance(group: list[_Mistake]) -> tuple[int, int, int]:
    """How far a value is from a branch: told apart, then keys that do not belong, then all mistakes."""
    apart = sum(_discriminates(mistake) for mistake in group)
    keys = 0
    for mistake in group:
        if not mistake.path and mistake.keyword == "additionalProperties":
            keys += len(list(_unknown_keys((), mistake.schema, as_object(mistake.value))))
        elif not mistake.path and mistake.keyword == "required":
            keys += 1
    return apart, keys, len(group)
