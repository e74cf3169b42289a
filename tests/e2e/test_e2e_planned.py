"""plan_execute over HTTP: independent steps at once, dependents with their inputs, replans within bounds."""

from __future__ import annotations

import asyncio
import json

import pytest

import agentctl
from agentctl.errors import UsageError
from agentctl.jsonschemas import problems
from agentctl.jsontypes import Json
from e2e.cast import Stage, agent, crew, looker, looks, steps, together
from e2e.command import ROOT, Desk
from loopback.replies import Answer, Failure

BROKEN = Failure(status=400, body={"error": {"message": "out of order"}})
PLAN = steps(("one", "a", ()), ("two", "b", ()), ("three", "c", ("one", "two")))
END = steps(answer="All of it.")


def test_independent_steps_run_at_once_and_dependents_get_their_results(stage: Stage, wired: Desk) -> None:
    a, b = together(Answer(text="done well"), Answer(text="done well"))
    stage.set(
        agent("lead", *crew("a", "b", "c"), strategy="plan_execute"),
        {"lead": [PLAN, END], "a": a, "b": b},
    )
    done = wired("run", ".", "Do it.")
    assert (done.returncode, done.stdout) == (0, "All of it.\n")
    assert stage.order[0] == stage.order[-1] == "lead"
    assert (sorted(stage.order[1:3]), stage.order[3:]) == (["a", "b"], ["c", "lead"])
    assert stage.server.most_at_once == 2
    assert stage.shown("lead") == ["user: Do it."]
    assert "- a: Does a\n- b: Does b" in str(stage.seen("lead").messages[0]["content"])
    assert stage.shown("a") == ["user: do one"]
    assert stage.shown("c") == [
        "user: do three\n\nResults of the steps before:\n\n"
        "## one (by a)\n\ndone well\n\n## two (by b)\n\ndone well"
    ]
    *_, results = stage.shown("lead", 2)
    assert results.startswith("user: [a] done well\n\n[b] done well\n\n[c] c is done\n\nThe steps, in this")
    assert "lead → plan: one by a; two by b; three by c after one, two (model" in done.stderr


def test_no_steps_is_an_answer_and_plain_text_is_one_too(stage: Stage) -> None:
    stage.set(agent("lead", *crew("a", "b"), strategy="plan_execute"), {"lead": END})
    run = stage.run()
    assert (run.answer, run.agent, stage.order) == ("All of it.", "lead", ["lead"])
    stage.set(agent("lead", *crew("a", "b"), strategy="plan_execute"), {"lead": "Four."})
    assert stage.run().answer == "Four."


def test_steps_at_once_are_bounded(stage: Stage) -> None:
    plan = steps(*((f"s{i}", "a", ()) for i in range(6)))
    strategy: Json = {"type": "plan_execute", "max_concurrency": 2}
    stage.set(
        agent("lead", *crew("a", "b"), strategy=strategy),
        {"lead": [plan, END]},
    )
    gate = stage.hold(2, of="a")
    assert (stage.run().answer, stage.order.count("a"), gate.held) == ("All of it.", 6, 2)


def test_after_a_failed_step_the_planner_plans_again_and_finished_steps_stand(stage: Stage) -> None:
    first = steps(("one", "a", ()), ("two", "b", ("one",)), ("three", "c", ("two",)))
    again = steps(("four", "c", ("one",)))
    stage.set(
        agent("lead", looker("a"), *crew("b", "c"), strategy="plan_execute"),
        {"lead": [first, again, END], "a": [looks("A"), "A is fine."], "b": BROKEN},
    )
    run = stage.run()
    assert run.answer == "All of it."
    assert stage.order == ["lead", "a", "a", "b", "lead", "c", "lead"]
    assert stage.looked == ["A"]
    *_, told = stage.shown("lead", 2)
    assert "'two' by b failed; 'three' was not run" in told
    assert stage.shown("c") == [
        "user: do four\n\nResults of the steps before:\n\n## one (by a)\n\nA is fine."
    ]


def test_replans_are_bounded(stage: Stage, wired: Desk) -> None:
    plans = [steps((f"s{i}", "a", ())) for i in range(5)]
    strategy: Json = {"type": "plan_execute", "max_replans": 1}
    stage.set(agent("lead", *crew("a", "b"), strategy=strategy), {"lead": plans})
    done = wired("run", ".", "Do it.")
    assert (done.returncode, done.stdout) == (4, "a is done\n")
    assert stage.order == ["lead", "a", "lead", "a", "lead"]
    assert "limit of 1 further plan (max_replans, team.yaml:1:" in done.stderr
    assert "No further steps can be run." in stage.shown("lead", 3)[-1]


def test_steps_are_bounded(stage: Stage) -> None:
    strategy: Json = {"type": "plan_execute", "max_steps": 2}
    stage.set(agent("lead", *crew("a", "b", "c"), strategy=strategy), {"lead": PLAN})
    run = stage.run()
    assert (run.status, stage.order) == ("limit", ["lead"])


