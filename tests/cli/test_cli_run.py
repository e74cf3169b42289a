import io
import json
import re
import shlex
from pathlib import Path

import pytest
from cli_teams import PAYING, SUPPORT, pays, says, start, write_team

from agentctl.cli.main import main
from agentctl.cli.options import read_inputs, read_models, read_time
from agentctl.errors import UsageError

BALANCE = "What's the balance on account ACC-123?"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("AGENTCTL_RUNS_DIR", "AGENTCTL_MODEL", "AGENTCTL_MAX_COST", "AGENTCTL_MAX_TIME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def piped(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def last_line(err: str) -> str:
    return err.rstrip("\n").rpartition("\n")[2]


def test_the_answer_goes_to_stdout_and_the_story_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SUPPORT), BALANCE]) == 0
    captured = capsys.readouterr()
    assert "5432.10" in captured.out
    assert captured.out.count("\n") == 1
    assert re.search(r"^support_supervisor → billing: .*'balance'.*\(model offline\)$", captured.err, re.M)
    assert "check_balance(account_id='ACC-123') gave" in captured.err
    assert "billing answered (support_supervisor → billing)\n3 model calls, 1 tool call" in captured.err
    assert last_line(captured.err) == "no language model was asked (offline)"


def test_json_is_one_object_and_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SUPPORT), BALANCE, "--json", "--quiet"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.isascii()
    result = json.loads(captured.out)
    assert result["status"] == "completed"
    assert result["path"] == ["support_supervisor", "billing"]


def test_events_are_json_lines_that_end_with_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SUPPORT), BALANCE, "--events"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0]["ev"] == "run.started"
    assert {"decision.completed", "tool.completed", "model.text"} <= {event["ev"] for event in events}
    assert events[-1]["ev"] == "run.finished"
    assert events[-1]["status"] == "completed"
    assert "5432.10" in events[-1]["answer"]


def test_events_end_so_also_when_nothing_could_start(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "team.yaml").write_text("name: desk\ninstruction: x\n")
    assert main(["run", "team.yaml", "hi", "--events"]) == 2
    captured = capsys.readouterr()
    last = json.loads(captured.out)
    assert (last["ev"], last["status"], last["answer"]) == ("run.finished", "failed", None)
    assert last["error"]["code"] == "team"
    assert "team.yaml:2:1: error[" in captured.err


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_a_question_is_read_from_a_pipe(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    piped("Where is my order ORD-77?\n", monkeypatch)
    assert main(["run", str(SUPPORT), *arguments, "-q"]) == 0
    assert "shipped" in capsys.readouterr().out


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_is_wrong_usage(
    question: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(SUPPORT), question]) == 2
    piped(question, monkeypatch)
    assert main(["run", str(SUPPORT)]) == 2
    monkeypatch.setattr("sys.stdin", None)
    assert main(["run", str(SUPPORT)]) == 2
    assert "there is no question, and stdin is closed" in capsys.readouterr().err


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_question_is_asked_for_at_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", _Terminal("How much is the Pro plan?\nmore\n"))
    assert main(["run", str(SUPPORT), "--model", "offline"]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("Question: ")
    assert "29.00" in captured.out


def test_the_answer_can_go_to_a_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SUPPORT), BALANCE, "-o", "answer.txt"]) == 0
    assert capsys.readouterr().out == ""
    assert "5432.10" in (here / "answer.txt").read_text(encoding="utf-8")
    assert main(["run", str(SUPPORT), BALANCE, "-o", "result.json", "--json"]) == 0
    assert json.loads((here / "result.json").read_text(encoding="utf-8"))["agent"] == "billing"
    assert main(["run", str(SUPPORT), BALANCE, "-o", "answer2.txt", "--events"]) == 0
    assert "5432.10" in (here / "answer2.txt").read_text(encoding="utf-8")
    for wrong in (".", "nothing/answer.txt"):
        assert main(["run", str(SUPPORT), BALANCE, "-o", wrong]) == 2


def test_answers_are_not_touched_on_their_way_into_a_pipe(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_team(here, says("[/x] [bold] [slug].tsx \x1b[31m"))
    assert main(["run", ".", "hi"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "[/x] [bold] [slug].tsx \x1b[31m\n"
    assert "\x1b" not in captured.err


def test_json_and_events_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SUPPORT), "hi", "--json", "--events"]) == 2
    assert "--json and --events exclude each other" in capsys.readouterr().err


