import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from cli_teams import ENTRY, environment

from agentctl.cli import commands
from agentctl.cli.main import main

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["--debug"]])
def test_help_lists_every_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    out = capsys.readouterr().out
    for name, text in commands.HELP.items():
        assert name in out
        assert text in out


@pytest.mark.parametrize("name", commands.HELP)
def test_every_command_has_its_own_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert f"Usage: agentctl {name}" in capsys.readouterr().out


def test_hardly_anything_is_imported_before_ctrl_c_ends_in_no_traceback() -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "import agentctl.cli.main\n"
        "print(*{'typing', 'collections.abc', 're', 'asyncio'} & (set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("agentctl ")


@pytest.mark.parametrize("arguments", [["-V"], ["help"], ["help", "runs"]])
def test_what_people_try_first_works(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    usage = f"Usage: agentctl {' '.join(arguments[1:])}".rstrip()
    assert capsys.readouterr().out.startswith("agentctl " if arguments == ["-V"] else usage)


def test_a_value_is_told_by_the_variable_that_it_came_from(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTCTL_MAX_COST", "much")
    assert main(["run", "t", "hi"]) == 2
    assert capsys.readouterr().err.startswith("error: AGENTCTL_MAX_COST 'much' is not a number\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rnu"], "error: there is no command 'rnu'\nhint: did you mean `agentctl run`?\n"),
        (["xyzzy"], "error: there is no command 'xyzzy'\nhint: `agentctl --help` lists the commands\n"),
        (["version"], "error: there is no command 'version'\nhint: did you mean `agentctl --version`?\n"),
        (["ls"], "error: there is no command 'ls'\nhint: did you mean `agentctl runs`?\n"),
        (
            ["schema", "--colour"],
            "error: there is no option '--colour'\nhint: see `agentctl schema --help`\n",
        ),
        (["--colour"], "error: there is no option '--colour'\nhint: see `agentctl --help`\n"),
        (["schema", "--hepl"], "error: there is no option '--hepl'\nhint: did you mean '--help'?\n"),
        (
            ["runs", "prun"],
            "error: there is no command 'runs prun'\nhint: did you mean `agentctl runs prune`?\n",
        ),
        (
            ["runs", "ls"],
            "error: there is no command 'runs ls'\n"
            "hint: there are `agentctl runs rm`, `agentctl runs prune`\n",
        ),
        (
            ["validate", ".", "--format", "jsn"],
            "error: --format 'jsn' is not one of 'text', 'json', 'github', 'sarif'\n"
            "hint: did you mean 'json'?\n",
        ),
        (
            ["run", "my team", "balance", "of", "ACC-123"],
            "error: the question ends at 'balance', and 'of ACC-123' is left over\n"
            "hint: put it in quotes: agentctl run 'my team' \"balance of ACC-123\"\n",
        ),
        (
            ["run", "t", "what", 'is "it"?'],
            "error: the question ends at 'what', and 'is \"it\"?' is left over\n"
            "hint: put it in quotes: agentctl run t 'what is \"it\"?'\n",
        ),
        (
            ["show", "a", "b"],
            "error: 'b' is one argument too many\nhint: see `agentctl show --help`\n",
        ),
        (
            ["run", "t", "--max-cost", "abc"],
            "error: --max-cost 'abc' is not a number\n"
            "hint: write it as --max-cost USD: the most that the run may cost\n",
        ),
        (
            ["resume", "r", "--max-tokens", "1.5"],
            "error: --max-tokens '1.5' is not a whole number\n"
            "hint: write it as --max-tokens N: the most tokens that the run may use\n",
        ),
        (
            ["resume", "r", "--max-tokens", "0"],
            "error: --max-tokens '0' is less than 1\n"
            "hint: write it as --max-tokens N: the most tokens that the run may use\n",
        ),
        (["schema", "taem"], 'error: there is no schema "taem"\nhint: did you mean "team"?\n'),
        (["run"], "error: missing argument 'TEAM'\nhint: see `agentctl run --help`\n"),
    ],
)
def test_wrong_usage_is_one_headline_and_its_mend(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == said


def _failing(error: BaseException) -> object:
    secret = "sk-very-secret"

    def fail() -> int:
        assert secret
        raise error

    def add(app: typer.Typer) -> None:
        app.command("schema")(fail)

    return add


def _fail_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentctl.cli.schema.add", _failing(error))


def test_a_bug_is_one_line_and_a_request_to_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _fail_with(KeyError("billing"), monkeypatch)
    assert main(["schema"]) == 1
    assert capsys.readouterr().err == (
        "error: KeyError: 'billing'\n"
        "hint: this is a mistake in agentctl: please report it with what `--debug` prints\n"
    )


@pytest.mark.parametrize("arguments", [["--debug", "schema"], ["schema", "--debug"]])
def test_debug_shows_a_traceback_without_local_variables(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _fail_with(KeyError("billing"), monkeypatch)
    assert main(arguments) == 1
    err = capsys.readouterr().err
    assert "Traceback (most recent call last)" in err
    assert "sk-very-secret" not in err


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
        (
            OSError(28, "No space left on device"),
            1,
            "error: cannot write to stdout: No space left on device\n",
        ),
        (OSError(13, "Permission denied", "x.yaml"), 1, "error: 'x.yaml': Permission denied\n"),
    ],
)
def test_what_the_system_does_ends_without_a_traceback(
    error: BaseException,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _fail_with(error, monkeypatch)
    assert main(["schema"]) == code
    assert capsys.readouterr().err == said


def test_closed_streams_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["schema"]) == 0
    replaced = (sys.stdout, sys.stderr)
    assert main(["rnu"]) == 2
    for stream in replaced:
        stream.close()


def test_streams_that_are_not_utf_8_never_fail_to_encode(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="cp1252")
    monkeypatch.setattr(sys, "stderr", stream)
    assert main(["\u6f22\ud800"]) == 2
    stream.flush()
    assert "\u6f22\\ud800" in raw.getvalue().decode("utf-8")


def test_schemas_are_printed_as_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["type"] == "object"
    assert main(["schema", "nothing"]) == 2
    assert "the schemas are:" in capsys.readouterr().err


def test_a_reader_that_goes_away_and_heavy_imports(tmp_path: Path) -> None:
    """Whole processes: a closed pipe is quiet to the very end, and help imports nothing heavy."""
    script = (
        "import sys; from agentctl.cli.main import main; code = main(); "
        "heavy = {'litellm', 'openai', 'pydantic', 'rich', 'jsonschema', 'yaml'} & set(sys.modules); "
        "sys.stderr.write(' '.join(sorted(heavy))); sys.exit(code)"
    )
    helped = subprocess.run(
        [sys.executable, "-c", script, "--help"],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    assert helped.stderr == ""
    closed = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -c "{ENTRY}" schema; echo $? >&2'],
        stdout=_closed_pipe(),
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        check=True,
    )
    assert closed.stderr == "141\n"


def _closed_pipe() -> int:
    import os

    reader, writer = os.pipe()
    os.close(reader)
    return writer
