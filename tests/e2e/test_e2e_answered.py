"""Questions to people, answered from another terminal while the process lives, and after it died."""

from __future__ import annotations

import json
import signal
import time
from contextlib import closing

import pytest

from agentctl.jsontypes import JsonObject
from e2e.cast import Stage, agent, crew, looks
from e2e.command import Desk, killed_when, until
from loopback.replies import Answer, Call

SELLS: JsonObject = {"function": "tools:look", "approve": "always"}
APPROVE = "desk/seller.1/turn-1/call-1.look/approve"


def seller() -> JsonObject:
    return agent("seller", tools=[SELLS])


def parallel(*members: JsonObject) -> JsonObject:
    return agent("desk", *members, strategy="parallel")


def slow(name: str, seconds: float = 8) -> Answer:
    return Answer(text=f"{name} is done", delay=seconds)


def events(desk: Desk) -> list[str]:
    return [str(record["ev"]) for record in records(desk)]


def records(desk: Desk) -> list[JsonObject]:
    text = "".join(
        path.read_text("utf-8") for path in desk.folder.glob(".agentctl/runs/[0-9]*/journal.jsonl")
    )
    return [json.loads(line) for line in text.splitlines() if line.endswith("}")]


def test_a_live_run_takes_an_answer_up_while_other_branches_work(stage: Stage, wired: Desk) -> None:
    stage.set(
        parallel(seller(), agent("slow")),
        {"seller": [looks("it"), "sold"], "slow": slow("slow", 5)},
    )
    process = wired.start("run", ".", "Sell it")
    until(lambda: "wait.started" in events(wired))
    began = time.monotonic()
    given = wired("resume", wired.run_id, "--approve")
    assert given.returncode == 0, given.stderr
    until(lambda: stage.looked == ["it"])
    assert time.monotonic() - began < 4, "not when the other branch was through"
    assert process.poll() is None
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert "sold" in out
    assert stage.order.count("seller") == 2
    assert stage.order.count("slow") == 1


def test_a_second_answer_to_the_same_question_is_refused(stage: Stage, wired: Desk) -> None:
    stage.set(parallel(seller(), agent("slow")), {"seller": [looks("it"), "sold"], "slow": slow("slow", 6)})
    process = wired.start("run", ".", "Sell it")
    until(lambda: "wait.started" in events(wired))
    assert wired("resume", wired.run_id, "--deny", "too dear").returncode == 0
    second = wired("resume", wired.run_id, "--approve")
    assert second.returncode == 2
    assert "answered already" in second.stderr
    until(lambda: "wait.completed" in events(wired))
    third = wired("resume", wired.run_id, "--approve", "--step", APPROVE)
    assert third.returncode == 2
    assert f"'{APPROVE}' of run '{wired.run_id}' has been answered already" in third.stderr
    process.communicate(timeout=30)
    assert stage.looked == []
    assert "too dear" in str(stage.seen("seller", 2).messages[-1]["content"])


def test_it_pauses_when_nothing_else_is_left_and_goes_on_with_the_answer(stage: Stage, wired: Desk) -> None:
    stage.set(parallel(seller(), agent("quick")), {"seller": [looks("it"), "sold"]})
    done = wired("run", ".", "Sell it")
    assert done.returncode == 3
    assert "  tool: look\n  what: it\n" in done.stderr
    assert done.stderr.splitlines()[-1].strip() == f"agentctl resume {wired.run_id} --approve"
    done = wired("resume", wired.run_id, "--approve", "--json")
    assert json.loads(done.stdout)["status"] == "completed"
    assert stage.looked == ["it"]


def test_a_result_in_json_holds_the_exact_arguments(stage: Stage, wired: Desk) -> None:
    stage.set(seller(), {"seller": [looks("a\nb " + "x" * 500), "sold"]})
    done = wired("run", ".", "Sell it", "--json")
    (waiting,) = json.loads(done.stdout)["waiting_for"]
    assert (waiting["tool"], waiting["arguments"]) == ("look", {"what": "a\nb " + "x" * 500})


def test_a_process_at_its_prompt_takes_an_answer_from_another_terminal(stage: Stage, wired: Desk) -> None:
    stage.set(seller(), {"seller": [looks("it"), "sold"]})
    with closing(wired.at_terminal("run", ".", "Sell it")) as terminal:
        terminal.until("no and why")
        assert "what: it" in terminal.text
        until(lambda: "wait.started" in events(wired))
        assert wired("resume", wired.run_id, "--deny", "not today").returncode == 0
        assert terminal.end() == (0, "sold\n")
    assert stage.looked == []
    assert "not today" in str(stage.seen("seller", 2).messages[-1]["content"])


def test_the_next_question_at_the_prompt_gets_the_next_line(stage: Stage, wired: Desk) -> None:
    twice = Answer(
        calls=[
            Call(name="look", arguments={"what": "this"}, id="c1"),
            Call(name="look", arguments={"what": "that"}, id="c2"),
        ]
    )
    stage.set(seller(), {"seller": [twice, "sold"]})
    with closing(wired.at_terminal("run", ".", "Sell it")) as terminal:
        terminal.until("what: this")
        until(lambda: events(wired).count("wait.started") == 2)
        first = "seller/turn-1/call-1.look/approve"
        assert wired("resume", wired.run_id, "--deny", "no", "--step", first).returncode == 0
        terminal.until("what: that")
        terminal.send("yes\n")
        assert terminal.end() == (0, "sold\n")
    assert stage.looked == ["that"]


