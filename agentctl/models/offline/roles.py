"""What a parameter is for, read off its name, format and examples: a date, an id, a place, prose."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

from agentctl.jsontypes import JsonObject, as_list, as_text
from agentctl.models.offline.everyday import word_list
from agentctl.models.offline.words import stem, words

Role: TypeAlias = Literal[
    "date",
    "month",
    "time",
    "email",
    "url",
    "id",
    "currency",
    "prose",
    "place",
    "person",
    "word",
    "percent",
    "money",
]
Way: TypeAlias = Literal["from", "to"]

_ROLES: Final[tuple[tuple[Role, str], ...]] = (
    ("email", "email mail"),
    ("url", "url uri link website webpage homepage"),
    ("month", "month months period"),
    ("date", "date day deadline birthday checkin checkout dob"),
    ("time", "time hour clock"),
    ("currency", "currency currencies"),
    (
        "id",
        """id ids number no nr code ref reference sku key isbn iban serial tracking uuid identifier
        postcode postal zip zipcode""",
    ),
    ("percent", "percent percentage pct"),
    ("money", "amount price budget salary sum total money cost fee payment income"),
    (
        "prose",
        """query text message question request content topic prompt body note notes comment description
        summary reason task search q subject input sentence expression details problem issue feedback keyword
        keywords term terms instruction instructions title""",
    ),
    (
        "place",
        """city location place destination country address region origin town state area station airport from
        to venue""",
    ),
    (
        "person",
        """person user customer employee attendee attendees recipient contact assignee owner author patient
        guest client student manager member colleague driver who whom passenger doctor physician nurse
        teacher professor recipients people""",
    ),
)
_WAYS: Final[Mapping[Way, frozenset[str]]] = {
    "from": word_list("from origin source departure start begin"),
    "to": word_list("to target destination arrival end into"),
}
_GENERIC: Final = word_list(
    "id ids name names code number no nr type kind value key ref reference the of in on at for and"
)
_TITLE: Final = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof)\.?(?= [A-Z])")
_OF_NOUNS: Final[Mapping[str, frozenset[str]]] = {
    "doctor": frozenset(["Dr.", "Dr", "Doctor"]),
    "professor": frozenset(["Prof.", "Prof"]),
}
_ADDRESS: Final = re.compile(r"\be-?mail address(?:es)?\b", re.IGNORECASE)
_EXAMPLE: Final = re.compile(r"\b[A-Za-z]+(?:[-_#/][A-Za-z]+)*[-_#/]?\d[\w-]*\b|(?<=e\.g\. )\d+\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """`nouns` are stems that a value stands beside; `shapes` and `prefixes` those of its examples.

    `schemed` says that the examples' letters are the noun's own, as in `INV-7` for an invoice, so that other
    letters name another thing; `titles` are those of people in the examples.
    """

    role: Role
    nouns: frozenset[str]
    way: Way | None
    shapes: frozenset[str]
    prefixes: frozenset[str]
    schemed: bool
    titles: frozenset[str]


def purpose_of(name: str, schema: JsonObject) -> Purpose:
    parts = [part for word in words(name) for part in _split(word)]
    examples = _examples(schema)
    ways = _WAYS["from"] | _WAYS["to"]
    nouns = {stem(part) for part in parts if part not in _GENERIC | ways and len(part) > 2}
    prefixes = frozenset(one.casefold() for one in map(letters, examples) if one)
    return Purpose(
        role=_role(parts, schema, bool(examples)),
        nouns=frozenset(nouns),
        way=next((way for way, names in _WAYS.items() if names.intersection(parts)), None),
        shapes=frozenset(shape(one) for one in examples),
        prefixes=prefixes,
        schemed=bool(prefixes) and all(any(_abbreviates(one, noun) for noun in nouns) for one in prefixes),
        titles=frozenset(_TITLE.findall(as_text(schema.get("description"))))
        | _OF_NOUNS.get("".join(nouns), frozenset()),
    )


def _abbreviates(letters_: str, noun: str) -> bool:
    """`acc`, `acct` and `a` of account: its first letter and others of it in their order."""
    rest = iter(noun)
    return noun.startswith(letters_[0]) and all(letter in rest for letter in letters_)


def _split(word: str) -> list[str]:
    """`username` is user and name, `orderid` order and id."""
    end = next(
        (end for end in ("name", "id", "number") if word.endswith(end) and len(word) > len(end) + 2), ""
    )
    return [word.removesuffix(end), end] if end else [word]


def shape(value: str) -> str:
    """`ACC-123` is `A-9`: runs of letters and digits each as one sign, the rest as it stands."""
    return re.sub(r"\d+", "9", re.sub(r"[A-Za-z]+", "A", value))


def letters(value: str) -> str:
    """The letters that an id begins with."""
    found = re.match(r"[A-Za-z]*", value)
    return found.group() if found else ""


def _role(parts: list[str], schema: JsonObject, has_examples: bool) -> Role:
    formats: Mapping[str, Role] = {"date": "date", "date-time": "date", "time": "time", "email": "email",
                                   "uri": "url", "uuid": "id"}  # fmt: skip
    said = formats.get(as_text(schema.get("format")))
    if said:
        return said
    for part in reversed(parts):
        role = _roles().get(part)
        if role:
            addressed = role in ("person", "place") and _ADDRESS.search(as_text(schema.get("description")))
            return "email" if addressed else role
    if _ADDRESS.search(as_text(schema.get("description"))):
        return "email"
    return "id" if has_examples else "word"


@cache
def _roles() -> Mapping[str, Role]:
    return {word: role for role, members in _ROLES for word in members.split()}


def _examples(schema: JsonObject) -> list[str]:
    """Ids given as examples, in `examples` or in the description."""
    given = [as_text(one) for one in as_list(schema.get("examples"))]
    told = _EXAMPLE.findall(as_text(schema.get("description")))
    return [one for one in [*given, *told] if any(char.isdigit() for char in one)]
