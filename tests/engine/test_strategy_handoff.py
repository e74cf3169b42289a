"""handoff: who is asked, what each sees, whose words are the answer, and that nothing asked for is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, Unpack

import pytest

from agentctl.jsontypes import as_text
from agentctl.models.messages import Reply, ToolCall
from agentctl.spec.settings import Retry
from agentctl.spec.strategies import Handoff
from agentctl.spec.team import Agent
from engine.harness import (
    Say,
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

Says = Mapping[str, Say | Sequence[Say]]


class Options(TypedDict, total=False):
    """Those of `Handoff`."""

    final: Literal["specialist", "supervisor"]
    required: bool
    max_handoffs: int
    synthesize: bool


def desk(says: Says, *, members: Sequence[Agent] = (), **options: Unpack[Options]) -> Stage:
    strategy = Handoff(**options)
    root = agent(
        "desk", strategy=strategy, agents=members or leaves("billing", "sales"), instructions="Route."
    )
    return Stage(root=root, says=says, tools={"desk": [tool("look", lambda _: "found it", idempotent=True)]})


def to(name: str, message: str = "", reason: str = "fits", call_id: str = "") -> Reply:
    return calls(transfer(name, message, reason, call_id))


def transfer(name: str, message: str = "", reason: str = "fits", call_id: str = "") -> ToolCall:
    arguments = f'{{"reason": "{reason}", "message": "{message}"}}'
    return call(f"transfer_to_{name}", arguments, call_id=call_id)


def test_the_specialists_words_are_the_answer_untouched() -> None:
    ran = play(desk({"desk": to("billing", reason="money"), "billing": "  It is *5*.\n"}))
    assert ran.answer == "  It is *5*.\n"
    assert ran.path == ["desk", "billing"]
    assert ran.order == ["desk", "billing"]
    assert ran.decisions == [(["billing"], "model", "money")]
    assert ran.executions == ["desk", "desk/billing.1"]


def test_what_each_is_shown_and_offered() -> None:
    ran = play(desk({"desk": to("billing", "look at May"), "billing": "Done."}))
    first, second = ran.model.saw
    assert [spec.name for spec in first.tools] == ["look", "transfer_to_billing", "transfer_to_sales"]
    assert first.tools[1].description == "Transfer to billing: does billing"
    assert [spec.name for spec in second.tools] == []
    assert ran.shown("desk") == ["system: Route.", "user: What now?"]
    assert ran.shown("billing") == ["user: What now?", "user: [desk] look at May"]


def test_text_beside_a_transfer_joins_the_conversation() -> None:
    says: Says = {"desk": calls(transfer("sales"), text="One moment."), "sales": "Done."}
    assert play(desk(says)).shown("sales") == ["user: What now?", "user: [desk] One moment."]


def test_an_agent_that_sees_only_its_task() -> None:
    members = [agent("billing", context="task"), agent("sales")]
    says: Says = {"desk": to("billing", "look at May"), "billing": "Done."}
    assert play(desk(says, members=members)).shown("billing") == ["user: look at May"]
    assert play(desk({**says, "desk": to("billing")}, members=members)).shown("billing") == [
        "user: What now?"
    ]


def test_several_transfers_run_and_the_parent_writes_the_reply() -> None:
    both = calls(transfer("billing", call_id="a"), transfer("sales", call_id="b"))
    ran = play(desk({"desk": [both, "In sum: 5 and 9."], "billing": "5", "sales": "9"}))
    assert ran.answer == "In sum: 5 and 9."
    assert ran.path == ["desk"]
    assert sorted(ran.executions) == ["desk", "desk/billing.1", "desk/sales.1"]
    assert ran.shown("desk", 2)[2:] == [
        "assistant:  [transfer_to_billing] [transfer_to_sales]",
        "tool: 5",
        "tool: 9",
    ]
    assert ran.ended.data["answers"] == {"billing": "5", "sales": "9"}


def test_tools_beside_a_transfer_run_first_and_their_results_join_the_note() -> None:
    turn = calls(call("look"), transfer("billing", "see this"))
    ran = play(desk({"desk": turn, "billing": "Done."}))
    assert ran.answer == "Done."
    assert ran.shown("billing")[-1] == "user: [desk] see this\nResult of look: found it"
    assert [record.data["tool"] for record in ran.events("tool.started")] == ["look"]


def test_no_transfer_is_an_answer_of_its_own() -> None:
    ran = play(desk({"desk": "I know that myself."}))
    assert (ran.answer, ran.path) == ("I know that myself.", ["desk"])
    assert ran.decisions == [(["desk"], "model", "answered itself")]


def test_required_asks_once_more_with_the_choice_forced() -> None:
    ran = play(desk({"desk": ["Myself.", to("sales")], "sales": "9"}, required=True))
    assert ran.answer == "9"
    assert [request.required for request in ran.model.saw] == [False, True, False]
    ran = play(desk({"desk": "Myself."}, required=True))
    assert ran.ended.ev == "run.failed"
    assert ran.error["code"] == "transfer-required"
    assert len(ran.model.saw) == 2


def test_the_supervisor_goes_on_where_the_answer_is_its_own() -> None:
    says: Says = {"desk": [to("billing"), to("sales"), "Both said."], "billing": "5", "sales": "9"}
    ran = play(desk(says, final="supervisor"))
    assert (ran.answer, ran.path) == ("Both said.", ["desk"])
    assert ran.order == ["desk", "billing", "desk", "sales", "desk"]
    assert ran.shown("sales") == ["user: What now?", "user: [billing] 5"]
    assert ran.decisions[0][0] == ["billing"]
    assert len(ran.decisions) == 2


def test_a_specialist_that_fails_ends_a_single_transfer() -> None:
    ran = play(desk({"desk": to("billing"), "billing": broken()}))
    assert ran.ended.ev == "run.failed"
    assert (ran.error["code"], ran.error["execution"]) == ("model-server", "desk/billing.1")


@pytest.mark.parametrize("final", ["specialist", "supervisor"])
def test_a_failure_is_told_where_the_parent_goes_on(final: Literal["specialist", "supervisor"]) -> None:
    both = calls(transfer("billing", call_id="a"), transfer("sales", call_id="b"))
    ran = play(desk({"desk": [both, "Only sales."], "billing": broken(), "sales": "9"}, final=final))
    assert ran.answer == "Only sales."
    assert ran.shown("desk", 2)[3] == "tool: 'billing' failed: the model is out of order"
    assert [record.data["absorbed"] for record in ran.events("execution.failed")[-1:]] == [True]


def test_retries_do_not_ask_the_parent_again() -> None:
    retry = Retry(attempts=3, delay=0.0)
    members = [agent("billing", retry=retry), agent("sales")]
    failures = iter([broken(), broken()])
    ran = play(desk({"desk": to("billing"), "billing": lambda _: next(failures, "5")}, members=members))
    assert ran.answer == "5"
    assert ran.order == ["desk", "billing", "billing", "billing"]
    assert ran.executions == ["desk", "desk/billing.1", "desk/billing.1~2", "desk/billing.1~3"]


def test_hand_offs_are_bounded() -> None:
    numbers = iter(range(100))
    ran = play(
        desk(
            {"desk": lambda _: to("sales", str(next(numbers))), "sales": "9"},
            final="supervisor",
            max_handoffs=3,
        )
    )
    assert ran.ended.ev == "run.limit"
    assert ran.error["limit"] == "max_handoffs"
    assert ran.order.count("sales") == 3


def test_the_same_message_twice_in_a_row_is_refused() -> None:
    says: Says = {"desk": [to("sales", "price?"), to("sales", "price?"), "So 9."], "sales": "9"}
    ran = play(desk(says, final="supervisor"))
    assert ran.answer == "So 9."
    assert ran.order.count("sales") == 1
    assert "was just given the same message" in ran.shown("desk", 3)[-1]


def test_a_transfer_to_nobody_is_told_who_is_near() -> None:
    ran = play(desk({"desk": [to("biling"), to("billing")], "billing": "5"}))
    assert ran.answer == "5"
    assert (
        "There is no tool 'transfer_to_biling'. Did you mean 'transfer_to_billing'?"
        in ran.shown("desk", 2)[-1]
    )


def test_a_good_and_a_misspelt_transfer_are_both_answered() -> None:
    both = calls(transfer("billing", call_id="a"), transfer("seles", call_id="b"))
    ran = play(desk({"desk": [both, "5, and sales I missed."], "billing": "5"}))
    assert ran.answer == "5, and sales I missed."
    assert ran.shown("desk", 2)[3] == "tool: 5"
    assert "Did you mean 'transfer_to_sales'?" in ran.shown("desk", 2)[4]


def test_unreadable_transfer_arguments_are_not_followed() -> None:
    ran = play(desk({"desk": [calls(call("transfer_to_sales", '{"reason": ')), to("sales")], "sales": "9"}))
    assert ran.answer == "9"
    assert "not valid JSON" in ran.shown("desk", 2)[-1]
    assert ran.executions == ["desk", "desk/sales.1"]


def test_synthesis_is_one_closing_call() -> None:
    ran = play(desk({"desk": [to("sales"), "In short: 9."], "sales": "It is 9."}, synthesize=True))
    assert ran.order == ["desk", "sales", "desk"]
    assert ran.shown("desk", 2)[1:3] == ["user: What now?", "user: [sales] It is 9."]


def test_resume_does_nothing_again_wherever_it_was_cut() -> None:
    both = calls(call("look"), transfer("billing", call_id="a"), transfer("sales", call_id="b"))
    says: Says = {"desk": [both, "5 and 9."], "billing": "5", "sales": "9"}
    resumed_everywhere(lambda: desk(says))
    resumed_everywhere(lambda: desk({"desk": to("billing"), "billing": "5"}))


def test_a_resumed_failure_is_asked_again_without_the_decision() -> None:
    failed = play(desk({"desk": to("billing"), "billing": broken()}))
    resumed = play(desk({"desk": to("sales"), "billing": "5"}), failed.records)
    assert as_text(resumed.ended.data["answer"]) == "5"
    assert resumed.order == ["billing"]


def test_the_same_transfer_twice_in_a_turn_is_one() -> None:
    twice = calls(transfer("billing", call_id="a"), transfer("billing", call_id="b"))
    ran = play(desk({"desk": twice, "billing": "5"}))
    assert (ran.answer, ran.path, ran.order) == ("5", ["desk", "billing"], ["desk", "billing"])


def test_the_closing_call_is_the_next_of_its_execution() -> None:
    says: Says = {"desk": [to("sales"), "In short: 9."], "sales": "It is 9."}
    ran = play(desk(says, synthesize=True))
    assert ran.answer == "In short: 9."
    assert [(one.agent, one.turn) for one in ran.model.saw] == [("desk", 1), ("sales", 1), ("desk", 2)]


def test_a_bound_names_its_place_in_the_file() -> None:
    numbers = iter(range(9))
    says: Says = {"desk": lambda _: to("sales", str(next(numbers))), "sales": "9"}
    ran = play(desk(says, final="supervisor", max_handoffs=1))
    assert "limit of 1 hand-off (max_handoffs, team.yaml:4:3)" in str(ran.error["message"])
