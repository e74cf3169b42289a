"""A request for JSON of a given shape into such a value: a router's choice, a plan, or fields filled in.

The two shapes of this project are known by their keys; every other one is filled from what was said.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.messages import ModelRequest
from agentctl.models.offline.choose import reason
from agentctl.models.offline.compose import composed, from_words
from agentctl.models.offline.fill import fill
from agentctl.models.offline.fits import fits, resolved, type_of
from agentctl.models.offline.literal import fields_of
from agentctl.models.offline.parts import parts
from agentctl.models.offline.ranking import Fields, Ranked, evident, rank
from agentctl.models.offline.talk import Said, Talk
from agentctl.models.offline.tell import tell

_DEEPEST: Final = 12


def shaped(schema: JsonObject, request: ModelRequest, talk: Talk) -> str:
    """JSON text of that shape; where nothing is found, the least value that is valid."""
    properties = as_object(resolved(schema, schema).get("properties"))
    if "agent" in properties and "enum" in as_object(properties["agent"]):
        value: Json = _routed(as_object(properties["agent"]), properties, request, talk)
    elif "steps" in properties:
        value = _planned(schema, properties, request, talk)
    else:
        value = None
    nobody = isinstance(value, Mapping) and value.get("agent") == ""
    if value is None or not (nobody or fits(value, schema, schema)):
        value = _filled(schema, talk)
    return json.dumps(value, ensure_ascii=False)


def _routed(agent: JsonObject, properties: JsonObject, request: ModelRequest, talk: Talk) -> JsonObject:
    names = [as_text(name) for name in as_list(agent["enum"])]
    best = evident(_rank(talk.request, names, request.search_texts))
    if best is None and talk.note:
        best = evident(_rank(talk.note.text, names, request.search_texts))
    fallback = request.search_texts.get("", "")
    asked_again = any(fields_of(text).get("agent") == "" for text in talk.own)
    if fallback and (best is None or asked_again):
        return {"agent": "", "reason": reason(None)}
    found = {"agent": best.name if best else names[0]}
    if "reason" in properties:
        found["reason"] = reason(best)
    return found


def _rank(text: str, names: Sequence[str], search: Mapping[str, str]) -> list[Ranked]:
    things: list[tuple[str, Fields]] = [(name, ((name, 3.0), (search.get(name, ""), 1.0))) for name in names]
    return rank(text, things)


def _planned(
    schema: JsonObject, properties: JsonObject, request: ModelRequest, talk: Talk
) -> JsonObject | None:
    if any("steps" in fields_of(text) for text in talk.own):
        return _finished(properties, _closing(talk))
    step = resolved(resolved(properties["steps"], schema).get("items", {}), schema)
    agent = resolved(as_object(step.get("properties")).get("agent", {}), schema)
    names = [as_text(name) for name in as_list(agent.get("enum"))]
    if not names or not talk.request:
        return None
    split = [(part, evident(_rank(part, names, request.search_texts))) for part in parts(talk.request)]
    chosen = [(part, best.name) for part, best in split if best]
    if len({name for _, name in chosen}) < 2:
        whole = evident(_rank(talk.request, names, request.search_texts))
        if whole is None and "answer" in properties:
            return _finished(properties, f"Which of these is it about: {', '.join(names)}?")
        chosen = [(talk.request, whole.name if whole else names[0])]
    steps: list[Json] = [
        {"id": f"step-{number}", "agent": name, "task": part, "depends_on": []}
        for number, (part, name) in enumerate(chosen, 1)
    ]
    return {"steps": steps}


def _finished(properties: JsonObject, told: str) -> JsonObject:
    return {"steps": [], "answer": told} if "answer" in properties else {"steps": []}


def _closing(talk: Talk) -> str:
    """What the steps found out, in the words of those who did them."""
    told = [replace(one, text=_failed(one)) for one in talk.reported]
    return composed(told) or talk.request


def _failed(said: Said) -> str:
    return f"{said.agent} {said.text}" if said.text.startswith("failed: ") else said.text


def _filled(schema: JsonObject, talk: Talk) -> Json:
    root = resolved(schema, schema)
    text = "\n".join(tell(result) for result in talk.past) or next(reversed(talk.own), "") or from_words(talk)
    if type_of(root) != "object":
        return _least(root, schema, {}, text, 0)
    given: dict[str, Json] = {}
    for result in talk.past:
        given |= fields_of(result.text)
    found = fill(schema, talk.sources(talk.request), given, prose=text)
    return found.arguments if not found.missing else _least(root, schema, found.arguments, text, 0)


def _least(schema: JsonObject, root: JsonObject, known: JsonObject, text: str, depth: int) -> Json:
    """The least valid value of a type: `known` fields kept, `text` where any text will do."""
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if "enum" in schema:
        return as_list(schema["enum"])[0]
    match type_of(schema):
        case "object":
            return _least_object(schema, root, known, text, depth)
        case "array":
            item = resolved(schema.get("items", {}), root)
            least = schema.get("minItems", 0)
            number = least if isinstance(least, int) and depth < _DEEPEST else 0
            return [_least(item, root, {}, text, depth + 1) for _ in range(number)]
        case "integer" | "number":
            return _least_number(schema)
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return _least_text(schema, root, text)


def _least_object(
    schema: JsonObject, root: JsonObject, known: JsonObject, text: str, depth: int
) -> JsonObject:
    found = dict(known)
    properties = as_object(schema.get("properties"))
    for name in map(as_text, as_list(schema.get("required"))):
        if name not in found and depth < _DEEPEST:
            found[name] = _least(resolved(properties.get(name, {}), root), root, {}, text, depth + 1)
    return found


def _least_number(schema: JsonObject) -> int | float:
    least, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    if isinstance(above, int | float):
        return above + 1
    most = schema.get("maximum")
    if isinstance(least, int | float):
        return least
    return min(most, 0) if isinstance(most, int | float) else 0


def _least_text(schema: JsonObject, root: JsonObject, text: str) -> str:
    fixed = {"date": "1970-01-01", "date-time": "1970-01-01T00:00:00Z", "email": "nobody@example.invalid",
             "uri": "about:blank", "time": "00:00:00Z"}  # fmt: skip
    options = [fixed.get(as_text(schema.get("format")), text), text, ""]
    most = schema.get("maxLength")
    if isinstance(most, int):
        options = [option[:most] for option in options]
    least = schema.get("minLength")
    if isinstance(least, int):
        options = [option.ljust(least, ".") for option in options]
    return next((option for option in options if fits(option, schema, root)), options[0])
