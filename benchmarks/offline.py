"""How often the offline model sends a request to the right specialist and fills in the right arguments.

360 requests to ten teams, written by hand, stand in `benchmarks/offline/`. Half of them are there to develop
by; the held half gives the figure that counts. Beside it stand a uniform choice and TF-IDF, on the same
requests in the same run. `--misses` lists what went wrong in the development half, never in the held one.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast

import agentctl
from agentctl.api.equip import equip
from agentctl.diagnostics import Report
from agentctl.document import plain, read_document
from agentctl.engine.crew import Crew
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.testing.judge_calls import calls_of

HERE: Final = Path(__file__).parent / "offline"
Half: TypeAlias = Literal["development", "held"]
HALVES: Final[tuple[Half, ...]] = ("development", "held")
WORD: Final = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A labelled request: the agents it is for (none where nobody can help), and the calls to be made."""

    team: str
    text: str
    to: frozenset[str]
    calls: Mapping[str, JsonObject]


@dataclass(slots=True)
class Score:
    """Sums of right answers, or of the chances of them, and how many there were."""

    right: float = 0.0
    of: int = 0

    def add(self, right: float) -> None:
        self.right += right
        self.of += 1

    def __str__(self) -> str:
        return f"{100 * self.right / self.of:5.1f} % of {self.of}" if self.of else "-"


def requests(half: Half) -> Iterator[Asked]:
    for path in sorted(HERE.glob("*/requests.yaml")):
        document = read_document(path.read_bytes(), path=str(path), report=Report())
        assert document is not None, path
        for item in as_list(as_object(plain(document.root)).get(half)):
            asked = as_object(item)
            to = asked["to"]
            names = [to] if isinstance(to, str) else as_list(to)
            calls = {name: as_object(args) for name, args in as_object(asked.get("call")).items()}
            yield Asked(
                team=path.parent.name,
                text=as_text(asked["ask"]),
                to=frozenset(as_text(name) for name in names if name != "none"),
                calls=calls,
            )


class Words:
    """TF-IDF over a few documents: how near a request is to each."""

    def __init__(self, documents: Mapping[str, str]) -> None:
        self._counts = {name: Counter(words(text)) for name, text in documents.items()}
        seen = Counter(word for counts in self._counts.values() for word in counts)
        self._idf = {word: math.log((1 + len(documents)) / (1 + n)) + 1 for word, n in seen.items()}

    def near(self, text: str) -> dict[str, float]:
        asked = self._vector(Counter(words(text)))
        return {name: _cosine(asked, self._vector(counts)) for name, counts in self._counts.items()}

    def best(self, text: str) -> str | None:
        near = self.near(text)
        name = max(near, key=lambda each: near[each])
        return name if near[name] > 0 else None

    def _vector(self, counts: Mapping[str, int]) -> dict[str, float]:
        return {word: n * self._idf[word] for word, n in counts.items() if word in self._idf}


def words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    shared = sum(value * other.get(word, 0.0) for word, value in one.items())
    lengths = math.hypot(*one.values()) * math.hypot(*other.values())
    return shared / lengths if lengths else 0.0


class Desk:
    """One team: asked for real, and described for the baselines."""

    def __init__(self, name: str) -> None:
        self.path = HERE / name / "team.yaml"
        equipment = equip(agentctl.load_team(self.path).spec, Report(), {})
        self.crew: Crew = equipment.crew
        self.members = [agent.name for agent in self.crew.team.root.agents]
        self.texts = Words({agent.name: self.crew.search_text(agent) for agent in self.crew.team.root.agents})
        asyncio.run(equipment.close())

    def ask(self, text: str) -> tuple[frozenset[str], list[JsonObject]]:
        """Who was delegated to, and the calls that were made."""
        view = asyncio.run(agentctl.run(self.path, text, durable=False))
        return frozenset(each.agent for each in view.executions[1:]), calls_of(view)

    def parameters(self, tool: str) -> Mapping[str, JsonObject]:
        """The schema of each parameter of a tool, whoever has it."""
        found = next(each for name in self.members if (each := self.crew.tool(name, tool)) is not None)
        return {name: as_object(each) for name, each in as_object(found.parameters["properties"]).items()}


def same(made: JsonObject, wanted: JsonObject, parameters: Mapping[str, JsonObject]) -> bool:
    """Equal with the defaults filled in; dates and words as text, numbers as numbers."""

    def filled(args: JsonObject) -> dict[str, Json]:
        defaults = {name: each["default"] for name, each in parameters.items() if "default" in each}
        return {**defaults, **args}

    return filled(made) == filled(wanted)


