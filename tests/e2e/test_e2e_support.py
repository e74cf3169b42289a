"""The main job through the command: the support team, offline and against a server that speaks OpenAI."""

from __future__ import annotations

import json

import pytest

from e2e.command import BALANCE, SUPPORT, Desk
from loopback.replies import Failure, call, text
from loopback.server import LoopbackServer

ANSWER = "Your balance is  5432.10 USD — [bold]all good[/bold]."


@pytest.mark.parametrize(
    ("question", "agent", "fact"),
    [
        (BALANCE, "billing", "5432.10"),
        ("Where is my order ORD-77?", "technical", "shipped"),
        ("How much does the Pro plan cost?", "sales", "29.00"),
    ],
)
def test_each_question_finds_its_specialist_offline(desk: Desk, question: str, agent: str, fact: str) -> None:
    done = desk("run", SUPPORT, question)
    assert done.returncode == 0
    assert fact in done.stdout
    assert done.stdout.count("\n") == 1
    assert f"support_supervisor → {agent}: shares" in done.stderr
    assert "no language model was asked (offline)" in done.stderr


def test_three_model_calls_with_exactly_their_tools(wired: Desk, openai_server: LoopbackServer) -> None:
    openai_server.say(
        call("transfer_to_billing", {"reason": "it is about a balance"}),
        call("check_balance", {"account_id": "ACC-123"}),
        text(ANSWER),
    )
    done = wired("run", SUPPORT, BALANCE)
    assert (done.returncode, done.stdout) == (0, ANSWER + "\n")
    supervisor, billing, closing = openai_server.requests
    assert supervisor.tools == ["transfer_to_billing", "transfer_to_technical", "transfer_to_sales"]
    assert billing.tools == closing.tools == ["check_balance"]
    assert [message["role"] for message in billing.messages] == ["system", "user"]
    assert billing.messages[1]["content"] == BALANCE
    assert "5432.10" in json.dumps(closing.messages[-1])


def test_the_record_tells_who_decided_what(wired: Desk, openai_server: LoopbackServer) -> None:
    openai_server.say(
        call("transfer_to_billing", {"reason": "it is about a balance"}),
        call("check_balance", {"account_id": "ACC-123"}),
        text(ANSWER),
    )
    result = json.loads(wired("run", "--json", SUPPORT, BALANCE).stdout)
    assert result["path"] == ["support_supervisor", "billing"]
    assert result["usage"]["total_tokens"] == 54
    assert result["cost_usd"] > 0
    (decision,) = result["decisions"]
    assert decision == {
        "execution": "support_supervisor",
        "by": "model",
        "chosen": ["billing"],
        "among": ["billing", "technical", "sales"],
        "reason": "it is about a balance",
        "usage": result["executions"][0]["usage"],
        "cost_usd": result["executions"][0]["cost_usd"],
    }
    root, specialist = result["executions"]
    assert (root["agent"], root["model_calls"], root["tool_calls"]) == ("support_supervisor", 1, 0)
    assert (specialist["agent"], specialist["model_calls"], specialist["tool_calls"]) == ("billing", 2, 1)
    shown = wired("show", result["run_id"]).stdout
    assert "it is about a balance" in shown
    assert "check_balance" in shown
    assert result["run_id"] in wired("runs").stdout


def test_no_secret_stands_in_the_record(wired: Desk, openai_server: LoopbackServer) -> None:
    key = wired.variables["OPENAI_API_KEY"]
    openai_server.say(text(f"your key is {key}"))
    done = wired("run", SUPPORT, f"my key is {key}")
    assert key not in done.stdout + done.stderr
    assert "•••" in done.stdout
    assert key not in json.dumps([seen.body for seen in openai_server.requests])
    files = [path for path in wired.runs[0].rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if key.encode() in path.read_bytes()]


def test_a_missing_key_is_found_before_the_first_call(desk: Desk) -> None:
    keyless = Desk(folder=desk.folder, variables={"AGENTCTL_MODEL": "openai/gpt-4o-mini"})
    done = keyless("run", SUPPORT, BALANCE)
    assert (done.returncode, done.stdout) == (2, "")
    assert "OPENAI_API_KEY" in done.stderr
    assert "--model offline" in done.stderr
    assert not (desk.folder / ".agentctl").exists()


def test_nothing_is_written_when_ephemeral(desk: Desk) -> None:
    done = desk("run", "--ephemeral", SUPPORT, BALANCE)
    assert "5432.10" in done.stdout
    assert list(desk.folder.iterdir()) == []


def test_a_key_that_stands_in_the_file_is_read_again_on_resume(
    wired: Desk, openai_server: LoopbackServer
) -> None:
    key = wired.variables["OPENAI_API_KEY"]
    (wired.folder / "team.yaml").write_text(
        "name: solo\nmodel: {id: openai/gpt-4o-mini, retries: 0,"
        ' params: {extra_headers: {X-Key: "token ${OPENAI_API_KEY}"}}}\n',
        "utf-8",
    )
    openai_server.say(Failure(status=500))
    assert wired("run", ".", "hello").returncode == 1
    assert key not in (wired.runs[0] / "team.yaml").read_text("utf-8")
    openai_server.say(text("Hello."))
    assert wired("resume", wired.run_id).stdout == "Hello.\n"
    assert [seen.headers["x-key"] for seen in openai_server.requests] == [f"token {key}"] * 2
