"""Limits: what is counted where, that they are finite by default, and what a reached one says."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from agentctl.engine.functions import IN_FLIGHT
from agentctl.engine.limits import Meter
from agentctl.journal.records import Record
from agentctl.jsontypes import Json, JsonObject
from agentctl.models.messages import ModelRequest, Reply, Usage
from agentctl.spec.strategies import Handoff, Parallel
from agentctl.spec.team import Limit, LimitName
from engine.harness import (
    SPAN,
    Say,
    Says,
    SpokenModel,
    Stage,
    agent,
    call,
    calls,
    leaves,
    play,
    tool,
)


def again(_request: ModelRequest) -> Reply:
    return calls(call("look", f'{{"n": {id(_request)}}}'))


def solo(says: Say, name: LimitName | None = None, value: float = 0) -> Stage:
    limits = {name: value} if name else None
    look = tool("look", lambda _: "saw", idempotent=True)
    return Stage(root=agent("solo", limits=limits), says={"solo": says}, tools={"solo": [look]})


def spending(tokens: int = 0, cost: float | None = 0.0) -> Reply:
    return Reply(text="", calls=(call("look"),), finish="calls", usage=Usage(input=tokens), cost_usd=cost)


def test_turns_are_finite_by_default() -> None:
    ran = play(solo(again))
    assert ran.ended.ev == "run.limit"
    assert len(ran.model.saw) == 25
    assert ran.error["message"] == (
        "agent 'solo' reached its limit of 25 turns: 25 used (limits.turns, the default)"
    )


def test_a_stated_limit_names_its_place() -> None:
    ran = play(solo(again, "turns", 3))
    assert len(ran.model.saw) == 3
    assert "3 turns: 3 used (limits.turns, team.yaml:4:3)" in str(ran.error["message"])
    assert ran.error["limit"] == "turns"


def test_tool_calls_are_bounded() -> None:
    ran = play(solo(again, "tool_calls", 2))
    assert len(ran.events("tool.completed")) == 2
    assert ran.error["limit"] == "tool_calls"


@pytest.mark.parametrize(("name", "value"), [("tokens", 250), ("cost_usd", 0.25)])
def test_the_wallet_is_checked_before_each_call(name: LimitName, value: float) -> None:
    ran = play(solo(lambda _: spending(100, 0.1), name, value))
    assert len(ran.model.saw) == 3
    assert ran.error["limit"] == name


def test_an_unknown_price_counts_as_nothing() -> None:
    ran = play(solo(lambda _: spending(1, None), "cost_usd", 0.1))
    assert ran.error["limit"] == "turns"


def test_the_roots_wallet_is_drawn_on_by_everything_below() -> None:
    members = [agent("a"), agent("b")]
    root = agent("root", strategy=Parallel(), agents=members, limits={"tokens": 100})
    ran = play(
        Stage(root=root, says={"a": Reply(text="", calls=(call("x"),), usage=Usage(input=60)), "b": "b"})
    )
    assert ran.ended.ev == "run.limit"
    assert "agent 'root' reached its limit of 100 tokens" in str(ran.error["message"])
    assert ran.order.count("a") == 2


def test_a_specialists_limit_ends_the_run_unless_its_parent_goes_on() -> None:
    members = [agent("a", limits={"turns": 1}), agent("b")]
    says: Says = {"root": [calls(call("transfer_to_a")), "Without a."], "a": calls(call("x"))}
    ran = play(Stage(root=agent("root", strategy=Handoff(), agents=members), says=says))
    assert (ran.ended.ev, ran.error["execution"]) == ("run.limit", "root/a.1")
    ran = play(Stage(root=agent("root", strategy=Handoff(final="supervisor"), agents=members), says=says))
    assert (ran.ended.ev, ran.answer) == ("run.completed", "Without a.")


class Sleepy(SpokenModel):
    async def pause(self, request: ModelRequest) -> None:
        await asyncio.sleep(30)


def test_time_ends_a_call_that_hangs() -> None:
    stage = solo("never", "time", 0.05)
    stage.model = Sleepy({})
    ran = play(stage)
    assert (ran.ended.ev, ran.error["limit"]) == ("run.limit", "time")
    assert "0.05 seconds" in str(ran.error["message"])


def test_most_of_the_time_being_used_is_told_once_and_not_while_a_person_is_waited_for() -> None:
    told: list[tuple[str, LimitName, float, float]] = []

    async def main() -> None:
        limited = agent("solo", limits={"time": 0.25})
        meter = Meter(limited, None, lambda *warning: told.append(warning))
        async with asyncio.timeout(meter.remaining_time()) as clock:
            meter.run_clock(clock)
            with meter.waiting():
                await asyncio.sleep(0.3)
            assert not told
            await asyncio.sleep(0.23)
        meter.stop_clock()

    asyncio.run(main())
    assert [(name, limit, allowed) for name, limit, _, allowed in told] == [("solo", "time", 0.25)]


def test_time_waited_for_a_person_does_not_count() -> None:
    async def slowly(_request: JsonObject) -> JsonObject:
        await asyncio.sleep(0.3)
        return {"approve": True}

    stage = solo("", "time", 0.2)
    stage.says = {"solo": [calls(call("sell")), "Done."]}
    stage.tools = {"solo": [tool("sell", lambda _: "sold", approve=True)]}
    stage.ask = slowly
    assert play(stage).answer == "Done."


def test_deep_teams_are_refused() -> None:
    below = agent("a9")
    for depth in range(8, 0, -1):
        below = agent(f"a{depth}", strategy=Handoff(), agents=[below])
    says: dict[str, Say] = {f"a{depth}": calls(call(f"transfer_to_a{depth + 1}")) for depth in range(1, 9)}
    ran = play(Stage(root=below, says=says))
    assert (ran.ended.ev, ran.error["limit"]) == ("run.limit", "depth")
    assert len(ran.executions) == 8


def test_a_limit_reached_goes_on_once_it_is_raised() -> None:
    replies: list[Say] = [calls(call("look", '{"n": 1}')), calls(call("look", '{"n": 2}')), "Done."]
    short = Stage(
        root=agent("solo", limits={"turns": 2}),
        says={"solo": replies},
        tools={"solo": [tool("look", lambda _: "saw", idempotent=True)]},
    )
    reached = play(short)
    assert reached.ended.ev == "run.limit"
    short.root = agent("solo", limits={"turns": 3})
    resumed = play(short, reached.records)
    assert (resumed.answer, len(resumed.model.saw)) == ("Done.", 1)


def test_what_was_spent_counts_also_where_it_was_superseded() -> None:
    """Two attempts of which the first was given up: a third one finds the run's wallet empty."""
    sold = Reply(text="sold", usage=Usage(input=40))
    desk = Reply(text="", calls=(call("transfer_to_seller"),), usage=Usage(input=30))
    root = agent("desk", strategy=Handoff(), agents=leaves("seller"), limits={"tokens": 100})
    shop = Stage(root=root, says={"desk": desk, "seller": sold})
    ran = play(shop)
    for attempt in (2, 3):
        wish = Record(
            seq=0, batch=0, ts=0, t=0, ev="revision.recorded", step="desk/seller.1", data={"kind": "retry"}
        )
        before = len(ran.events("model.completed"))
        ran = play(shop, [*ran.records, wish])
        asked = len(ran.events("model.completed")) - before
        if attempt == 2:
            assert (ran.answer, asked) == ("sold", 1)
    assert (ran.ended.ev, asked) == ("run.limit", 0)
    assert "limit of 100 tokens: 110 used" in str(ran.error["message"])


