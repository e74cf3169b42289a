"""A run in a folder of its own, driven by processes that may die, and what must hold of it in the end."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from agentctl.journal.records import Record
from agentctl.journal.scan import scan
from agentctl.jsontypes import JsonObject, as_object, as_text
from chaos.casts import Cast
from chaos.nursery import Ended, Nursery, Order
from chaos.sabotage import Plan

RUN = "r1"
QUESTION = "What now?"
_ROUNDS = 25
_FINISHES = tuple(
    f"{thing}.completed" for thing in ("model", "tool", "function", "draw", "decision", "timer")
)
Doubt: TypeAlias = Literal["rerun", "skip"]


@dataclass(kw_only=True)
class Desk:
    """`folder` holds the team and its runs; `doubt` is what a person says to calls in doubt."""

    folder: Path
    nursery: Nursery
    doubt: Doubt = "rerun"
    variables: Mapping[str, str] = field(default_factory=dict)
    runs: Path = field(init=False)
    finished: dict[str, int] = field(default_factory=dict)
    """How often the effect of each finished tool step had been had when it was first seen on record."""
    answered: set[str] = field(default_factory=set)
    ends: int = 0
    """How many processes ended before their time."""

    def __post_init__(self) -> None:
        self.runs = self.folder / ".agentctl" / "runs"

    @property
    def run(self) -> Path:
        return self.runs / RUN

    def begin(self, plan: Plan | None = None, *, dies: str = "", killed_after: float | None = None) -> Ended:
        """`agentctl run`, which goes on with a run that is there."""
        words = ["run", ".", QUESTION, "--run-id", RUN, "--runs-dir", str(self.runs), "--json"]
        return self._command(words, plan, dies, killed_after)

    def resume(
        self, *more: str, plan: Plan | None = None, dies: str = "", killed_after: float | None = None
    ) -> Ended:
        words = ["resume", RUN, "--runs-dir", str(self.runs), "--json", *more]
        return self._command(words, plan, dies, killed_after)

    def go_on(self, plan: Plan | None = None, *, dies: str = "", killed_after: float | None = None) -> Ended:
        """The next process: it begins the run where there is none, and answers what is open."""
        if not (self.run / "run.json").exists():
            return self.begin(plan, dies=dies, killed_after=killed_after)
        return self.resume(*self.answers(), plan=plan, dies=dies, killed_after=killed_after)

    def to_the_end(self) -> JsonObject:
        """The result, after as many undisturbed processes as it takes."""
        for _ in range(_ROUNDS):
            ended = self.go_on()
            if ended.code == 0:
                return as_object(json.loads(ended.out))
            assert ended.code == 3, ended
        raise AssertionError("it does not come to an end")

    def answers(self) -> list[str]:
        """What a person answers to the open questions of the run as it stands."""
        newest = self.records()[-1] if self.records() else None
        if newest is None or newest.ev != "run.waiting":
            return []
        words: list[str] = []
        waiting = newest.data.get("waiting_for")
        assert isinstance(waiting, list)
        for question in map(as_object, waiting):
            step = as_text(question.get("step"))
            if question.get("kind") == "in_doubt":
                self.answered.add(step)
                words += [f"--{self.doubt}", step]
            else:
                turn = sum(1 for one in self.records() if one.ev == "decision.completed")
                words += ["--choose", "ab"[turn]] if turn < 2 else ["--finish"]
        return words

    def records(self) -> list[Record]:
        return scan(self.run).records if (self.run / "journal.jsonl").exists() else []

    def remember(self) -> None:
        """Keeps which steps are finished by now: they must not be done again."""
        effects = self.effects()
        for one in self.records():
            if one.ev == "tool.completed":
                self.finished.setdefault(one.step, effects[one.step])

    def effects(self) -> Counter[str]:
        """How often each call took effect, by its step, counted by the tool itself."""
        assert len(set(self.places())) == len(Counter(map(step_of, self.places()))), "keys stay the same"
        return Counter(map(step_of, self.places()))

    def places(self) -> list[str]:
        """The effects in order, as the tools know them: `<tool> <idempotency key>`."""
        path = self.folder / "effects"
        return path.read_text("utf-8").splitlines() if path.exists() else []

    def _command(self, words: list[str], plan: Plan | None, dies: str, killed_after: float | None) -> Ended:
        self.remember()
        order = Order(
            folder=str(self.folder),
            words=words,
            plan=plan or Plan(),
            watched=str(self.runs.parent),
            variables={"HOME": str(self.folder), "DIES": dies, **self.variables},
            killed_after=killed_after,
        )
        ended = self.nursery.run(order)
        self.ends += ended.code not in (0, 3)
        assert "Traceback" not in ended.err, ended.err
        return ended


def set_up(
    cast: Cast,
    folder: Path,
    nursery: Nursery,
    doubt: Doubt = "rerun",
    *,
    variables: Mapping[str, str] | None = None,
) -> Desk:
    cast.write(folder)
    return Desk(folder=folder, nursery=nursery, doubt=doubt, variables=variables or {})


def must_hold(desk: Desk, result: JsonObject, whole: JsonObject) -> None:
    """The answer is that of the undisturbed run; what was finished before a death was done once."""
    answer = as_text(result.get("answer"))
    if desk.doubt == "skip":
        answer = answer.replace("is unsure", "is done")
    assert answer == whole["answer"]
    assert (result["agent"], result["path"]) == (whole["agent"], whole["path"])
    done = Counter((one.step, one.ev) for one in desk.records() if one.ev in _FINISHES)
    assert {key: count for key, count in done.items() if count > 1} == {}
    effects = desk.effects()
    steps = {one.step for one in desk.records() if one.ev in ("tool.completed", "tool.skipped")}
    assert set(effects) <= steps
    for step in steps:
        made = effects[step]
        assert made == desk.finished.get(step, made), (step, effects)
        if step.endswith(".send") and step not in desk.answered:
            assert made == 1, (step, effects)
        elif step.endswith(".send") and desk.doubt == "skip":
            assert made <= 1, (step, effects)
        else:
            assert 1 <= made <= 1 + desk.ends, (step, effects)


def step_of(place: str) -> str:
    """The step whose call has that idempotency key: run, step and a part of the input's hash."""
    return place.split(":")[1]
