"""What running many agents at once costs: time on the clock, and memory.

    python benchmarks/parallel.py [--repeat 5] [--delay 0.2]

A `parallel` team of 50 agents and one of 1,000, each agent one model call of 200 ms, against a bare client
that makes the same calls. Everything is measured in one run against one loopback server in a process of
its own; each row is a process of its own too, whose peak memory the system tells. Times are medians after
a first time that does not count; nothing leaves the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
IN_FLIGHT = 100
"""Calls of a run under way at once at the most; the bare client keeps to it too."""
ROWS = {
    "bare": "bare openai client",
    "memory": "agentctl, in memory",
    "durable": "agentctl, journal synced",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--delay", type=float, default=0.2, help="seconds that each model call takes")
    parser.add_argument("--row", nargs=3, metavar=("ROW", "AGENTS", "URL"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.row:
        row, agents, url = options.row
        measured(row, int(agents), url, options.repeat)
        return
    with tempfile.TemporaryDirectory() as folder, server(Path(folder), options.delay) as url:
        for agents in (50, 1000):
            table(agents, url, options)


def table(agents: int, url: str, options: argparse.Namespace) -> None:
    least = -(-agents // IN_FLIGHT) * options.delay
    print(f"{agents} agents at once, {options.delay * 1000:.0f} ms a call: {least:.1f} s at the least")
    for row, name in ROWS.items():
        took, peak = child(row, agents, url, options.repeat)
        more = (took - least) / agents * 1000
        print(f"  {took:6.2f} s  {peak:5.0f} MiB  {name:26}  {more:+5.2f} ms an agent")


def child(row: str, agents: int, url: str, repeat: int) -> tuple[float, float]:
    """Seconds, and the peak of the process's memory in MiB."""
    words = ["--repeat", str(repeat), "--row", row, str(agents), url]
    done = subprocess.run([sys.executable, __file__, *words], stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout)
    return found["seconds"], found["peak"]


@contextmanager
def server(folder: Path, delay: float) -> Iterator[str]:
    """The loopback server in a process of its own; every call takes so many seconds."""
    rules = folder / "rules.json"
    rules.write_text(json.dumps([{"answer": {"text": "Done.", "delay": delay}}]), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "loopback", str(rules)],
        cwd=ROOT / "tests",
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'tests'}{os.pathsep}{ROOT}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait()


def measured(row: str, agents: int, url: str, repeat: int) -> None:
    """Prints what one row took, as JSON."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["OPENAI_API_KEY"] = "sk-none"
    with tempfile.TemporaryDirectory() as folder:
        team(Path(folder), agents, url)
        work: Callable[[], Awaitable[None]]
        if row == "bare":
            work = lambda: bare(agents, url)  # noqa: E731
        else:
            work = lambda: ours(Path(folder), agents, durable=row == "durable")  # noqa: E731
        seconds = asyncio.run(timed(work, repeat))
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(json.dumps({"seconds": seconds, "peak": peak}))


def team(folder: Path, agents: int, url: str) -> None:
    members = [
        {"name": f"agent_{number}", "description": f"Does {number}", "instructions": "Answer in a word."}
        for number in range(agents)
    ]
    whole = {
        "name": "panel",
        "model": {"id": "openai/gpt-4o-mini", "base_url": url},
        "strategy": "parallel",
        "agents": members,
    }
    (folder / "team.yaml").write_text(json.dumps(whole, indent=1), encoding="utf-8")


async def bare(agents: int, url: str) -> None:
    from openai import AsyncOpenAI

    room = asyncio.Semaphore(IN_FLIGHT)
    async with AsyncOpenAI(base_url=url, api_key="sk-none", max_retries=0) as client:

        async def one() -> None:
            async with room:
                await client.chat.completions.create(
                    model="gpt-4o-mini",
                    messages=[
                        {"role": "system", "content": "Answer in a word."},
                        {"role": "user", "content": "Well?"},
                    ],
                )

        async with asyncio.TaskGroup() as group:
            for _ in range(agents):
                group.create_task(one())


async def ours(folder: Path, agents: int, *, durable: bool) -> None:
    import agentctl

    view = await agentctl.run(folder, "Well?", durable=durable, runs_dir=folder / "runs")
    assert len(view.answers) == agents, view.error


async def timed(work: Callable[[], Awaitable[None]], repeat: int) -> float:
    """Median seconds; the first time warms up and does not count."""
    found = []
    for _ in range(repeat + 1):
        began = time.perf_counter()
        await work()
        found.append(time.perf_counter() - began)
    return statistics.median(found[1:])


if __name__ == "__main__":
    main()
