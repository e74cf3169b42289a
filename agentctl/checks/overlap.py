"""Agents among whom a model chooses by descriptions that say nearly the same.

Measured as the cosine between the stems of description and examples, each weighed by how few of the
siblings have it: words that all share tell little apart. Names are left out: `billing` and `accounts`
are two words for one thing as easily as for two.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

from agentctl.checks.checked import Checked
from agentctl.checks.routed import routed
from agentctl.diagnostics import Related, Report, Span
from agentctl.spec.team import Agent

if TYPE_CHECKING:
    from typing import TypeAlias

    Vector: TypeAlias = Mapping[str, float]

# Sample teams stay below 0.4; "Refunds of orders" beside "Returned orders and their refunds" has 0.67.
TOO_NEAR: Final = 0.6
_FEW: Final = 50  # comparing more than these takes longer than to load the stemmer
_COMMON: Final = 50  # a word of more siblings than this brings no two of them together


def overlap(checked: Checked, report: Report) -> None:
    for agent in checked.team.agents():
        if routed(agent) and len(agent.agents) > 1:
            described = [member for member in agent.agents if member.name and member.description]
            for one, other in _near(described) if _may_be_near(described) else ():
                _tell(one, other, report)


def _may_be_near(members: Sequence[Agent]) -> bool:
    """Whether any two share half of their words, as far as three letters tell: then stems are looked at.

    The stemmer takes longer to load than everything else here, and most teams never need it.
    """
    from agentctl.models.offline.words import words

    bags = [{word[:3] for text in _texts(member) for word in words(text)} for member in members]
    if len(bags) > _FEW:
        return True
    pairs = combinations(bags, 2)
    return any(2 * len(one & other) >= min(len(one), len(other)) for one, other in pairs)


def _near(members: Sequence[Agent]) -> Iterator[tuple[Agent, Agent]]:
    """Each member that is too near to an earlier one, with the nearest of those."""
    vectors = _vectors(members)
    having: dict[str, list[int]] = defaultdict(list)
    for index, vector in enumerate(vectors):
        earlier: dict[int, float] = defaultdict(float)
        for word, weight in vector.items():
            for other in having[word][:_COMMON]:
                earlier[other] += weight * vectors[other][word]
            having[word].append(index)
        nearest = max(earlier, key=lambda other: (earlier[other], -other), default=None)
        if nearest is None or members[nearest].name == members[index].name:
            continue
        if earlier[nearest] >= TOO_NEAR:
            yield members[index], members[nearest]


def _vectors(members: Sequence[Agent]) -> list[Vector]:
    """Unit vectors over stems."""
    bags = [set(_stems(member)) for member in members]
    shared = Counter(word for bag in bags for word in bag)
    found: list[Vector] = []
    for bag in bags:
        weights = {word: math.log(1 + len(bags) / shared[word]) for word in sorted(bag)}
        length = math.hypot(*weights.values()) or 1.0
        found.append({word: weight / length for word, weight in weights.items()})
    return found


def _stems(agent: Agent) -> Iterator[str]:
    from agentctl.models.offline.words import stems

    for text in _texts(agent):
        yield from stems(text)


def _texts(agent: Agent) -> tuple[str, ...]:
    return agent.description, *agent.examples


def _tell(one: Agent, other: Agent, report: Report) -> None:
    words = _shared_words(one, other)
    message = f'"{other.name}" and "{one.name}" are described alike, so that a model must guess: {words}'
    hint = "say in each `description` what it alone is for"
    related = (Related(span=_place(other), message=f'"{other.name}" is described here'),)
    pointer = f"{one.pointer}/description"
    report.warning("overlap", message, _place(one), hint=hint, pointer=pointer, related=related)


def _shared_words(one: Agent, other: Agent) -> str:
    """As `both say "invoices" and "payments"`, in the words of the first."""
    from agentctl.models.offline.words import stems, words

    theirs = set(_stems(other))
    found: dict[str, str] = {}
    for text in _texts(one):
        for word in words(text):
            for stem in stems(word):
                if stem in theirs:
                    found.setdefault(stem, f'"{word}"')
    listed = list(found.values())[:8]
    return "both say " + (
        f"{', '.join(listed[:-1])} and {listed[-1]}" if len(listed) > 1 else "".join(listed)
    )


def _place(agent: Agent) -> Span:
    keys = ("description", "instructions", "name", "")
    return next(agent.spans[key] for key in keys if key in agent.spans)
