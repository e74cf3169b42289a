"""Processes that run `agentctl` and may die at it: each a fork of one process that has imported everything.

`Nursery` is the tests' side; `python -m chaos.nursery` is the process that forks, one request a line.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from chaos.sabotage import Death, Event, Failure, Plan, Saboteur

TESTS = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One command line. `watched` is the folder whose disk the plan is about; `copies` begin at once;
    `killed_after` is in seconds."""

    folder: str
    words: Sequence[str]
    plan: Plan = field(default_factory=Plan)
    watched: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    copies: int = 1
    killed_after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """`code` is minus the signal's number where it was killed; `events` are known of who was not."""

    code: int
    out: str
    err: str
    events: tuple[Event, ...] = ()

    @property
    def killed(self) -> bool:
        return self.code == -signal.SIGKILL


class Nursery:
    """The forking process, from `with` to its end. Every order gets a fresh child. One order at a time."""

    def __init__(self, *, backwards: bool = False) -> None:
        """`backwards`: in all its children the wall clock goes back an hour at every look."""
        self._lock = threading.Lock()
        variables = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "chaos.nursery", *(["backwards"] if backwards else [])],
            cwd=TESTS,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=30)

    def run(self, order: Order) -> Ended:
        return self.run_all(order)[0]

    def run_all(self, order: Order) -> list[Ended]:
        """Every copy's end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(asdict(order)) + "\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
        return [
            Ended(**{**ended, "events": tuple(Event(**event) for event in ended["events"])})
            for ended in answer
        ]


def serve() -> None:
    """Reads orders until stdin ends. What one child imports is imported here, so that the next is fast."""
    tried: set[str] = set()
    for line in sys.stdin:
        asked = json.loads(line)
        plan = asked.pop("plan")
        die = Death(*plan["die"]) if plan["die"] else None
        fail = Failure(*plan["fail"]) if plan["fail"] else None
        order = Order(**asked, plan=Plan(die=die, fail=fail, room=plan["room"]))
        reports = [Path(order.folder) / f".ended-{number}" for number in range(order.copies)]
        children = born(order, reports)
        if order.killed_after is not None:
            time.sleep(order.killed_after)
            for child in children:
                os.kill(child, signal.SIGKILL)
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        found = [told(report, code) for report, code in zip(reports, codes, strict=True)]
        for name in {name for each in found for name in each.pop("modules", [])} - tried:
            tried.add(name)
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


def born(order: Order, reports: list[Path]) -> list[int]:
    """The children, which all begin at the same moment."""
    gate, key = os.pipe()
    children = []
    for report in reports:
        child = os.fork()
        if child == 0:
            os.close(key)
            os.read(gate, 1)
            live(order, report)
        children.append(child)
    os.close(gate)
    os.close(key)
    return children


def live(order: Order, report: Path) -> None:
    """The child: runs the command, says how it went, and is gone."""
    code = 70
    try:
        os.environ.clear()
        os.environ.update(order.variables)
        os.chdir(order.folder)
        for descriptor, name in ((1, "out"), (2, "err")):
            file = os.open(f"{report}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, descriptor)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - lives as long as the process
        saboteur = Saboteur(Path(order.watched or order.folder), order.plan)
        saboteur.install()
        from agentctl.cli.main import main

        code = main(order.words)
        sys.stdout.flush()
        sys.stderr.flush()
        ended = {"events": [asdict(event) for event in saboteur.events], "modules": list(sys.modules)}
        draft = report.with_name(f"{report.name}.draft")
        draft.write_text(json.dumps(ended), "utf-8")
        draft.replace(report)  # whole or not at all, whenever the kill comes
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def told(report: Path, code: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(report.read_text("utf-8")) if report.exists() else {"events": []}
    for name in ("out", "err"):
        path = Path(f"{report}.{name}")
        found[name] = path.read_text("utf-8") if path.exists() else ""
        path.unlink(missing_ok=True)
    report.unlink(missing_ok=True)
    return {**found, "code": code}


def turn_back_the_clock() -> None:
    looks = iter(range(10**9))
    now = time.time
    time.time = lambda: now() - 3600 * next(looks)
    time.time_ns = lambda: int(time.time() * 10**9)


if __name__ == "__main__":
    if sys.argv[1:] == ["backwards"]:
        turn_back_the_clock()
    serve()
