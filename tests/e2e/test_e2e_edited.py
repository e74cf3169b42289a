"""A run that goes on with an edited team: what is kept, what is done again, and who agreed to it."""

from __future__ import annotations

import asyncio
import json
import signal
from contextlib import closing
from pathlib import Path

import pytest

import agentctl
from agentctl import RunView
from agentctl.api.answers import Reply
from agentctl.api.revising import Wish
from agentctl.journal.lock import RunLock
from agentctl.jsontypes import JsonObject
from e2e.cast import Lines, Stage, agent, crew, looks
from e2e.command import Desk, killed_when
from loopback.replies import Answer, Call, Failure, Scripted
from loopback.server import Seen

TOOL: JsonObject = {"function": "tools:look", "idempotent": False}


def in_turn(*members: JsonObject) -> JsonObject:
    return agent("desk", *members, strategy="sequential")


def first_run(stage: Stage, team: JsonObject, lines: Lines | None = None) -> RunView:
    stage.set(team, lines)
    run = stage.run()
    assert run.status == "completed", run.error
    stage.server.requests.clear()
    return run


def goes_on(
    stage: Stage, team: JsonObject, lines: Lines | None = None, *rerun: str
) -> tuple[RunView, JsonObject]:
    """Resumes with the edited team, agreed to; gives the run and what was listed."""
    stage.set(team, lines)
    events: list[JsonObject] = []
    wish = Wish(team=stage.folder, agree=True, rerun=rerun)
    run = asyncio.run(agentctl.resume(runs_dir=stage.runs, wish=wish, on_event=events.append))
    return run, next(event for event in events if event["ev"] == "revision.planned")


def revisions(desk: Desk) -> list[JsonObject]:
    return [record for record in records(desk) if record["ev"] == "revision.recorded"]


def records(desk: Desk) -> list[JsonObject]:
    journal = (desk.runs[0] / "journal.jsonl").read_text("utf-8")
    return [json.loads(line) for line in journal.splitlines()]


def test_a_stage_added_at_the_end_runs_alone(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(*crew("one", "two")))
    _, told = goes_on(stage, in_turn(*crew("one", "two", "three")))
    assert stage.order == ["three"]
    assert told["kept"] == ["desk/one.1/turn-1", "desk/two.1/turn-1"]
    assert (told["new"], told["again"], told["follow"]) == (["desk/three.1/turn-1"], [], [])
    (revision,) = revisions(wired)
    kept = wired.runs[0] / str(revision["file"])
    assert kept.name == "team-2.yaml"
    assert "three" in kept.read_text("utf-8")
    assert wired("resume", wired.run_id).stdout == "three is done\n"
    assert stage.order == ["three"]


def test_a_stage_added_in_the_middle_runs_with_all_that_follow(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(*crew("one", "three")))
    _, told = goes_on(stage, in_turn(*crew("one", "two", "three")))
    assert stage.order == ["two", "three"]
    assert (told["new"], told["follow"]) == (["desk/two.1/turn-1"], ["desk/three.1/turn-1"])


def test_a_changed_instruction_asks_that_agent_and_those_behind_it(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(*crew("one", "two", "three")))
    edited = in_turn(agent("one"), agent("two", instructions="You are two. Be brief."), agent("three"))
    _, told = goes_on(stage, edited, {"two": "Brief."})
    assert stage.order == ["two", "three"]
    assert told["again"] == ["desk/two.1/turn-1"]


def test_what_follows_a_step_with_the_same_outcome_is_kept(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(*crew("one", "two", "three")))
    edited = in_turn(agent("one"), agent("two", instructions="You are two. Be brief."), agent("three"))
    goes_on(stage, edited)
    assert stage.order == ["two"]


def test_a_renamed_agent_is_another_one(stage: Stage, wired: Desk) -> None:
    team = agent("desk", *crew("one", "two"), strategy="parallel")
    first_run(stage, team)
    run, _ = goes_on(stage, agent("desk", *crew("one", "second"), strategy="parallel"))
    assert stage.order == ["second"]
    assert run.answers == {"one": "one is done", "second": "second is done"}


def renamed(stage: Stage, *names: str) -> JsonObject:
    """A crew that does the same under those names."""
    return in_turn(*(agent(name, tools=[TOOL]) for name in names))


