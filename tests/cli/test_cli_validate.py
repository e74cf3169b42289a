import io
import json
from pathlib import Path

import pytest
from cli_teams import SUPPORT

from agentctl.cli.main import main


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


BROKEN = "name: desk\nmodel: offline\ninstruction: 'Answer.'\n"


def test_a_good_team_has_no_problems(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(SUPPORT), "--no-import"]) == 0
    assert capsys.readouterr().out == "no problems found\n"


def test_problems_go_to_stdout_with_their_place(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "team.yaml").write_text(BROKEN)
    assert main(["validate", "team.yaml", "--no-import"]) == 2
    captured = capsys.readouterr()
    assert captured.out.startswith("team.yaml:3:1: error[")
    assert "3 | instruction: 'Answer.'\n  | ^^^^^^^^^^^\n" in captured.out
    assert "hint: " in captured.out
    assert captured.err == ""


def test_every_format_is_printed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "team.yaml").write_text(BROKEN)
    for arguments in (["--json"], ["--format", "json"], ["--format", "json", "--json"]):
        assert main(["validate", "team.yaml", "--no-import", *arguments]) == 2
        assert json.loads(capsys.readouterr().out)["errors"] >= 1
    assert main(["validate", "team.yaml", "--no-import", "--format", "sarif"]) == 2
    assert json.loads(capsys.readouterr().out)["version"] == "2.1.0"
    assert main(["validate", "team.yaml", "--no-import", "--format", "github"]) == 2
    assert capsys.readouterr().out.startswith("::error file=team.yaml,line=3")
    assert main(["validate", "team.yaml", "--format", "sarif", "--json"]) == 2
    assert "exclude each other" in capsys.readouterr().err
    assert main(["validate", "team.yaml", "--format", "xml"]) == 2
    assert "xml" in capsys.readouterr().err


def test_folders_are_searched_and_quiet_says_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b/deep", "a", ".hidden", "node_modules/x"):
        (here / name).mkdir(parents=True)
        (here / name / "team.yaml").write_text(BROKEN)
    assert main(["validate", ".", "--no-import", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert list(dict.fromkeys(one["path"] for one in found)) == ["a/team.yaml", "b/deep/team.yaml"]
    assert main(["validate", "a", "a", "--no-import", "--quiet"]) == 2
    assert capsys.readouterr().out == ""
    (here / "empty").mkdir()
    assert main(["validate", "empty"]) == 2
    assert 'no team file in the folder "empty"' in capsys.readouterr().err


def test_team_files_of_any_name_are_found_and_what_is_none_is_not(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "desk/support.yaml": BROKEN,
        "desk/billing.yml": "model: offline\nname: billing\ninstructoins: x\ninstructions: y\n",
        "desk/team.yaml": "name: desk\nmodel: offline\nagents: [{file: parts/one.yaml, nme: other}]\n",
        "desk/parts/one.yaml": "name: one\ninstruction: x\ninstructions: Answer.\n",
        "desk/desk.test.yaml": "tests: [{name: a, questoin: Hi, expect: {agent: desk}}]\n",
        "desk/lost.test.yaml": "team: nowhere.yaml\ntests: []\n",
        "desk/compose.yaml": "name: shop\nservices: {}\n",
        "desk/replies.yaml": "agents: {desk: [Hello]}\n",
        "desk/workflow.yml": "name: ci\non: push\njobs: {a: {strategy: {}}}\n",
        "env/pyvenv.cfg": "",
        "env/team.yaml": BROKEN,
        "runs/a-1/journal.jsonl": "",
        "runs/a-1/team.yaml": BROKEN,
        ".agentctl/runs/b-2/team.yaml": BROKEN,
    }
    for name, text in files.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text)
    assert main(["validate", ".", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(one["path"], one["code"]) for one in found if one["severity"] == "error"] == [
        ("desk/billing.yml", "unknown-key"),
        ("desk/desk.test.yaml", "unknown-key"),
        ("desk/lost.test.yaml", "missing-file"),
        ("desk/parts/one.yaml", "unknown-key"),
        ("desk/support.yaml", "unknown-key"),
        ("desk/team.yaml", "unknown-key"),
    ]
    assert main(["validate", "runs/a-1", "--json", "--quiet"]) == 2


def test_stdin_is_read_alone(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode())))
    assert main(["validate", "-", "--no-import"]) == 2
    assert capsys.readouterr().out.startswith("<stdin>:3:1: error[")
    assert main(["validate", "-", "team.yaml"]) == 2
    assert "stdin and files exclude each other" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\x00")))
    assert main(["validate", "-"]) == 2


def test_strict_counts_warnings(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "team.yaml").write_text("name: desk\nmodel: offline\ninputs: {unused: {type: string}}\n")
    assert main(["validate", "team.yaml", "--no-import"]) == 0
    assert "warning[" in capsys.readouterr().out
    assert main(["validate", "team.yaml", "--no-import", "--strict"]) == 2


def test_a_missing_file_is_a_usage_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "nothing.yaml"]) == 2
    assert capsys.readouterr().err.startswith('error: there is no team file "nothing.yaml"')


@pytest.mark.parametrize("shape", ["json", "sarif", "github"])
@pytest.mark.parametrize("named", ["nothing.yaml", "empty"])
def test_programs_are_told_of_a_missing_file_in_their_format(
    here: Path, shape: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "empty").mkdir()
    assert main(["validate", named, "--format", shape]) == 2
    told, err = capsys.readouterr()
    assert named in told
    assert "missing-file" in told
    assert err == ""
    if shape != "github":
        json.loads(told)


def test_a_broken_env_file_hides_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "team.yaml").write_text(BROKEN)
    (here / ".env").write_text("A='unclosed\n")
    assert main(["validate", "team.yaml", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(one["path"], one["code"]) for one in found] == [
        (".env", "unreadable-file"),
        ("team.yaml", "unknown-key"),
    ]


def test_a_missing_file_among_others_hides_nothing_of_them(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "team.yaml").write_text(BROKEN)
    assert main(["validate", "teem.yaml", "team.yaml", "--no-import", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(one["path"], one["code"]) for one in found] == [
        ("team.yaml", "unknown-key"),
        ("teem.yaml", "missing-file"),
    ]
    assert found[1]["hint"] == 'did you mean "team.yaml"?'
    assert main(["validate", "teem.yaml", "team.yaml", "--no-import"]) == 2
    assert "2 errors in 2 files" in capsys.readouterr().out
