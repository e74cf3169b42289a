"""How fast `agentctl validate` is, and how its memory grows with the team.

    python benchmarks/validate.py [--repeat 5]

Whole processes, all in one run: medians of the wall-clock time (and of the CPU time, which a busy machine
leaves alone), and of the largest resident set.
A team of many agents is forty groups, each agent with a description, instructions, limits and a tool.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
SUPPORT: Final = ROOT / "teams" / "support"
GROUPS: Final = 40
TOOLS: Final = '''
def look_up(topic: str) -> str:
    """Look a topic up."""
    return topic
'''
# What each must stay under, in seconds, on a machine of two cores.
BOUNDS: Final = {"small": 0.5, "small, --no-import": 0.3, "2,000 agents": 3.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    seconds: float
    cpu: float
    megabytes: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    small(repeat)
    with tempfile.TemporaryDirectory() as folder:
        many(Path(folder), repeat)


def small(repeat: int) -> None:
    print("a small team with its tools")
    for name, options in (("small", []), ("small, --no-import", ["--no-import"])):
        show(name, measure([str(SUPPORT), *options], repeat))


def many(folder: Path, repeat: int) -> None:
    """Agents, and what each further one adds to the memory."""
    print("teams of many agents, with their tools")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    first: tuple[int, float] | None = None
    for agents in (500, 1000, 2000):
        (folder / "team.yaml").write_text(team(agents), encoding="utf-8")
        measured = measure([str(folder)], repeat)
        more = ""
        if first is not None:
            each = (measured.megabytes - first[1]) * 1024 / (agents - first[0])
            more = f"{each:6.1f} KiB for each agent beyond {first[0]}"
        first = first or (agents, measured.megabytes)
        show(f"{agents:,} agents", measured, more)


def team(agents: int) -> str:
    lines = ["name: desk", "model: offline", "instructions: Route.", "strategy: handoff", "agents:"]
    for group in range(min(GROUPS, agents)):
        lines += [
            f"  - name: group{group}",
            f"    description: All about region{group}",
            "    instructions: Route each request to the agent of its topic.",
            "    agents:",
        ]
        for number in range(group, agents, GROUPS):
            lines += [
                f"      - name: agent{number}",
                f"        description: Questions on topic{number} and subject{number} of region{group}",
                f'        instructions: "You answer what people ask about topic{number}: look it up first."',
                '        tools: [{function: "tools:look_up", idempotent: true}]',
                "        limits: {turns: 5, time: 60s}",
            ]
    return "\n".join(lines) + "\n"


def measure(arguments: list[str], repeat: int) -> Measured:
    runs = [run(arguments) for _ in range(repeat)]
    return Measured(
        seconds=statistics.median(each.seconds for each in runs),
        cpu=statistics.median(each.cpu for each in runs),
        megabytes=statistics.median(each.megabytes for each in runs),
    )


def run(arguments: list[str]) -> Measured:
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "agentctl", "validate", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"validate {' '.join(arguments)} ended with {process.returncode}")
    scale = 1024 if sys.platform != "darwin" else 1024**2  # KiB on Linux, bytes on macOS
    cpu = usage.ru_utime + usage.ru_stime
    return Measured(seconds=seconds, cpu=cpu, megabytes=usage.ru_maxrss / scale)


def show(name: str, measured: Measured, more: str = "") -> None:
    bound = BOUNDS.get(name)
    told = f"(bound {bound:.1f} s)" if bound else ""
    times = f"{measured.seconds:6.2f} s {told:14} {measured.cpu:6.2f} s of CPU"
    print(f"  {name:20} {times} {measured.megabytes:6.1f} MiB {more}".rstrip())


if __name__ == "__main__":
    main()
