"""Each strategy killed with `kill -9` as a model request arrives, and resumed by another process.

What counts is what the server sees: every finished model call is made once, whenever the process died.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import Counter
from dataclasses import dataclass, field

import pytest

from agentctl.jsontypes import Json, JsonObject
from e2e.cast import Cast, Lines, Stage, agent, crew, looker, looks, passes, several, steps, transfer
from e2e.command import Desk
from loopback.replies import Drop, Scripted
from loopback.server import Seen

LOOK: Lines = {name: [looks(name), f"{name} is fine."] for name in "abc"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """A team, what its models say, how many model calls it takes undisturbed, and the answer."""

    strategy: Json
    calls: int
    answer: str
    lines: Lines = field(default_factory=lambda: LOOK)
    members: tuple[JsonObject, ...] = tuple(looker(name) for name in "abc")
    looked: str = "abc"
    at_once: bool = False

    @property
    def team(self) -> JsonObject:
        return agent("lead", *self.members, strategy=self.strategy)


LISTED = "## a\n\na is fine.\n\n## b\n\nb is fine.\n\n## c\n\nc is fine."
PLAYS = {
    "handoff": Play(
        strategy={"type": "handoff", "final": "supervisor"},
        lines={**LOOK, "lead": [transfer("a"), several(passes("b"), passes("c")), "All is fine."]},
        at_once=True,
        calls=9,
        answer="All is fine.",
    ),
    "router": Play(
        strategy="router",
        lines={**LOOK, "lead": '{"agent": "b", "reason": "it fits"}'},
        looked="b",
        calls=3,
        answer="b is fine.",
    ),
    "sequential": Play(strategy="sequential", calls=6, answer="c is fine."),
    "parallel": Play(strategy="parallel", calls=6, answer=LISTED, at_once=True),
    "swarm": Play(
        strategy="swarm",
        lines={
            "a": [looks("a"), transfer("b", message="go on"), "a is fine."],
            "b": [looks("b"), transfer("a", message="back to you")],
        },
        looked="ab",
        calls=5,
        answer="a is fine.",
    ),
    "round_robin": Play(strategy={"type": "round_robin", "turns": 4}, calls=7, answer="a is fine."),
    "random": Play(
        strategy={"type": "random", "turns": 3, "seed": 3}, calls=5, answer="c is fine.", looked="bc"
    ),
    "plan_execute": Play(
        strategy="plan_execute",
        lines={
            **LOOK,
            "lead": [
                steps(("one", "a", ()), ("two", "b", ())),
                steps(("three", "c", ("one", "two"))),
                steps(answer="All is fine."),
            ],
        },
        at_once=True,
        calls=9,
        answer="All is fine.",
    ),
    "manual": Play(strategy={"type": "manual", "choose": "tools:in_turn"}, calls=6, answer="c is fine."),
    "nested": Play(
        strategy="sequential",
        members=(
            agent(
                "panel", looker("a"), agent("pair", *crew("d", "e"), strategy="swarm"), strategy="parallel"
            ),
            agent("desk", looker("b"), looker("c"), strategy="handoff"),
        ),
        lines={**LOOK, "d": transfer("e", message="yours"), "desk": transfer("b")},
        looked="ab",
        at_once=True,
        calls=7,
        answer="b is fine.",
    ),
}


class Killer:
    """The cast, but the process dies as it makes the n-th request from now on; never with 0."""

    def __init__(self, cast: Cast, at: int) -> None:
        self.victim: subprocess.Popen[str] | None = None
        self._cast = cast
        self._left = at
        self._lock = threading.Lock()

    def __call__(self, seen: Seen) -> Scripted:
        with self._lock:
            self._left -= 1
            if self._left != 0:
                return self._cast(seen)
        assert self.victim is not None
        os.kill(self.victim.pid, signal.SIGKILL)
        return Drop()


@dataclass(kw_only=True)
class Sufferer:
    """A run whose processes die; `repeated` are the calls that a resume has to make again."""

    stage: Stage
    desk: Desk
    play: Play
    repeated: int = 0
    deaths: int = 0

    def __post_init__(self) -> None:
        self.stage.set(self.play.team, self.play.lines)

    def live(self, *, dies_at: int = 0) -> None:
        """One process, which dies at its n-th request if there is one; else it comes to the end."""
        before, arrived = self.finished, len(self.stage.order)
        words = ["resume", "r"] if self.deaths else ["run", "--run-id", "r", ".", "Go."]
        self.stage.server.script = killer = Killer(Cast(self.play.lines), dies_at)
        killer.victim = self.desk.start(*words)
        out, err = killer.victim.communicate(timeout=60)
        if killer.victim.returncode != -signal.SIGKILL:
            assert (killer.victim.returncode, out) == (0, f"{self.play.answer}\n"), err
            return
        self.deaths += 1
        self.repeated += len(self.stage.order) - arrived - (self.finished - before)
        if not self.play.at_once:
            assert self.repeated == self.deaths, "no more is lost than what was under way"

    @property
    def finished(self) -> int:
        """Model calls whose replies are on record."""
        journal = self.stage.runs / "r" / "journal.jsonl"
        return journal.read_text("utf-8").count('"ev":"model.completed"') if journal.exists() else 0

    def must_hold(self) -> None:
        assert len(self.stage.order) == self.play.calls + self.repeated
        looked = Counter(self.stage.looked)
        assert looked.keys() == set(self.play.looked)
        assert self.play.at_once or set(looked.values()) == {1}


@pytest.mark.parametrize("name", PLAYS)
def test_killed_at_its_third_request_it_comes_to_the_same_end(stage: Stage, wired: Desk, name: str) -> None:
    run = Sufferer(stage=stage, desk=wired, play=PLAYS[name])
    run.live(dies_at=3)
    run.live()
    assert run.deaths == 1
    run.must_hold()


@pytest.mark.chaos
@pytest.mark.parametrize("name", PLAYS)
def test_killed_twice_it_comes_to_the_same_end(stage: Stage, wired: Desk, name: str) -> None:
    run = Sufferer(stage=stage, desk=wired, play=PLAYS[name])
    run.live(dies_at=2)
    run.live(dies_at=2)
    run.live()
    assert run.deaths == 2
    run.must_hold()


@pytest.mark.chaos
@pytest.mark.parametrize(
    ("name", "at"), [(name, at) for name, play in PLAYS.items() for at in range(1, play.calls + 1) if at != 3]
)
def test_killed_at_any_request_it_comes_to_the_same_end(
    stage: Stage, wired: Desk, name: str, at: int
) -> None:
    run = Sufferer(stage=stage, desk=wired, play=PLAYS[name])
    run.live(dies_at=at)
    run.live()
    assert run.deaths == 1
    run.must_hold()
