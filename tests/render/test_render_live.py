import io

import pytest
from render_events import BILLING, ROOT, begun, reply, support_run
from rich.cells import cell_len

from agentctl.jsontypes import Json, JsonObject
from agentctl.render.events_live import LiveDisplay
from agentctl.render.live_lines import live_lines
from agentctl.render.story import Story


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def told(events: list[JsonObject], clock: Clock | None = None) -> Story:
    story = Story(clock or Clock())
    for event in events:
        story.take(event)
    return story


def drawn(story: Story, *, width: int = 100, height: int = 30, now: float = 2.0) -> list[str]:
    return [line.plain for line in live_lines(story, width=width, height=height, now=now)]


MODEL: JsonObject = {"ev": "model.started", "step": f"{BILLING}/turn-1", "model": "openai/gpt-4o"}


def text(piece: str) -> JsonObject:
    return {"ev": "model.text", "step": f"{BILLING}/turn-1", "text": piece}


def test_it_shows_who_works_on_what_and_for_how_long() -> None:
    assert drawn(told([*begun(), MODEL])) == [
        "⠋ support_supervisor  → billing: shares 'balance', 'account' with billing  2.0 s, 115 tokens",
        "└ ⠋ billing  asks openai/gpt-4o  2.0 s",
        "1 model call, 115 tokens, $0.00, 2.0 s",
    ]


def test_streamed_text_is_shown_by_its_end_and_dropped_when_it_starts_again() -> None:
    story = told([*begun(), MODEL, text("The balance "), text("of your account ACC-123 is 5432.10.")])
    assert drawn(story, width=60)[1] == "└ ⠋ billing  writes: …our account ACC-123 is 5432.10.  2.0 s"
    story.take({"ev": "model.restarted", "step": f"{BILLING}/turn-1"})
    assert drawn(story)[1] == "└ ⠋ billing  starts its reply again  2.0 s"
    story.take({"ev": "model.retrying", "step": f"{BILLING}/turn-1", "attempt": 2, "error": "429"})
    assert drawn(story)[1] == "└ ⠋ billing  tries again: 429  2.0 s"
    story.take({"ev": "model.fallback", "step": f"{BILLING}/turn-1", "model": "gemini/x"})
    assert drawn(story)[1] == "└ ⠋ billing  falls back to gemini/x  2.0 s"


@pytest.mark.parametrize(
    ("event", "doing"),
    [
        (
            {
                "ev": "tool.started",
                "step": f"{BILLING}/turn-1/call-1.t",
                "tool": "t",
                "arguments": {"a": "[/x]"},
            },
            "t(a='[/x]')",
        ),
        (
            {"ev": "wait.started", "step": f"{BILLING}/w", "request": {"question": "May\nI?"}},
            "waits for a person: May I?",
        ),
        ({"ev": "timer.started", "step": f"{BILLING}/t", "deadline": 3}, "waits before it goes on"),
        ({"ev": "function.started", "step": f"{BILLING}/f", "function": "m:f"}, "m:f"),
    ],
)
def test_every_kind_of_work_has_its_words(event: JsonObject, doing: str) -> None:
    assert drawn(told([*begun(), event]))[1] == f"└ ⠋ billing  {doing}  2.0 s"


def test_what_is_finished_folds_into_one_line() -> None:
    clock = Clock()
    story = told(begun(), clock)
    clock.now = 1.5
    for event in support_run()[6:13]:
        story.take(event)
    assert drawn(story)[1] == "└ ✓ billing  The balance is 5432.10.  1.5 s, 230 tokens"
    for event in support_run()[13:]:
        story.take(event)
    assert drawn(story)[0].startswith("✓ support_supervisor  The balance is 5432.10.")
    assert len(drawn(story)) == 2


def test_failures_and_attempts_show() -> None:
    story = told(
        [
            *begun(),
            {"ev": "execution.failed", "step": BILLING, "error": {"message": "broken"}, "cause": "limit"},
            {
                "ev": "execution.started",
                "step": f"{ROOT}/billing.1~2",
                "agent": "billing",
                "parent": ROOT,
                "attempt": 2,
            },
        ]
    )
    assert drawn(story)[1:3] == ["├ ✗ billing  broken  0 ms", "└ ⠋ billing (attempt 2)  2.0 s"]