def test_a_wrong_team_is_reported_on_stderr(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "team.yaml").write_text("name: desk\ninstruction: x\n")
    assert main(["run", "team.yaml", "hi"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "team.yaml:2:1: error[" in captured.err
    assert main(["run", "teem.yaml", "hi"]) == 2
    assert 'did you mean "team.yaml"?' in capsys.readouterr().err


def test_a_failed_run_ends_with_the_command_that_resumes_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_team(here, "agents:\n  clerk:\n    - error: {status: 401, message: wrong key}\n")
    assert main(["run", ".", "hi", "--run-id", "r1"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.search("^error: .*wrong key", captured.err, re.M)
    assert last_line(captured.err) == "agentctl resume r1"
    write_team(here, says("Better."))
    assert main(["resume", "r1", "-q"]) == 0
    assert capsys.readouterr().out == "Better.\n"
    assert main(["resume", "--last", "--events"]) == 0
    (only,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (only["ev"], only["answer"]) == ("run.finished", "Better.")
    assert main(["run", ".", "something else", "--run-id", "r1"]) == 2


def test_a_limit_is_exit_4(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_team(here, pays(), "limits: {turns: 1}\ntools: ['tools:pay']\n")
    assert main(["run", ".", "hi", "--runs-dir", "my runs"]) == 4
    err = capsys.readouterr().err
    assert "limits.turns, team.yaml:3:" in err
    assert last_line(err).startswith("agentctl resume ")
    assert last_line(err).endswith(" --runs-dir 'my runs' --max-turns 2")


def test_a_run_that_waits_names_the_command_that_answers(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_team(here, pays(), PAYING)
    assert main(["run", ".", "hi"]) == 3
    err = capsys.readouterr().err
    assert "clerk asks for approval\n" in err
    assert err.count("May 'clerk' call 'pay'?") == 1
    assert not (here / "effects").exists()
    command = shlex.split(last_line(err))
    assert command[-1] == "--approve"
    assert main(command[1:]) == 0
    assert capsys.readouterr().out == "Paid.\n"
    assert (here / "effects").read_text() == "3\n"


def test_the_story_of_a_run_that_is_gone_on_with_is_told_by_its_agents(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = (
        "agents:\n  pay:\n    - calls: [{name: pay, arguments: {amount: 3}}]\n    - text: Paid.\n"
        "  slow:\n    - text: Done.\n"
    )
    team = (
        "name: desk\nmodel: script:script.yaml\nstrategy: parallel\nagents:\n"
        "  - {name: pay, description: Pays., tools: [{function: 'tools:pay', approve: always}]}\n"
        "  - {name: slow, description: Waits.}\n"
    )
    write_team(here, script).write_text(team, "utf-8")
    assert main(["run", ".", "hi", "--run-id", "r1"]) == 3
    capsys.readouterr()
    assert main(["run", ".", "hi", "--run-id", "r1", "--yes"]) == 0
    told = capsys.readouterr().err
    assert "\npay: approved by --yes\npay: pay(amount=3) gave paid 3 " in told


def test_the_call_is_name_enough_for_its_question(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_team(here, pays(), PAYING)
    assert main(["run", ".", "hi", "--run-id", "r1", "-q"]) == 3
    assert main(["resume", "r1", "--approve", "--step", "clerk/turn-1/call-1.pay", "-q"]) == 0
    capsys.readouterr()
    assert main(["resume", "r1", "--approve", "--step", "clerk/turn-1/call-1.pay"]) == 2
    assert (
        "'clerk/turn-1/call-1.pay/approve' of run 'r1' has been answered already" in capsys.readouterr().err
    )


def test_a_file_that_is_no_answer_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_team(here, pays(), PAYING)
    assert main(["run", ".", "hi", "--run-id", "r1", "-q"]) == 3
    signals = here / ".agentctl" / "runs" / "r1" / "signals"
    signals.mkdir()
    for name, text in {"1.json": "garbage{", "2.json": "[1, 2]", "notes.txt": "mine"}.items():
        (signals / name).write_text(text, "utf-8")
    capsys.readouterr()
    assert main(["show", "r1"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told == [
        f"'{signals / name}' is no answer and is never taken: remove it" for name in ("1.json", "2.json")
    ]


def test_an_advised_command_finds_the_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_team(here, pays(), PAYING)
    assert main(["run", ".", "hi", "--run-id", "r1", "-q", "--runs-dir", "my runs"]) == 3
    capsys.readouterr()
    assert main(["resume", "r1", "--approve", "-q", "--runs-dir", "my runs"]) == 0
    capsys.readouterr()
    assert main(["resume", "r1", "--approve", "--runs-dir", "my runs"]) == 2
    assert "agentctl show r1 --runs-dir 'my runs'" in capsys.readouterr().err
    assert main(["show", "nothing", "--runs-dir=my runs"]) == 2
    assert "list the runs with: agentctl runs --runs-dir 'my runs'" in capsys.readouterr().err


def test_a_call_can_be_denied_and_approved_beforehand(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_team(here, pays(), PAYING)
    assert main(["run", ".", "hi", "--run-id", "r1", "-q"]) == 3
    assert main(["resume", "r1", "--deny", "too much"]) == 0
    assert not (here / "effects").exists()
    assert main(["run", ".", "hi", "--yes"]) == 0
    assert (here / "effects").read_text() == "3\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["r1", "--approve", "--deny", "no"], "--approve and --deny exclude each other"),
        (["r1", "--choose", "a", "--finish"], "--choose and --finish exclude each other"),
        (["r1", "--step", "a/b"], "--step 'a/b' has no answer"),
        (["r1", "--last"], "run 'r1' and --last exclude each other"),
        ([], "which run?"),
        (["r1", "--skip", "a/b"], "no open question at step 'a/b'"),
        (["r1", "--rerun", "a/b"], "no open question at step 'a/b'"),
        (["r1", "--max-cost", "0"], "--max-cost 0 is not more than nothing"),
        (["r1", "--max-cost", "nan"], "--max-cost nan is not more than nothing"),
        (["r1", "--max-time", "soon"], "--max-time 'soon' is not a time"),
        (["r1", "--max-time", "0s"], "--max-time '0s' is no time at all"),
        (["nothing"], 'there is no run "nothing"'),
    ],
)
def test_wrong_answers_and_runs_are_refused(
    arguments: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_team(here, pays(), PAYING)
    assert main(["run", ".", "hi", "--run-id", "r1", "-q"]) == 3
    capsys.readouterr()
    assert main(["resume", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_an_id_for_a_run_that_is_not_written_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_team(here, pays(), PAYING)
    assert main(["run", ".", "hi", "--ephemeral", "--run-id", "mine"]) == 2
    assert "error: --run-id has no effect with --ephemeral" in capsys.readouterr().err


def test_a_call_that_is_not_there_is_told_by_those_that_are(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_team(here, pays(), PAYING)
    assert main(["run", ".", "hi", "--yes", "--run-id", "paid"]) == 0
    capsys.readouterr()
    assert main(["resume", "paid", "--rerun", "bogus"]) == 2
    assert "hint: its calls are: clerk/turn-1/call-1.pay" in capsys.readouterr().err
    assert main(["resume", "paid", "--rerun", "pay"]) == 2
    assert "hint: did you mean 'clerk/turn-1/call-1.pay'?" in capsys.readouterr().err


def test_an_ephemeral_run_leaves_nothing_and_offers_no_resume(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_team(here, pays(), PAYING)
    assert main(["run", ".", "hi", "--ephemeral"]) == 3
    assert "agentctl resume" not in capsys.readouterr().err
    assert not (here / ".agentctl").exists()


def test_inputs_models_and_follow_ups_reach_the_team(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = "inputs: {customer: {required: true}}\ninstructions: 'Serve {{ inputs.customer }}.'\n"
    heard = "agents:\n  clerk:\n    - {text: 'Hello Ann', when: {contains: Serve Ann.}}\n"
    write_team(here, heard, more)
    assert main(["run", ".", "hi", "--input", "customer=Ann", "--run-id", "r1"]) == 0
    assert capsys.readouterr().out == "Hello Ann\n"
    assert main(["run", ".", "hi"]) == 2
    assert "customer" in capsys.readouterr().err
    follow = "agents:\n  clerk:\n    - {text: 'Again', when: {contains: Hello Ann}}\n"
    write_team(here, follow, more)
    assert main(["run", ".", "and?", "--input", "customer=Ann", "--after", "r1", "-q"]) == 0
    assert capsys.readouterr().out == "Again\n"
    assert main(["run", ".", "hi", "--input", "customer=Ann", "--model", "clerk=offline"]) == 0
    assert "no language model was asked (offline)" in capsys.readouterr().err


def test_options_are_read_strictly() -> None:
    assert read_inputs(["a=b=c", "d="]) == {"a": "b=c", "d": ""}
    assert read_models(["offline", "billing=openai/x"]) == {"": "offline", "billing": "openai/x"}
    assert read_models(["openai/a=b"]) == {"": "openai/a=b"}
    assert [read_time(text, "-") for text in ("500ms", "30s", "5m", "2h", "30d", "1.5")] == [
        0.5,
        30,
        300,
        7200,
        2_592_000,
        1.5,
    ]
    for wrong in (["a"], ["=b"], ["a=1", "a=2"]):
        with pytest.raises(UsageError):
            read_inputs(wrong)
    for models in ([" "], ["a=x", "a=y"], ["x", "y"]):
        with pytest.raises(UsageError):
            read_models(models)
    with pytest.raises(UsageError):
        read_time("5 weeks", "--since")


def test_a_record_that_cannot_be_written_ends_with_the_command_that_resumes(
    here: Path,
) -> None:
    write_team(here, pays(), "tools: ['tools:pay']\n")
    (here / "tools.py").write_text(
        "import atexit, os, resource\n\n"
        "atexit.register(resource.setrlimit, resource.RLIMIT_FSIZE, (-1, -1))  # others write at the end\n\n"
        'def pay(amount: int) -> str:\n    """Pays."""\n'
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (0, -1))\n    return 'x'\n"
    )
    process = start("run", ".", "hi", "--run-id", "r1", "--events", cwd=here)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "Traceback" not in err
    assert err.startswith("error: ")
    assert last_line(err) == "agentctl resume r1"
    last = json.loads(out.splitlines()[-1])
    assert (last["ev"], last["status"], last["error"]["code"]) == ("run.finished", "failed", "journal")
