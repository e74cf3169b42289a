import io
import re
import time

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
    assert drawn(told([*begun(), MODEL]), width=90) == [
        "⠋ support_supervisor  → billing: shares 'balance', 'account' wi…  2.0 s  115 tokens  $0.00",
        "└ ⠋ billing  asks openai/gpt-4o                                   2.0 s                   ",
        "2.0 s, 115 tokens, $0.00, 1 model call",
    ]


def doing(story: Story, *, width: int = 100, now: float = 2.0) -> str:
    """What billing does by its line."""
    return re.split(r"  +", drawn(story, width=width, now=now)[1])[1]


def test_streamed_text_is_shown_by_its_end_and_dropped_when_it_starts_again() -> None:
    story = told([*begun(), MODEL, text("The balance "), text("of your account ACC-123 is 5432.10.")])
    assert doing(story, width=60) == "writes: …ACC-123 is 5432.10."
    story.take({"ev": "model.restarted", "step": f"{BILLING}/turn-1"})
    assert doing(story) == "starts its reply again"
    story.take({"ev": "model.fallback", "step": f"{BILLING}/turn-1", "model": "gemini/x"})
    assert doing(story) == "falls back to gemini/x"


def test_a_wait_before_the_next_attempt_is_counted_down() -> None:
    story = told([*begun(), MODEL, text("The bal")])
    error: Json = {"code": "model-rate-limit", "message": "too many requests"}
    retrying: JsonObject = {"ev": "model.retrying", "step": f"{BILLING}/turn-1", "attempt": 1}
    story.take({**retrying, "wait_s": 12.0, "error": error})
    assert doing(story, now=0.0) == "rate limited, 12 s, then attempt 2"
    assert doing(story, now=8.5) == "rate limited, 4 s, then attempt 2"
    assert doing(story, now=12.0) == "rate limited, now attempt 2"
    assert drawn(story, now=8.5)[-1].endswith("1 call waiting: rate limited, 4 s, then attempt 2")
    story.take({**retrying, "attempt": 2, "wait_s": 75.0, "error": "odd"})
    assert doing(story, now=0.0) == "odd, 1m 15s, then attempt 3"
    story.take(text("Now it comes"))
    assert doing(story, now=13.0) == "writes: Now it comes"


@pytest.mark.parametrize(
    ("event", "words"),
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
        ({"ev": "timer.started", "step": f"{BILLING}/t", "deadline": 9, "ts": 1}, "goes on in 6 s"),
        ({"ev": "function.started", "step": f"{BILLING}/f", "function": "m:f"}, "m:f"),
    ],
)
def test_every_kind_of_work_has_its_words(event: JsonObject, words: str) -> None:
    assert doing(told([*begun(), event])) == words
    mark = "?" if event["ev"] == "wait.started" else "⠋"
    assert drawn(told([*begun(), event]))[1].startswith(f"└ {mark} billing  ")


def test_each_of_several_calls_has_a_line_and_its_own_time() -> None:
    clock = Clock()
    story = told([*begun(), MODEL], clock)
    clock.now = 1.0
    for number, city in enumerate(("Lisbon", "広い文字"), start=1):
        call: JsonObject = {"ev": "tool.started", "step": f"{BILLING}/turn-1/call-{number}.look"}
        story.take({**call, "tool": "look", "arguments": {"city": city}})
    story.take({"ev": "model.completed", "step": f"{BILLING}/turn-1", "out": reply("", calls=2)})
    found = drawn(story)
    assert doing(story) == "2 calls"
    assert re.split(r"  +", found[2].strip()) == ["├ ⠋ look(city='Lisbon')", "1.0 s"]
    assert re.split(r"  +", found[3].strip()) == ["└ ⠋ look(city='広い文字')", "1.0 s"]
    assert len(drawn(story, height=3)) == 3
    assert doing(story, width=200) == "2 calls"
    short = [line.plain for line in live_lines(story, width=100, height=3, now=2.0)]
    assert short[1].startswith("  └ ⠋ billing  look(city='Lisbon'), look(city=".strip())


def called(number: int, **end: Json) -> list[JsonObject]:
    """A call of billing that has ended."""
    step = f"{BILLING}/turn-{number}/call-1.look"
    start: JsonObject = {"ev": "tool.started", "step": step, "tool": "look", "arguments": {"n": number}}
    return [start, {"ev": "tool.completed", "step": step, "ms": 30.0, "out": {"text": "seen", **end}}]


def test_the_last_finished_call_stays_while_its_agent_works_on() -> None:
    story = told([*begun(), *called(1), MODEL])
    found = [re.split(r"  +", line.strip()) for line in drawn(story)]
    assert found[1][:2] == ["└ ⠋ billing", "asks openai/gpt-4o"]
    assert found[2] == ["└ ✓ look(n=1)", "30 ms"]
    for event in [*called(2), *called(3, error=True)]:
        story.take(event)
    assert re.split(r"  +", drawn(story)[2].strip()) == ["└ ✗ look(n=3), after 2 earlier calls", "30 ms"]
    assert [line for line in drawn(story, height=3) if "look" in line] == []
    story.take({"ev": "execution.completed", "step": BILLING, "answer": "Seen."})
    assert [line for line in drawn(story) if "look" in line] == []


def test_what_is_finished_folds_into_one_line() -> None:
    clock = Clock()
    story = told(begun(), clock)
    clock.now = 1.5
    for event in support_run()[6:13]:
        story.take(event)
    assert re.split(r"  +", drawn(story)[1]) == [
        "└ ✓ billing",
        "The balance is 5432.10.",
        "1.5 s",
        "230 tokens",
        "$0.00",
    ]
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
    assert [re.split(r"  +", line.strip()) for line in drawn(story)[1:3]] == [
        ["├ ✗ billing", "broken", "0 ms"],
        ["└ ⠋ billing (attempt 2)", "2.0 s"],
    ]


