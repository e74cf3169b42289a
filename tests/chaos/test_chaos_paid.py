"""Model calls counted at a server of its own process: what was finished before a death is not paid again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentctl.jsontypes import Json, JsonObject, as_object, as_text
from chaos.casts import NESTED, Cast, group, leaf
from chaos.desk import Desk, must_hold, set_up
from chaos.nursery import TESTS, Nursery
from chaos.sabotage import Death, Plan
from chaos.telling import telling

STRIDE = 6
SERVED = Cast(
    name="served",
    team=group(
        "front",
        "handoff",
        group(
            "many",
            "parallel",
            group("line", "sequential", leaf("a"), leaf("b")),
            group("peers", "swarm", leaf("c"), leaf("d")),
            group("turns", {"type": "round_robin", "turns": 3}, leaf("e"), leaf("f")),
        ),
        leaf("other"),
    ),
    turns={name: turns for name, turns in NESTED.turns.items() if name not in ("g", "h", "planned")},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Till:
    """A model server that writes every request down; the model's id tells which agent asks."""

    url: str
    log: Path

    def paid(self, *, since: int = 0, at: str = "") -> Counter[str]:
        """The calls by agent; `at` is a part of the address that they came to."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        calls = [json.loads(line) for line in lines[since:]]
        return Counter(as_text(call["model"]) for call in calls if at in call["path"])


@pytest.fixture
def till(tmp_path: Path) -> Iterator[Till]:
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps([rule for name in SERVED.turns for rule in rules_of(name)]), "utf-8")
    server = subprocess.Popen(
        [sys.executable, "-m", "loopback", str(rules), "--log", str(tmp_path / "log")],
        cwd=TESTS,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    yield Till(url=server.stdout.readline().strip(), log=tmp_path / "log")
    server.communicate(timeout=30)


def rules_of(name: str) -> Iterator[JsonObject]:
    """The agent's scripted turns as rules: its first one answers a person, the others a tool."""
    first, *others = SERVED.turns[name]
    yield {"model": name, "last": "user", "answer": first}
    for turn in map(as_object, others):
        words = as_object(turn.get("when")).get("contains", "")
        yield {"model": name, "last": "tool", "contains": words, "answer": turn}


def with_models(agent: JsonObject) -> JsonObject:
    members = agent.get("agents")
    below: list[Json] = [with_models(as_object(one)) for one in members] if isinstance(members, list) else []
    return {**agent, "model": f"openai/{agent['name']}", **({"agents": below} if below else {})}


def test_no_finished_call_is_paid_again(
    till: Till, tmp_path: Path, nursery: Nursery, everything: bool
) -> None:
    cast = Cast(name="served", team=with_models(SERVED.team), turns=SERVED.turns)
    variables = {"OPENAI_API_KEY": "sk-loopback-0123456789abcdef", "OPENAI_BASE_URL": till.url}
    undisturbed = set_up(cast, tmp_path / "undisturbed", nursery, variables=variables)
    events = undisturbed.begin().events
    whole = undisturbed.to_the_end()
    once = till.paid()
    assert once.total() == sum(record.ev == "model.completed" for record in undisturbed.records())
    points = [death for number, event in enumerate(events, 1) for death in event.deaths(number)]
    for number, death in enumerate(points[:: 1 if everything else STRIDE]):
        desk = set_up(cast, tmp_path / str(number), nursery, variables=variables)
        with telling(death):
            desk.go_on(Plan(die=death))
            finished = finished_calls(desk)
            # what the dead process had sent may still arrive, so those after it call another address
            desk.variables = {**variables, "OPENAI_BASE_URL": f"{till.url}/after-{number}"}
            must_hold(desk, desk.to_the_end(), whole)
            assert till.paid(at=f"/after-{number}/") == once - finished


def finished_calls(desk: Desk) -> Counter[str]:
    """The model calls on record as finished, by agent."""
    agents = {one.step: as_text(one.data.get("agent")) for one in desk.records() if one.ev == "model.started"}
    return Counter(agents[one.step] for one in desk.records() if one.ev == "model.completed")


def test_a_power_cut_between_calls_takes_no_finished_call(
    till: Till, tmp_path: Path, nursery: Nursery, everything: bool
) -> None:
    """A call that the agent went on from is on disk, also where everything that was not synced is lost."""
    cast = Cast(name="served", team=with_models(SERVED.team), turns=SERVED.turns)
    variables = {"OPENAI_API_KEY": "sk-loopback-0123456789abcdef", "OPENAI_BASE_URL": till.url}
    events = set_up(cast, tmp_path / "undisturbed", nursery, variables=variables).begin().events
    once = till.paid()
    cuts = [n for n, event in enumerate(events, 1) if event.call == "sync" and event.name == "journal.jsonl"]
    for number in cuts[:: 1 if everything else 2]:
        before = till.paid().total()
        desk = set_up(cast, tmp_path / str(number), nursery, variables=variables)
        with telling(number):
            desk.go_on(Plan(die=Death(number, "power cut")))
            desk.to_the_end()
            branches = 3
            assert till.paid(since=before).total() <= once.total() + branches