def test_a_renamed_agent_has_the_effects_that_it_had(stage: Stage, wired: Desk) -> None:
    lines: Lines = {"one": [looks("a"), "one looked"], "two": [looks("b"), "two looked"]}
    first_run(stage, renamed(stage, "one", "two"), lines)
    assert stage.looked == ["a", "b"]
    lines = {**lines, "second": [looks("b"), "second looked", looks("b"), "again", "twice"]}
    run, told = goes_on(stage, renamed(stage, "one", "second"), lines)
    assert (run.answer, stage.looked) == ("second looked", ["a", "b"])
    assert "desk/two.1/turn-1/call-1.look" in str(told["gone"])
    assert wired("resume", wired.run_id).stdout == "second looked\n"
    wish = Wish(rerun=["desk/second.1/turn-1/call-1.look"])
    asyncio.run(agentctl.resume(runs_dir=stage.runs, wish=wish))
    assert stage.looked == ["a", "b", "b"], "a person wanted it"


def test_a_renamed_team_and_a_moved_agent_have_the_effects_that_they_had(stage: Stage) -> None:
    lines: Lines = {"one": [looks("a"), "one looked"], "two": [looks("b"), "two looked"]}
    first_run(stage, renamed(stage, "one", "two"), lines)
    moved = agent(
        "office",
        agent("one", tools=[TOOL]),
        agent("room", agent("two", tools=[TOOL]), strategy="sequential"),
        strategy="sequential",
    )
    run, _ = goes_on(stage, moved, lines)
    assert (run.answer, stage.looked) == ("two looked", ["a", "b"])


def test_one_effect_is_given_to_one_place(stage: Stage) -> None:
    lines: Lines = {name: [looks("b"), f"{name} looked"] for name in ("two", "second", "third")}
    first_run(stage, renamed(stage, "two"), lines)
    goes_on(stage, renamed(stage, "second", "third"), lines)
    assert stage.looked == ["b", "b"]


def test_a_call_in_doubt_stays_so_under_another_name(stage: Stage) -> None:
    lines: Lines = {name: [looks("b"), f"{name} looked"] for name in ("two", "second")}
    run = first_run(stage, renamed(stage, "two"), lines)
    journal = stage.runs / run.run_id / "journal.jsonl"
    begun = journal.read_text("utf-8").partition('"ev":"tool.started"')
    journal.write_text(begun[0] + begun[1] + begun[2].partition("\n")[0] + "\n", "utf-8")
    run, _ = goes_on(stage, renamed(stage, "second"), lines)
    (asked,) = run.questions
    assert (asked.kind, asked.step) == ("in_doubt", "desk/second.1/turn-1/call-1.look")
    assert stage.looked == ["b"]
    skip = [Reply(kind="skip", step=asked.step)]
    assert asyncio.run(agentctl.resume(runs_dir=stage.runs, replies=skip)).answer == "second looked"
    assert stage.looked == ["b"]


def test_a_removed_branch_costs_nothing(stage: Stage, wired: Desk) -> None:
    first_run(stage, agent("desk", *crew("one", "two", "three"), strategy="parallel"))
    run, told = goes_on(stage, agent("desk", *crew("one", "three"), strategy="parallel"))
    assert stage.order == []
    assert run.answers == {"one": "one is done", "three": "three is done"}
    assert (told["gone"], told["follow"]) == (["desk/two.1/turn-1"], [])
    assert [one.id for one in run.executions if one.left_out] == ["desk/two.1"]
    assert "two (left out since the run was revised)" in wired("show", "--last").stdout


def test_an_added_tool_asks_only_the_agent_that_has_it(stage: Stage, wired: Desk) -> None:
    first_run(stage, agent("desk", *crew("one", "two"), strategy="parallel"))
    edited = agent("desk", agent("one", tools=[TOOL]), agent("two"), strategy="parallel")
    goes_on(stage, edited, {"one": [looks("it"), "one looked"]})
    assert stage.order == ["one", "one"]
    assert stage.looked == ["it"]


