"""What durability costs: steps a second, bytes a step, syncs of one question, the resume of a long run.

    pip install --group bench        # LangGraph and its SQLite checkpointer, for the last row
    python benchmarks/durability.py [--steps 2000] [--long 10000]

A step is a unit of work that is on the disk before the next one of its branch begins. Each row stores the
same result of 200 characters a step: bare lines with one sync each, SQLite in WAL mode with FULL sync and a
transaction a step, this project's journal, and two whole engines, which do more than store: LangGraph with
its SQLite checkpointer, and agentctl with a scripted model. All is measured in one run on one disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULT = "x" * 200
BRANCHES = (1, 40, 1000)
SUPPORT = ROOT / "teams" / "support"

Measured = tuple[float, int, int]
"""(seconds, bytes on disk, syncs or 0 where they are not known)."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=2000, help="of each row, shared among its branches")
    parser.add_argument("--long", type=int, default=10_000, help="steps of the run that is resumed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        storing(Path(folder), options.steps)
        one_question(Path(folder))
        long_runs(Path(folder), options.long)


def storing(folder: Path, steps: int) -> None:
    rows: dict[str, Callable[[Path, int, int], Awaitable[Measured]]] = {
        "bare append and sync": bare,
        "SQLite, WAL, synchronous=FULL": sqlite,
        "the journal": journal,
        "agentctl, whole": whole,
        "LangGraph, SQLite checkpointer": langgraph,
    }
    print(f"{'':32}" + "".join(f"{f'{count} at once':>34}" for count in BRANCHES))
    print(f"{'':32}" + f"{'steps/s':>12}{'bytes/step':>11}{'syncs/step':>11}" * len(BRANCHES))
    for name, row in rows.items():
        if row is langgraph and not has_langgraph():
            print(f"{name:32}  not installed: pip install --group bench")
            continue
        cells = []
        for branches in BRANCHES:
            each = max(steps // branches, 2)
            place = folder / f"{row.__name__}-{branches}"
            place.mkdir()
            seconds, size, syncs = asyncio.run(row(place, branches, each))
            total = each * branches
            shown = f"{syncs / total:>11.3f}" if syncs else f"{'?':>11}"
            cells.append(f"{total / seconds:>12.0f}{size / total:>11.0f}{shown}")
        print(f"{name:32}{''.join(cells)}")


async def all_at_once(branches: int, work: Callable[[int], Awaitable[None]]) -> float:
    began = time.perf_counter()
    await asyncio.gather(*(work(number) for number in range(branches)))
    return time.perf_counter() - began


async def bare(folder: Path, branches: int, steps: int) -> Measured:
    descriptor = os.open(folder / "lines", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    async def work(branch: int) -> None:
        for step in range(steps):
            line = json.dumps({"step": f"{branch}/{step}", "out": RESULT}) + "\n"
            os.write(descriptor, line.encode())
            os.fdatasync(descriptor)
            await asyncio.sleep(0)

    seconds = await all_at_once(branches, work)
    os.close(descriptor)
    return seconds, size_of(folder), branches * steps


async def sqlite(folder: Path, branches: int, steps: int) -> Measured:
    connection = sqlite3.connect(folder / "steps.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE steps (step TEXT PRIMARY KEY, out TEXT)")

    async def work(branch: int) -> None:
        for step in range(steps):
            connection.execute("INSERT INTO steps VALUES (?, ?)", (f"{branch}/{step}", RESULT))
            await asyncio.sleep(0)

    seconds = await all_at_once(branches, work)
    connection.close()  # which writes the log back
    return seconds, size_of(folder), 0


async def journal(folder: Path, branches: int, steps: int) -> Measured:
    """Two records a step, its start and its end, as the engine has them."""
    from agentctl.journal.directory import create_run, open_run

    place = create_run(
        folder / "runs", run_id="r1", team="t", header={}, team_yaml="name: t\n", now=datetime.now(UTC)
    )
    held = open_run(place.path)

    async def work(branch: int) -> None:
        for step in range(steps):
            held.append("tool.started", f"{branch}/{step}", {"in": "0" * 16})
            await held.append("tool.completed", f"{branch}/{step}", {"in": "0" * 16, "out": RESULT})

    seconds = await all_at_once(branches, work)
    await held.close()
    return seconds, size_of(folder), held.syncs


async def whole(folder: Path, branches: int, steps: int) -> Measured:
    """Model and tool calls of a parallel team; half of the steps are the one, half the other."""
    import agentctl

    write_team(folder, branches, max(steps // 2, 1))
    before = time.perf_counter()
    with counted_syncs() as syncs:
        view = await agentctl.run(folder, "Go.", run_id="r1", runs_dir=folder / "runs")
    seconds = time.perf_counter() - before
    assert view.status == "completed", view.error
    done = sum(one.model_calls + one.tool_calls for one in view.executions)
    scale = branches * steps / done
    journal_size = (folder / "runs" / "r1" / "journal.jsonl").stat().st_size
    return seconds * scale, round(journal_size * scale), round(sum(syncs.values()) * scale)


async def langgraph(folder: Path, branches: int, steps: int) -> Measured:
    """A graph of one node that goes round `steps` times, a thread a branch; each round is checkpointed."""
    from typing import TypedDict

    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.graph import END, START, StateGraph

    class State(TypedDict):
        count: int
        out: str

    graph = StateGraph(State)
    graph.add_node("work", lambda state: {"count": state["count"] + 1, "out": RESULT})
    graph.add_edge(START, "work")
    graph.add_conditional_edges("work", lambda state: END if state["count"] >= steps else "work")
    async with AsyncSqliteSaver.from_conn_string(str(folder / "checkpoints.db")) as saver:
        app = graph.compile(checkpointer=saver)

        async def work(branch: int) -> None:
            config: Any = {"configurable": {"thread_id": str(branch)}, "recursion_limit": steps + 10}
            await app.ainvoke({"count": 0, "out": ""}, config, durability="sync")

        seconds = await all_at_once(branches, work)
    return seconds, size_of(folder), 0


def has_langgraph() -> bool:
    return all(find_spec(name) for name in ("langgraph", "aiosqlite")) and bool(
        find_spec("langgraph.checkpoint.sqlite")
    )


class counted_syncs:  # noqa: N801 - used as a statement
    """Counts this process's syncs by file while it is entered."""

    def __enter__(self) -> Counter[str]:
        self.real, found = os.fdatasync, Counter[str]()

        def counting(descriptor: int) -> None:
            found[Path(f"/proc/self/fd/{descriptor}").readlink().name] += 1
            self.real(descriptor)

        os.fdatasync = counting
        return found

    def __exit__(self, *_: object) -> None:
        os.fdatasync = self.real


def one_question(folder: Path) -> None:
    """The syncs of the support team's question: to create the run, and while it works."""
    import agentctl

    question = "What's the balance on account ACC-123?"
    asyncio.run(agentctl.run(SUPPORT, question, runs_dir=folder / "question"))
    with counted_syncs() as syncs:
        view = asyncio.run(agentctl.run(SUPPORT, question, runs_dir=folder / "question"))
    steps = sum(one.model_calls + one.tool_calls for one in view.executions)
    during = syncs.pop("journal.jsonl")
    print(f"\nsyncs of one question to the support team, which takes {steps} model and tool calls")
    print(f"  {sum(syncs.values()):3}  to create its run directory ({len(syncs)} files and folders)")
    print(f"  {during:3}  of its journal")


def long_runs(folder: Path, steps: int) -> None:
    """A long run whose last record is lost, resumed by a fresh process: the least wall-clock and processor
    time of five, which differ on a machine that has other work, and the peak memory."""
    print(f"\nresume of a run of {steps} steps in a process of its own")
    for name, branches in (("1,000 branches", 1000), ("100 branches", 100), ("10 branches", 10)):
        place = folder / f"long-{branches}"
        place.mkdir()
        write_team(place, branches, max(steps // branches // 2, 1))
        environ = {**os.environ, "AGENTCTL_RUNS_DIR": str(place / "runs")}
        command = [sys.executable, "-m", "agentctl"]
        subprocess.run(
            [*command, "run", str(place), "Go.", "--run-id", "r1"],
            env=environ,
            capture_output=True,
            check=True,
        )
        path = place / "runs" / "r1" / "journal.jsonl"
        lines = path.read_bytes().splitlines(keepends=True)
        done = sum(b'"ev":"model.completed"' in line or b'"ev":"tool.completed"' in line for line in lines)
        times, busy, most = [], [], 0
        for _ in range(5):
            path.write_bytes(b"".join(lines[:-1]))
            (place / "runs" / "r1" / "result.json").unlink(missing_ok=True)
            seconds, processor, memory = in_a_process([*command, "resume", "r1", "--quiet"], environ)
            times.append(seconds)
            busy.append(processor)
            most = max(most, memory)
        size = path.stat().st_size / 1e6
        what = f"{name}: {done} steps, {len(lines)} records, {size:.1f} MB"
        print(f"  {min(times):6.2f} s  {min(busy):6.2f} s of processor  {most / 1024:5.0f} MB  {what}")
        shutil.rmtree(place)


def in_a_process(command: list[str], environ: dict[str, str]) -> tuple[float, float, int]:
    """(seconds, processor seconds, peak memory in KiB) of a command that must succeed."""
    began = time.perf_counter()
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    assert status == 0, process.stderr and process.stderr.read()
    process.returncode = 0
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss


def write_team(folder: Path, branches: int, rounds: int) -> None:
    """A parallel team whose members each make `rounds` tool calls, one a turn, and then answer."""
    members = [
        {
            "name": f"m{number}",
            "description": f"Does {number}",
            "tools": [{"function": "tools:look", "idempotent": True}],
            "limits": {"turns": "unlimited", "tool_calls": "unlimited", "time": "unlimited"},
        }
        for number in range(branches)
    ]
    limits = {"tokens": "unlimited", "cost_usd": "unlimited", "time": "unlimited"}
    team = {
        "name": "team",
        "model": "script:models.yaml",
        "strategy": "parallel",
        "limits": limits,
        "agents": members,
    }
    look = {"calls": [{"name": "look", "arguments": {"place": 1}}], "repeat": rounds}
    (folder / "team.yaml").write_text(json.dumps(team), "utf-8")
    (folder / "models.yaml").write_text(json.dumps({"agents": {"*": [look, "Enough."]}}), "utf-8")
    (folder / "tools.py").write_text(
        f'async def look(place: int) -> str:\n    """Looks."""\n    return "{RESULT}"\n', "utf-8"
    )


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
