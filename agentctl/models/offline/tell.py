"""Tool results as sentences that state them. Numbers are told exactly as the result writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from agentctl.models.offline.everyday import word_list
from agentctl.models.offline.talk import Result

_Value: TypeAlias = "None | bool | str | list[_Value] | dict[str, _Value]"
_MOST: Final = 20
_LONGEST: Final = 4_000
_READS: Final = word_list(
    "check compute calculate fetch find get list look lookup query read retrieve search show"
)


class _Literal(str):
    """A number as it is written."""

    __slots__ = ()


def tell(result: Result) -> str:
    """One result, as a sentence or as it stands. Never empty."""
    name = result.call.name
    if result.error:
        return f"{name or 'The call'} failed: {_bounded(result.text) or 'no reason was given'}"
    if name.startswith("transfer_to_"):
        return result.text.strip() or f"{name.removeprefix('transfer_to_')} gave no answer."
    value = _parsed(result.text)
    given = _given(result.call.arguments)
    match value:
        case dict() if value:
            return _object(name, value, given)
        case list() if value:
            return _list(name, value)
        case None | "" | [] | {}:
            return f"{name} found nothing{_for(given)}."
        case bool():
            return f"The answer of {name}{_for(given)} is {_said(value)}."
        case _Literal():
            return f"The {_noun(name)}{_for(given)} is {value}."
        case _:
            return _bounded(str(value))


def _parsed(text: str) -> _Value:
    try:
        found: _Value = json.loads(text, parse_float=_Literal, parse_int=_Literal)
    except ValueError:
        return text.strip()
    return found


def _given(arguments: str) -> Mapping[str, _Value]:
    found = _parsed(arguments)
    return found if isinstance(found, dict) else {}


def _object(name: str, value: dict[str, _Value], given: Mapping[str, _Value]) -> str:
    message = next((value[key] for key in ("error", "message") if isinstance(value.get(key), str)), None)
    if "error" in value and message:
        return f"{name} answers: {message}"
    about = [key for key in value if _is_subject(key, value[key], given)]
    facts = {key: one for key, one in value.items() if key not in about and one is not None}
    unit = _unit(facts)
    told = [f"the {_words(key)} is {_said(one)}{unit.get(key, '')}" for key, one in facts.items()
            if key not in unit.values() and key != unit.get("")]  # fmt: skip
    if not told:
        return _bounded(f"{name}: {_said(value)}.")
    subject = "".join(f" of {_words(key.removesuffix('_id'))} {_said(value[key])}" for key in about[:1])
    first, *rest = told
    noun, _, fact = first.partition(" is ")
    return _bounded(f"The{noun[3:]}{subject} is {_joined([fact, *rest])}.")


def _is_subject(key: str, one: _Value, given: Mapping[str, _Value]) -> bool:
    if isinstance(one, dict | list) or one is None:
        return False
    return key.endswith("_id") or key == "id" or (key in given and _said(given[key]) == _said(one))


def _unit(facts: Mapping[str, _Value]) -> dict[str, str]:
    """A currency is told with the amount it belongs to; the key of the currency stands under the empty key."""
    amounts = [key for key, one in facts.items() if _is_amount(one)]
    unit = facts.get("currency")
    if len(amounts) != 1 or not isinstance(unit, str):
        return {}
    return {amounts[0]: f" {unit}", "": "currency"}


def _is_amount(one: _Value) -> bool:
    return isinstance(one, _Literal) or (
        isinstance(one, str) and re.fullmatch(r"-?[\d,]+(\.\d+)?", one) is not None
    )


def _list(name: str, value: Sequence[_Value]) -> str:
    shown = [_said(one) for one in value[:_MOST]]
    more = f" and {len(value) - _MOST} more" if len(value) > _MOST else ""
    if any(isinstance(one, dict) for one in value):
        return _bounded(f"{name} found {len(value)}: {'; '.join(shown)}{more}.")
    return _bounded(f"{name} found {_joined(shown) if not more else ', '.join(shown) + more}.")


def _said(value: _Value) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{_words(key)} {_said(one)}" for key, one in value.items())
        case list():
            return _joined([_said(one) for one in value[:_MOST]]) or "nothing"
        case _:
            return str(value).rstrip(".") if len(value) > 1 else str(value)


def _joined(told: Sequence[str]) -> str:
    return told[0] if len(told) == 1 else ", ".join(told[:-1]) + (f" and {told[-1]}" if told else "")


def _words(key: str) -> str:
    return key.replace("_", " ").strip() or key


def _noun(name: str) -> str:
    first, _, rest = name.partition("_")
    return _words(rest) if first in _READS and rest else f"result of {name}"


def _for(given: Mapping[str, _Value]) -> str:
    told = [f"{_words(key.removesuffix('_id'))} {_said(one)}" for key, one in given.items()]
    return f" for {_joined(told)}" if told else ""


def _bounded(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
