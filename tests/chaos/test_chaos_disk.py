"""Disks that fail under a run: it stops with exit 1 and the reason, and goes on once the disk is mended."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agentctl.jsontypes import JsonObject
from chaos.casts import NESTED, NINE, Cast
from chaos.desk import Desk, must_hold, set_up
from chaos.nursery import Ended, Nursery
from chaos.sabotage import Call, Event, Failure, Plan
from chaos.telling import telling

HANDOFF = NINE[0]
KIB = 1024


def undisturbed(cast: Cast, folder: Path, nursery: Nursery) -> tuple[JsonObject, tuple[Event, ...]]:
    desk = set_up(cast, folder / "undisturbed", nursery)
    events = desk.begin().events
    return desk.to_the_end(), events


def says_why(desk: Desk, ended: Ended, *reasons: str) -> None:
    """Exit 1 (or 2 where the run could not even begin), one of the reasons, and what to do."""
    assert ended.code == 1 or (ended.code == 2 and not desk.run.exists()), ended
    assert any(reason in ended.err for reason in reasons), ended.err
    assert "agentctl resume" in ended.err or "try again" in ended.err or "--runs-dir" in ended.err, ended.err


@pytest.mark.parametrize("cast", [HANDOFF, NESTED], ids=["handoff", "nested"])
def test_a_disk_that_is_full_after_so_many_bytes(
    cast: Cast, tmp_path: Path, nursery: Nursery, everything: bool
) -> None:
    whole, events = undisturbed(cast, tmp_path, nursery)
    size = sum(event.size for event in events)
    stride = 64 if cast is HANDOFF or everything else 1021
    for room in range(0, size, stride):
        desk = set_up(cast, tmp_path / str(room), nursery)
        with telling(room):
            ended = desk.go_on(Plan(room=room))
            if ended.code == 0:
                assert room > size * 0.9
            else:
                says_why(desk, ended, "the disk is full")
            must_hold(desk, desk.to_the_end(), whole)


@pytest.mark.parametrize("call", ["write", "sync", "rename"])
@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC])
def test_the_nth_write_sync_or_rename_fails(call: Call, error: int, tmp_path: Path, nursery: Nursery) -> None:
    whole, events = undisturbed(HANDOFF, tmp_path, nursery)
    for number in range(1, sum(event.call == call for event in events) + 1):
        desk = set_up(HANDOFF, tmp_path / f"{number}", nursery)
        with telling(f"{call} {number}"):
            ended = desk.go_on(Plan(fail=Failure(call, number, error)))
            if ended.code != 0:
                says_why(
                    desk, ended, "the disk reported an I/O error", "the disk is full", os.strerror(error)
                )
            else:
                calls = [event for event in ended.events if event.call == call]
                for hit in calls[number - 1 : number]:  # batches differ: this time there may be fewer
                    assert hit.name in ("lock", "result.json"), "a run goes on without them"
            must_hold(desk, desk.to_the_end(), whole)


def test_a_resume_whose_disk_fails_at_the_nth_call(tmp_path: Path, nursery: Nursery) -> None:
    whole, events = undisturbed(HANDOFF, tmp_path, nursery)
    first = [n for n, event in enumerate(e for e in events if e.call == "sync") if "journal" in event.name][
        -2
    ]
    for call in ("write", "sync"):
        for number in range(1, 8):
            desk = set_up(HANDOFF, tmp_path / f"{call}{number}", nursery)
            with telling(f"{call} {number}"):
                assert desk.go_on(Plan(fail=Failure("sync", first, errno.EIO))).code == 1
                ended = desk.go_on(Plan(fail=Failure(call, number, errno.EIO)))
                if ended.code not in (0, 3):
                    says_why(desk, ended, "the disk reported an I/O error", "Input/output error")
                must_hold(desk, desk.to_the_end(), whole)


@contextmanager
def mounted(place: Path, *, size: int) -> Iterator[Callable[[str], None]]:
    """A file system in memory of so many bytes; gives what mounts it anew with other options."""
    place.mkdir(parents=True)
    if not mount("-t", "tmpfs", "-o", f"size={size},mode=700", "agentctl", str(place)):
        assert not os.environ.get("CI"), "the small file system must be there where everything is proved"
        pytest.skip("this user may not mount a file system")
    try:
        yield lambda options: mount_again(place, options)
    finally:
        subprocess.run(["umount", str(place)], check=True)


def mount(*words: str) -> bool:
    return subprocess.run(["mount", *words], capture_output=True, check=False).returncode == 0


def mount_again(place: Path, options: str) -> None:
    assert mount("-o", f"remount,{options}", str(place))


def test_a_real_disk_that_is_full(tmp_path: Path, nursery: Nursery) -> None:
    whole, _ = undisturbed(NESTED, tmp_path, nursery)
    stopped = 0
    for pages in range(2, 20):
        desk = set_up(NESTED, tmp_path / str(pages), nursery)
        with mounted(desk.folder / ".agentctl", size=pages * 4 * KIB) as again, telling(pages):
            ended = desk.go_on()
            if ended.code != 0:
                stopped += 1
                says_why(desk, ended, "the disk is full")
                before = desk.effects()
                if desk.run.exists():
                    says_why(desk, desk.go_on(), "disk full", "disk is full")
                    assert desk.effects() == before, "it does nothing that it cannot record"
            again("size=1m")
            must_hold(desk, desk.to_the_end(), whole)
    assert stopped >= 5


def test_a_real_disk_that_is_read_only(tmp_path: Path, nursery: Nursery) -> None:
    whole, events = undisturbed(HANDOFF, tmp_path, nursery)
    journal = [
        n for n, e in enumerate((e for e in events if e.call == "sync"), 1) if e.name == "journal.jsonl"
    ]
    for number in (0, *journal):
        desk = set_up(HANDOFF, tmp_path / str(number), nursery)
        with mounted(desk.folder / ".agentctl", size=512 * KIB) as again, telling(number):
            if number:
                desk.go_on(Plan(fail=Failure("sync", number, errno.EIO)))
            again("ro")
            ended = desk.go_on()
            assert ended.code in (1, 2), ended
            assert "ead-only" in ended.err
            again("rw")
            must_hold(desk, desk.to_the_end(), whole)
