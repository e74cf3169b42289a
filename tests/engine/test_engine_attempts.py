"""Attempts: `retry` of a delegation, effects not had twice, and what a resume does about failures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agentctl.errors import FatalToolError, ModelError, ModelErrorKind
from agentctl.jsontypes import JsonObject
from agentctl.models.messages import ModelRequest
from agentctl.spec.settings import Retry
from agentctl.spec.strategies import Handoff
from engine.harness import Ran, Say, Stage, agent, broken, call, calls, play, tool

FAST = Retry(attempts=3, delay=0.0)


class Shop:
    """A desk over one specialist whose tool has an effect; `fails` is raised by its closing call, in turn."""

    def __init__(
        self, fails: list[Exception], *, retry: Retry | None = FAST, idempotent: bool = False
    ) -> None:
        self.sold: list[JsonObject] = []
        self._fails: Iterator[Exception] = iter(fails)
        self._retry = retry
        self._idempotent = idempotent

    def stage(self, closing: Say | None = None) -> Stage:
        seller = agent("seller", retry=self._retry)
        return Stage(
            root=agent("desk", strategy=Handoff(), agents=[seller]),
            says={
                "desk": calls(call("transfer_to_seller")),
                "seller": [calls(call("sell")), self._close if closing is None else closing],
            },
            tools={"seller": [tool("sell", self._sell, idempotent=self._idempotent)]},
        )

    def _sell(self, arguments: JsonObject) -> str:
        self.sold.append(arguments)
        return f"sale {len(self.sold)}"

    def _close(self, _request: ModelRequest) -> Exception | str:
        return next(self._fails, "Sold.")


def test_an_effect_of_an_earlier_attempt_is_not_had_again() -> None:
    shop = Shop([broken(), broken()])
    ran = play(shop.stage())
    assert ran.answer == "Sold."
    assert len(shop.sold) == 1
    assert ran.executions[1:] == ["desk/seller.1", "desk/seller.1~2", "desk/seller.1~3"]
    reused = [record.data.get("reused") for record in ran.events("tool.completed")]
    source = "desk/seller.1/turn-1/call-1.sell"
    assert reused == [None, source, source]
    assert ran.order.count("desk") == 1


def test_an_idempotent_call_is_simply_made_again() -> None:
    shop = Shop([broken()], idempotent=True)
    assert play(shop.stage()).answer == "Sold."
    assert len(shop.sold) == 2


@pytest.mark.parametrize("kind", ["auth", "permission", "quota"])
def test_what_would_fail_again_is_not_retried(kind: ModelErrorKind) -> None:
    ran = play(Shop([ModelError("no", kind=kind)]).stage())
    assert (ran.ended.ev, ran.error["code"]) == ("run.failed", f"model-{kind}")
    assert ran.executions == ["desk", "desk/seller.1"]


def test_a_fatal_tool_error_is_not_retried() -> None:
    def explode(_arguments: JsonObject) -> str:
        raise FatalToolError("stop")

    stage = Shop([]).stage()
    stage.tools = {"seller": [tool("sell", explode)]}
    assert play(stage).executions == ["desk", "desk/seller.1"]


def test_attempts_that_were_used_stay_used_and_a_resume_goes_on_inside_the_last() -> None:
    shop = Shop([broken()] * 3)
    failed = play(shop.stage())
    assert failed.ended.ev == "run.failed"
    resumed = play(shop.stage(), failed.records)
    assert resumed.answer == "Sold."
    assert resumed.order == ["seller"], "only the failed call is asked again"
    assert resumed.executions[1:] == ["desk/seller.1", "desk/seller.1~2", "desk/seller.1~3"]
    assert len(shop.sold) == 1


def test_a_crash_between_attempts_starts_the_next_one() -> None:
    shop = Shop([broken()])
    whole = play(shop.stage())
    cut = next(i for i, record in enumerate(whole.records) if record.ev == "execution.failed") + 1
    resumed = play(shop.stage(), whole.records[:cut])
    assert resumed.answer == "Sold."
    assert resumed.executions[-1] == "desk/seller.1~2"


def test_failing_by_a_rule_takes_another_attempt_on_resume() -> None:
    failed = play(Shop([], retry=None).stage(closing=""))
    assert failed.error["code"] == "empty-reply"
    resumed = play(Shop([], retry=None).stage(), failed.records)
    assert resumed.answer == "Sold."
    assert resumed.executions[-1] == "desk/seller.1~2"
    assert "desk" not in resumed.order


def test_the_root_too() -> None:
    failed = play(Stage(root=agent("solo"), says={"solo": ""}))
    resumed = play(Stage(root=agent("solo"), says={"solo": "Here."}), failed.records)
    assert (resumed.answer, resumed.executions) == ("Here.", ["solo", "solo~2"])


@pytest.mark.parametrize("answer", ["rerun", "skip"])
def test_a_call_in_doubt(answer: str) -> None:
    shop = Shop([])
    whole = play(shop.stage())
    cut = next(i for i, record in enumerate(whole.records) if record.ev == "tool.started") + 1
    step = "desk/seller.1/turn-1/call-1.sell"
    waiting = play(shop.stage(), whole.records[:cut])
    assert waiting.ended.ev == "run.waiting"
    assert asked_of(waiting) == [step]
    assert len(shop.sold) == 1
    resumed = play(shop.stage(), waiting.records, signals={step: answer})
    assert resumed.answer == "Sold."
    assert len(shop.sold) == (2 if answer == "rerun" else 1)
    assert ("unknown" in resumed.shown("seller")[-1]) == (answer == "skip")
    finished = play(shop.stage(), resumed.records[:-1])
    assert finished.answer == "Sold."
    assert finished.order == []


def asked_of(ran: Ran) -> list[object]:
    waiting: object = ran.ended.data["waiting_for"]
    assert isinstance(waiting, list)
    return [question["step"] for question in waiting]