def crowd(size: int) -> list[JsonObject]:
    events = support_run()[:2]
    for number in range(size):
        step = f"{ROOT}/agent{number}.1"
        events.append({"ev": "execution.started", "step": step, "agent": f"agent{number}", "parent": ROOT})
        if number % 2:
            events.append({"ev": "execution.completed", "step": step, "answer": "done"})
    return events


def test_a_large_team_fits_the_terminal_and_keeps_who_is_at_work() -> None:
    assert len(drawn(told(crowd(40)), height=50)) == 42
    found = drawn(told(crowd(40)), height=24)
    assert found[1].rstrip() == "├ … 20 done"
    assert [line.split()[2] for line in found[2:-1]] == [f"agent{number}" for number in range(0, 40, 2)]
    assert found[-2].startswith("└ ")
    few = drawn(told(crowd(40)), height=10)
    assert len(few) == 10
    assert few[-2].rstrip() == "… 14 more at work"


@pytest.mark.parametrize("height", range(1, 12))
def test_no_picture_is_higher_than_the_terminal(height: int) -> None:
    story = told(crowd(12))
    used: JsonObject = {"ev": "limit.warning", "agent": "a", "limit": "time", "allowed": 1.0, "used": 0.9}
    story.take(used)
    assert len(drawn(story, height=height)) <= height


@pytest.mark.parametrize("width", [20, 40, 41, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    events = [*begun(), MODEL, text("広い文字 and a long tail of words " * 20), text("\x1b[2J[bold]")]
    found = drawn(told(events), width=width)
    assert max(cell_len(line) for line in found) <= width
    assert not any("\x1b" in line for line in found)


def test_costs_that_are_not_known_are_said_to_be_unknown() -> None:
    unknown: JsonObject = {"ev": "model.completed", "step": f"{BILLING}/turn-1", "out": reply("x", cost=None)}
    assert "cost unknown" in drawn(told([*begun(), MODEL, unknown]))[-1]
    assert drawn(Story())[-1] == "0 ms, 0 tokens, 0 model calls"


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
    kept = "support_supervisor → billing: shares 'balance', 'account' with billing (model\n  offline)\n"
    assert shown(stream).replace("\r", "").count(kept) == 1
    assert "\x1b[J\x1b[?25h" in stream.getvalue()  # the tree is wiped away, and the cursor is there again


def shown(stream: io.StringIO) -> str:
    """What was written, without colours and what moves the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())


def test_an_execution_that_failed_is_under_way_again_when_work_begins_in_it() -> None:
    failed: list[JsonObject] = [
        {"ev": "execution.failed", "step": BILLING, "error": "broken"},
        {"ev": "execution.failed", "step": ROOT, "error": "broken"},
    ]
    story = told([*begun(), *failed])
    assert drawn(story)[0].startswith("✗ support_supervisor  broken")
    story.take(MODEL)
    assert doing(story) == "asks openai/gpt-4o"


def test_the_live_view_knows_what_was_recorded_before() -> None:
    stream = _Terminal()
    display = LiveDisplay(stream)
    display.recall(begun())
    deadline = time.monotonic() + 20
    while "→ billing: shares 'balance'" not in shown(stream):
        assert time.monotonic() < deadline
    display.close()
    assert not stream.getvalue().rpartition("\x1b[J\x1b[?25h")[2]  # nothing of it is told again


def kept(events: list[JsonObject]) -> list[str]:
    """The lines that stay when the view has gone."""
    stream = _Terminal()
    display = LiveDisplay(stream)
    for event in events:
        display.event(event)
    display.close()
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue().rpartition("\x1b[J")[2]).split()


def test_the_live_view_leaves_the_runs_id_and_what_failed_on_the_way() -> None:
    named: JsonObject = {"ev": "run.started", "step": "", "run_id": "r-1"}
    failed: JsonObject = {"ev": "model.failed", "step": MODEL["step"], "error": {"message": "no key"}}
    empty: JsonObject = {"ev": "model.completed", "step": MODEL["step"], "out": reply("")}
    left = " ".join(kept([named, *begun()[1:], MODEL, empty, MODEL, failed]))
    assert "run r-1" in left
    assert "billing: model offline gave an empty reply" in left
    assert "billing: model call failed: no key" in left


def test_a_limit_that_is_nearly_used_up_is_warned_of() -> None:
    story = told(begun())
    used: dict[str, Json] = {"ev": "limit.warning", "agent": "billing", "limit": "cost_usd", "allowed": 1.0}
    story.take({**used, "used": 0.84})
    assert "billing has used 0.84 of 1 USD" in drawn(story)
    assert len(drawn(story, height=4)) <= 4


def test_time_is_that_which_the_run_was_worked_on_by_all_its_processes() -> None:
    clock = Clock()
    story = told([{**support_run()[0], "t": 0.0}, {**support_run()[1], "t": 1.0}], clock)
    clock.now = 500.0
    story.take({"ev": "run.resumed", "step": "", "t": 0.25})
    assert story.now == 1.25
    clock.now = 502.0
    assert story.now == 3.25
    assert re.split(r"  +", drawn(story, now=story.now)[0])[1] == "2.2 s"
    story.take({**support_run()[2], "t": 2.5})
    story.advance(60)
    assert drawn(story, now=story.now)[-1].startswith("1m 02s, ")