@pytest.mark.parametrize(
    ("plan", "problem"),
    [
        (steps(("one", "a", ("two",)), ("two", "b", ("one",))), "These steps wait for each other: "),
        (steps(("one", "x", ())), "names the agent 'x', which does not exist; the agents are a, b."),
        (steps(("one", "a", ("zero",))), "Step 'one' depends on 'zero', which does not exist."),
        (steps(("one", "a", ()), ("one", "b", ())), "The id 'one' is used twice."),
        ('{"steps": [{"id": "one"', "not valid JSON"),
    ],
)
def test_a_plan_that_cannot_be_followed_goes_back_to_the_planner(
    stage: Stage, plan: str, problem: str
) -> None:
    stage.set(agent("lead", *crew("a", "b"), strategy="plan_execute"), {"lead": [plan, END]})
    assert (stage.run().answer, stage.order) == ("All of it.", ["lead", "lead"])
    assert problem in stage.shown("lead", 2)[-1]
    stage.set(agent("lead", *crew("a", "b"), strategy="plan_execute"), {"lead": plan})
    failed = stage.run()
    assert (failed.status, len(stage.order)) == ("failed", 2 + 3)
    assert problem in str((failed.error or {})["message"])


def test_a_plan_of_the_file_needs_no_planning_call(stage: Stage) -> None:
    plan = json.loads(steps(("one", "a", ()), ("two", "b", ("one",))))["steps"]
    strategy: Json = {"type": "plan_execute", "plan": plan}
    stage.set(agent("lead", *crew("a", "b"), strategy=strategy), {"lead": END})
    assert (stage.run().answer, stage.order) == ("All of it.", ["a", "b", "lead"])
    strategy = {"type": "plan_execute", "plan": plan, "synthesize": False}
    stage.set(agent("lead", *crew("a", "b"), strategy=strategy))
    run = stage.run()
    assert (run.answer, run.path, stage.order[3:]) == ("b is done", ("lead", "b"), ["a", "b"])


def test_another_planner_has_instructions_of_its_own(stage: Stage) -> None:
    strategy: Json = {"type": "plan_execute", "planner": {"instructions": "You are planner."}}
    lead = agent("lead", *crew("a", "b"), strategy=strategy)
    stage.set({**lead, "instructions": ""}, {"planner": [steps(("one", "a", ())), END]})
    assert (stage.run().answer, stage.order) == ("All of it.", ["planner", "a", "planner"])


def test_the_plan_alone_is_printed_and_nothing_of_it_is_done(stage: Stage, wired: Desk) -> None:
    odd = steps(("one", "x", ()))
    stage.set(agent("lead", *crew("a", "b", "c"), strategy="plan_execute"), {"lead": [odd, PLAN]})
    done = wired("run", "--plan-only", ".", "Do it.")
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    assert plan == json.loads(PLAN)
    schema = json.loads((ROOT / "schemas" / "plan.schema.json").read_text("utf-8"))
    assert problems(plan, schema) == []
    assert stage.order == ["lead", "lead"], "a plan that cannot be followed goes back here too"
    assert "agentctl resume" not in done.stderr
    assert not stage.runs.exists() or list(stage.runs.iterdir()) == []


def test_a_plan_of_the_file_is_printed_without_a_model_call(stage: Stage, wired: Desk) -> None:
    plan = json.loads(PLAN)["steps"]
    stage.set(agent("lead", *crew("a", "b", "c"), strategy={"type": "plan_execute", "plan": plan}))
    done = wired("run", "--plan-only", "--quiet", ".", "Do it.")
    assert (json.loads(done.stdout), done.stderr, stage.order) == ({"steps": plan}, "", [])


def test_who_makes_no_plan_has_none_to_print(stage: Stage, wired: Desk) -> None:
    stage.set(agent("desk", *crew("a", "b"), strategy="handoff"))
    done = wired("run", "--plan-only", ".", "Do it.")
    assert (done.returncode, done.stdout, stage.order) == (2, "", [])
    assert 'agent "desk" makes no plan: its strategy is "handoff"' in done.stderr
    stage.set(agent("leaf"))
    with pytest.raises(UsageError, match="it has no agents"):
        asyncio.run(agentctl.run(stage.folder, "Do it.", plan_only=True))
    stage.set(agent("lead", *crew("a", "b"), strategy="plan_execute"))
    with pytest.raises(UsageError, match="exclude each other"):
        asyncio.run(agentctl.run(stage.folder, "Do it.", plan_only=True, run_id="r"))


def test_a_failed_plan_of_the_file_is_resumed_at_the_failed_step(stage: Stage, wired: Desk) -> None:
    plan = json.loads(PLAN)["steps"]
    strategy: Json = {"type": "plan_execute", "plan": plan, "synthesize": False}
    lead = agent("lead", *crew("a", "b", "c"), strategy=strategy)
    stage.set(lead, {"b": BROKEN})
    assert wired("run", "--run-id", "r", ".", "Do it.").returncode == 1
    assert sorted(stage.order) == ["a", "b"]
    stage.set(lead)
    done = wired("resume", "r")
    assert (done.returncode, done.stdout, stage.order[2:]) == (0, "c is done\n", ["b", "c"])
