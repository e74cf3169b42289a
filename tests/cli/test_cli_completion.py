"""Completion without a shell: which candidates a line has, and where each shell gets its script."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cli_teams import ENTRY, PAYING, environment, pays, write_team

from agentctl.cli import commands
from agentctl.cli.completing import candidates_for, complete
from agentctl.cli.completion_scripts import SCRIPTS
from agentctl.cli.main import main

TEAM = """\
name: desk
model: openai/gpt-4o-mini
inputs: {customer: {description: Who asks}, town: {}}
agents:
  - {name: billing, description: Balances, instructions: Answer.}
  - {name: sales, description: Prices, instructions: Answer.}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("AGENTCTL_RUNS_DIR", "AGENTCTL_MODEL", "ZDOTDIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for folder in ("desk", "folder/below", ".hidden"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "desk" / "team.yaml").write_text(TEAM, "utf-8")
    (tmp_path / "other.yaml").write_text(TEAM, "utf-8")
    (tmp_path / "notes.txt").touch()
    return tmp_path


def offered(line: str) -> list[str]:
    *before, incomplete = line.split(" ")
    return sorted({value for value, _ in candidates_for(before, incomplete)})


def waiting_run(run_id: str) -> None:
    write_team(Path("paying"), pays(), PAYING)
    assert main(["run", "paying", "pay", "--run-id", run_id]) == 3


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("", sorted(commands.HELP)),
        ("r", ["resume", "run", "runs"]),
        ("--v", ["--version"]),
        ("--show-completion ", ["bash", "fish", "zsh"]),
        ("run ", ["desk", "folder/", "other.yaml"]),
        ("run de", ["desk"]),
        ("run desk/", ["desk/team.yaml"]),
        ("run folder/", ["folder/below/"]),
        ("run .h", [".hidden/"]),
        ("run nowhere/", []),
        ("run desk question", []),
        ("validate desk ", ["desk", "folder/", "other.yaml"]),
        ("validate desk --format ", ["github", "json", "sarif", "text"]),
        ("validate --format s", ["sarif"]),
        ("validate --format=s", ["--format=sarif"]),
        ("run desk --model ", ["billing=", "desk=", "offline", "openai/gpt-4o-mini", "sales="]),
        ("run desk --model b", ["billing="]),
        ("run desk --model billing=", ["billing=offline", "billing=openai/gpt-4o-mini"]),
        ("run --model=of", ["--model=offline"]),
        ("run nowhere --model ", ["offline"]),
        ("run desk --input ", ["customer=", "town="]),
        ("run desk --input customer=A", []),
        ("run nowhere --input ", []),
        ("chat other.yaml --model s", ["sales="]),
        ("run desk --max-c", ["--max-cost"]),
        ("run desk --max-cost 1 --max-c", []),
        ("run desk --model offline --mod", ["--model"]),
        ("run desk --replay-tools ", ["live", "recorded"]),
        ("run desk -o ", ["desk/", "folder/", "notes.txt", "other.yaml"]),
        ("run desk --runs-dir ", ["desk/", "folder/"]),
        ("run --json -- --x", []),
        ("init n --strategy ra", ["random"]),
        ("init -s seq", ["sequential"]),
        ("runs ", ["prune", "rm"]),
        ("runs --status s", ["stopped"]),
        ("runs prune --o", ["--older-than"]),
        ("schema r", ["recording", "run"]),
        ("resume ", []),
        ("nothing ", []),
    ],
)
def test_what_may_come_next(line: str, values: list[str]) -> None:
    assert offered(line) == values


def test_runs_and_what_is_in_them() -> None:
    waiting_run("first-run")
    for line in (
        "resume f",
        "show f",
        "cancel f",
        "runs rm x f",
        "run desk q --after f",
        "chat desk --after f",
    ):
        assert offered(line) == ["first-run"], line
    assert offered("run desk q --replay f") == ["first-run", "folder/"]
    assert offered("show first-run --execution ") == ["clerk"]
    assert offered("resume first-run --retry c") == ["clerk"]
    (step,) = offered("resume first-run --step ")
    assert step.startswith("clerk/turn-1/call-1")
    assert offered("resume --last --step ") == [step]
    assert offered("resume --step ") == []
    assert offered("runs --team ") == ["clerk"]
    assert offered("resume --runs-dir elsewhere f") == []
    assert [text for _, text in candidates_for(["resume"], "f")] == ["pay"]


def test_whom_a_person_may_choose() -> None:
    team = TEAM.replace("model: openai/gpt-4o-mini", "model: offline\nstrategy: manual")
    Path("other.yaml").write_text(team, "utf-8")
    assert main(["run", "other.yaml", "Who?", "--run-id", "r"]) == 3
    assert offered("resume r --choose ") == ["billing", "finish", "sales"]


def test_bash_is_given_what_follows_its_own_word_breaks() -> None:
    def bash(line: str) -> list[str]:
        return complete("bash", [], {"_AGENTCTL_LINE": line}).splitlines()

    assert bash("agentctl run desk --model billing=of") == ["offline"]
    assert bash("agentctl run desk --model=billing=of") == ["offline"]
    assert bash("agentctl run desk ") == []
    assert bash("agentctl validate 'de") == ["desk"]
    assert bash('agentctl run desk "What\'s up?" --max-c') == ["--max-cost"]


def test_zsh_and_fish_are_told_what_a_candidate_is() -> None:
    assert complete("fish", ["run", "desk", "--model", "b"], {}) == "billing=\tBalances"
    assert complete("zsh", ["doc"], {}) == f"doctor\t{commands.HELP['doctor']}"
    assert complete("zsh", [], {}).startswith("cancel\t")


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_is_printed_and_installed(
    shell: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--show-completion", shell]) == 0
    assert capsys.readouterr().out == SCRIPTS[shell]
    start = {"bash": ".bashrc", "zsh": ".zshrc"}.get(shell)
    if start:
        (here / "home").mkdir()
        (here / "home" / start).write_text("mine", "utf-8")
    for _ in range(2):
        assert main(["--install-completion", shell]) == 0
    written = [Path(line.removeprefix("wrote ")) for line in capsys.readouterr().err.splitlines()]
    assert written[0].read_text("utf-8") == SCRIPTS[shell]
    if start:
        lines = (here / "home" / start).read_text("utf-8").splitlines()
        assert (lines[0], len(lines)) == ("mine", 2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--show-completion", "zhs"], "did you mean 'zsh'?"),
        (["--install-completion", "x"], "it is one of bash, zsh, fish"),
        (["--show-completion", "bash", "zsh"], "--show-completion takes one shell, not also 'zsh'"),
    ],
)
def test_a_shell_without_a_script_is_told(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_completing_is_quiet_and_imports_nothing_heavy() -> None:
    """A whole process: a file that cannot be read has no say in the middle of a command line."""
    Path("desk/team.yaml").write_bytes(b"\xff\xfe: [")
    heavy = "{'litellm', 'openai', 'pydantic'} & set(sys.modules)"
    script = f"import atexit, sys; atexit.register(lambda: sys.stderr.write(str({heavy}))); {ENTRY}"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**environment(), "_AGENTCTL_COMPLETE": "bash", "_AGENTCTL_LINE": "agentctl run desk --model o"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "offline\n", "set()")