def test_another_model_description_or_limit_keeps_everything(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(*crew("one", "two")))
    edited = in_turn(
        agent("one", description="Quite another", model="openai/gpt-4o"), agent("two", limits={"turns": 3})
    )
    stage.set(edited)
    done = wired("resume", wired.run_id, "--with", ".", "--yes")
    assert done.returncode == 0
    assert stage.order == []
    assert (
        "one: now has another model and other settings of its model "
        "(openai/gpt-4o-mini, now openai/gpt-4o); what is recorded stands\n"
    ) in done.stderr
    assert "two: now has" not in done.stderr


def test_a_finished_call_with_equal_arguments_is_kept_wherever_it_stands(stage: Stage, wired: Desk) -> None:
    sell = agent("one", tools=[TOOL])
    first_run(stage, in_turn(sell), {"one": [looks("it"), "one looked"]})
    assert stage.looked == ["it"]
    edited = in_turn(agent("one", instructions="You are one. Be brief.", tools=[TOOL]))
    mistaken = Answer(calls=[Call(name="peek", arguments={})])
    goes_on(stage, edited, {"one": [mistaken, looks("it"), "one looked again"]})
    assert stage.looked == ["it"], "the effect was had"
    assert stage.order == ["one", "one", "one"]


def other(seen: Seen) -> Scripted:
    """Asks for something else once the instructions say so."""
    return looks("that") if "Be brief" in str(seen.messages[0]["content"]) else looks("it")


def test_a_call_with_an_effect_is_made_with_other_arguments_only_if_a_person_says_so(
    stage: Stage, wired: Desk
) -> None:
    first_run(stage, in_turn(agent("one", tools=[TOOL])), {"one": [other, "one looked"]})
    brief = in_turn(agent("one", instructions="You are one. Be brief.", tools=[TOOL]))
    run, _ = goes_on(stage, brief, {"one": [other, "one is through"]})
    assert (run.status, stage.looked) == ("waiting", ["it"])
    (waiting,) = run.waiting_for
    assert "was called here before the run was revised, with other arguments" in str(waiting["question"])
    assert str(waiting["command"]).startswith(f"agentctl resume {run.run_id} --runs-dir")
    step = str(waiting["step"])
    assert step == "desk/one.1/turn-1/call-1.look"
    assert wired("resume", wired.run_id, "--skip", step).returncode == 0
    assert stage.looked == ["it"]
    told = str(stage.server.requests[-1].messages[-1]["content"])
    assert "This call was not made" in told
    assert "it is fine" in told


def test_a_person_may_agree_to_the_call_beforehand(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(agent("one", tools=[TOOL])), {"one": [other, "one looked"]})
    brief = in_turn(agent("one", instructions="You are one. Be brief.", tools=[TOOL]))
    step = "desk/one.1/turn-1/call-1.look"
    run, _ = goes_on(stage, brief, {"one": [other, "one is through"]}, step)
    assert run.answer == "one is through"
    assert stage.looked == ["it", "that"]


def test_an_edit_that_cannot_be_read_changes_nothing(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(*crew("one", "two")))
    before = snapshot(wired.runs[0])
    (wired.folder / "team.yaml").write_text("name: desk\nagents: [\n", "utf-8")
    done = wired("resume", wired.run_id, "--with", ".", "--yes")
    assert done.returncode == 2
    assert "team.yaml:" in done.stderr
    assert snapshot(wired.runs[0]) == before
    assert wired("resume", wired.run_id).stdout == "two is done\n"


def snapshot(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.iterdir() if path.is_file() and path.name != "lock"}


def test_away_from_a_terminal_somebody_has_to_agree(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(*crew("one", "two")))
    before = snapshot(wired.runs[0])
    stage.set(in_turn(*crew("one", "two", "three")))
    done = wired("resume", wired.run_id, "--with", ".")
    assert done.returncode == 2
    assert "--yes" in done.stderr
    assert "desk/three.1/turn-1" in done.stderr
    assert snapshot(wired.runs[0]) == before
    assert stage.order == []


@pytest.mark.parametrize(("typed", "code", "asked"), [("yes\n", 0, ["three"]), ("no\n", 2, [])])
def test_at_a_terminal_it_is_asked(
    stage: Stage, wired: Desk, typed: str, code: int, asked: list[str]
) -> None:
    first_run(stage, in_turn(*crew("one", "two")))
    stage.set(in_turn(*crew("one", "two", "three")))
    with closing(wired.at_terminal("resume", wired.run_id, "--with", ".")) as terminal:
        terminal.until("yes, no>")
        assert "desk/three.1/turn-1" in terminal.text
        assert stage.order == []
        terminal.send(typed)
        assert terminal.end()[0] == code
    assert stage.order == asked
    assert len(revisions(wired)) == len(asked)


