"""plan_execute: the planner's view, order and concurrency of steps, repair, replans, bounds, given plans."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from functools import partial

import pytest

from agentctl.engine.plans import plan_schema
from agentctl.errors import FatalToolError
from agentctl.jsontypes import Json, JsonObject, as_object
from agentctl.models.messages import ModelRequest
from agentctl.schemafiles import schema
from agentctl.spec.settings import ModelSettings
from agentctl.spec.strategies import Manual, PlanExecute, Planner, PlanStep, RoundRobin
from agentctl.spec.team import Agent
from engine.harness import (
    HERE,
    MODEL,
    Ran,
    Say,
    Says,
    SpokenModel,
    Stage,
    agent,
    broken,
    call,
    calls,
    leaves,
    play,
    resumed_everywhere,
    tool,
)


def step(id_: str, who: str, *needs: str) -> dict[str, Json]:
    return {"id": id_, "agent": who, "task": f"do {id_}", "depends_on": list(needs)}


def plan(*steps: dict[str, Json], **more: Json) -> str:
    return json.dumps({"steps": list(steps), **more})


def done(answer: str = "All in all.") -> str:
    return plan(answer=answer)


TWO_THEN_ONE = plan(
    step("facts", "finder"), step("prices", "buyer"), step("text", "writer", "facts", "prices")
)


def lab(
    *says: Say,
    options: PlanExecute | None = None,
    members: Sequence[Agent] = (),
    others: Says | None = None,
) -> Stage:
    root = agent(
        "lab",
        strategy=options or PlanExecute(),
        agents=members or leaves("finder", "buyer", "writer"),
        instructions="You plan research.",
    )
    return Stage(root=root, says={"lab": says or [TWO_THEN_ONE, done()], **(others or {})})


def run(*says: Say, options: PlanExecute | None = None, **more: Say | Sequence[Say]) -> Ran:
    return play(lab(*says, options=options, others=more))


def test_plan_steps_and_synthesis() -> None:
    ran = run()
    assert ran.order == ["lab", "finder", "buyer", "writer", "lab"]
    assert (ran.answer, ran.path) == ("All in all.", ["lab"])
    assert ran.executions == ["lab", "lab/plan-1/facts", "lab/plan-1/prices", "lab/plan-1/text"]
    assert {one.data["parent"] for one in ran.events("execution.started")[1:]} == {"lab"}
    assert ran.decisions == [
        (
            ["finder", "buyer", "writer"],
            "model",
            "facts by finder; prices by buyer; text by writer after facts, prices",
        ),
        (["lab"], "model", "finished"),
    ]


def test_the_planner_sees_instructions_purposes_and_the_request() -> None:
    ran = run()
    system, *rest = ran.shown("lab")
    assert system.startswith("system: You plan research.\n\n")
    assert "- finder: does finder\n- buyer: does buyer\n- writer: does writer" in system
    assert rest == ["user: What now?"]
    asked = ran.model.saw[0]
    assert asked.schema == plan_schema(["finder", "buyer", "writer"])
    assert (asked.tools, asked.turn) == ((), 1)
    assert "does buyer" in asked.search_texts["buyer"]


def test_a_step_sees_its_task_and_the_outputs_that_it_depends_on() -> None:
    ran = run()
    assert ran.shown("finder") == ["user: do facts"]
    assert ran.shown("writer") == [
        "user: do text\n\nResults of the steps before:\n\n"
        "## facts (by finder)\n\nfinder is done\n\n## prices (by buyer)\n\nbuyer is done"
    ]


def test_a_step_with_the_conversation_sees_the_request_and_what_it_builds_on() -> None:
    members = [agent("finder"), agent("buyer"), agent("writer", context="conversation")]
    says = [plan(step("facts", "finder"), step("prices", "buyer"), step("text", "writer", "facts")), done()]
    ran = play(lab(*says, members=members))
    assert ran.shown("writer") == [
        "user: What now?",
        "user: [finder] finder is done",
        "user: [lab] do text\n\nResults of the steps before:\n\n## facts (by finder)\n\nfinder is done",
    ]


def test_the_planner_sees_all_results_before_it_finishes() -> None:
    last = run().shown("lab", 2)
    assert last[1:6] == [
        "user: What now?",
        f"assistant: {TWO_THEN_ONE}",
        "user: [finder] finder is done",
        "user: [buyer] buyer is done",
        "user: [writer] writer is done",
    ]
    assert "'facts' by finder is done; 'prices' by buyer is done; 'text' by writer is done" in last[6]


@pytest.mark.parametrize(
    "reply",
    [
        plan(answer="Just so."),
        '{"answer": "Just so."}',
        "Just so.",
        f"```json\n{plan(answer='Just so.')}\n```",
    ],
)
def test_no_steps_means_that_the_planner_answers_itself(reply: str) -> None:
    ran = run(reply)
    assert (ran.answer, ran.order, ran.path) == ("Just so.", ["lab"], ["lab"])
    assert ran.decisions == [(["lab"], "model", "answered itself")]


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (
            plan(step("a", "nobody")),
            "Step 'a' names the agent 'nobody', which does not exist; the agents are finder, buyer, writer.",
        ),
        (plan(step("a", "finder"), step("a", "buyer")), "The id 'a' is used twice."),
        (plan(step("a", "finder", "b")), "Step 'a' depends on 'b', which does not exist."),
        (plan(step("a", "finder", "b"), step("b", "buyer", "a")), "These steps wait for each other: "),
        (plan(step("a", "finder", "a")), "These steps wait for each other: a."),
        (plan({"id": "a", "agent": "finder"}), 'has no key "task"'),
        (plan({"id": 1, "agent": "finder", "task": "x"}), "steps.0.id must be text"),
        ('{"steps": [', "not valid JSON"),
        ('{"steps": {}}', "steps must be"),
        ("{}", "no steps and no answer"),
        ("", "no steps and no answer"),
        (plan(), "no steps and no answer"),
    ],
)
def test_a_plan_that_cannot_be_followed_goes_back_with_the_error(bad: str, problem: str) -> None:
    ran = run(bad, TWO_THEN_ONE, done())
    assert ran.answer == "All in all."
    assert problem in ran.shown("lab", 2)[-1]
    assert [one.step for one in ran.events("model.completed")][:2] == ["lab/turn-1", "lab/turn-1.1"]


def test_a_planner_that_does_not_mend_its_plan_fails_the_run() -> None:
    ran = run(plan(step("a", "nobody")))
    assert (ran.ended.ev, ran.error["code"], ran.order) == ("run.failed", "invalid-plan", ["lab"] * 3)
    assert "nobody" not in ran.executions


def test_further_keys_are_ignored_and_dependencies_may_be_left_out() -> None:
    reply = plan({"id": "a", "agent": "finder", "task": "x", "why": "y"}, thoughts="hm", answer=None)
    assert run(reply, done()).order == ["lab", "finder", "lab"]


class Slow(SpokenModel):
    """`buyer` replies last of all, when nobody else is at work any more."""

    def __init__(self, says: dict[str, Say | Sequence[Say]]) -> None:
        super().__init__(says)
        self.order: list[str] = []

    async def pause(self, request: ModelRequest) -> None:
        for _ in range(400 if request.agent == "buyer" else 3):
            await asyncio.sleep(0)
        self.order.append(request.agent)


def test_a_step_starts_as_soon_as_what_it_needs_is_done() -> None:
    first = plan(step("facts", "finder"), step("prices", "buyer"), step("text", "writer", "facts"))
    stage = lab(first, done())
    stage.model = slow = Slow(dict(stage.says))
    assert play(stage).answer == "All in all."
    assert slow.order == ["lab", "finder", "writer", "buyer", "lab"]
    assert slow.most_at_once == 2


def test_max_concurrency_bounds_the_steps_at_once() -> None:
    first = plan(*(step(f"s{n}", "finder") for n in range(5)))
    stage = lab(first, done(), options=PlanExecute(max_concurrency=2))
    stage.model = slow = Slow(dict(stage.says))
    play(stage)
    assert slow.most_at_once == 2


def test_a_failed_step_goes_back_to_the_planner_with_what_succeeded() -> None:
    second = plan(step("again", "buyer", "facts"))
    ran = run(
        TWO_THEN_ONE, second, done(), buyer=lambda one: broken() if "prices" in one.messages[0].text else "ok"
    )
    assert ran.order == ["lab", "finder", "buyer", "lab", "buyer", "lab"]
    told = ran.shown("lab", 2)
    assert told[3:5] == ["user: [finder] finder is done", "user: [buyer] failed: the model is out of order"]
    assert "'text' was not run, since a step that it depends on failed" in told[5]
    assert "finder is done" in ran.shown("buyer", 2)[0]
    assert ran.executions[-1] == "lab/plan-2/again"


def test_what_does_not_need_the_failed_step_still_runs() -> None:
    first = plan(step("a", "finder"), step("b", "buyer"), step("c", "writer", "b"))
    assert run(first, done(), finder=broken()).order == ["lab", "finder", "buyer", "writer", "lab"]


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        (plan(step("facts", "writer")), "The id 'facts' was used in an earlier plan."),
        (plan(step("x", "writer", "prices")), "Step 'x' depends on 'prices', which was not finished."),
        (plan(step("x", "writer", "text")), "Step 'x' depends on 'text', which was not finished."),
    ],
)
def test_a_replan_is_checked_against_the_plans_before_it(second: str, problem: str) -> None:
    ran = run(TWO_THEN_ONE, second, done(), buyer=broken())
    assert problem in ran.shown("lab", 3)[-1]
    assert ran.answer == "All in all."


def test_replans_are_bounded_and_the_last_answer_is_kept() -> None:
    says = [plan(step(f"s{n}", "finder")) for n in range(9)]
    ran = run(*says, options=PlanExecute(max_replans=2))
    assert (ran.ended.ev, ran.error["limit"], ran.answer) == ("run.limit", "max_replans", "finder is done")
    assert ran.order == ["lab", "finder"] * 3 + ["lab"]
    assert "further steps under new ids" in ran.shown("lab", 3)[-1]
    assert "No further steps can be run" in ran.shown("lab", 4)[-1]
    assert "max_replans, team.yaml:4:3" in str(ran.error["message"])


def test_steps_of_all_plans_together_are_bounded() -> None:
    ran = run(plan(step("a", "finder")), TWO_THEN_ONE, options=PlanExecute(max_steps=3))
    assert (ran.ended.ev, ran.error["limit"], ran.answer) == ("run.limit", "max_steps", "finder is done")
    assert ran.order == ["lab", "finder", "lab"]


GIVEN = (
    PlanStep(id="facts", agent="finder", task="find it"),
    PlanStep(id="the text/1~2", agent="writer", task="write it", depends_on=("facts",)),
)


def test_a_plan_in_the_file_saves_the_planning_call() -> None:
    ran = run(done(), options=PlanExecute(plan=GIVEN))
    assert (ran.order, ran.answer) == (["finder", "writer", "lab"], "All in all.")
    assert ran.decisions[0] == (
        ["finder", "writer"],
        "plan",
        "facts by finder; the text/1~2 by writer after facts",
    )
    assert ran.shown("lab")[2].startswith('assistant: {"steps":[{"agent":"finder"')
    assert ran.executions[2] == "lab/plan-1/the%20text%2F1%7E2"


def test_a_given_plan_that_cannot_be_followed_is_refused() -> None:
    ran = run(
        done(), options=PlanExecute(plan=(PlanStep(id="a", agent="finder", task="x", depends_on=("a",)),))
    )
    assert (ran.error["code"], ran.order) == ("invalid-plan", [])


def test_a_given_plan_without_synthesis_asks_no_model_of_the_parent() -> None:
    options = PlanExecute(plan=GIVEN, synthesize=False)
    ran = run(options=options)
    assert (ran.order, ran.answer, ran.path) == (["finder", "writer"], "writer is done", ["lab", "writer"])
    failed = run(options=options, finder=broken())
    assert (failed.ended.ev, failed.error["execution"]) == ("run.failed", "lab/plan-1/facts")
    mended = run_again(failed, options)
    assert (mended.order, mended.answer) == (["finder", "writer"], "writer is done")


def run_again(failed: Ran, options: PlanExecute) -> Ran:
    return play(lab(options=options), failed.records)


def test_without_synthesis_the_steps_that_no_other_used_are_the_answer() -> None:
    ran = run(TWO_THEN_ONE, options=PlanExecute(synthesize=False))
    assert (ran.order[-1], ran.answer, ran.path) == ("writer", "writer is done", ["lab", "writer"])
    both = run(plan(step("a", "finder"), step("b", "buyer")), options=PlanExecute(synthesize=False))
    assert both.answer == "## a (by finder)\n\nfinder is done\n\n## b (by buyer)\n\nbuyer is done"
    assert both.path == ["lab"]


def test_without_synthesis_a_failure_still_goes_to_the_planner() -> None:
    options = PlanExecute(synthesize=False)
    ran = run(TWO_THEN_ONE, plan(), options=options, buyer=broken())
    assert (ran.order, ran.answer) == (["lab", "finder", "buyer", "lab"], "finder is done")
    alone = run(plan(step("a", "buyer")), plan(), done(), options=options, buyer=broken())
    assert alone.answer == "All in all."


def test_the_planner_may_have_a_model_and_instructions_of_its_own() -> None:
    settings = ModelSettings(id="other", folder=HERE, span=MODEL.span)
    options = PlanExecute(planner=Planner(model=settings, instructions="Plan tersely."))
    ran = run(options=options)
    assert ran.shown("lab")[0].startswith("system: Plan tersely.\n\n")
    assert ran.answer == "All in all."


def test_inside_a_conversation_the_planner_sees_what_was_said() -> None:
    inner = agent("lab", strategy=PlanExecute(), agents=leaves("finder"))
    root = agent("root", strategy=RoundRobin(), agents=[agent("first"), inner])
    ran = play(Stage(root=root, says={"lab": "Fine.", "first": "I began."}))
    assert ran.shown("lab")[1:] == ["user: What now?", "user: [first] I began."]


def test_the_schema_that_ships_is_the_one_that_is_asked_for() -> None:
    shipped = {key: value for key, value in schema("plan").items() if key in ("type", "properties")}
    asked = plan_schema(["a"])
    step_of = ("properties", "steps", "items", "properties", "agent")
    assert as_object(at(asked, *step_of))["enum"] == ["a"]
    assert without(asked, "enum") == shipped


def at(value: Json, *path: str) -> Json:
    for key in path:
        value = as_object(value)[key]
    return value


def without(value: Json, word: str) -> Json:
    if isinstance(value, dict):
        return {key: without(below, word) for key, below in value.items() if key != word}
    return value


def test_a_step_that_waits_for_a_person_holds_up_only_what_needs_it() -> None:
    desk = agent("desk", strategy=Manual(turns=1), agents=leaves("tech"))
    first = plan(
        step("ask", "desk"),
        step("facts", "finder"),
        step("text", "writer", "ask"),
        step("more", "writer", "facts"),
    )
    stage = lab(first, done(), members=[desk, agent("finder"), agent("writer")])
    waits = play(stage)
    assert (waits.ended.ev, waits.order) == ("run.waiting", ["lab", "finder", "writer"])
    ran = play(stage, waits.records, signals={"lab/plan-1/ask/choose-1": {"choose": "tech"}})
    assert (ran.order, ran.answer) == (["tech", "writer", "lab"], "All in all.")


def test_a_tool_that_ends_the_run_ends_it_whatever_the_planner_would_do() -> None:
    def fatal(_arguments: JsonObject) -> str:
        raise FatalToolError("the ledger is closed")

    stage = lab(plan(step("facts", "finder"), step("text", "writer", "facts")), done())
    stage.says = {**stage.says, "finder": calls(call("close"))}
    stage.tools = {"finder": [tool("close", fatal)]}
    ran = play(stage)
    assert (ran.ended.ev, ran.error["message"], ran.order) == (
        "run.failed",
        "the ledger is closed",
        ["lab", "finder"],
    )


def test_a_step_with_the_conversation_sees_what_it_builds_on_through_others() -> None:
    members = [agent("finder"), agent("buyer"), agent("writer", context="conversation")]
    first = plan(step("a", "finder"), step("b", "buyer", "a"), step("c", "writer", "b"), step("d", "buyer"))
    ran = play(lab(first, done(), members=members))
    assert [line for line in ran.shown("writer") if line.startswith("user: [")][:2] == [
        "user: [finder] finder is done",
        "user: [buyer] buyer is done",
    ]


STAGES = [
    partial(lab),
    partial(lab, TWO_THEN_ONE, done(), others={"buyer": broken()}),
    partial(lab, plan(step("a", "nobody")), TWO_THEN_ONE, plan(step("more", "finder", "text")), done()),
    partial(lab, done(), options=PlanExecute(plan=GIVEN)),
    partial(lab, options=PlanExecute(plan=GIVEN, synthesize=False)),
    partial(
        lab,
        TWO_THEN_ONE,
        plan(step("x", "finder")),
        plan(step("y", "finder")),
        options=PlanExecute(max_replans=1),
    ),
]


@pytest.mark.parametrize("stage", STAGES)
def test_it_resumes_from_every_record_to_the_same_end(stage: partial[Stage]) -> None:
    resumed_everywhere(stage)
