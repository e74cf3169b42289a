import io
import json

import pytest
from render_events import BILLING, ROOT, begun, reply, support_run

from agentctl.jsontypes import JsonObject
from agentctl.render.display import Display, SilentDisplay
from agentctl.render.events_json import JsonDisplay
from agentctl.render.events_plain import PlainDisplay


def lines(events: list[JsonObject]) -> list[str]:
    stream = io.StringIO()
    display = PlainDisplay(stream)
    for event in events:
        display.event(event)
    display.close()
    return stream.getvalue().splitlines()


def after(*events: JsonObject) -> list[str]:
    """The lines of events that follow once billing is at work."""
    return lines([*begun(), *events])[len(lines(begun())) :]


def test_the_support_run_reads_as_a_story() -> None:
    assert lines(support_run()) == [
        "support_supervisor: model offline asked for t, 115 tokens, 1 ms",
        "support_supervisor → billing: shares 'balance', 'account' with billing (model offline)",
        "billing starts",
        "billing: model offline asked for t, 115 tokens, 1 ms",
        "billing: check_balance(account_id='ACC-123') gave {\"balance\": 5432.10} (3 ms)",
        "billing: model offline replied, 115 tokens, 1 ms",
        "billing is done",
    ]


MODEL: JsonObject = {"ev": "model.started", "step": f"{BILLING}/turn-1", "model": "openai/gpt-4o"}
TOOL: JsonObject = {
    "ev": "tool.started",
    "step": f"{BILLING}/turn-1/call-1.refund",
    "tool": "refund",
    "arguments": {"amount": 3, "to": {"name": "Ann"}},
}
STEP = f"{BILLING}/turn-1/call-1.refund"


@pytest.mark.parametrize(
    ("events", "line"),
    [
        ([{"ev": "run.resumed", "step": ""}], "run resumed: what was finished is kept"),
        ([{"ev": "run.started", "step": "", "run_id": "r-1"}], "run r-1"),
        (
            [{"ev": "revision.recorded", "step": BILLING, "kind": "retry"}],
            f"billing is tried again: {BILLING}",
        ),
        (
            [MODEL, {"ev": "model.failed", "step": MODEL["step"], "error": {"message": "no\nkey"}, "ms": 2}],
            "billing: model call failed: no key",
        ),
        (
            [
                MODEL,
                {
                    "ev": "model.retrying",
                    "step": MODEL["step"],
                    "attempt": 1,
                    "wait_s": 1.5,
                    "error": "rate limit",
                },
            ],
            "billing: model call failed (rate limit); attempt 2 in 1.5 s",
        ),
        (
            [MODEL, {"ev": "model.retrying", "step": MODEL["step"], "attempt": 1, "error": "rate limit"}],
            "billing: model call failed (rate limit); attempt 2 in a moment",
        ),
        (
            [MODEL, {"ev": "model.restarted", "step": MODEL["step"]}],
            "billing: the reply broke off and starts again",
        ),
        (
            [MODEL, {"ev": "model.fallback", "step": MODEL["step"], "model": "gemini/x", "error": "down"}],
            "billing: falls back to model gemini/x (down)",
        ),
        (
            [TOOL, {"ev": "tool.completed", "step": STEP, "out": {"text": "no", "error": True}, "ms": 9}],
            'billing: refund(amount=3, to={"name":"Ann"}) gave error: no (9 ms)',
        ),
        (
            [TOOL, {"ev": "tool.completed", "step": STEP, "out": {"text": ""}, "reused": "x", "ms": 0}],
            'billing: refund(amount=3, to={"name":"Ann"}) gave nothing (recorded earlier)',
        ),
        (
            [{"ev": "tool.completed", "step": STEP, "out": {"text": "ok"}, "reused": "x", "ms": 0}],
            "billing: refund() gave ok (recorded earlier)",
        ),
        (
            [
                TOOL,
                {
                    "ev": "tool.completed",
                    "step": f"{BILLING}/turn-2/call-1.refund",
                    "out": {"text": "ok"},
                    "reused": STEP,
                    "ms": 0,
                },
            ],
            'billing: refund(amount=3, to={"name":"Ann"}) gave ok (recorded earlier)',
        ),
        (
            [
                {"ev": "function.started", "step": f"{BILLING}/by", "function": "m:pick"},
                {"ev": "function.completed", "step": f"{BILLING}/by", "out": "sales"},
            ],
            'billing: m:pick gave "sales"',
        ),
        (
            [TOOL, {"ev": "tool.failed", "step": STEP, "error": {"message": "fatal"}}],
            'billing: refund(amount=3, to={"name":"Ann"}) failed: fatal',
        ),
        (
            [TOOL, {"ev": "tool.skipped", "step": STEP, "out": {"text": "unknown"}}],
            'billing: refund(amount=3, to={"name":"Ann"}) was left as it was; its effect is unknown',
        ),
        (
            [{"ev": "function.completed", "step": f"{BILLING}/by", "function": "m:pick", "out": "sales"}],
            'billing: m:pick gave "sales"',
        ),
        (
            [
                {
                    "ev": "guardrail.completed",
                    "step": f"{BILLING}/turn-1/guard-1.rejected",
                    "subject": "the answer",
                    "out": {"rejected": "it is rude", "action": "retry"},
                }
            ],
            "billing: a guardrail rejected the answer: it is rude (it is asked again)",
        ),
        (
            [{**MODEL, "shortened": 2}],
            "billing: 2 older tool results were shortened to fit the model's context",
        ),
        (
            [MODEL, {"ev": "model.shortened", "step": MODEL["step"], "shortened": 1}],
            "billing: 1 older tool result was shortened to fit the model's context",
        ),
        (
            [{"ev": "function.failed", "step": f"{BILLING}/by", "error": "boom"}],
            "billing: a function failed: boom",
        ),
        (
            [{"ev": "wait.started", "step": f"{BILLING}/w", "request": {"question": "May I?"}}],
            "billing waits for a person",  # the question is put, or listed at the end
        ),
        (
            [{"ev": "wait.completed", "step": f"{BILLING}/w", "answer": {"approve": True}}],
            "billing: a person answered yes",
        ),
        (
            [{"ev": "wait.started", "step": f"{BILLING}/w", "request": {"kind": "approve", "question": "?"}}],
            "billing asks for approval",  # which nobody may have to be asked for
        ),
        (
            [
                {
                    "ev": "wait.completed",
                    "step": f"{BILLING}/w",
                    "answer": {"approve": True, "by": "--yes"},
                }
            ],
            "billing: approved by --yes",
        ),
        (
            [{"ev": "timer.started", "step": f"{BILLING}/t", "ts": 10.0, "deadline": 12.0}],
            "billing waits 2.0 s",
        ),
        (
            [{"ev": "limit.warning", "agent": "billing", "limit": "turns", "used": 5, "allowed": 6}],
            "billing has used 5 of 6 turns",
        ),
        (
            [{"ev": "execution.failed", "step": BILLING, "error": {"message": "broken"}, "cause": "rule"}],
            "billing failed: broken",
        ),
        (
            [{"ev": "execution.failed", "step": BILLING, "error": "broken", "absorbed": True}],
            "billing failed, and the run goes on",
        ),
        (
            [
                {
                    "ev": "execution.started",
                    "step": f"{ROOT}/billing.1~2",
                    "agent": "billing",
                    "parent": ROOT,
                    "attempt": 2,
                    "note": {"agent": ROOT, "text": "look again"},
                }
            ],
            "billing starts (attempt 2): look again",
        ),
        (
            [{"ev": "decision.completed", "step": f"{ROOT}/d", "chosen": [], "by": "person", "reason": ""}],
            "support_supervisor chose nobody (a person)",
        ),
    ],
)
def test_each_event_has_its_line(events: list[JsonObject], line: str) -> None:
    assert after(*events)[-1] == line