def test_an_answer_after_the_process_died_at_its_prompt(stage: Stage, wired: Desk) -> None:
    stage.set(parallel(seller(), agent("slow")), {"seller": [looks("it"), "sold"], "slow": slow("slow")})
    killed_when(wired.start("run", ".", "Sell it"), lambda: "wait.started" in events(wired))
    stage.set(parallel(seller(), agent("slow")), {"seller": [looks("it"), "sold"]})
    done = wired("resume", wired.run_id, "--approve")
    assert (done.returncode, stage.looked) == (0, ["it"]), done.stderr
    assert stage.order.count("seller") == 2


def test_manual_is_answered_from_elsewhere_at_the_prompt(stage: Stage, wired: Desk) -> None:
    stage.set(agent("desk", *crew("billing", "sales"), strategy="manual"))
    with closing(wired.at_terminal("run", ".", "What now?")) as terminal:
        terminal.until("a name, a number, or finish")
        until(lambda: "wait.started" in events(wired))
        wrong = wired("resume", wired.run_id, "--choose", "bling")
        assert wrong.returncode == 2
        assert "did you mean 'billing'?" in wrong.stderr
        terminal.shown = ""
        assert wired("resume", wired.run_id, "--choose", "billing").returncode == 0
        terminal.until("a name, a number, or finish> ")
        assert "answered last: billing is done" in terminal.text
        terminal.send("finish\n")
        assert terminal.end() == (0, "billing is done\n")


def test_a_call_in_doubt_at_a_terminal(stage: Stage, wired: Desk) -> None:
    stage.set(agent("seller", tools=[{"function": "tools:sell"}]), {"seller": [sells(), "sold"]})
    write_sell(wired)
    killed_when(wired.start("run", ".", "Sell it"), lambda: stage.looked == ["it"])
    with closing(wired.at_terminal("resume", wired.run_id)) as terminal:
        terminal.until("rerun, or skip")
        assert "'sell' was under way when the process stopped" in terminal.text
        assert "what: it" in terminal.text
        terminal.send("skip\n")
        assert terminal.end() == (0, "sold\n")
    assert stage.looked == ["it"]
    assert "Whether it took effect is unknown" in str(stage.seen("seller", 2).messages[-1]["content"])
    (skipped,) = [record for record in records(wired) if record["ev"] == "tool.skipped"]
    assert skipped["step"] == "seller/turn-1/call-1.sell"


def test_a_call_in_doubt_is_answered_from_elsewhere_at_the_prompt(stage: Stage, wired: Desk) -> None:
    stage.set(agent("seller", tools=[{"function": "tools:sell"}]), {"seller": [sells(), "sold"]})
    write_sell(wired)
    killed_when(wired.start("run", ".", "Sell it"), lambda: stage.looked == ["it"])
    (wired.folder / "go").touch()
    with closing(wired.at_terminal("resume", wired.run_id)) as terminal:
        terminal.until("rerun, or skip")
        until(lambda: "wait.started" in events(wired))
        given = wired("resume", wired.run_id, "--rerun", "seller/turn-1/call-1.sell")
        assert given.returncode == 0, given.stderr
        assert terminal.end() == (0, "sold\n")
    assert stage.looked == ["it", "it"]
    assert keys(wired)[0] == keys(wired)[1]


def sells() -> Answer:
    return Answer(calls=[Call(name="sell", arguments={"what": "it"})])


def write_sell(desk: Desk) -> None:
    (desk.folder / "tools.py").write_text(
        '''
import pathlib, time
from agentctl import ToolContext

def sell(what: str, context: ToolContext) -> str:
    """Sells something."""
    with open("keys", "a") as file:
        file.write(context.idempotency_key + "\\n")
    with open("looked", "a") as file:
        file.write(what + "\\n")
    while not pathlib.Path("go").exists():
        time.sleep(0.01)
    return "sold"
''',
        "utf-8",
    )


def keys(desk: Desk) -> list[str]:
    return (desk.folder / "keys").read_text("utf-8").splitlines()


@pytest.mark.parametrize("number", [signal.SIGINT])
def test_an_interrupted_call_is_in_doubt_too(stage: Stage, wired: Desk, number: signal.Signals) -> None:
    stage.set(agent("seller", tools=[{"function": "tools:sell"}]), {"seller": [sells(), "sold"]})
    write_sell(wired)
    process = wired.start("run", ".", "Sell it")
    until(lambda: stage.looked == ["it"])
    process.send_signal(number)
    process.communicate(timeout=10)
    assert process.returncode == 130
    done = wired("resume", wired.run_id)
    assert done.returncode == 3
    command = next(line for line in done.stderr.splitlines() if "--rerun seller" in line).split()
    (wired.folder / "go").touch()
    assert wired(*command[1:]).stdout == "sold\n"
    assert stage.looked == ["it", "it"]
