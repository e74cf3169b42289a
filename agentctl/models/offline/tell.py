"""Tool results as sentences that state them. Numbers are told exactly as the result writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from agentctl.models.offline.everyday import word_list
from agentctl.models.offline.literal import Literal, Value, looks_numeric, parsed
from agentctl.models.offline.talk import Result

_MOST: Final = 20
_LONGEST: Final = 4_000
_WORDY: Final = 3
"""Words from which on each item of a list stands on a line of its own."""
_READS: Final = word_list(
    "check compute calculate fetch find get list look lookup query read retrieve search show"
)
_WORDED: Final = ("error", "message", "answer", "detail", "summary", "text", "result")
_UNITS: Final = ("currency", "unit", "units")


def tell(result: Result) -> str:
    """One result, as a sentence or as it stands. Never empty."""
    name = result.call.name
    if result.error:
        return f"{name or 'The call'} failed: {bounded(result.text) or 'no reason was given'}"
    if name.startswith("transfer_to_"):
        return result.text.strip() or f"{name.removeprefix('transfer_to_')} gave no answer."
    value = parsed(result.text)
    arguments = parsed(result.call.arguments)
    given = arguments if isinstance(arguments, dict) else {}
    return bounded(_sentence(name or "the tool", value, given))


def _sentence(name: str, value: Value, given: Mapping[str, Value]) -> str:
    match value:
        case dict() if value:
            return _object(name, value, given)
        case list() if value:
            return _list(name, value)
        case None | "" | [] | {}:
            return f"{name} found nothing{_for(given)}."
        case bool():
            return f"The answer of {name}{_for(given)} is {said(value)}."
        case Literal():
            return f"The {_noun(name)}{_for(given)} is {value}."
        case _:
            return str(value)


def _object(name: str, value: Mapping[str, Value], given: Mapping[str, Value]) -> str:
    listed = [one for values in given.values() if isinstance(values, list) for one in values]
    if len(value) > 0 and all(key in map(said, listed) for key in value):
        told = [f"{key} {said(one)}" for key, one in value.items()]
        return f"{_words(name).capitalize()}: {_joined(told)}."
    about = [key for key, one in value.items() if _is_subject(key, one, given) and not _is_unit(key, value)]
    worded = next((key for key in _WORDED if _is_prose(value.get(key))), "")
    facts = {key: one for key, one in value.items() if key not in about and key != worded}
    told = [_ended(str(value[worded]))] if worded else []
    if value.get("found") is False:
        del facts["found"]
        told.append(f"{name} found nothing{_of(about, value) or _for(given)}.")
    if facts:
        told.append(_facts(facts, _of(about, value) or ("" if worded else _for(given))))
    return " ".join(told) or f"{name} found{_of(about, value).removeprefix(' of')}."


def _facts(facts: Mapping[str, Value], subject: str) -> str:
    """`The balance of account ACC-1 is 5.00 USD, due 2026-01-02.`: scalars first, a unit with its amount."""
    attached, used = _attached(facts)
    keys = [key for key in facts if key not in used]
    keys.sort(key=lambda key: isinstance(facts[key], dict | list) or _is_none(facts[key]))
    if _is_none(facts[keys[0]]):
        return f"There is {_joined([f'no {_words(key)}' for key in keys])}{subject}."
    first, *rest = [(key, f"{said(facts[key])}{attached.get(key, '')}") for key in keys]
    told = [f"no {_words(key)}" if _is_none(facts[key]) else f"{_words(key)} {text}" for key, text in rest]
    return f"The {_words(first[0])}{subject} is {', '.join([first[1], *told])}."


def _is_none(value: Value) -> bool:
    return value is None or (isinstance(value, str) and value.strip().casefold() in ("nothing", "none"))


def _attached(facts: Mapping[str, Value]) -> tuple[dict[str, str], set[str]]:
    """What is told behind an amount, and the keys it came from: its unit and what it is counted by."""
    amounts = [key for key, one in facts.items() if looks_numeric(one)]
    unit = next((key for key in _UNITS if isinstance(facts.get(key), str)), "")
    if len(amounts) != 1 or not (unit or isinstance(facts.get("per"), str)):
        return {}, set()
    told = f" {facts[unit]}" if unit else ""
    per = f" per {facts['per']}" if isinstance(facts.get("per"), str) else ""
    return {amounts[0]: told + per}, {key for key in (unit, "per" if per else "") if key}


def _is_subject(key: str, one: Value, given: Mapping[str, Value]) -> bool:
    """What the sentence is about: an id, or what was asked with."""
    if isinstance(one, dict | list | bool) or one is None:
        return False
    asked = next((given[each] for each in (key, f"{key}_id", f"{key}_number") if each in given), None)
    return key.endswith("_id") or key == "id" or (asked is not None and said(asked) == said(one))


def _is_unit(key: str, value: Mapping[str, Value]) -> bool:
    return key in _UNITS and any(looks_numeric(one) for one in value.values())


def _of(about: Sequence[str], value: Mapping[str, Value]) -> str:
    told = [f"{_words(key.removesuffix('_id'))} {said(value[key])}" for key in about]
    return f" of {_joined(told)}" if told else ""


def _is_prose(one: Value) -> bool:
    return isinstance(one, str) and not isinstance(one, Literal) and " " in one.strip()


def _list(name: str, value: Sequence[Value]) -> str:
    shown = [said(one) for one in value[:_MOST]]
    if len(value) > _MOST:
        shown.append(f"{len(value) - _MOST} more")
    if any(isinstance(one, dict | list) for one in value):
        return f"{name} found {len(value)}: {'; '.join(shown)}."
    if all(sum(word.isalpha() for word in one.split()) >= _WORDY for one in shown):
        return "\n".join([f"{name} found:", *(f"- {one}" for one in shown)])
    return f"{name} found {_joined(shown)}."


def said(value: Value) -> str:
    """A value in a sentence."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{_words(key)} {said(one)}" for key, one in value.items()) or "nothing"
        case list():
            shown = [said(one) for one in value[:_MOST]]
            return _joined([*shown, *([f"{len(value) - _MOST} more"] if len(value) > _MOST else [])])
        case _:
            return str(value)


def _joined(told: Sequence[str]) -> str:
    if len(told) < 2:
        return told[0] if told else "nothing"
    return f"{', '.join(told[:-1])} and {told[-1]}"


def _words(key: str) -> str:
    return key.replace("_", " ").strip() or key


def _noun(name: str) -> str:
    first, _, rest = name.partition("_")
    return _words(rest) if first in _READS and rest else f"result of {name}"


def _for(given: Mapping[str, Value]) -> str:
    told = [f"{_words(key.removesuffix('_id'))} {said(one)}" for key, one in given.items()]
    return f" for {_joined(told)}" if told else ""


def _ended(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def bounded(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
