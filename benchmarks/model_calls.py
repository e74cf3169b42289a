"""Model calls by agentctl beside bare clients and the frameworks people use, in one run.

    python benchmarks/model_calls.py [--repeat 7] [--json FILE]

Cold: the whole process for the support question (three calls, one tool), also with a model of another
provider, beside the bare import of litellm that such a model takes. Warm: the support question, ten
agents in a chain and fifty at once, with a server that takes 50 ms a call; agentctl's journal is synced,
and the bare openai client makes as many `fdatasync`s as that journal did. Nothing leaves the machine.
Frameworks come from the dependency group `bench`; one that is missing is said to be.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

from rows import AT_ONCE, BALANCE, CHAIN  # noqa: E402

from loopback.replies import Answer, Call, Scripted  # noqa: E402
from loopback.server import LoopbackServer, Seen  # noqa: E402

NEEDS = {
    "openai": ("openai",),
    "litellm": ("litellm",),
    "openai-agents": ("agents",),
    "langgraph": ("langgraph", "langgraph.checkpoint.sqlite", "langchain_openai"),
    "agentctl": ("agentctl",),
}
JOBS = {"support": 3, "chain": CHAIN, "at_once": AT_ONCE}
DELAY = 0.05


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    results: dict[str, dict[str, dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        write_teams(Path(folder))
        results["cold"] = cold(Path(folder), options.repeat)
        show_cold(results["cold"])
        results["provider"] = provider(Path(folder), options.repeat)
        show_provider(results["provider"])
        for job in JOBS:
            results[job] = warm(Path(folder), job, options.repeat)
            show_warm(job, results[job])
    missing = [row for row in NEEDS if row not in present()]
    if missing:
        print(f"\nnot there: {', '.join(missing)} (install the dependency group `bench`)")
    if options.json is not None:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")


def cold(folder: Path, repeat: int) -> dict[str, dict[str, float]]:
    """Seconds and megabytes of a whole process, median; rows take turns, so that a slow moment hits all."""
    with LoopbackServer(lambda seen: reply(seen, 0)) as server:
        words = {row: command(row, server.base_url, folder) for row in present()}
        return processes(words, folder, environment(server.base_url), repeat)


def provider(folder: Path, repeat: int) -> dict[str, dict[str, float]]:
    """The same by a model that litellm carries, in its provider's own protocol, and what its import takes."""
    words = {
        "import litellm": [sys.executable, "-c", "import litellm"],
        "agentctl, anthropic/…": [sys.executable, "-m", "agentctl", "run", str(folder / "claude"), BALANCE],
    }
    with LoopbackServer(lambda seen: reply(seen, 0)) as server:
        own = {"ANTHROPIC_API_KEY": "sk-none", "ANTHROPIC_API_BASE": server.address}
        return processes(words, folder, {**environment(server.base_url), **own}, repeat)


def processes(
    words: dict[str, list[str]], folder: Path, environ: dict[str, str], repeat: int
) -> dict[str, dict[str, float]]:
    found: dict[str, list[tuple[float, float]]] = {row: [] for row in words}
    for _ in range(repeat + 1):
        for row, taken in found.items():
            taken.append(whole_process(words[row], folder, environ))
    return {
        row: {
            "seconds": statistics.median(seconds for seconds, _ in taken[1:]),
            "megabytes": max(size for _, size in taken[1:]),
        }
        for row, taken in found.items()
    }


def command(row: str, url: str, folder: Path) -> list[str]:
    """agentctl as a person starts it; the others as a script that does the same."""
    if row == "agentctl":
        return [sys.executable, "-m", "agentctl", "run", str(folder / "support"), BALANCE]
    return [*child(row, "support", url, folder), "0", "once"]


def warm(folder: Path, job: str, repeat: int) -> dict[str, dict[str, float]]:
    """Seconds of the job in processes that have done it before, median; the rows take turns here too."""
    took: dict[str, list[float]] = {row: [] for row in present()}
    with LoopbackServer(lambda seen: reply(seen, DELAY)) as server:
        once(folder, job, server.base_url)
        syncs = {row: syncs_of_newest(folder) if row in ("openai", "agentctl") else 0 for row in took}
        running = {row: begun(row, job, server.base_url, folder, syncs[row]) for row in took}
        for _ in range(repeat + 2):
            for row, seconds in took.items():
                seconds.append(float(asked(running[row])))
        for process in running.values():
            process.communicate()
    return {
        row: {"seconds": statistics.median(seconds[2:]), "syncs": syncs[row]} for row, seconds in took.items()
    }


def once(folder: Path, job: str, url: str) -> None:
    """agentctl's run of the job, which tells how often its journal is synced."""
    subprocess.run([*child("agentctl", job, url, folder), "0", "once"], env=environment(url), check=True)


