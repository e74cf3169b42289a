import asyncio
from collections.abc import Sequence

import pytest

from agentctl.cli.asking import Asker
from agentctl.jsontypes import Json, JsonObject
from agentctl.render.display import SilentDisplay

APPROVE: JsonObject = {
    "kind": "approve",
    "question": "May 'billing' call 'refund'?",
    "agent": "billing",
    "tool": "refund",
    "arguments": {"amount": 3, "note": "two\nlines \x1b[31m [/x]"},
}
DOUBT: JsonObject = {"kind": "in_doubt", "question": "Call it again?", "tool": "refund", "arguments": {}}
CHOOSE: JsonObject = {
    "kind": "choose",
    "question": "Who is next?",
    "choices": ["billing", "sales", "second", "finish"],
    "agents": {"billing": "Balances", "sales": "", "second": ""},
}


def answered(request: JsonObject, lines: Sequence[str]) -> Json:
    left = list(lines)

    async def read_line() -> str:
        return left.pop(0) if left else ""

    async def ask() -> Json:
        return await Asker(SilentDisplay(), read_line).ask(request)

    return asyncio.run(ask())


def test_whoever_chooses_is_shown_what_was_answered_last(capsys: pytest.CaptureFixture[str]) -> None:
    answered({**CHOOSE, "last": "It is\ndone."}, ["1\n"])
    assert capsys.readouterr().err.startswith("answered last: It is\ndone.\nWho is next?\n  1. billing: Bal")
    answered({**CHOOSE, "question": "'x' failed. Who is next?", "last": "'x' failed"}, ["1\n"])
    assert capsys.readouterr().err.startswith("'x' failed. Who is next?\n")


@pytest.mark.parametrize(
    ("request_", "lines", "answer"),
    [
        (APPROVE, ["yes\n"], {"approve": True}),
        (APPROVE, ["\n", "Y\n"], {"approve": True}),
        (APPROVE, ["n\n"], {"approve": False}),
        (APPROVE, ["n\n", "\n"], {"approve": False}),
        (APPROVE, ["n\n", " it is late \n"], {"approve": False, "reason": "it is late"}),
        (APPROVE, ["no, that is too much\n"], {"approve": False, "reason": "that is too much"}),
        (APPROVE, ["no: not now\n"], {"approve": False, "reason": "not now"}),
        (APPROVE, ["what\n", "yes\n"], {"approve": True}),
        (APPROVE, [], None),
        (DOUBT, ["rerun\n"], "rerun"),
        (DOUBT, ["s\n"], "skip"),
        (DOUBT, ["skip it\n"], None),
        (CHOOSE, ["billing\n"], {"choose": "billing"}),
        (CHOOSE, ["2\n"], {"choose": "sales"}),
        (CHOOSE, ["bil\n"], {"choose": "billing"}),
        (CHOOSE, ["s\n", "9\n", "se\n"], {"choose": "second"}),
        (CHOOSE, ["finish\n"], {"finish": True}),
        ({"kind": "ask_person", "question": "Your name?"}, ["  Ann \n"], "Ann"),
        ({"kind": "other", "question": "Which?", "choices": ["a", "b"]}, ["2\n"], "b"),
    ],
)
def test_a_person_answers_in_words(request_: JsonObject, lines: list[str], answer: Json) -> None:
    assert answered(request_, lines) == answer


def test_everything_that_is_decided_on_is_shown_safely(capsys: pytest.CaptureFixture[str]) -> None:
    answered(APPROVE, ["y\n"])
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "May 'billing' call 'refund'?\n  agent: billing\n  tool: refund\n  amount: 3\n"
        "  note: two\n    lines \\x1b[31m [/x]\nyes, no, no and why, or always (for this run)> "
    )
    rejected = "A guardrail of 'billing' rejected the answer. Let it pass?"
    text: JsonObject = {
        "kind": "approve",
        "guardrail": True,
        "question": rejected,
        "text": "a\nrude [/x]\x1b",
    }
    assert answered({**text, "agent": "billing"}, ["always\n", "no: rude\n"]) == {
        "approve": False,
        "reason": "rude",
    }
    assert capsys.readouterr().err == (
        f"{rejected}\n  agent: billing\n  text: a\n    rude [/x]\\x1b\nyes, no, or no and why> "
        "'always' is none of: yes, no\nyes, no, or no and why> "
    )
    answered(CHOOSE, ["1\n"])
    assert capsys.readouterr().err == (
        "Who is next?\n  1. billing: Balances\n  2. sales\n  3. second\na name, a number, or finish> "
    )


def test_questions_that_come_at_once_are_put_one_after_another() -> None:
    lines = iter(["yes\n", "no\n", "\n"])
    open_questions = 0

    async def read_line() -> str:
        nonlocal open_questions
        open_questions += 1
        assert open_questions == 1
        await asyncio.sleep(0)
        open_questions -= 1
        return next(lines)

    async def ask() -> list[Json]:
        asker = Asker(SilentDisplay(), read_line)
        return list(await asyncio.gather(asker.ask(APPROVE), asker.ask(APPROVE)))

    assert asyncio.run(ask()) == [{"approve": True}, {"approve": False}]