def slow_three(_seen: Seen) -> Scripted:
    return Answer(text="three is done", delay=5)


def test_an_edit_of_an_edit_after_a_crash(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(*crew("one", "two")))
    stage.set(in_turn(*crew("one", "two", "three")), {"three": slow_three})
    process = wired.start("resume", wired.run_id, "--with", ".", "--yes")
    killed_when(process, lambda: stage.order == ["three"])
    stage.server.requests.clear()
    _, told = goes_on(stage, in_turn(*crew("one", "two", "three", "four")))
    assert stage.order == ["three", "four"]
    assert told["kept"] == ["desk/one.1/turn-1", "desk/two.1/turn-1"]
    assert [revision["file"] for revision in revisions(wired)] == ["team-2.yaml", "team-3.yaml"]
    assert wired("resume", wired.run_id).stdout == "four is done\n"


def test_a_crash_within_an_edit_goes_on_with_the_edited_team(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(*crew("one", "two")))
    stage.set(
        in_turn(agent("one", instructions="You are one. Be brief."), *crew("three")), {"three": slow_three}
    )
    process = wired.start("resume", wired.run_id, "--with", ".", "--yes")
    killed_when(process, lambda: stage.order == ["one", "three"])
    stage.server.requests.clear()
    (wired.folder / "team.yaml").unlink()
    stage.server.script = lambda _seen: Answer(text="three again")
    assert wired("resume", wired.run_id).stdout == "three again\n"
    assert len(stage.server.requests) == 1


def test_an_edit_taken_back_finds_what_was_paid_for_before(stage: Stage, wired: Desk) -> None:
    team = in_turn(*crew("one", "two"))
    first_run(stage, team)
    edited = in_turn(agent("one", instructions="You are one. Be brief."), agent("two"))
    goes_on(stage, edited, {"one": "Brief."})
    assert stage.order == ["one", "two"]
    stage.server.requests.clear()
    goes_on(stage, team)
    assert stage.order == []


def test_an_unfinished_run_goes_on_with_an_edited_team(stage: Stage, wired: Desk) -> None:
    stage.set(in_turn(*crew("one", "two")), {"two": slow_three})
    killed_when(wired.start("run", ".", "What now?"), lambda: stage.order == ["one", "two"])
    stage.server.requests.clear()
    goes_on(stage, in_turn(*crew("one", "second")))
    assert stage.order == ["second"]


@pytest.mark.parametrize("edited", ["the failed one", "the other one"])
def test_a_failed_branch_is_tried_again_where_the_edited_team_asks_it_something_else(
    stage: Stage, edited: str
) -> None:
    refusal = Failure(status=400)
    team = agent("desk", *crew("one", "two"), strategy={"type": "parallel", "on_error": "continue"})
    run = first_run(stage, team, {"two": refusal})
    assert (run.status, run.answers) == ("completed", {"one": "one is done"})
    name = "two" if edited == "the failed one" else "one"
    members = [
        agent(one, instructions=f"You are {one}." + " Be brief." * (one == name)) for one in ("one", "two")
    ]
    run, told = goes_on(stage, {**team, "agents": members})
    assert stage.order == [name]
    assert run.answers == {"one": "one is done", **({"two": "two is done"} if name == "two" else {})}
    assert told["kept"] == (["desk/one.1/turn-1"] if name == "two" else [])


def test_a_failed_run_goes_on_with_the_team_that_was_mended(stage: Stage) -> None:
    stage.set(in_turn(*crew("one", "two")), {"two": Failure(status=400)})
    assert stage.run().status == "failed"
    stage.server.requests.clear()
    edited = in_turn(agent("one"), agent("two", instructions="You are two. Be brief."))
    run, _ = goes_on(stage, edited)
    assert (run.answer, stage.order) == ("two is done", ["two"])


