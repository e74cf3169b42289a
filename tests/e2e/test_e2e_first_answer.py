"""Of several answers to one question exactly one is accepted, and that one counts."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import agentctl
from agentctl import RunView
from agentctl.api.answers import Reply, leave_answers
from agentctl.cli.main import main
from agentctl.errors import UsageError
from agentctl.journal.directory import open_run
from agentctl.journal.file import FileJournal
from agentctl.journal.signals import pending_signals
from agentctl.jsontypes import Json, JsonObject
from e2e.cast import Stage, agent, looks
from e2e.command import Desk, until
from loopback.replies import Answer

SELLS: JsonObject = {"function": "tools:look", "approve": "always"}
LOOKS: JsonObject = {"function": "tools:look", "approve": "never"}
CALL = "seller/turn-1/call-1.look"
DENY, APPROVE = Reply(kind="deny", text="too dear"), Reply(kind="approve")
SKIP, RERUN = Reply(kind="skip", step=CALL), Reply(kind="rerun", step=CALL)


def asked(stage: Stage) -> RunView:
    """A run that waits for a yes or no."""
    stage.set(agent("seller", tools=[SELLS]), {"seller": [looks("it"), "sold"]})
    run = stage.run()
    assert run.status == "waiting"
    return run


def doubted(stage: Stage) -> RunView:
    """A run whose process died during a call: its journal ends with the start of it."""
    stage.set(agent("seller", tools=[LOOKS]), {"seller": [looks("it"), "sold", "sold"]})
    run = stage.run()
    journal = stage.runs / run.run_id / "journal.jsonl"
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    begun = next(number for number, line in enumerate(lines) if '"ev":"tool.started"' in line)
    journal.write_text("".join(lines[: begun + 1]), "utf-8")
    (stage.folder / "looked").unlink()
    return run


def resumed(stage: Stage, run: RunView, *replies: Reply) -> RunView:
    return asyncio.run(agentctl.resume(run.run_id, runs_dir=stage.runs, replies=replies))


@contextmanager
def worked_on(path: Path, *records: tuple[str, str, JsonObject]) -> Iterator[FileJournal]:
    """Somebody holds the run meanwhile, and has put that on record."""

    async def begun() -> FileJournal:
        journal = open_run(path)
        for ev, step, data in records:
            await journal.append(ev, step, data)
        return journal

    journal = asyncio.run(begun())
    try:
        yield journal
    finally:
        asyncio.run(journal.close())


def refused(stage: Stage, run: RunView, reply: Reply) -> None:
    with pytest.raises(UsageError, match="has been answered already"):
        resumed(stage, run, reply)


def test_an_answer_outlives_the_process_that_it_was_left_for(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    run = asked(stage)
    with worked_on(stage.runs / run.run_id):
        assert resumed(stage, run, DENY).exit_code == 0
    assert main(["show", run.run_id]) == 0
    shown = capsys.readouterr().out
    assert f"answered, and not taken up yet: {CALL}/approve: deny, too dear" in shown
    assert shown.endswith(f"agentctl resume {run.run_id}\n")
    refused(stage, run, APPROVE)
    assert resumed(stage, run).answer == "sold"
    assert stage.looked == []
    assert "too dear" in stage.shown("seller", 2)[-1]
    refused(stage, run, Reply(kind="approve", step=f"{CALL}/approve"))


def test_what_is_to_become_of_a_call_in_doubt_outlives_it_too(stage: Stage) -> None:
    run = doubted(stage)
    with worked_on(stage.runs / run.run_id):
        assert resumed(stage, run, SKIP).exit_code == 0
        refused(stage, run, RERUN)
    refused(stage, run, RERUN)
    assert resumed(stage, run).status == "completed"
    assert stage.looked == []


def test_an_answer_that_is_on_record_stands_before_it_was_acted_on(stage: Stage) -> None:
    run = asked(stage)
    answer: JsonObject = {"kind": "answer", "value": {"approve": False, "reason": "too dear"}}
    with worked_on(
        stage.runs / run.run_id, ("run.resumed", "", {}), ("signal.received", f"{CALL}/approve", answer)
    ):
        refused(stage, run, APPROVE)
    refused(stage, run, APPROVE)
    assert resumed(stage, run).status == "completed"
    assert stage.looked == []


def test_what_is_open_while_somebody_works_on_the_run_is_told_by_its_step(stage: Stage) -> None:
    run = asked(stage)
    with (
        worked_on(stage.runs / run.run_id, ("run.resumed", "", {})),
        pytest.raises(UsageError) as wrong,
    ):
        resumed(stage, run, Reply(kind="answer", text="blue"))
    assert wrong.value.hint == f"May 'seller' call 'look'? (--step {CALL}/approve)"


def test_so_does_one_about_a_call_in_doubt(stage: Stage) -> None:
    run = doubted(stage)
    answer: JsonObject = {"kind": "answer", "value": "skip"}
    with worked_on(stage.runs / run.run_id, ("run.resumed", "", {}), ("signal.received", CALL, answer)):
        refused(stage, run, RERUN)
    refused(stage, run, RERUN)
    assert resumed(stage, run).status == "completed"
    assert stage.looked == []


def test_a_process_that_has_only_just_locked_the_run_takes_the_answer(stage: Stage) -> None:
    """Before it has said on record that it is there."""
    for run, reply in ((asked(stage), DENY), (doubted(stage), SKIP)):
        with worked_on(stage.runs / run.run_id):
            assert resumed(stage, run, reply).status == "running"
        assert resumed(stage, run).status == "completed"
        assert stage.looked == []


def test_a_call_that_a_live_process_makes_is_in_no_doubt(stage: Stage) -> None:
    run = doubted(stage)
    begun: JsonObject = {"tool": "look", "arguments": {"what": "it"}}
    with (
        worked_on(stage.runs / run.run_id, ("run.resumed", "", {}), ("tool.started", CALL, begun)),
        pytest.raises(UsageError, match="no open question"),
    ):
        resumed(stage, run, SKIP)


def test_an_answer_behind_the_last_look_for_answers_is_acted_on(stage: Stage) -> None:
    """It comes when the run already says that it waits, and is not let go yet."""
    stage.set(agent("seller", tools=[SELLS]), {"seller": [looks("it"), "sold"]})
    left: list[str] = []

    def listen(event: JsonObject) -> None:
        if event["ev"] == "run.waiting" and not left:
            (path,) = stage.runs.iterdir()
            left.append(leave_answers(path, [APPROVE]).view.status)

    run = asyncio.run(agentctl.run(stage.folder, "Sell it", runs_dir=stage.runs, on_event=listen))
    assert (left, run.status, stage.looked) == (["running"], "completed", ["it"])


def test_what_was_accepted_from_elsewhere_counts_before_what_is_typed_later(stage: Stage) -> None:
    stage.set(agent("seller", tools=[SELLS]), {"seller": [looks("it"), "sold"]})

    async def ask(_request: JsonObject) -> Json:
        (path,) = stage.runs.iterdir()
        leave_answers(path, [DENY])
        return {"approve": True}

    assert stage.run(ask=ask).answer == "sold"
    assert stage.looked == []


def test_what_was_typed_first_counts_before_an_answer_from_elsewhere(stage: Stage) -> None:
    stage.set(agent("seller", tools=[SELLS]), {"seller": [looks("it"), "sold"]})

    def listen(event: JsonObject) -> None:
        if event["ev"] == "tool.started":
            (path,) = stage.runs.iterdir()
            with pytest.raises(UsageError, match="has been answered already"):
                leave_answers(path, [DENY])
            told.append(True)

    async def ask(_request: JsonObject) -> Json:
        return {"approve": True}

    told: list[bool] = []
    asyncio.run(agentctl.run(stage.folder, "Sell it", runs_dir=stage.runs, ask=ask, on_event=listen))
    assert (told, stage.looked) == ([True], ["it"])


def test_a_file_that_would_not_go_is_not_taken_twice(stage: Stage) -> None:
    """Its call was made again and cut short again: that is another question."""
    run = doubted(stage)
    path = stage.runs / run.run_id
    with worked_on(path):
        resumed(stage, run, RERUN)
    (signal_,) = pending_signals(path)
    taken: JsonObject = {"kind": "answer", "value": "rerun", "name": signal_.name}
    begun: JsonObject = {"tool": "look", "arguments": {"what": "it"}}
    with worked_on(
        path, ("run.resumed", "", {}), ("signal.received", CALL, taken), ("tool.started", CALL, begun)
    ):
        pass
    assert resumed(stage, run).status == "waiting"
    assert stage.looked == []
    assert pending_signals(path) == []
    assert resumed(stage, run, SKIP).status == "completed"


@pytest.mark.processes
def test_two_terminals_at_once_are_told_the_truth(stage: Stage, wired: Desk) -> None:
    for given in (("--deny", "no money"), ("--approve",)):
        run = asked(stage)
        other = ("--approve",) if given[0] == "--deny" else ("--deny", "no money")
        both = [wired.start("resume", run.run_id, *words, "-q") for words in (given, other)]
        codes = [process.wait(60) for process in both]
        for process in both:
            process.communicate()
        assert sorted(codes) == [0, 2]
        accepted = (given, other)[codes.index(0)]
        assert stage.looked == (["it"] if accepted == ("--approve",) else [])
        (stage.folder / "looked").unlink(missing_ok=True)


@pytest.mark.processes
def test_an_answer_to_a_stopped_process_outlives_its_death(stage: Stage, wired: Desk) -> None:
    stage.set(
        agent("desk", agent("seller", tools=[SELLS]), agent("slow"), strategy="parallel"),
        {"seller": [looks("it"), "sold"], "slow": Answer(text="slow is done", delay=8)},
    )
    process = wired.start("run", ".", "Sell it")
    until(lambda: stage.runs.is_dir() and '"wait.started"' in journal_of(wired))
    process.send_signal(signal.SIGSTOP)
    given = wired("resume", wired.run_id, "--deny", "stop it")
    process.kill()
    process.communicate()
    assert given.returncode == 0, given.stderr
    second = wired("resume", wired.run_id, "--approve")
    assert (second.returncode, "answered already" in second.stderr) == (2, True)
    assert stage.looked == []


def journal_of(desk: Desk) -> str:
    return "".join(
        run.joinpath("journal.jsonl").read_text("utf-8") for run in desk.runs if run.name[0] != "."
    )