def uniform_arguments(asked: Asked, wanted: JsonObject, parameters: Mapping[str, JsonObject]) -> float:
    """The chance of getting all arguments right by drawing words of the request, or values of an enum."""
    chance = 1.0
    pieces = asked.text.split()
    for name, schema in parameters.items():
        if "default" in schema:
            chance /= 2
            if name not in wanted:
                continue
        choices = [as_text(each) for each in as_list(schema.get("enum"))]
        hits = sum(_is(piece, wanted[name]) for piece in pieces)
        chance *= 1 / len(choices) if choices else hits / len(pieces)
    return chance


def tfidf_arguments(
    asked: Asked, wanted: JsonObject, parameters: Mapping[str, JsonObject], rare: Words
) -> float:
    """Whether the nearest enum values, and else the numbered words that no description has, are right."""
    unknown = [piece for piece in asked.text.split() if not any(rare.near(piece).values())]
    for name, schema in parameters.items():
        if "default" in schema and name not in wanted:
            continue
        choices = [as_text(each) for each in as_list(schema.get("enum"))]
        if choices:
            chosen = Words({choice: choice for choice in choices}).best(asked.text)
        else:
            chosen = next((piece for piece in unknown if any(c.isdigit() for c in piece)), None)
            unknown = [piece for piece in unknown if piece != chosen]
        if chosen is None or not _is(chosen, wanted[name]):
            return 0.0
    return 1.0


def _is(piece: str, value: Json) -> bool:
    stripped = piece.strip("?!.,;:'\"()")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return stripped.replace(",", "") == f"{value:g}"
    return stripped == value


@dataclass(slots=True)
class Figures:
    routing: dict[str, Score]
    arguments: dict[str, Score]
    given_routing: Score
    misses: list[str]


def measure(half: Half, desks: Mapping[str, Desk]) -> Figures:
    methods = ("offline", "TF-IDF", "uniform")
    figures = Figures({m: Score() for m in methods}, {m: Score() for m in methods}, Score(), [])
    for asked in requests(half):
        desk = desks[asked.team]
        routed, calls = desk.ask(asked.text)
        near = desk.texts.best(asked.text)
        figures.routing["offline"].add(routed == asked.to)
        figures.routing["TF-IDF"].add(frozenset([near] if near else []) == asked.to)
        figures.routing["uniform"].add(1 / (len(desk.members) + 1) if len(asked.to) < 2 else 0)
        if routed != asked.to:
            figures.misses.append(
                f"{asked.team}: {asked.text!r} went to {_list(routed)}, not {_list(asked.to)}"
            )
        for tool, wanted in asked.calls.items():
            parameters = desk.parameters(tool)
            made = [as_object(call["args"]) for call in calls if call["name"] == tool]
            right = any(same(each, wanted, parameters) for each in made)
            figures.arguments["offline"].add(right)
            figures.arguments["TF-IDF"].add(tfidf_arguments(asked, wanted, parameters, desk.texts))
            figures.arguments["uniform"].add(uniform_arguments(asked, wanted, parameters))
            if routed == asked.to:
                figures.given_routing.add(right)
                if not right:
                    figures.misses.append(
                        f"{asked.team}: {asked.text!r} called {tool} with {made}, not {wanted}"
                    )
    return figures


def _list(names: Iterable[str]) -> str:
    return " and ".join(sorted(names)) or "nobody"


def told(half: Half, figures: Figures) -> Iterator[str]:
    yield f"{half} half"
    for name, scores in (("routing", figures.routing), ("arguments", figures.arguments)):
        for method, score in scores.items():
            yield f"  {name:<10} {method:<8} {score}"
    yield f"  arguments  offline, where the routing was right: {figures.given_routing}"


def main(words_: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=HALVES, action="append", help="only this half")
    parser.add_argument("--misses", action="store_true", help="list what went wrong in the development half")
    stated = parser.parse_args(words_)
    desks = {path.parent.name: Desk(path.parent.name) for path in sorted(HERE.glob("*/team.yaml"))}
    for half in cast("list[Half]", stated.half or HALVES):
        figures = measure(half, desks)
        print("\n".join(told(half, figures)))
        if stated.misses and half == "development":
            print("\n".join(f"    {miss}" for miss in figures.misses))


if __name__ == "__main__":
    main()