@pytest.mark.parametrize(
    "event",
    [
        {"ev": "model.text", "step": f"{BILLING}/turn-1", "text": "The"},
        {"ev": "timer.started", "step": f"{BILLING}/t"},
        {"ev": "something.new", "step": BILLING},
        {"ev": "model.completed", "step": "nobody/turn-1", "out": reply("x")},
        {"ev": "tool.completed", "step": "nobody/turn-1/call-1.t", "out": {"text": "x"}},
        {"ev": "tool.failed", "step": "nobody/turn-1/call-1.t", "error": "x"},
        {"ev": "tool.skipped", "step": "nobody/turn-1/call-1.t"},
        {},
    ],
)
def test_events_without_news_have_no_line(event: JsonObject) -> None:
    assert after(event) == []


def test_what_models_and_tools_say_is_never_markup_nor_control() -> None:
    found = after(
        TOOL,
        {
            "ev": "tool.completed",
            "step": STEP,
            "out": {"text": "[/x] [bold]\x1b[2J\r\n[slug].tsx\u202e"},
            "ms": 1,
        },
    )
    assert found == [
        'billing: refund(amount=3, to={"name":"Ann"}) gave [/x] [bold]\\x1b[2J [slug].tsx\\u202e (1 ms)'
    ]


def test_arguments_that_are_text_are_shown_short() -> None:
    tool = {**TOOL, "arguments": "{" + "x" * 100}
    found = after(tool, {"ev": "tool.completed", "step": STEP, "out": {"text": "y" * 500}, "ms": 1})
    assert "…)" in found[0]
    assert len(found[0]) < 200


class _Gone(io.StringIO):
    def flush(self) -> None:
        raise BrokenPipeError


def test_a_reader_that_went_away_does_not_stop_plain_lines() -> None:
    display = PlainDisplay(_Gone())
    for event in support_run():
        display.event(event)


