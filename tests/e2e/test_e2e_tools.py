"""Tools in whole processes: calls at once, printing, results too long to show, questions to a person."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentctl.jsontypes import JsonObject, as_object, as_text
from e2e.command import Desk, killed_when
from terminal import Terminal

TOOLS = '''
import asyncio, os, pathlib, subprocess, sys, threading, time
from agentctl import ToolContext

def count(name):
    with open(name, "a") as file:
        file.write("x")
    return len(pathlib.Path(name).read_text())

def pay(amount: int) -> str:
    """Pay."""
    with open("paid", "a") as file:
        file.write(f"{amount}\\n")
    return f"{amount} is paid"

def refund(amount: int) -> str:
    """Refund."""
    return f"{amount} is refunded"

def at_once(n: int) -> str:
    """Waits until ten run."""
    count("running")
    deadline = time.monotonic() + 20
    while len(pathlib.Path("running").read_text()) < 10:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return f"{n}: {len(pathlib.Path('running').read_text())}"

def talks() -> str:
    """Prints."""
    print("printed aloud")
    print("printed aside", file=sys.stderr)
    subprocess.run(["echo", "printed by a program"])
    threading.Timer(0.3, lambda: print("printed late")).start()
    return "said"

def lingers() -> str:
    """Leaves a thread of the standard library behind that prints."""
    import concurrent.futures
    pool = concurrent.futures.ThreadPoolExecutor()
    pool.submit(lambda: (time.sleep(0.4), print("lingering")))
    return "said"

async def stubborn() -> str:
    """Swallows its cancellation."""
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("not yet")
        await asyncio.sleep(60)
    return "never"

async def immortal() -> str:
    """Never ends, whatever it is told."""
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pass

def waits() -> str:
    """Takes long enough for late words to be said."""
    time.sleep(0.6)
    return "waited"

def hangs() -> str:
    """Never ends."""
    while True:
        pass

def long() -> str:
    """Much text."""
    count("long")
    return "".join(f"line {n}\\n" for n in range(10_000))

def dear(tool: str, arguments: dict) -> bool:
    return arguments["amount"] > 100
'''
TEAM = """
name: clerk
model: script:script.yaml
instructions: Work.
tools: [{tools}]
"""


@pytest.fixture
def team(tmp_path: Path) -> Desk:
    (tmp_path / "tools.py").write_text(TOOLS, "utf-8")
    return Desk(folder=tmp_path)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def write(desk: Desk, tools: str, *turns: str) -> None:
    listed = "\n".join(f"    - {turn}" for turn in turns)
    (desk.folder / "team.yaml").write_text(TEAM.format(tools=tools), "utf-8")
    (desk.folder / "script.yaml").write_text(f"agents:\n  clerk:\n{listed}\n", "utf-8")


def records(desk: Desk, ev: str) -> list[JsonObject]:
    lines = (desk.runs[0] / "journal.jsonl").read_text("utf-8").splitlines()
    return [record for record in map(json.loads, lines) if record["ev"] == ev]


def results(desk: Desk) -> list[str]:
    return [as_text(as_object(record["out"])["text"]) for record in records(desk, "tool.completed")]


def calls(*made: str) -> str:
    return "calls: [" + ", ".join(f"{{{one}}}" for one in made) + "]"


PAY = "name: pay, arguments: {amount: 3}"


def test_the_calls_of_a_turn_run_at_once_and_never_more_than_ten(team: Desk) -> None:
    write(
        team, "tools:at_once", calls(*(f"name: at_once, arguments: {{n: {n}}}" for n in range(12))), "Done."
    )
    done = team("run", ".", "go")
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    told = results(team)
    assert len(told) == 12
    started = [int(text.partition(": ")[2]) for text in told]
    assert min(started) == 10


def test_what_tools_print_is_on_record_and_never_on_stdout(team: Desk) -> None:
    write(team, "tools:talks, tools:waits", calls("name: talks"), calls("name: waits"), "Done.")
    done = team("run", ".", "go")
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    assert "printed by a program" in done.stderr
    (talked, _) = records(team, "tool.completed")
    assert "printed aloud\n" in as_text(talked["printed"])
    assert "printed aside\n" in as_text(talked["printed"])


def test_words_that_come_after_their_call_are_not_on_stdout(team: Desk) -> None:
    write(
        team, "tools:talks, tools:lingers", calls("name: talks", "name: lingers"), "{text: Done., delay: 1s}"
    )
    done = team("run", ".", "go")
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    assert "printed late" in done.stderr
    assert "lingering" in done.stderr


def test_a_hanging_call_ends_for_the_run_and_what_it_prints_later_is_not_on_stdout(team: Desk) -> None:
    names = ("hangs", "stubborn", "immortal")
    tools = ", ".join(f'{{function: "tools:{name}", timeout: 300ms}}' for name in names)
    write(team, tools, calls(*(f"name: {name}" for name in names)), "Done.")
    done = team("run", ".", "go")
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    assert all("may still be running" in text for text in results(team))


def test_a_result_that_is_cut_can_be_read_on_in_also_after_a_kill(team: Desk) -> None:
    write(
        team,
        '{function: "tools:long", max_output: 500}, tools:hangs',
        calls("name: long"),
        calls("name: hangs"),
    )
    killed_when(team.start("run", ".", "go"), lambda: bool(hanging(team)))
    (text,) = results(team)
    output = text.rpartition('id "')[2].partition('"')[0]
    offset = text.rpartition("offset ")[2].rstrip(".]")
    read = f'name: read_output, arguments: {{id: "{output}", offset: {offset}}}'
    write(
        team,
        "",
        calls("name: long"),
        calls("name: hangs"),
        calls(read),
        calls('name: read_output, arguments: {id: "out-0000000000"}'),
        "Done.",
    )
    (step,) = hanging(team)
    done = team("resume", team.run_id, "--skip", as_text(step["step"]))
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    assert (team.folder / "long").read_text("utf-8") == "x", "not called again"
    whole = "".join(f"line {n}\n" for n in range(10_000))
    given, refused = results(team)[-2:]
    assert whole[int(offset) :].startswith(given.rpartition("\n[Characters ")[0])
    assert len(given) > 15_000
    assert output in refused
    offered = [record["tools"] for record in records(team, "model.started")]
    assert offered[0] == ["long", "hangs"]
    assert offered[1] == ["long", "hangs", "read_output"], "only once something was cut"


def hanging(team: Desk) -> list[JsonObject]:
    try:
        return [record for record in records(team, "tool.started") if record["tool"] == "hangs"]
    except (OSError, IndexError, ValueError):  # not begun, or in the middle of a line
        return []


def test_a_question_waits_for_its_answer(team: Desk) -> None:
    write(
        team,
        "{builtin: ask_person}",
        calls('name: ask_person, arguments: {question: "Which account?"}'),
        "Thanks.",
    )
    waits = team("run", ".", "go", "--json")
    assert waits.returncode == 3
    (open_question,) = json.loads(waits.stdout)["waiting_for"]
    assert open_question["kind"] == "question"
    assert open_question["question"] == "Which account?"
    assert open_question["command"] == f"agentctl resume {team.run_id} --answer TEXT"
    assert "the answer is empty" in team("resume", team.run_id, "--answer", " ").stderr
    assert team("resume", team.run_id, "--approve").returncode == 2
    done = team("resume", team.run_id, "--answer", "ACC-123")
    assert (done.returncode, done.stdout) == (0, "Thanks.\n"), done.stderr
    assert results(team) == ["ACC-123"]


def test_a_question_is_put_at_the_terminal(team: Desk, terminals: list[Terminal]) -> None:
    ask = 'name: ask_person, arguments: {question: "Which account?"}'
    write(team, "{builtin: ask_person}", calls(ask, "name: ask_person"), "Thanks.")
    terminal = team.at_terminal("run", ".", "go")
    terminals.append(terminal)
    terminal.until("answer> ")
    assert "clerk asks: Which account?" in terminal.text
    terminal.send("ACC-123\n")
    assert terminal.end() == (0, "Thanks.\n")
    assert "ACC-123" in results(team)
    assert "needs one argument" in "".join(results(team))


def test_nobody_is_asked_where_it_is_not_listed(team: Desk) -> None:
    write(team, PAY_TOOL, calls('name: ask_person, arguments: {question: "Which account?"}'), "Thanks.")
    done = team("run", ".", "go")
    assert (done.returncode, done.stdout) == (0, "Thanks.\n"), done.stderr
    assert results(team) == ["There is no tool 'ask_person'. Your tools are: pay."]


PAY_TOOL = '{function: "tools:pay", approve: always}'


def test_several_calls_are_agreed_to_one_by_one(team: Desk) -> None:
    write(
        team,
        f'{PAY_TOOL}, {{function: "tools:refund", approve: always}}',
        calls(PAY, "name: refund, arguments: {amount: 4}"),
        "Done.",
    )
    waits = team("run", ".", "go", "--json")
    assert waits.returncode == 3
    first, second = json.loads(waits.stdout)["waiting_for"]
    assert all("--step" in question["command"] for question in (first, second))
    unclear = team("resume", team.run_id, "--approve")
    assert unclear.returncode == 2
    assert "say which with --step" in unclear.stderr
    half = team("resume", team.run_id, "--approve", "--step", first["step"])
    assert half.returncode == 3, half.stderr
    done = team("resume", team.run_id, "--deny", "too late", "--step", second["step"])
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    told = ["3 is paid", "A person did not allow this call (too late). It was not made."]
    assert sorted(results(team)) == told


def test_always_holds_for_the_run_also_after_a_resume(team: Desk, terminals: list[Terminal]) -> None:
    tools = f"{PAY_TOOL}, {{builtin: ask_person}}"
    ask = calls('name: ask_person, arguments: {question: "Go on?"}')
    write(team, tools, calls(PAY, PAY), ask, calls(PAY), "Done.")
    terminal = team.at_terminal("run", ".", "go")
    terminals.append(terminal)
    terminal.until("always (for this run)> ")
    assert "agent: clerk" in terminal.text
    assert "tool: pay" in terminal.text
    assert "amount: 3" in terminal.text
    terminal.send("always\n")
    terminal.until("answer> ")
    terminal.send("\x04")
    assert terminal.end()[0] == 3
    done = team("resume", team.run_id, "--answer", "yes")
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    assert (team.folder / "paid").read_text("utf-8") == "3\n" * 3


def test_always_can_be_said_away_from_a_terminal(team: Desk) -> None:
    write(team, PAY_TOOL, calls(PAY), calls(PAY), "Done.")
    assert team("run", ".", "go").returncode == 3
    assert team("resume", team.run_id, "--always").returncode == 2
    done = team("resume", team.run_id, "--approve", "--always")
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    assert (team.folder / "paid").read_text("utf-8") == "3\n" * 2


def test_a_function_says_when_a_person_must_agree(team: Desk) -> None:
    tools = '{function: "tools:pay", approve: {when: "tools:dear"}}'
    write(team, tools, calls(PAY, "name: pay, arguments: {amount: 300}"), "Done.")
    waits = team("run", ".", "go")
    assert waits.returncode == 3
    assert (team.folder / "paid").read_text("utf-8") == "3\n", "the cheap one needs nobody"
    done = team("resume", team.run_id, "--yes")
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr


def test_yes_agrees_to_every_call(team: Desk) -> None:
    write(team, PAY_TOOL, calls(PAY), "Done.")
    assert team("run", ".", "go", "--yes").returncode == 0
    assert (team.folder / "paid").read_text("utf-8") == "3\n"