def crowd(size: int) -> list[JsonObject]:
    events = support_run()[:2]
    for number in range(size):
        step = f"{ROOT}/agent{number}.1"
        events.append({"ev": "execution.started", "step": step, "agent": f"agent{number}", "parent": ROOT})
        if number % 2:
            events.append({"ev": "execution.completed", "step": step, "answer": "done"})
    return events


def test_a_large_team_fits_the_terminal_and_keeps_who_is_at_work() -> None:
    found = drawn(told(crowd(40)), height=23)
    assert len(found) == 23
    assert found[-2] == "… and 20 more"
    assert not [line for line in found if "✓" in line]
    few = drawn(told(crowd(40)), height=10)
    assert len(few) == 10


@pytest.mark.parametrize("width", [20, 40, 41, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    events = [*begun(), MODEL, text("広い文字 and a long tail of words " * 20), text("\x1b[2J[bold]")]
    found = drawn(told(events), width=width)
    assert max(cell_len(line) for line in found) <= width
    assert not any("\x1b" in line for line in found)


def test_costs_that_are_not_known_are_said_to_be_unknown() -> None:
    unknown: JsonObject = {"ev": "model.completed", "step": f"{BILLING}/turn-1", "out": reply("x", cost=None)}
    assert "at least $0.00" in drawn(told([*begun(), MODEL, unknown]))[-1]
    assert drawn(Story())[-1] == "0 model calls, 0 tokens, 0 ms"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_live_view_leaves_the_decisions_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = _Terminal()
    display = LiveDisplay(stream)
    for event in support_run()[:8]:
        display.event(event)
    with display.paused():
        display.event(support_run()[8])
    display.close()
    display.close()
    assert "support_supervisor → billing: shares 'balance'" in stream.getvalue()
    assert stream.getvalue().rstrip("\n").endswith("\x1b[2K")  # the last thing is that the tree is wiped away


def test_an_execution_that_failed_is_under_way_again_when_work_begins_in_it() -> None:
    failed: list[JsonObject] = [
        {"ev": "execution.failed", "step": BILLING, "error": "broken"},
        {"ev": "execution.failed", "step": ROOT, "error": "broken"},
    ]
    story = told([*begun(), *failed])
    assert drawn(story)[0].startswith("✗ support_supervisor  broken")
    story.take(MODEL)
    assert drawn(story)[1] == "└ ⠋ billing  asks openai/gpt-4o  2.0 s"


def test_the_live_view_knows_what_was_recorded_before() -> None:
    stream = _Terminal()
    display = LiveDisplay(stream)
    display.recall(begun())
    display.close()
    assert "support_supervisor" in stream.getvalue()
    assert "→ billing: shares 'balance'" not in stream.getvalue().rpartition("\x1b[2K")[2]


def test_waiting_for_a_server_is_told_by_call_and_for_the_whole_run() -> None:
    story = told([*begun(), MODEL])
    error: Json = {"code": "model-rate-limit", "message": "too many requests"}
    retrying: dict[str, Json] = {"ev": "model.retrying", "step": f"{BILLING}/turn-1", "attempt": 1}
    story.take({**retrying, "wait_s": 12.0, "error": error})
    lines = drawn(story)
    assert lines[1] == "└ ⠋ billing  rate limited, 12.0 s  2.0 s"
    assert "1 call waiting: rate limited, 12.0 s" in lines[-1]


def test_a_limit_that_is_nearly_used_up_is_warned_of() -> None:
    story = told(begun())
    used: dict[str, Json] = {"ev": "limit.warning", "agent": "billing", "limit": "cost_usd", "allowed": 1.0}
    story.take({**used, "used": 0.84})
    assert "billing has used 0.84 of 1 USD" in drawn(story)
    assert len(drawn(story, height=4)) <= 4
