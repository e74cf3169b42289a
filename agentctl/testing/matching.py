"""Expected things against actual ones, each with another: whether all can be had at once, in any order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Wanted = TypeVar("Wanted")
Actual = TypeVar("Actual")


def all_matched(
    wanted: Sequence[Wanted], actual: Sequence[Actual], fits: Callable[[Wanted, Actual], bool]
) -> list[bool]:
    """For each wanted thing whether it has its own, when as many as possible have one."""
    owner: dict[int, int] = {}

    def find(index: int, tried: set[int]) -> bool:
        for place, one in enumerate(actual):
            if place in tried or not fits(wanted[index], one):
                continue
            tried.add(place)
            if place not in owner or find(owner[place], tried):
                owner[place] = index
                return True
        return False

    for index in range(len(wanted)):
        find(index, set())
    return [index in owner.values() for index in range(len(wanted))]
