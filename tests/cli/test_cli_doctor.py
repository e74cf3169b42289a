"""`agentctl doctor`: what is missing with its mend, which setting won, and no value of a key anywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from cli_teams import ENTRY, environment

from agentctl.api.findings import Diagnosis, Finding, Setting
from agentctl.cli.main import main
from agentctl.jsontypes import JsonObject, as_list, as_object
from agentctl.models.providers import PROVIDERS
from agentctl.render.diagnosis import diagnosis_lines

SECRET = "sk-doctor-0123456789abcdef"
TEAM = "name: desk\nmodel: ${AGENTCTL_MODEL:-offline}\ninstructions: Answer questions.\n"
Doctor: TypeAlias = Callable[..., tuple[int, JsonObject]]


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {key for each in PROVIDERS.values() for group in each.keys for key in group}
    for name in (*names, "AGENTCTL_MODEL", "AGENTCTL_RUNS_DIR", "AGENTCTL_MAX_COST", "AGENTCTL_MAX_TIME"):
        monkeypatch.delenv(name, raising=False)
    write(TEAM)


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str]) -> Doctor:
    """Exit code and JSON; no key's value stands in what a person or a program is told."""

    def look(*words: str) -> tuple[int, JsonObject]:
        code = main(["doctor", *words])
        shown = capsys.readouterr()
        assert main(["doctor", *words, "--json"]) == code
        found = capsys.readouterr()
        assert SECRET not in shown.out + shown.err + found.out + found.err
        told = as_object(json.loads(found.out))
        for finding in map(as_object, as_list(told["findings"])):
            assert str(finding["message"]) in shown.out
            assert str(finding.get("mend", "")) in shown.out
        return code, told

    return look


def write(team: str) -> None:
    Path("team.yaml").write_text(team, "utf-8")


def lacks(told: JsonObject, *states: str) -> list[tuple[object, object, object]]:
    findings = [as_object(finding) for finding in as_list(told["findings"])]
    wanted = states or ("missing", "wrong")
    return [(one["about"], one["message"], one.get("mend")) for one in findings if one["state"] in wanted]


def settings(told: JsonObject) -> dict[object, tuple[object, object]]:
    found = (as_object(setting) for setting in as_list(told["settings"]))
    return {one["name"]: (one["value"], one["source"]) for one in found}


def test_a_team_that_lacks_nothing(doctor: Doctor) -> None:
    code, told = doctor(".")
    assert (code, told["ok"], lacks(told)) == (0, True, [])


