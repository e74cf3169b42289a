import re

from render_events import BILLING, ROOT, reply, support_run
from rich.cells import cell_len

from agentctl.journal.records import Record
from agentctl.journal.summary import RunView, summarise
from agentctl.jsontypes import Json, JsonObject
from agentctl.render.runs_table import runs_lines, runs_table
from agentctl.render.show_execution import show_execution
from agentctl.render.show_tree import show_tree

HEADER: JsonObject = {"run_id": "r-1", "team": ROOT, "request": "What's the balance on account ACC-123?"}


def view(events: list[JsonObject], *, live: bool = False) -> RunView:
    records = []
    for number, event in enumerate(events, start=1):
        data: dict[str, Json] = {key: value for key, value in event.items() if key not in ("ev", "step")}
        ev, step = str(event["ev"]), str(event["step"])
        ts = 1_700_000_000 + number / 100
        records.append(Record(seq=number, batch=number, ts=ts, t=number / 100, ev=ev, step=step, data=data))
    return summarise(HEADER, records, live=live)


def tree(events: list[JsonObject], width: int = 160) -> list[str]:
    return [line.plain for line in show_tree(view(events), width=width)]


def full(events: list[JsonObject], execution: str) -> str:
    shown = view(events)
    (found,) = [one for one in shown.executions if one.id == execution]
    return "\n".join(line.plain for line in show_execution(shown, found))


def test_the_tree_tells_the_whole_story() -> None:
    assert tree(support_run(), 80) == [
        "                                                             time  tokens   cost",
        "✓ support_supervisor                            ━━━━━━━━━  120 ms     345  $0.00",
        "├─ ✓ model offline asked for t                   ─           1 ms     115  $0.00",
        "├─ → billing: shares 'balance', 'account' with billing  (by model offline,",
        "│    among billing, technical, sales, 115 tokens, $0.00)",
        "└─ ✓ billing                                       ━━━━━━   70 ms     230  $0.00",
        "   ├─ ✓ model offline asked for t                   ─        1 ms     115  $0.00",
        "   ├─ ✓ check_balance(account_id='ACC-123') g…       ─       3 ms",
        "   └─ ✓ model offline replied: The balance is…        ─      1 ms     115  $0.00",
    ]


def test_a_narrow_terminal_keeps_the_time_and_a_wide_one_the_words() -> None:
    assert tree(support_run(), 40)[:2] == [
        "✓ support_supervisor              120 ms",
        "├─ ✓ model offline asked for t      1 ms",
    ]
    assert "├─ ✓ check_balance(account_id='ACC-123') gave {\"balance\": 5432.10}  " in tree(support_run())[6]


def test_a_reply_that_a_rule_had_to_stand_in_for_decided_nothing() -> None:
    model: JsonObject = {
        "ev": "model.completed",
        "step": f"{ROOT}/turn-1",
        "out": reply('{"agent": "nobody"}'),
    }
    choice: JsonObject = {"ev": "decision.completed", "step": f"{ROOT}/choice", "chosen": ["billing"]}
    found = tree([*support_run()[:3], model, {**choice, "by": "rule", "reason": "fallback"}])
    assert '├─ ✓ model offline replied: {"agent": "nobody"}' in found[2]
    found = tree([*support_run()[:3], model, {**choice, "by": "model", "reason": "it fits"}])
    assert "├─ ✓ model offline decided  " in found[2]


def odd_run() -> list[JsonObject]:
    """Everything that is not the plain way: attempts, failures, waits, doubt, an unknown price."""
    again = f"{ROOT}/billing.1~2"
    call = f"{again}/turn-1/call-1.refund"
    return [
        *support_run()[:6],
        {"ev": "model.started", "step": f"{BILLING}/turn-1", "model": "gpt"},
        {
            "ev": "model.failed",
            "step": f"{BILLING}/turn-1",
            "error": {"code": "model-auth", "message": "no [/x] key"},
            "ms": 2,
        },
        {
            "ev": "execution.failed",
            "step": BILLING,
            "error": {"code": "model-auth", "message": "no [/x] key"},
            "absorbed": True,
        },
        {
            "ev": "execution.started",
            "step": again,
            "agent": "billing",
            "parent": ROOT,
            "attempt": 2,
            "note": {"agent": ROOT, "text": "look\nagain"},
        },
        {"ev": "model.started", "step": f"{again}/turn-1", "model": "gpt"},
        {
            "ev": "model.completed",
            "step": f"{again}/turn-1",
            "out": reply("let me see\x1b[2J", calls=2, cost=None, model="gpt"),
            "ms": 5,
        },
        {"ev": "function.started", "step": f"{again}/f", "function": "m:when"},
        {"ev": "function.completed", "step": f"{again}/f", "function": "m:when", "out": True, "ms": 1},
        {"ev": "timer.started", "step": f"{again}/t", "deadline": 1_700_000_001},
        {"ev": "timer.completed", "step": f"{again}/t"},
        {
            "ev": "wait.started",
            "step": f"{call}/approve",
            "request": {"kind": "approve", "question": "May I?"},
        },
        {"ev": "wait.completed", "step": f"{call}/approve", "answer": {"approve": True}, "ms": 1},
        {"ev": "tool.started", "step": call, "tool": "refund", "arguments": {"amount": 3}},
        {"ev": "tool.skipped", "step": call, "out": {"text": "its effect is unknown", "error": True}},
        {
            "ev": "tool.started",
            "step": f"{again}/turn-1/call-2.look",
            "tool": "look",
            "arguments": "{broken",
        },
        {
            "ev": "tool.completed",
            "step": f"{again}/turn-1/call-2.look",
            "out": {"text": "line one\nline two", "error": True},
            "printed": "seen",
            "reused": "x",
            "ms": 0,
        },
        {"ev": "decision.completed", "step": f"{again}/d", "chosen": [], "among": ["a"], "by": "person"},
        {"ev": "wait.started", "step": f"{again}/w", "request": {"kind": "choose", "question": "Who?"}},
    ]


