import io

import pytest

from agentctl.jsontypes import Json, JsonObject
from agentctl.render.ending import choices, ending, problem, totals
from agentctl.render.terminal import print_answer, print_lines

RESULT: JsonObject = {
    "run_id": "20261129-131502-support-k3f9",
    "status": "completed",
    "answer": "The balance is 5432.10.",
    "agent": "billing",
    "path": ["support_supervisor", "billing"],
    "executions": [{"model_calls": 1, "tool_calls": 0}, {"model_calls": 2, "tool_calls": 1}],
    "usage": {"total_tokens": 345},
    "cost_usd": 0.0123,
    "cost_complete": True,
    "waiting_for": [],
    "error": None,
    "ms": 1234,
}


def lines(change: JsonObject, *, models: tuple[str, ...] = (), **more: object) -> list[str]:
    runs_dir = more.get("runs_dir")
    found = ending(
        {**RESULT, **change},
        models=models,
        resumable=more.get("resumable") is not False,
        runs_dir=runs_dir if isinstance(runs_dir, str) else None,
    )
    return [line.plain for line in found]


def test_a_completed_run_says_who_answered_and_what_it_took() -> None:
    assert lines({}) == [
        "billing answered (support_supervisor → billing)",
        "3 model calls, 1 tool call, 345 tokens, $0.0123, 1.2 s",
    ]
    assert lines({"agent": "solo", "path": ["solo"]})[0] == "solo answered"


@pytest.mark.parametrize(
    ("models", "line"),
    [
        (("offline", "offline"), "no language model was asked (offline)"),
        (("offline", "gpt"), "a part of this was done without a language model (offline)"),
    ],
)
def test_offline_says_that_it_is_no_language_model(models: tuple[str, ...], line: str) -> None:
    assert lines({}, models=models)[-1] == line
    assert len(lines({}, models=("gpt",))) == 2


def test_costs_that_are_not_fully_known_say_so() -> None:
    assert "cost unknown" in lines({"cost_usd": None, "cost_complete": False})[1]
    assert "at least $0.0123" in lines({"cost_complete": False})[1]


def test_a_failed_run_names_the_error_and_ends_with_the_command_to_go_on() -> None:
    error = {"code": "model-auth", "message": "no key for \x1b[31m", "hint": "set OPENAI_API_KEY"}
    assert lines({"status": "failed", "answer": "", "error": error}) == [
        "error: no key for \\x1b[31m",
        "hint: set OPENAI_API_KEY",
        "3 model calls, 1 tool call, 345 tokens, $0.0123, 1.2 s",
        "continue with:",
        "agentctl resume 20261129-131502-support-k3f9",
    ]


def test_a_waiting_run_ends_with_a_command_for_each_open_question() -> None:
    asked: list[Json] = [
        {
            "step": "a/b",
            "kind": "choose",
            "question": "Who is next?",
            "choices": {"billing": "Balances", "sales": ""},
            "command": "agentctl resume R --step a/b --choose NAME",
        },
        {
            "step": "a/c",
            "kind": "approve",
            "question": "May I?",
            "choices": ["approve", "deny"],
            "command": "agentctl resume R --approve",
        },
    ]
    assert lines({"status": "waiting", "waiting_for": asked}, runs_dir="my runs") == [
        "waiting for a person: Who is next?",
        "  one of: billing, sales",
        "  to end it with what there is, answer --finish instead of --choose",
        "waiting for a person: May I?",
        "  to refuse it, answer --deny REASON instead of --approve",
        "3 model calls, 1 tool call, 345 tokens, $0.0123, 1.2 s",
        "answer with:",
        "agentctl resume R --step a/b --choose NAME",
        "agentctl resume R --approve",
    ]


