"""swarm: transfers, permissions, rules, notes, what each member sees, and how ping-pong ends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from agentctl.spec.settings import Retry
from agentctl.spec.strategies import (
    Handoff,
    HandoffRule,
    Parallel,
    Random,
    RoundRobin,
    Router,
    Sequential,
    Strategy,
    Swarm,
)
from agentctl.spec.team import Agent
from engine.harness import (
    Ran,
    Say,
    Says,
    Stage,
    agent,
    broken,
    call,
    calls,
    leaves,
    passes,
    play,
    resumed_everywhere,
    told,
    tool,
)


def swarm(options: Swarm, says: Says, members: Sequence[Agent] = ()) -> Stage:
    root = agent("swarm", strategy=options, agents=members or leaves("triage", "billing", "tech"))
    look = tool("look", lambda _: "balance 12", idempotent=True)
    return Stage(root=root, says=says, tools={"billing": [look], "tech": [look]})


def run(options: Swarm, **says: Say | Sequence[Say]) -> Ran:
    return play(swarm(options, says))


def test_the_first_member_starts_and_may_answer_at_once() -> None:
    ran = run(Swarm(), triage="Hello.")
    assert (ran.answer, ran.path, ran.order) == ("Hello.", ["swarm", "triage"], ["triage"])
    assert ran.decisions == []


def test_another_member_may_start() -> None:
    assert run(Swarm(start="tech")).order == ["tech"]


def test_a_member_sees_its_own_tools_and_one_transfer_tool_a_peer() -> None:
    ran = run(Swarm(start="billing"))
    offered = {spec.name: spec for spec in ran.model.saw[0].tools}
    assert list(offered) == ["look", "transfer_to_triage", "transfer_to_tech"]
    assert offered["transfer_to_tech"].parameters["required"] == ["message"]
    assert "does tech" in offered["transfer_to_tech"].description


def test_control_moves_with_a_note_and_the_finishing_agents_answer_stands() -> None:
    ran = run(Swarm(), triage=passes("billing", "a refund", text="One moment."), billing="Refunded.")
    assert (ran.answer, ran.path) == ("Refunded.", ["swarm", "billing"])
    assert ran.shown("billing") == [
        "user: What now?",
        "user: [triage] One moment.",
        "user: [triage] a refund",
    ]
    assert ran.decisions == [(["billing"], "model", "a refund")]
    [passed, _] = [one for one in ran.events("execution.completed") if one.step != "swarm"]
    assert passed.data["transfer"] == {"agent": "billing", "message": "a refund", "reason": ""}


def test_the_reason_that_a_member_gives_is_the_decisions_reason() -> None:
    made = call("transfer_to_tech", '{"message": "look", "reason": "an order"}')
    assert run(Swarm(), triage=calls(made)).decisions == [(["tech"], "model", "an order")]


def test_a_member_that_gets_control_again_keeps_its_own_exchanges() -> None:
    ran = run(
        Swarm(),
        triage=lambda one: passes("billing", "check it") if len(one.messages) < 4 else "All is well.",
        billing=[calls(call("look")), passes("triage", "it is 12", text="Looked.")],
    )
    assert ran.order == ["triage", "billing", "billing", "triage"]
    assert ran.shown("triage", 2) == [
        "user: What now?",
        "assistant:  [transfer_to_billing]",
        "tool: Transferred to billing.",
        "user: [billing] Looked.",
        "user: [billing] it is 12",
    ]
    assert ran.executions == ["swarm", "swarm/triage.1", "swarm/billing.1", "swarm/triage.2"]


def test_text_beside_an_own_transfer_is_shown_once() -> None:
    ran = run(
        Swarm(),
        triage=lambda one: passes("billing", text="Wait.") if len(one.messages) < 4 else "Done.",
        billing=passes("triage"),
    )
    assert [line for line in ran.shown("triage", 2) if "Wait." in line] == [
        "assistant: Wait. [transfer_to_billing]"
    ]


def test_transitions_restrict_who_may_pass_to_whom() -> None:
    options = Swarm(transitions={"triage": ("billing",)})
    ran = run(options, triage=passes("billing"))
    assert [[spec.name for spec in one.tools] for one in ran.model.saw] == [["transfer_to_billing"], ["look"]]


def test_a_transfer_to_a_peer_that_is_not_permitted_is_a_tool_error_and_the_loop_goes_on() -> None:
    options = Swarm(transitions={"triage": ("billing",)})
    ran = run(options, triage=[passes("tech"), "I will stay."])
    assert ran.answer == "I will stay."
    assert ran.shown("triage", 2)[-1].startswith("tool: There is no tool 'transfer_to_tech'")
    [(chosen, by, reason)] = ran.decisions
    assert (chosen, by) == ([], "rule")
    assert reason.startswith("tried 'transfer_to_tech', which was not followed: There is no")


def test_a_misspelt_transfer_is_told_the_nearest_name() -> None:
    ran = run(Swarm(), triage=[passes("biling"), "ok"])
    assert "Did you mean 'transfer_to_billing'?" in ran.shown("triage", 2)[-1]


def test_a_transfer_without_a_message_is_told_what_it_lacks() -> None:
    ran = run(Swarm(), triage=[calls(call("transfer_to_tech")), "ok"])
    assert "needs a `message`" in ran.shown("triage", 2)[-1]


def test_of_two_transfers_the_first_permitted_one_counts_and_the_others_are_on_record() -> None:
    made = [
        call("transfer_to_nobody", '{"message": "1"}'),
        call("transfer_to_tech", '{"message": "2"}'),
        call("transfer_to_billing", '{"message": "3"}'),
    ]
    ran = run(
        Swarm(),
        triage=lambda one: calls(*made) if len(one.messages) < 4 else "ok",
        tech=passes("triage", "back to you"),
    )
    assert ran.order == ["triage", "tech", "triage"]
    assert [line for line in ran.shown("triage", 2) if line.startswith("tool:")] == [
        "tool: There is no tool 'transfer_to_nobody'. "
        "Your transfer tools are: transfer_to_billing, transfer_to_tech.",
        "tool: Transferred to tech.",
        "tool: Dropped: only one transfer counts in a turn, and 'tech' came first.",
    ]
    refused = [reason for chosen, _, reason in ran.decisions if not chosen]
    assert len(refused) == 2
    assert "transfer_to_billing" in refused[1]
    assert "Dropped" in refused[1]


def test_tools_of_a_turn_run_before_its_transfer() -> None:
    ran = run(
        Swarm(start="billing"),
        billing=calls(call("transfer_to_tech", '{"message": "go on"}'), call("look")),
    )
    [looked] = ran.events("tool.completed")
    [decided] = ran.events("decision.completed")
    assert looked.seq < decided.seq
    assert ran.path == ["swarm", "tech"]


def test_rules_are_tried_in_order_after_an_answer() -> None:
    rules = (
        HandoffRule(to="triage", text="ESCALATE"),
        HandoffRule(to="billing", from_="tech", text="ESCALATE"),
        HandoffRule(to="tech", regex="ESC.*"),
    )
    ran = run(Swarm(handoff_when=rules), triage="ESCALATE this", tech="ESCALATE more", billing="Solved.")
    assert ran.order == ["triage", "tech"] * 3
    assert ran.error["limit"] == "repetition"


def test_a_rule_hands_on_and_never_to_its_own_agent() -> None:
    rules = (HandoffRule(to="billing", text="money"), HandoffRule(to="tech", text="money"))
    ran = run(Swarm(handoff_when=rules), triage="it is about money", billing="money came", tech="fine")
    assert ran.order == ["triage", "billing", "tech"]
    assert ran.decisions == [
        (["billing"], "rule", "the answer contains 'money'"),
        (["tech"], "rule", "the answer contains 'money'"),
    ]
    assert ran.shown("tech") == [
        "user: What now?",
        "user: [triage] it is about money",
        "user: [billing] money came",
    ]


@pytest.mark.parametrize(("contains", "path"), [("12", "tech"), ("13", "billing"), (None, "tech")])
def test_a_rule_may_go_by_a_tools_result(contains: str | None, path: str) -> None:
    rules = (HandoffRule(to="tech", from_="billing", tool="look", contains=contains),)
    ran = run(Swarm(start="billing", handoff_when=rules), billing=[calls(call("look")), "I looked."])
    assert ran.path == ["swarm", path]


def test_a_tool_rule_goes_by_results_of_that_turn_alone() -> None:
    rules = (HandoffRule(to="tech", from_="billing", tool="look"),)
    ran = run(
        Swarm(start="billing", handoff_when=rules),
        billing=lambda one: calls(call("look")) if len(one.messages) < 2 else "I looked.",
        tech=passes("billing", "and?"),
    )
    assert ran.order == ["billing", "billing", "tech", "billing"]
    assert ran.path == ["swarm", "billing"]


def test_a_transfer_comes_before_the_rules() -> None:
    rules = (HandoffRule(to="tech", text="money"),)
    ran = run(Swarm(handoff_when=rules), triage=passes("billing", text="money"))
    assert ran.order == ["triage", "billing"]


def test_max_handoffs_ends_the_run_and_keeps_the_last_answer() -> None:
    ran = run(
        Swarm(max_handoffs=2),
        triage=passes("billing", text="T"),
        billing=passes("tech", text="B"),
        tech=passes("triage"),
    )
    assert ran.order == ["triage", "billing", "tech"]
    assert (ran.ended.ev, ran.answer, ran.error["limit"]) == ("run.limit", "B", "max_handoffs")
    assert "max_handoffs, team.yaml:4:3" in str(ran.error["message"])


def test_ping_pong_without_a_new_result_ends_the_run() -> None:
    ran = run(Swarm(), triage=passes("billing", text="yours"), billing=passes("triage", text="no, yours"))
    assert (ran.ended.ev, ran.answer, ran.error["limit"]) == ("run.limit", "no, yours", "repetition")
    assert ran.order == ["triage", "billing"] * 3


def test_the_same_result_again_is_not_a_new_one() -> None:
    ran = run(
        Swarm(),
        triage=passes("billing"),
        billing=[calls(call("look")), passes("triage", text="12")],
    )
    assert ran.error["limit"] == "repetition"
    assert ran.order.count("triage") == 4


def test_new_results_keep_a_conversation_going_up_to_max_handoffs() -> None:
    results = iter(range(100))
    says: Says = {"triage": passes("billing"), "billing": [calls(call("look")), passes("triage", text="12")]}
    stage = swarm(Swarm(max_handoffs=9), says)
    stage.tools = {"billing": [tool("look", lambda _: str(next(results)))]}
    assert play(stage).error["limit"] == "max_handoffs"


def test_a_failed_member_fails_the_swarm_after_its_retries() -> None:
    members = [agent("triage"), agent("billing", retry=Retry(attempts=2, delay=0))]
    ran = play(swarm(Swarm(), {"triage": passes("billing"), "billing": broken()}, members))
    assert (ran.ended.ev, ran.order) == ("run.failed", ["triage", "billing", "billing"])


def test_a_team_as_a_member_answers_and_rules_may_hand_it_on() -> None:
    panel = agent("panel", strategy=Parallel(), agents=leaves("a", "b"))
    members = [agent("triage"), panel, agent("tech")]
    rules = (HandoffRule(to="tech", from_="panel", text="a is done"),)
    ran = play(swarm(Swarm(handoff_when=rules), {"triage": passes("panel", "judge")}, members))
    assert ran.order == ["triage", "a", "b", "tech"]
    assert ran.shown("a") == ["user: What now?", "user: [triage] judge"]
    assert ran.path == ["swarm", "tech"]
    assert ran.shown("tech")[-1] == "user: [panel] ## a\n\na is done\n\n## b\n\nb is done"


def test_the_first_member_is_given_the_note_to_the_swarm_as_the_last_message() -> None:
    inner = agent("inner", strategy=Swarm(), agents=leaves("triage", "billing"))
    outer = agent("outer", strategy=Swarm(), agents=[agent("front"), inner])
    stage = Stage(
        root=outer, says={"front": passes("inner", "take it"), "triage": passes("billing", "you do")}
    )
    ran = play(stage)
    assert ran.shown("triage") == ["user: What now?", "user: [front] take it"]
    assert ran.shown("billing") == ["user: What now?", "user: [front] take it", "user: [triage] you do"]
    assert ran.path == ["outer", "inner", "billing"]


def test_a_member_alone_with_its_task_is_given_the_note() -> None:
    members = [agent("triage"), agent("billing", context="task")]
    ran = play(swarm(Swarm(), {"triage": passes("billing", "refund 12", text="hm")}, members))
    assert ran.shown("billing") == ["user: refund 12"]
    assert [spec.name for spec in ran.model.saw[1].tools][-1] == "transfer_to_triage"


def test_synthesize_sees_what_was_said() -> None:
    ran = run(Swarm(synthesize=True), triage=passes("tech", text="T"), tech="done", swarm="all in all")
    assert ran.answer == "all in all"
    assert ran.shown("swarm")[1:3] == ["user: [triage] T", "user: [tech] done"]


def test_a_swarm_with_one_member_offers_no_transfer() -> None:
    ran = play(swarm(Swarm(), {"triage": "Hello."}, leaves("triage")))
    assert [one.tools for one in ran.model.saw] == [()]


def test_round_after_round_each_request_is_whole() -> None:
    ran = run(Swarm(), triage=passes("billing", text="a"), billing=passes("triage", text="b"))
    assert all(told(one.messages[-1]).startswith(("user:", "tool:")) for one in ran.model.saw)


TWO_AT_ONCE = calls(
    call("transfer_to_tech", '{"message": "1"}'), call("transfer_to_billing", '{"message": "2"}')
)
STAGES = [
    partial(
        swarm,
        Swarm(),
        {"triage": passes("billing", "x", text="y"), "billing": [calls(call("look")), "Done."]},
    ),
    partial(swarm, Swarm(), {"triage": passes("billing"), "billing": passes("triage", text="no")}),
    partial(swarm, Swarm(handoff_when=(HandoffRule(to="tech", text="x"),)), {"triage": "x", "tech": "ok"}),
    partial(swarm, Swarm(synthesize=True), {"triage": TWO_AT_ONCE}),
]


@pytest.mark.parametrize("stage", STAGES)
def test_it_resumes_from_every_record_to_the_same_end(stage: partial[Stage]) -> None:
    resumed_everywhere(stage)


def test_a_swarm_inside_a_round_keeps_the_conversation() -> None:
    inner = agent("inner", strategy=Swarm(), agents=leaves("triage", "billing"))
    root = agent("root", strategy=RoundRobin(turns=3), agents=[inner, agent("critic")])
    ran = play(Stage(root=root, says={"critic": "again", "triage": "draft"}))
    assert ran.shown("triage", 2) == ["user: What now?", "user: [inner] draft", "user: [critic] again"]


@pytest.mark.parametrize(
    "strategy", [Sequential(), RoundRobin(), Parallel(), Router(), Handoff(), Random(seed=1)]
)
def test_the_members_of_a_member_have_no_peers_of_the_swarm(strategy: Strategy) -> None:
    team = agent("desk", strategy=strategy, agents=leaves("inner"))
    route = calls(call("transfer_to_inner")) if isinstance(strategy, Handoff) else '{"agent": "inner"}'
    ran = play(swarm(Swarm(), {"desk": route, "inner": "Here."}, [team, agent("other")]))
    assert ran.path[:2] == ["swarm", "desk"]
    assert [request.tools for request in ran.model.saw if request.agent == "inner"] == [()]