def test_failures_doubts_waits_and_unknown_prices_show() -> None:
    found = [re.split(r"(?<=[^ │├└─])  +", line) for line in tree(odd_run())]
    assert [line[0] for line in found[4:7]] == [
        "├─ ✗ billing",
        "│  │ failed: no [/x] key (the run went on)",
        "│  └─ ✗ model gpt failed: no [/x] key",
    ]
    assert (found[4][-1], found[6][-1].rpartition("  ")[2]) == ("30 ms", "2 ms")
    assert (found[7][0], found[7][-2:]) == ("└─ - billing (attempt 2)", ["115", "unknown"])
    assert found[8] == ["   │ told: look again"]
    assert [line[0] for line in found[9:]] == [
        "   ├─ ✓ model gpt asked for 2 tool calls",
        "   ├─ ✓ function m:when gave true",
        "   ├─ ✓ waited",
        "   ├─ ✓ asked a person: May I? answer: yes",
        "   ├─ - refund(amount=3) was not made again; its effect is unknown",
        "   ├─ ✗ look({broken) gave line one line two (recorded earlier)",
        "   ├─ ■ chose nobody",
        "   └─ … asked a person: Who? waits for an answer",
    ]


def test_no_line_of_the_tree_is_wider_than_the_terminal() -> None:
    for width in (20, 40, 80):
        assert max(cell_len(line) for line in tree(odd_run(), width)) <= width


def test_one_execution_is_shown_in_full() -> None:
    text = full(odd_run(), f"{ROOT}/billing.1~2")
    assert "told:\n  look\n  again\n" in text
    assert "  text: let me see\\x1b[2J\n" in text
    assert "  call: t {}\n" in text
    assert "  arguments: {broken\n  text:\n    line one\n    line two\n  printed: seen\n" in text
    assert "  gave: true\n" in text
    failed = full(odd_run(), BILLING)
    assert "  error: no [/x] key\n" in failed
    assert failed.endswith("\nerror: no [/x] key")
    assert "delegated to billing: --execution support_supervisor/billing.1\n" in full(odd_run(), ROOT)


def test_the_table_never_cuts_an_id() -> None:
    views = [view(support_run()), view(odd_run())]
    sizes = {"r-1": 4210}
    whole = [line.plain for line in runs_table(views, sizes, width=120)]
    assert (
        whole[0] == "run  team                status     when                took  tokens     cost    size"
        "  answered by"
    )
    assert whole[1].startswith("r-1  support_supervisor  completed  20")
    assert whole[1].endswith("  150 ms     345    $0.00  4.2 KB  billing")
    assert whole[2].endswith("  240 ms     230  unknown  4.2 KB")
    assert [line.plain for line in runs_table(views, sizes, width=64)] == [
        "run  team                status        cost  answered by",
        "r-1  support_supervisor  completed    $0.00  billing",
        "r-1  support_supervisor  stopped    unknown",
    ]
    assert [line.plain for line in runs_table(views, sizes, width=10)][1:] == [
        "r-1  completed",
        "r-1  stopped",
    ]
    assert runs_table([], {}, width=80) == []
    assert runs_lines([], {}) == []
    assert runs_lines(views, sizes)[1].startswith("r-1\tsupport_supervisor\tcompleted\t")
    assert "\tunknown\t" in runs_lines(views, sizes)[2]


def test_what_has_not_come_back_is_at_work_until_the_newest_record() -> None:
    events: list[JsonObject] = [
        *support_run()[:7],
        {"ev": "execution.started", "step": f"{ROOT}/sales.1", "agent": "sales", "parent": ROOT},
    ]
    shown = [line.plain for line in show_tree(view(events, live=True), width=80)]
    model = next(line for line in shown if "has not come back" in line)
    billing = next(line for line in shown if "… billing" in line)
    assert model.rstrip().endswith("──")
    assert len(model.rstrip()) == len(billing[: billing.rindex("━") + 1])
