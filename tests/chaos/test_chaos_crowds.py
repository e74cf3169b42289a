"""Many processes at one run, kills at any time under load, and a clock that goes backwards."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from agentctl.jsontypes import JsonObject
from chaos.casts import NESTED, NINE, Cast, slowly
from chaos.desk import RUN, Desk, must_hold, set_up
from chaos.nursery import Nursery, Order
from chaos.sabotage import Death, Plan
from chaos.telling import telling

AT_ONCE = 8
CROWD = 4
RUNS = 6
SLOW = slowly(NESTED)


def begun(folder: Path, nursery: Nursery, cast: Cast = SLOW) -> Desk:
    """A run whose process died after it had begun."""
    for event in range(1, 100):
        desk = set_up(cast, folder / str(event), nursery)
        assert desk.begin(Plan(die=Death(event, "after"))).killed
        if desk.records():
            return desk
    raise AssertionError("it never begins")


@pytest.mark.parametrize("number", range(4))
def test_of_eight_resumes_at_once_one_wins(number: int, tmp_path: Path, nursery: Nursery) -> None:
    undisturbed = set_up(SLOW, tmp_path / "undisturbed", nursery)
    whole = undisturbed.to_the_end()
    desk = begun(tmp_path / "run", nursery)
    order = Order(
        folder=str(desk.folder),
        words=["resume", RUN, "--runs-dir", str(desk.runs), "--json"],
        watched=str(desk.runs.parent),
        variables={"HOME": str(desk.folder)},
        copies=AT_ONCE,
    )
    ends = nursery.run_all(order)
    assert Counter(end.code for end in ends) == {0: 1, 5: AT_ONCE - 1}, ends
    (winner,) = [end for end in ends if end.code == 0]
    assert json.loads(winner.out)["answer"] == whole["answer"]
    assert all("another process" in end.err and "agentctl" in end.err for end in ends if end.code == 5)
    assert set(desk.effects().values()) == {1}
    must_hold(desk, desk.to_the_end(), whole)


def test_a_clock_that_goes_backwards_changes_nothing(tmp_path: Path) -> None:
    """In every process an hour back at each look, and the next process begins where it likes."""
    with Nursery(backwards=True) as nursery:
        for cast in (*NINE, NESTED):
            undisturbed = set_up(cast, tmp_path / cast.name / "undisturbed", nursery)
            whole = undisturbed.to_the_end()
            assert whole["status"] == "completed"
            times = [record.ts for record in undisturbed.records()]
            assert times[-1] < times[0] - 3600, "the clock did go backwards"
            for event in range(16, 30, 6):
                desk = set_up(cast, tmp_path / cast.name / str(event), nursery)
                with telling((cast.name, event)):
                    desk.go_on(Plan(die=Death(event, "after")))
                    result = desk.to_the_end()
                    must_hold(desk, result, whole)
                    assert isinstance(result["ms"], int | float)
                    assert 0 <= result["ms"] < 60_000, "time worked is not taken from the wall clock"


def test_random_kills_under_load(tmp_path: Path, seed: int, everything: bool) -> None:
    """Four runs at a time beside a busy processor, each killed again and again at random moments."""
    sys.stderr.write(f"\n--chaos-seed {seed}\n")
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        with telling(f"--chaos-seed {seed}"), ExitStack() as stack:
            nurseries = [stack.enter_context(Nursery()) for _ in range(CROWD)]
            for number, nursery in enumerate(nurseries):
                whole = set_up(SLOW, tmp_path / f"undisturbed-{number}", nursery).to_the_end()
            crowd = stack.enter_context(ThreadPoolExecutor(CROWD))
            shares = [
                crowd.submit(harass, nursery, tmp_path / str(number), f"{seed}/{number}", whole, runs)
                for number, nursery in enumerate(nurseries)
                for runs in [RUNS * (20 if everything else 1)]
            ]
            for share in shares:
                share.result()
    finally:
        for process in busy:
            process.kill()
            process.wait()


def harass(nursery: Nursery, folder: Path, seed: str, whole: JsonObject, runs: int) -> None:
    chance = random.Random(seed)
    for number in range(runs):
        desk = set_up(SLOW, folder / str(number), nursery, chance.choice(("rerun", "skip")))
        with telling(desk.folder):
            for _ in range(chance.randint(1, 8)):
                ended = desk.go_on(killed_after=chance.uniform(0, 0.6))
                assert ended.killed or ended.code in (0, 3), ended
            must_hold(desk, desk.to_the_end(), whole)
