"""Processes killed at every write, sync and rename, and inside tools: what a resume makes of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from agentctl.jsontypes import JsonObject
from chaos.casts import NESTED, NINE, PERSON, Cast
from chaos.desk import Desk, Doubt, must_hold, set_up, step_of
from chaos.nursery import Nursery
from chaos.sabotage import Death, Event, Plan
from chaos.telling import telling

STRIDE = 4
SHARES = 8


def undisturbed(cast: Cast, folder: Path, nursery: Nursery) -> tuple[JsonObject, list[tuple[Event, ...]]]:
    """The result of a run that nothing happens to, and the events of each of its processes."""
    desk = set_up(cast, folder / "undisturbed", nursery)
    processes = []
    while True:
        ended = desk.go_on()
        processes.append(ended.events)
        if ended.code == 0:
            return desk.to_the_end(), processes
        assert ended.code == 3, ended


def deaths(events: Iterable[Event]) -> list[Death]:
    return [death for number, event in enumerate(events, 1) for death in event.deaths(number)]


def killed_at(desk: Desk, death: Death, *, process: int = 0) -> bool:
    """Whether the n-th process of the run died there: how lines share batches depends on time."""
    for _ in range(process):
        assert desk.go_on().code == 3
    return desk.go_on(Plan(die=death)).killed


def doubt(number: int) -> Doubt:
    return "rerun" if number % 2 else "skip"


@pytest.mark.parametrize("cast", NINE, ids=[cast.name for cast in NINE])
def test_every_strategy_survives_a_kill_anywhere(
    cast: Cast, tmp_path: Path, nursery: Nursery, everything: bool
) -> None:
    whole, (events,) = undisturbed(cast, tmp_path, nursery)
    points = deaths(events)[:: 1 if everything else STRIDE]
    killed = 0
    for number, death in enumerate(points):
        desk = set_up(cast, tmp_path / str(number), nursery, doubt(number))
        with telling(death):
            killed += killed_at(desk, death)
            must_hold(desk, desk.to_the_end(), whole)
    assert killed >= len(points) * 0.8


@pytest.mark.parametrize("share", range(SHARES))
def test_a_nested_team_survives_a_kill_anywhere(share: int, tmp_path: Path, nursery: Nursery) -> None:
    whole, (events,) = undisturbed(NESTED, tmp_path, nursery)
    points = list(enumerate(deaths(events)))[share::SHARES]
    killed = 0
    for number, death in points:
        desk = set_up(NESTED, tmp_path / str(number), nursery, doubt(number // SHARES))
        with telling(death):
            killed += killed_at(desk, death)
            must_hold(desk, desk.to_the_end(), whole)
    assert killed >= len(points) * 0.7


def test_a_run_that_people_answer_survives_a_kill_in_any_of_its_processes(
    tmp_path: Path, nursery: Nursery, everything: bool
) -> None:
    whole, processes = undisturbed(PERSON, tmp_path, nursery)
    points = [(process, death) for process, events in enumerate(processes) for death in deaths(events)]
    for number, (process, death) in enumerate(points[:: 1 if everything else STRIDE]):
        desk = set_up(PERSON, tmp_path / str(number), nursery, doubt(number))
        with telling((process, death)):
            killed_at(desk, death, process=process)
            must_hold(desk, desk.to_the_end(), whole)


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("answer", ["rerun", "skip"])
def test_a_kill_inside_a_tool_leaves_what_it_says(
    moment: str, answer: Doubt, tmp_path: Path, nursery: Nursery
) -> None:
    """Before or after its effect: an idempotent one is called again, any other is for a person to decide."""
    first = set_up(NESTED, tmp_path / "undisturbed", nursery)
    whole = first.to_the_end()
    for number, place in enumerate(sorted(first.places())):
        desk = set_up(NESTED, tmp_path / str(number), nursery, answer)
        with telling((moment, place)):
            assert desk.go_on(dies=f"{moment} {place}").killed
            had = desk.effects()[step_of(place)]
            ended = desk.go_on()
            if place.startswith("send"):
                assert ended.code == 3
                assert step_of(place) in ended.out
                assert desk.effects()[step_of(place)] == had, "not called again before a person said so"
            must_hold(desk, desk.to_the_end(), whole)
            again = 1 if place.startswith("note") or answer == "rerun" else 0
            assert desk.effects()[step_of(place)] == had + again


def test_a_resume_survives_kills_too_and_the_next_one_again(
    tmp_path: Path, nursery: Nursery, everything: bool
) -> None:
    whole, (events,) = undisturbed(NESTED, tmp_path, nursery)
    middle = [death for death in deaths(events) if events[death.event - 1].name == "journal.jsonl"]
    begun = middle[len(middle) // 3]
    example = set_up(NESTED, tmp_path / "example", nursery)
    example.go_on(Plan(die=begun))
    again = deaths(example.go_on().events)
    for number, death in enumerate(again[:: 1 if everything else STRIDE]):
        desk = set_up(NESTED, tmp_path / str(number), nursery, doubt(number))
        with telling((begun, death)):
            desk.go_on(Plan(die=begun))
            desk.go_on(Plan(die=death))
            desk.go_on(Plan(die=again[(7 * number) % len(again)]))
            must_hold(desk, desk.to_the_end(), whole)