def begun(row: str, job: str, url: str, folder: Path, syncs: int) -> subprocess.Popen[str]:
    words = [*child(row, job, url, folder), str(syncs)]
    pipe = subprocess.PIPE
    return subprocess.Popen(words, cwd=folder, env=environment(url), stdin=pipe, stdout=pipe, text=True)


def asked(process: subprocess.Popen[str]) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout.readline()


def child(row: str, job: str, url: str, folder: Path) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("rows.py")), row, job, url, str(folder)]


def whole_process(words: list[str], folder: Path, environ: dict[str, str]) -> tuple[float, float]:
    """Seconds, and the most memory the process had, in MB."""
    began = time.perf_counter()
    process = subprocess.Popen(
        words, cwd=folder, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    scale = 1 if sys.platform == "darwin" else 1024
    return time.perf_counter() - began, usage.ru_maxrss * scale / 1_000_000


def environment(url: str) -> dict[str, str]:
    return {**os.environ, "OPENAI_API_KEY": "sk-none", "OPENAI_BASE_URL": url, "NO_COLOR": "1"}


def syncs_of_newest(folder: Path) -> int:
    """How often the newest run's journal was synced: each batch is one."""
    newest = max((folder / "runs").glob("*/journal.jsonl"), key=lambda path: path.stat().st_mtime)
    lines = newest.read_text(encoding="utf-8").splitlines()
    return len({json.loads(line)["batch"] for line in lines})


def reply(seen: Seen, delay: float) -> Scripted:
    """A transfer where one is offered, a look-up, and an answer once it was looked up."""
    transfer = next((name for name in seen.tools if name == "transfer_to_billing"), None)
    if transfer:
        made = Call(id="call_transfer", name=transfer, arguments={"reason": "a balance"})
        return Answer(calls=[made], delay=delay)
    if "check_balance" in seen.tools and '"check_balance"' not in json.dumps(seen.messages):
        made = Call(id="call_look", name="check_balance", arguments={"account_id": "ACC-123"})
        return Answer(calls=[made], delay=delay)
    return Answer(text="Your balance is 5432.10 USD.", delay=delay)


def write_teams(folder: Path) -> None:
    model = "openai/gpt-4o-mini"
    leaves = [f"  - {{name: a{n}, description: Does {n}, instructions: Go on.}}" for n in range(AT_ONCE)]
    support = (ROOT / "teams" / "support" / "team.yaml").read_text(encoding="utf-8")
    texts = {
        "support": support.replace("${AGENTCTL_MODEL:-offline}", model),
        "claude": support.replace("${AGENTCTL_MODEL:-offline}", "anthropic/claude-sonnet-4-5"),
        "chain": "\n".join([f"name: chain\nmodel: {model}\nstrategy: sequential\nagents:", *leaves[:CHAIN]]),
        "at_once": "\n".join([f"name: crowd\nmodel: {model}\nstrategy: parallel\nagents:", *leaves]),
    }
    for name, text in texts.items():
        (folder / name).mkdir()
        (folder / name / "team.yaml").write_text(text, encoding="utf-8")
    tools = (ROOT / "teams" / "support" / "tools.py").read_text(encoding="utf-8")
    for name in ("support", "claude"):
        (folder / name / "tools.py").write_text(tools, encoding="utf-8")


def present() -> list[str]:
    return [row for row, modules in NEEDS.items() if all(is_there(module) for module in modules)]


def is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def show_cold(found: dict[str, dict[str, float]]) -> None:
    print("cold: the whole process for the support question")
    bare = found["openai"]["seconds"]
    for row, got in found.items():
        times = got["seconds"] / bare
        print(f"  {got['seconds']:7.3f} s  {got['megabytes']:5.0f} MB  {times:5.2f} x  {row}", flush=True)


def show_provider(found: dict[str, dict[str, float]]) -> None:
    print("\ncold: the same with a model that litellm carries")
    bare = found["import litellm"]["seconds"]
    for row, got in found.items():
        later = got["seconds"] - bare
        print(f"  {got['seconds']:7.3f} s  {got['megabytes']:5.0f} MB  {later:+5.2f} s  {row}", flush=True)


def show_warm(job: str, found: dict[str, dict[str, float]]) -> None:
    print(f"\nwarm: {job.replace('_', ' ')}, {JOBS[job]} calls of {DELAY * 1000:.0f} ms")
    bare = found["openai"]["seconds"]
    for row, got in found.items():
        synced = f", {got['syncs']:.0f} fdatasyncs" if got["syncs"] else ""
        times = got["seconds"] / bare
        print(f"  {got['seconds'] * 1000:7.1f} ms  {times:5.2f} x  {row}{synced}", flush=True)


if __name__ == "__main__":
    main()