def test_what_a_pausing_branch_spent_counts_once() -> None:
    spends = Reply(text="", calls=(call("look"),), finish="calls", usage=Usage(input=40))
    done = Reply(text="done", usage=Usage(input=10))
    members = leaves("careful", "other")
    asked = {"careful": [tool("look", lambda _: "saw", approve=True)]}
    root = agent("panel", strategy=Parallel(), agents=members, limits={"tokens": 71})
    panel = Stage(root=root, says={"careful": [spends, done], "other": done}, tools=asked)
    waiting = play(panel)
    assert waiting.ended.ev == "run.waiting"
    answer: Json = {"approve": True}
    ran = play(panel, waiting.records, signals={"panel/careful.1/turn-1/call-1.look/approve": answer})
    assert ran.ended.ev == "run.completed", ran.error


class Costly(SpokenModel):
    """Every call costs, and lasts a moment."""

    async def pause(self, request: ModelRequest) -> None:
        await asyncio.sleep(0.005)


def many(count: int, *, cost: float, allowed: float) -> Stage:
    names = [f"a{number}" for number in range(count)]
    root = agent("root", strategy=Parallel(on_error="continue"), agents=leaves(*names))
    root = replace(root, limits={"cost_usd": Limit(value=allowed, span=SPAN)})
    answer = Reply(text="Done.", usage=Usage(input=1), cost_usd=cost)
    return Stage(root=root, model=Costly({"*": answer}))


def test_branches_overshoot_by_no_more_than_the_calls_under_way() -> None:
    ran = play(many(130, cost=1.0, allowed=5.0))
    assert ran.ended.ev == "run.limit"
    assert len(ran.model.saw) == IN_FLIGHT, "those that stood in line are not made"
    assert ran.model.most_at_once == IN_FLIGHT


def test_a_branch_that_is_asked_later_finds_the_wallet_empty() -> None:
    stage = many(4, cost=3.0, allowed=5.0)
    assert isinstance(stage.root.strategy, Parallel)
    stage.root = replace(stage.root, strategy=replace(stage.root.strategy, max_concurrency=1))
    ran = play(stage)
    assert (ran.ended.ev, len(ran.model.saw)) == ("run.limit", 2)
    assert "limit of 5 USD: 6 used (limits.cost_usd, team.yaml:4:3)" in str(ran.error["message"])
