import json
from pathlib import Path

import pytest
from cli_teams import PAYING, SUPPORT, pays, says, write_team

from agentctl.cli.main import main
from agentctl.journal.lock import RunLock


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AGENTCTL_RUNS_DIR", raising=False)
    return tmp_path


@pytest.fixture
def ran(here: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A finished run `balance` of the support team and a waiting run `wait` of the clerk."""
    assert main(["run", str(SUPPORT), "What's the balance on account ACC-123?", "--run-id", "balance"]) == 0
    write_team(here / "clerk", pays(), PAYING)
    assert main(["run", "clerk", "pay [/x]", "--run-id", "wait"]) == 3
    capsys.readouterr()
    return here / ".agentctl" / "runs"


@pytest.mark.usefixtures("ran")
def test_runs_are_listed_newest_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs"]) == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head.split("\t") == [
        "run",
        "team",
        "status",
        "when",
        "took",
        "tokens",
        "cost",
        "size",
        "answered by",
    ]
    assert first.startswith("wait\tclerk\twaiting\t")
    assert second.startswith("balance\tsupport_supervisor\tcompleted\t")
    assert second.endswith("\tbilling")
    assert main(["runs", "--json", "--status", "completed"]) == 0
    (run,) = json.loads(capsys.readouterr().out)
    assert (run["run_id"], run["agent"]) == ("balance", "billing")


@pytest.mark.usefixtures("ran")
@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--status", "waiting"], "wait\n"),
        (["--team", "support_supervisor"], "balance\n"),
        (["--since", "1h"], "wait\nbalance\n"),
        (["--since", "0s"], ""),
    ],
)
def test_runs_can_be_chosen(arguments: list[str], found: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "-q", *arguments]) == 0
    assert capsys.readouterr().out == found


def test_statuses_that_do_not_exist_and_no_runs_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTCTL_RUNS_DIR", str(tmp_path / "none"))
    assert main(["runs", "--status", "complete"]) == 2
    assert "did you mean 'completed'?" in capsys.readouterr().err
    assert main(["runs", "--status", "zzz"]) == 2
    assert "it is one of completed, failed" in capsys.readouterr().err
    assert main(["runs"]) == 0
    assert capsys.readouterr() == ("", "no runs here\n")
    assert main(["show", "--last"]) == 2


def test_runs_are_removed_but_never_one_that_goes_on(ran: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = RunLock.take(ran / "balance")
    assert main(["runs", "rm", "balance"]) == 5
    assert main(["runs", "prune", "--older-than", "0s"]) == 0
    assert "removed 0 runs" in capsys.readouterr().err
    lock.release()
    assert main(["runs", "rm", "bal", "nothing"]) == 2
    assert (ran / "balance").is_dir()
    assert main(["runs", "rm", "bal"]) == 0
    assert "removed run 'balance'" in capsys.readouterr().err
    assert [path.name for path in ran.iterdir()] == ["wait"]


def test_pruning_keeps_what_waits_and_what_is_young(ran: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "prune", "--older-than", "30d"]) == 0
    assert (ran / "balance").is_dir()
    assert main(["runs", "prune", "--older-than", "0s"]) == 0
    assert [path.name for path in ran.iterdir()] == ["wait"]
    assert capsys.readouterr().err == "removed 0 runs\nremoved 1 run\n"


@pytest.mark.usefixtures("ran")
def test_show_tells_who_was_chosen_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "bal"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("balance  completed\nasked: What's the balance on account ACC-123?\n")
    assert "\n✓ support_supervisor (handoff)  " in out
    assert "├─ → billing: " in out
    assert "among billing, technical, sales)" in out
    assert "   ├─ ✓ check_balance(account_id='ACC-123') gave " in out
    assert out.rstrip().endswith("no language model was asked (offline)")


@pytest.mark.usefixtures("ran")
def test_show_of_a_waiting_run_names_the_command_that_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "wait"]) == 0
    out = capsys.readouterr().out
    assert "asked: pay [/x]" in out
    assert "asked a person: May 'clerk' call 'pay'? waits for an answer" in out
    assert out.rstrip().endswith("agentctl resume wait --approve")


@pytest.mark.usefixtures("ran")
def test_show_gives_one_execution_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("billing", "support_supervisor/billing.1"):
        assert main(["show", "balance", "--execution", name]) == 0
        out = capsys.readouterr().out
        assert "execution: support_supervisor/billing.1\n" in out
        assert '  arguments:\n    {\n      "account_id": "ACC-123"\n    }\n' in out
        assert "answer: The balance" in out
    assert main(["show", "balance", "--execution", "biling"]) == 2
    assert "did you mean 'billing'?" in capsys.readouterr().err
    assert main(["show", "balance", "--execution", "zzz"]) == 2
    assert "its executions are: support_supervisor, " in capsys.readouterr().err


@pytest.mark.usefixtures("ran")
def test_show_gives_programs_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "balance", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agent"] == "billing"


@pytest.mark.usefixtures("ran")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--team", "clark"], "no run here is of a team 'clark': did you mean 'clerk'?\n"),
        (["--team", "nope"], "no run here is of a team 'nope'\n"),
        (["--team", "clerk", "--status", "failed"], "none of the 2 runs here is one of those\n"),
    ],
)
def test_why_no_run_is_listed_is_told(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", *arguments]) == 0
    assert capsys.readouterr() == ("", said)


@pytest.mark.usefixtures("ran")
def test_a_mistyped_execution_is_told_which_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "balance", "--execution", "biling"]) == 2
    assert "hint: did you mean 'billing'?" in capsys.readouterr().err
    assert main(["show", "balance", "--execution", "zzz"]) == 2
    assert "hint: its executions are: support_supervisor, " in capsys.readouterr().err


def test_graph_draws_a_team(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", str(SUPPORT)]) == 0
    assert "├─ billing  Account balances" in capsys.readouterr().out
    assert main(["graph", str(SUPPORT), "--mermaid"]) == 0
    assert capsys.readouterr().out.startswith("flowchart TD\n")
    write_team(here, says("x"), "instruction: x\n")
    assert main(["graph", "."]) == 2


@pytest.mark.usefixtures("ran")
def test_only_a_run_that_goes_on_can_be_cancelled(ran: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cancel", "balance"]) == 2
    assert "is not going on" in capsys.readouterr().err