def test_json_events_are_ascii_lines_and_tell_once_that_nobody_reads() -> None:
    stream = io.StringIO()
    display = JsonDisplay(stream)
    events: list[JsonObject] = [*support_run(), {"ev": "model.text", "step": ROOT, "text": "é\u202e"}]
    for event in events:
        display.event(event)
    assert stream.getvalue().isascii()
    assert [json.loads(line) for line in stream.getvalue().splitlines()] == events
    told: list[bool] = []
    gone = JsonDisplay(_Gone(), lambda _error: told.append(True))
    for event in events:
        gone.event(event)
    assert told == [True]


def test_every_display_can_be_paused_and_closed() -> None:
    displays: list[Display] = [SilentDisplay(), PlainDisplay(io.StringIO()), JsonDisplay(io.StringIO())]
    for display in displays:
        with display.paused():
            display.event({"ev": "run.started"})
        display.close()


def test_what_was_recorded_before_is_known_but_not_told_again() -> None:
    stream = io.StringIO()
    display = PlainDisplay(stream)
    display.recall(
        [*begun(), {"ev": "execution.failed", "step": BILLING, "error": "broken"}, {**MODEL, "model": "gpt"}]
    )
    assert stream.getvalue() == ""
    display.event({"ev": "decision.completed", "step": f"{BILLING}/d", "chosen": ["a"], "by": "model"})
    assert stream.getvalue() == "billing → a (model gpt)\n"
    unknown: JsonObject = {"ev": "wait.completed", "step": "desk/turn-1", "answer": 1}
    display.event(unknown)
    assert stream.getvalue().endswith("desk: a person answered 1\n")


def test_displays_that_tell_no_story_need_to_recall_nothing() -> None:
    stream = io.StringIO()
    displays: list[Display] = [SilentDisplay(), JsonDisplay(stream)]
    for display in displays:
        display.recall(support_run())
    assert stream.getvalue() == ""


def test_why_something_failed_is_told_once() -> None:
    """By the call that failed; who fails with it names it, and the run's own words follow at its end."""
    turn: JsonObject = {"ev": "model.started", "step": f"{BILLING}/turn-1", "model": "openai/gpt-4o"}
    error: JsonObject = {"message": "no key", "execution": BILLING}
    assert after(
        turn,
        {"ev": "model.failed", "step": f"{BILLING}/turn-1", "error": {"message": "no key"}},
        {"ev": "execution.failed", "step": BILLING, "error": error, "cause": "step"},
        {"ev": "execution.failed", "step": ROOT, "error": error, "cause": "step"},
        {"ev": "run.failed", "step": "", "error": error},
    ) == ["billing: model call failed", "billing failed"]


LIMIT: JsonObject = {"message": "agent 'billing' used all of its 2 turns", "code": "limit"}


def test_what_ends_the_run_is_left_to_its_last_lines() -> None:
    ends: list[JsonObject] = [
        {"ev": "execution.failed", "step": step, "error": LIMIT, "cause": "limit"} for step in (BILLING, ROOT)
    ]
    assert after(*ends, {"ev": "run.limit", "step": "", "error": LIMIT}) == ["billing failed"]


def test_a_failure_that_something_comes_of_is_told_whole() -> None:
    failed: JsonObject = {"ev": "execution.failed", "step": BILLING, "error": LIMIT, "cause": "limit"}
    whole = "billing failed: agent 'billing' used all of its 2 turns"
    assert after({**failed, "absorbed": True}) == ["billing failed, and the run goes on"]
    assert after(failed, {"ev": "model.started", "step": f"{ROOT}/turn-2", "model": "m"}) == [whole]
    other: JsonObject = {"ev": "execution.failed", "step": ROOT, "error": {"message": "none of 1 is left"}}
    assert after(failed, other) == [whole]
    assert after(failed) == [whole]  # what shows it is closed


def test_an_empty_reply_is_said_to_be_empty() -> None:
    empty: JsonObject = {"ev": "model.completed", "step": MODEL["step"], "out": reply(" "), "ms": 2.0}
    assert after(MODEL, empty) == ["billing: model offline gave an empty reply, 115 tokens, 2 ms"]


def test_who_fails_with_another_names_it() -> None:
    inner: JsonObject = {
        "ev": "execution.started",
        "step": f"{BILLING}/clerk.1",
        "agent": "clerk",
        "parent": BILLING,
    }
    error: JsonObject = {"message": "no shape", "execution": f"{BILLING}/clerk.1"}
    failed: list[JsonObject] = [
        {"ev": "execution.failed", "step": step, "error": error} for step in (f"{BILLING}/clerk.1", BILLING)
    ]
    assert after(inner, *failed)[1:] == ["clerk failed: no shape", "billing failed, as clerk did"]


def test_one_of_one_is_singular() -> None:
    used: JsonObject = {
        "ev": "limit.warning",
        "agent": "billing",
        "limit": "tool_calls",
        "used": 1,
        "allowed": 1,
    }
    assert after(used) == ["billing has used 1 of 1 tool call"]