def test_a_question_that_an_edit_changes_is_asked_anew(stage: Stage, wired: Desk) -> None:
    manual = agent("desk", *crew("one", "two"), strategy="manual")
    stage.set(manual)
    assert wired("run", ".", "What now?").returncode == 3
    assert wired("resume", wired.run_id, "--choose", "one").returncode == 3
    stage.server.requests.clear()
    kept, _ = goes_on(
        stage, agent("desk", agent("one", limits={"turns": 2}), *crew("two"), strategy="manual")
    )
    assert (kept.status, stage.order) == ("waiting", [])
    assert len(kept.executions) == 2, "the choice holds"
    run, told = goes_on(stage, agent("desk", *crew("one", "two", "three"), strategy="manual"))
    assert (run.status, stage.order) == ("waiting", []), "who may be chosen is another question now"
    assert told["questions"] == ["desk/choose-1"]
    done = wired("resume", wired.run_id, "--choose", "three")
    assert (done.returncode, stage.order) == (3, ["three"])
    assert wired("resume", wired.run_id, "--finish").stdout == "three is done\n"


def test_an_approval_of_other_arguments_is_none(stage: Stage, wired: Desk) -> None:
    tool: JsonObject = {"function": "tools:look", "idempotent": True, "approve": "always"}
    stage.set(in_turn(agent("one", tools=[tool])), {"one": [other, "one looked"]})
    assert wired("run", ".", "What now?").returncode == 3
    assert wired("resume", wired.run_id, "--approve").returncode == 0
    brief = in_turn(agent("one", instructions="You are one. Be brief.", tools=[tool]))
    run, _ = goes_on(stage, brief, {"one": [other, "one looked"]})
    assert (run.status, stage.looked) == ("waiting", ["it"])
    assert run.waiting_for[0]["arguments"] == {"what": "that"}


def test_who_leaves_at_the_question_leaves_the_run_as_it_was(stage: Stage, wired: Desk) -> None:
    first_run(stage, in_turn(*crew("one", "two")))
    stage.set(in_turn(*crew("one", "two", "three")))
    before = snapshot(wired.runs[0])
    with closing(wired.at_terminal("resume", wired.run_id, "--with", ".")) as terminal:
        terminal.until("yes, no>")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end()[0] == 130
    assert snapshot(wired.runs[0]) == before
    assert wired("resume", wired.run_id).stdout == "two is done\n"


def test_a_run_in_use_is_not_revised(stage: Stage, wired: Desk) -> None:
    run = first_run(stage, in_turn(*crew("one", "two")))
    lock = RunLock.take(wired.runs[0])
    try:
        for words in (("--with", ".", "--yes"), ("--retry", "one")):
            assert wired("resume", run.run_id, *words).returncode == 5
    finally:
        lock.release()
    assert revisions(wired) == []


def test_inputs_of_an_edited_team_are_given_with_it_and_kept(stage: Stage, wired: Desk) -> None:
    """One that it drops is dropped, one that it has still stands, and a new one is told by `--input`."""

    def asking(**inputs: JsonObject) -> JsonObject:
        words = "You are one. " + " ".join(f"{{{{ inputs.{name} }}}}" for name in inputs)
        return {**agent("one", instructions=words), "inputs": dict(inputs)}

    needed: JsonObject = {"required": True}
    stage.set(asking(customer=needed, tone=needed))
    assert wired("run", ".", "What now?", "--input", "customer=Ann", "--input", "tone=dry").returncode == 0
    stage.set(asking(customer=needed, language=needed))
    words = ("resume", wired.run_id, "--with", ".", "--yes")
    missing = wired(*words)
    assert missing.returncode == 2
    assert 'input "language" is missing' in missing.stderr
    assert wired("resume", wired.run_id, "--input", "language=German").returncode == 2
    done = wired(*words, "--input", "language=German")
    assert done.returncode == 0, done.stderr
    assert stage.server.requests[-1].messages[0]["content"] == "You are one. Ann German"
    stage.server.requests.clear()
    stage.set(asking(language=needed))
    done = wired(*words)
    assert done.returncode == 0, done.stderr
    assert stage.server.requests[-1].messages[0]["content"] == "You are one. German"
    stage.server.requests.clear()
    again = wired("resume", wired.run_id, "--rerun", "none")
    assert again.returncode == 2
    assert wired("resume", wired.run_id).stdout == "one is done\n"
    assert stage.order == []