def test_without_a_team_keys_are_told_by_name(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    code, told = doctor()
    assert code == 0
    note = "no key of a language model is set: teams run with the model `offline` alone"
    assert ("key", note, "export OPENAI_API_KEY=…") in lacks(told, "note")
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    _, told = doctor()
    assert ("key", "ANTHROPIC_API_KEY of 'anthropic' set", None) in lacks(told, "ok")


def test_a_key_that_is_missing_and_one_from_the_env_file(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTCTL_MODEL", "openai/gpt-4o-mini")
    code, told = doctor(".")
    message = (
        'the model "openai/gpt-4o-mini" needs the environment variable "OPENAI_API_KEY", which is not set'
    )
    assert (code, lacks(told)) == (1, [("key", message, "export OPENAI_API_KEY=…")])
    Path(".env").write_text(f"OPENAI_API_KEY={SECRET}\n", "utf-8")
    code, told = doctor(".")
    assert code == 0
    assert ("model", "'openai/gpt-4o-mini' with OPENAI_API_KEY, from .env", None) in lacks(told, "ok")


def test_a_variable_that_the_file_names_for_a_key(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    write("name: desk\nmodel: {id: openai/gpt-4o-mini, api_key_env: DESK_KEY}\ninstructions: Answer.\n")
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    code, told = doctor(".")
    assert (code, [mend for _, _, mend in lacks(told)]) == (1, ["export DESK_KEY=…"])
    monkeypatch.setenv("DESK_KEY", SECRET)
    assert doctor(".")[0] == 0


def test_variables_that_the_file_wants_are_missing_not_wrong(doctor: Doctor) -> None:
    write(f"{TEAM}description: ${{DESK_NAME}} of ${{DESK_TOWN:?say which}}\n")
    code, told = doctor(".")
    assert code == 1
    assert lacks(told) == [
        ("variable", 'team.yaml:4: the variable "DESK_NAME" is not set', "export DESK_NAME=…"),
        (
            "variable",
            'team.yaml:4: the variable "DESK_TOWN" is not set or empty: say which',
            "export DESK_TOWN=…",
        ),
    ]
    write(f"{TEAM}description: ${{DESK_NAME}}\ncolour: red\n")
    code, told = doctor(".")
    assert (code, [about for about, *_ in lacks(told)]) == (2, ["variable", "team"])


def test_fallbacks_need_their_keys_too(doctor: Doctor) -> None:
    write("name: d\nmodel: {id: offline, fallbacks: [anthropic/claude-sonnet-4-5]}\ninstructions: Answer.\n")
    code, told = doctor(".")
    assert (code, [mend for _, _, mend in lacks(told)]) == (1, ["export ANTHROPIC_API_KEY=…"])


def test_a_model_that_nobody_lists(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    code, told = doctor(".", "--model", "openai/gpt-4o-mimi")
    (found,) = (one for one in lacks(told, "note") if one[0] == "model")
    assert code == 0
    assert found[1] == 'the model "openai/gpt-4o-mimi" is not in the list of known models'
    assert "gpt-4o-mini" in str(found[2])


def test_a_model_of_no_provider_is_wrong_where_it_was_named(
    doctor: Doctor, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", ".", "--model", "nothing"]) == 2
    assert "`--model nothing`" in capsys.readouterr().err
    write("name: desk\nmodel: nobody/gpt\ninstructions: Answer.\n")
    code, told = doctor(".")
    assert (code, lacks(told, "wrong")[0][2]) == (2, "agentctl validate .")


def test_a_team_file_that_cannot_be_read_is_exit_2(doctor: Doctor) -> None:
    write(f"{TEAM}colour: red\nshape: round\n")
    code, told = doctor(".")
    (found,) = lacks(told)
    assert code == 2
    message = 'team.yaml:4: unknown key "colour" in agent "desk", and 1 more'
    assert found == ("team", message, "agentctl validate .")


def test_a_team_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "nowhere"]) == 2
    assert 'there is no team file "nowhere"' in capsys.readouterr().err


def test_warnings_are_told_and_keep_nothing_from_running(doctor: Doctor) -> None:
    write(f"{TEAM}mcp_servers: {{files: {{command: sh}}}}\n")
    code, told = doctor(".")
    assert code == 0
    assert ("team", "'team.yaml' has 1 warning", "agentctl validate .") in lacks(told, "note")


def test_programs_of_servers(doctor: Doctor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    servers = "mcp_servers: {a: {command: sh}, b: {command: npx}, c: {command: ./serve}}\n"
    write(f"{TEAM}{servers}tools: [{{mcp: a}}, {{mcp: b}}, {{mcp: c}}]\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    code, told = doctor(".")
    assert code == 1
    assert ("server", f"'a' is started by {tmp_path}/bin/sh", None) in lacks(told, "ok")
    assert lacks(told) == [
        (
            "server",
            'the server "b" needs the program "npx", which is not on the PATH',
            "install Node.js, which brings npx along",
        ),
        (
            "server",
            'the server "c" needs the program "./serve", which is not there',
            f'it is looked for at "{tmp_path}/serve"',
        ),
    ]


def test_packages_that_are_not_there(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    stated = ["typer", "no-such-package>=2,<3", 'no-such-extra>=1; extra == "mcp"']
    monkeypatch.setattr("agentctl.api.examine.requires", lambda _name: stated)
    code, told = doctor()
    assert code == 1
    message = "the package 'no-such-package' is not installed"
    assert lacks(told) == [("package", message, "pip install 'no-such-package>=2,<3'")]
    assert "pip install 'no-such-extra>=1'" in [mend for _, _, mend in lacks(told, "note")]


def test_a_place_where_no_run_can_be_kept(doctor: Doctor) -> None:
    code, told = doctor("--runs-dir", "team.yaml/runs")
    (found,) = lacks(told)
    assert code == 1
    assert found == (
        "runs",
        f"runs cannot be written to '{Path.cwd()}/team.yaml/runs': Not a directory",
        'export AGENTCTL_RUNS_DIR="$HOME/.agentctl/runs"',
    )
    assert sorted(path.name for path in Path().iterdir()) == ["team.yaml"]


def test_a_flag_wins_over_a_variable_over_the_file_over_the_default(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Path.cwd()
    default = settings(doctor(".")[1])
    assert default["runs"] == (f"{here}/.agentctl/runs", "default (.agentctl/runs here)")
    assert default["model of desk"] == ("offline", "team.yaml:2 (AGENTCTL_MODEL is not set)")
    assert default["cost_usd of the run"] == ("10 USD", "default")
    write(f"{TEAM}limits: {{cost_usd: 3, time: unlimited}}\n")
    stated = settings(doctor(".")[1])
    assert stated["cost_usd of the run"] == ("3 USD", "team.yaml:4")
    assert stated["time of the run"] == ("unlimited", "team.yaml:4")
    monkeypatch.setenv("AGENTCTL_RUNS_DIR", "kept")
    monkeypatch.setenv("AGENTCTL_MODEL", "script:x.yaml")
    monkeypatch.setenv("AGENTCTL_MAX_COST", "2")
    varied = settings(doctor(".")[1])
    assert varied["runs"] == (f"{here}/kept", "AGENTCTL_RUNS_DIR")
    assert varied["model of desk"] == ("script:x.yaml", "AGENTCTL_MODEL (team.yaml:2)")
    assert varied["cost_usd of the run"] == ("2 USD", "AGENTCTL_MAX_COST")
    flags = ("--runs-dir", "mine", "--model", "offline", "--max-cost", "1", "--max-time", "5m")
    flagged = settings(doctor(".", *flags)[1])
    assert flagged["runs"] == (f"{here}/mine", "--runs-dir")
    assert flagged["model of desk"] == ("offline", "--model")
    assert flagged["cost_usd of the run"] == ("1 USD", "--max-cost")
    assert flagged["time of the run"] == ("5 minutes", "--max-time")
    assert settings(doctor(".", "--model", "desk=offline")[1])["model of desk"][1] == "--model desk="


def test_a_narrow_terminal_breaks_at_words_and_never_what_is_pasted() -> None:
    message = "the model 'anthropic/claude' needs ANTHROPIC_API_KEY, which is not set"
    mend = "export ANTHROPIC_API_KEY=… # which is longer than the terminal is wide"
    found = Finding(about="key", state="missing", message=message, mend=mend)
    place = Setting(name="runs", value=".agentctl/runs", source="default (.agentctl/runs here)")
    diagnosis = Diagnosis(findings=(found,), settings=(place,))
    lines = [line.plain for line in diagnosis_lines(diagnosis, width=40)]
    assert lines[0] == "missing key      the model"
    shown = " ".join(line.removeprefix("missing key").strip() for line in lines)
    assert message in shown
    assert f"                 {mend}" in lines
    assert lines[-3:] == ["  runs  .agentctl/runs", "    default (.agentctl/runs here)", "1 problem"]
    wide = [line.plain for line in diagnosis_lines(diagnosis, width=200)]
    assert wide[0] == f"missing key      {message}"
    assert wide[3] == "  runs  .agentctl/runs  default (.agentctl/runs here)"


def test_it_asks_nobody_and_imports_neither_client() -> None:
    """A whole process: what is imported shows what is done."""
    heavy = "{'litellm', 'openai', 'mcp'} & set(sys.modules)"
    script = f"import atexit, sys; atexit.register(lambda: sys.stderr.write(str({heavy}))); {ENTRY}"
    command = [sys.executable, "-c", script, "doctor", ".", "--model", "anthropic/claude-sonnet-4-5"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "set()")