def test_whoever_chooses_is_told_what_each_agent_is_for_and_what_was_answered_last() -> None:
    asked: JsonObject = {
        "kind": "choose",
        "question": "'sales' failed: no key. Who is next?",
        "choices": ["billing", "sales", "finish"],
        "agents": {"billing": "Balances\nand more", "sales": ""},
        "last": "'sales' failed: no key",
        "command": "agentctl resume R --choose billing",
    }
    told = ["  billing: Balances and more", "  sales:"]
    assert lines({"status": "waiting", "waiting_for": [asked]})[1:3] == told
    heard: JsonObject = {**asked, "question": "Who is next?", "last": "It is\ndone."}
    found = lines({"status": "waiting", "waiting_for": [heard]})
    assert found[1:4] == ["  answered last: It is done.", *told]
    nameless: JsonObject = {**heard, "agents": {"billing": "", "sales": ""}}
    found = lines({"status": "waiting", "waiting_for": [nameless]})
    assert found[2] == "  one of: billing, sales, finish"


@pytest.mark.parametrize("status", ["interrupted", "cancelled", "stopped"])
def test_a_stopped_run_says_so(status: str) -> None:
    found = lines({"status": status, "answer": ""})
    assert found[0] == f"the run was {status}"
    assert found[-1] == "agentctl resume 20261129-131502-support-k3f9"


def test_the_command_to_go_on_names_the_folder_of_runs() -> None:
    error = {"message": "broken"}
    assert lines({"status": "failed", "error": error}, runs_dir="my runs")[-1] == (
        "agentctl resume 20261129-131502-support-k3f9 --runs-dir 'my runs'"
    )


def test_a_run_that_goes_on_elsewhere_says_so() -> None:
    assert lines({"status": "running"})[0] == "a process works on the run"
    assert len(lines({"status": "running"})) == 2


def test_a_limit_that_cannot_be_resumed_offers_no_command() -> None:
    error = {"message": "agent 'billing' reached its limit"}
    assert lines({"status": "limit", "error": error}, resumable=False) == [
        "error: agent 'billing' reached its limit",
        "3 model calls, 1 tool call, 345 tokens, $0.0123, 1.2 s",
    ]


def test_choices_come_in_three_shapes() -> None:
    assert choices({"a": "x"}) == [("a", "x")]
    assert choices(["a", {"name": "b", "description": "y"}]) == [("a", ""), ("b", "y")]
    assert choices(None) == []


def test_problems_may_have_no_hint() -> None:
    assert [line.plain for line in problem("broken", None)] == ["error: broken"]


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_an_answer_goes_unchanged_into_a_pipe_and_safely_to_a_terminal() -> None:
    pipe, terminal = io.StringIO(), _Terminal()
    for stream in (pipe, terminal):
        print_answer("\x1b[2Jred [bold]", stream)
    assert pipe.getvalue() == "\x1b[2Jred [bold]\n"
    assert terminal.getvalue() == "\\x1b[2Jred [bold]\n"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_colour_where_it_is_not_wanted(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for unset in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(unset, raising=False)
    coloured = _Terminal()
    print_lines(problem("broken [/x]", "mend"), coloured)
    assert "\x1b[1;31merror" in coloured.getvalue()
    monkeypatch.setenv(name, value)
    plain, piped = _Terminal(), io.StringIO()
    print_lines(problem("broken [/x]", "mend"), piped)
    assert piped.getvalue() == "error: broken [/x]\nhint: mend\n"
    print_lines(problem("broken [/x]", "mend"), plain)
    assert "\x1b[1;31m" not in plain.getvalue()


@pytest.mark.parametrize(
    ("used", "told"), [(0, "tokens unknown, cost unknown"), (3, "3 tokens, cost unknown")]
)
def test_tokens_that_nobody_counted_are_not_none(used: int, told: str) -> None:
    result: JsonObject = {
        "executions": [{"model_calls": 1}],
        "usage": {"total_tokens": used},
        "cost_usd": None,
        "cost_complete": False,
    }
    assert told in totals(result)
