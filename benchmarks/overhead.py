"""What agentctl adds: the start of its commands, the time between two model calls, the growth of the journal.

    python benchmarks/overhead.py [--turns 20] [--repeat 5]

Everything is measured in one run, against bare clients that make the same calls to the same loopback
server. Times are medians of wall-clock time; nothing leaves the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

from loopback.replies import Scripted, call, text  # noqa: E402
from loopback.server import LoopbackServer, Seen  # noqa: E402

SUPPORT = ROOT / "teams" / "support"
TEAM = """
name: looper
model: {id: openai/gpt-4o-mini, base_url: "%s"}
instructions: Call the tool until it is enough.
tools: [{function: "tools:look", idempotent: true}]
limits: {turns: unlimited, tool_calls: unlimited}
"""
TOOLS = '''
def look(place: int) -> str:
    """Looks somewhere."""
    return "nothing here"
'''


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        starts(Path(folder), options.repeat)
        between(Path(folder), options.turns, options.repeat)
        growth(Path(folder), options.turns)


def starts(folder: Path, repeat: int) -> None:
    """The whole process of each command that answers without a model."""
    question = "What's the balance on account ACC-123?"
    done = command(folder, "run", "--json", str(SUPPORT), question)
    run_id = json.loads(done.stdout)["run_id"]
    print("start to end of a command, seconds")
    for words in (
        ["--help"],
        ["--version"],
        ["runs"],
        ["show", run_id],
        ["validate", "--no-import", str(SUPPORT)],
        ["validate", str(SUPPORT)],
        ["run", str(SUPPORT), question],
    ):
        seconds = median(repeat, lambda words=words: command(folder, *words))
        heavy = sorted(imported(folder, words) & {"litellm", "openai"})
        shown = " ".join(Path(word).name if word.startswith("/") else word for word in words)
        print(
            f"  {seconds:6.3f}  {shown[:60]:60}  imports {', '.join(heavy) or 'neither litellm nor openai'}"
        )


def between(folder: Path, turns: int, repeat: int) -> None:
    """One agent that makes `turns` model calls, each but the last with a tool call."""
    with LoopbackServer(lambda seen: reply(seen, turns)) as server:
        os.environ["OPENAI_API_KEY"] = "sk-none"
        rows = {
            "bare openai client": lambda: bare_openai(server.base_url, turns),
            "bare litellm": lambda: bare_litellm(server.base_url, turns),
            "agentctl, in memory": lambda: ours(folder, server.base_url, durable=False),
            "agentctl, journal synced": lambda: ours(folder, server.base_url, durable=True),
        }
        took = {name: asyncio.run(timed(work, repeat)) for name, work in rows.items()}
    print(f"\n{turns} model calls in a row on a warm process, milliseconds a call")
    for name, seconds in took.items():
        more = (seconds - took["bare openai client"]) / turns * 1000
        print(f"  {seconds / turns * 1000:7.2f}  {name:26}  {more:+6.2f} against the bare openai client")


def growth(folder: Path, turns: int) -> None:
    """Bytes of the journal for runs of different length."""
    print("\njournal of a run, bytes")
    for length in (turns, turns * 2, turns * 4):
        with LoopbackServer(lambda seen, length=length: reply(seen, length)) as server:
            runs = folder / f"runs-{length}"
            asyncio.run(ours(folder, server.base_url, durable=True, runs=runs))
        size = next(runs.glob("*/journal.jsonl")).stat().st_size
        print(f"  {size:8}  {length} turns, {size / length:.0f} a turn")


def reply(seen: Seen, turns: int) -> Scripted:
    done = sum(message["role"] == "assistant" for message in seen.messages)
    return text("Enough.") if done == turns - 1 else call("look", {"place": done})


async def bare_openai(base_url: str, turns: int) -> None:
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=base_url, api_key="sk-none", max_retries=0) as client:
        for messages in conversations(turns):
            await client.chat.completions.create(model="gpt-4o-mini", messages=messages)


async def bare_litellm(base_url: str, turns: int) -> None:
    import litellm

    litellm.suppress_debug_info = True
    for messages in conversations(turns):
        await litellm.acompletion(
            model="openai/gpt-4o-mini", base_url=base_url, api_key="sk-none", messages=messages
        )


def conversations(turns: int) -> list[list[dict[str, object]]]:
    """The messages of each call, as the agent's loop would send them."""
    found: list[list[dict[str, object]]] = []
    messages: list[dict[str, object]] = [{"role": "user", "content": "Look."}]
    for turn in range(turns):
        found.append(list(messages))
        function = {"name": "look", "arguments": f'{{"place": {turn}}}'}
        made = {"id": f"call_{turn}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [made]})
        messages.append({"role": "tool", "tool_call_id": made["id"], "content": "nothing here"})
    return found


async def ours(folder: Path, base_url: str, *, durable: bool, runs: Path | None = None) -> None:
    import agentctl

    team = folder / "looper"
    team.mkdir(exist_ok=True)
    (team / "team.yaml").write_text(TEAM % base_url, encoding="utf-8")
    (team / "tools.py").write_text(TOOLS, encoding="utf-8")
    view = await agentctl.run(team, "Look.", durable=durable, runs_dir=runs or folder / "runs")
    assert view.answer == "Enough.", view


async def timed(work: Callable[[], Awaitable[None]], repeat: int) -> float:
    """Median seconds; the first time warms up and does not count."""
    found = []
    for _ in range(repeat + 1):
        began = time.perf_counter()
        await work()
        found.append(time.perf_counter() - began)
    return statistics.median(found[1:])


def median(repeat: int, work: Callable[[], object]) -> float:
    found = []
    for _ in range(repeat + 1):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return statistics.median(found[1:])


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agentctl", *words], cwd=folder, capture_output=True, text=True, check=True
    )


def imported(folder: Path, words: list[str]) -> set[str]:
    """The top-level modules that the command's process imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "agentctl", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


if __name__ == "__main__":
    main()
