"""`agentctl test` as it is typed: what it prints, writes and exits with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import xmlschema
from testing_teams import a_team

from agentctl.cli.main import main
from agentctl.jsontypes import Json, as_list, as_object
from agentctl.testing.sessions import session
from e2e.command import Desk

TESTS = """
- {name: good, question: Is order ORD-1 shipped?, expect: {agent: orders}, tags: [smoke]}
- name: wrong
  question: What is the balance of account ACC-1?
  expect: {path: [desk, orders], tools: [{name: order_status, args: {order_id: "ORD-1 <&> \\u0007"}}]}
"""
BROKEN = "- {name: broken, model: script:nowhere.yaml, question: Go, expect: {agent: desk}}"


def typed(*words: str | Path) -> int:
    return main(["test", *map(str, words)])


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return a_team(tmp_path, TESTS)


def test_a_failing_test_shows_expected_beside_actual_and_the_run(
    team: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed("team.yaml") == 1
    shown = capsys.readouterr().out
    assert "team.yaml::good PASSED" in shown
    assert "team.yaml::wrong FAILED" in shown
    expected = shown.index('  expected: ["desk", "orders"]')
    assert shown.index('  actual:   ["desk", "billing"]') > expected
    assert "because:  desk chose billing: " in shown
    assert "\nFAILED team.yaml::wrong - path, tools\n" in shown
    assert "1 failed, 1 passed in " in shown
    command = next(line for line in shown.splitlines() if line.startswith("shown by: "))
    capsys.readouterr()
    words = command.removeprefix("shown by: agentctl ").split()
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "billing" in told
    assert "balance(account_id='ACC-1')" in told


def test_runs_of_failing_tests_are_kept_until_the_next(
    team: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = team.parent / ".agentctl" / "test-runs"
    typed("team.yaml")
    typed("team.yaml")
    assert len(list(kept.iterdir())) == 1
    assert typed("team.yaml", "-k", "good") == 0
    assert not kept.exists()


def test_runs_stay_while_those_who_named_them_still_run_tests(
    team: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = team.parent / ".agentctl" / "test-runs"
    with session(team.parent):
        typed("team.yaml")
        typed("team.yaml")
        assert len(list(kept.iterdir())) == 2
    left = kept.with_name("test-sessions") / "of-a-process-that-was-killed"
    left.mkdir(parents=True)
    (left / "lock").touch()
    typed("team.yaml")
    assert len(list(kept.iterdir())) == 1
    assert not left.parent.exists()


def test_nothing_is_left_where_all_pass(team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("team.yaml", "-k", "good") == 0
    assert not (team.parent / ".agentctl").exists()


STOPS = """
def stop(what: str) -> str:
    \"\"\"Stops everything, as Ctrl-C does.\"\"\"
    import os, signal, time

    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(SECONDS)
    return what
"""
INTERRUPTED = """
name: desk
model: script:replies.yaml
instructions: Answer.
tools: ["tools:stop"]
tests:
  - {name: first, question: Hello, expect: {answer: {equals: Bye}}}
  - {name: second, question: Stop, expect: {tools: [stop]}}
  - {name: third, question: Hello, expect: {agent: desk}}
"""
REPLIES = """
agents:
  desk:
    - {calls: [{name: stop, arguments: {what: all}}], when: {contains: Stop}}
    - {text: Hello, when: {lacks: Stop}, repeat: true}
"""


@pytest.mark.processes
@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("seconds", [0, 600])
def test_interrupted_it_tells_how_far_it_came(form: list[str], seconds: int, tmp_path: Path) -> None:
    for name, text in (("team", INTERRUPTED), ("replies", REPLIES)):
        (tmp_path / f"{name}.yaml").write_text(text)
    (tmp_path / "tools.py").write_text(STOPS.replace("SECONDS", str(seconds)))
    done = Desk(folder=tmp_path)("test", ".", "--parallel", "1", "--junit", "report.xml", *form)
    assert done.returncode == 130, done.stderr
    shown = done.stdout
    if form:
        found = as_object(json.loads(shown))
        assert [as_object(each)["name"] for each in as_list(found["tests"])] == ["first"]
        assert (found["failed"], found["unfinished"], found["interrupted"]) == (1, 2, True)
    else:
        assert "FAILED team.yaml::first - answer.equals" in shown
        assert "1 failed, 2 not finished, interrupted in " in shown
    assert (tmp_path / "report.xml").read_text().count("<testcase") == 1


def test_the_exit_code_tells_what_went_wrong(team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("team.yaml", "-k", "smoke") == 0
    assert typed("team.yaml", "-k", "nobody") == 2
    a_team(team.parent, BROKEN)
    assert typed("team.yaml") == 2
    assert "nowhere.yaml" in capsys.readouterr().out
    a_team(team.parent, "- {name: x}")
    assert typed("team.yaml") == 2
    assert "asks nothing" in capsys.readouterr().err
    team.write_text(team.read_text().partition("tests:")[0])
    assert typed("team.yaml") == 2
    assert "there are no tests" in capsys.readouterr().err
    assert typed("nothing.yaml") == 2


def test_quiet_prints_failures_and_the_summary(team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(team.parent, "--quiet", "-j", "1") == 1
    shown = capsys.readouterr().out
    assert "PASSED" not in shown
    assert "1 failed, 1 passed" in shown


def test_json_is_one_object(team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("team.yaml", "--json") == 1
    found: Json = json.loads(capsys.readouterr().out)
    counts = {key: as_object(found)[key] for key in ("passed", "failed", "errors", "deselected")}
    assert counts == {"passed": 1, "failed": 1, "errors": 0, "deselected": 0}
    good, wrong = (as_object(each) for each in as_list(as_object(found)["tests"]))
    assert (good["verdict"], good["tags"], good["failures"]) == ("passed", ["smoke"], [])
    assert (wrong["name"], wrong["verdict"], wrong["line"]) == ("wrong", "failed", 19)
    first = as_object(as_list(wrong["failures"])[0])
    assert (first["what"], first["expected"]) == ("path", ["desk", "orders"])
    assert str(wrong["show"]).startswith("agentctl show ")


@pytest.mark.parametrize("reader", ["junit_ant.xsd", "junit_jenkins.xsd"])
def test_the_junit_file_is_valid(reader: str, team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (team.parent / "own.test.yaml").write_text(f"tests:\n  {BROKEN}\n")
    assert typed("team.yaml", "--junit", "report.xml") == 2
    schema = xmlschema.XMLSchema(Path(__file__).with_name(reader))
    report = team.parent / "report.xml"
    schema.validate(report)
    text = report.read_text(encoding="utf-8")
    assert 'name="team.yaml" package="team" hostname="localhost" id="0"' in text
    assert 'tests="2" failures="1" errors="0"' in text
    assert 'tests="1" failures="0" errors="1"' in text
    assert 'classname="own.test" name="broken"' in text
    assert "ORD-1 &lt;&amp;&gt; \\x07" in text or "\\u0007" in text
    assert "<system-out>agentctl show " in text


def test_classes_of_a_junit_file_are_named_by_folder_and_file(
    team: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    below = team.parent / "a" / "b"
    below.mkdir(parents=True)
    a_team(below, "- {name: good, question: Is order ORD-1 shipped?, expect: {agent: orders}}")
    assert typed("./a", "--junit", "report.xml") == 0
    text = (team.parent / "report.xml").read_text(encoding="utf-8")
    assert 'name="a/b/team.yaml" package="a.b"' in text
    assert 'classname="a.b.team"' in text


def test_a_junit_file_that_cannot_be_written_is_told_first(
    team: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed("team.yaml", "--junit", "no/where.xml") == 2
    assert "PASSED" not in capsys.readouterr().out


def test_folders_are_searched(team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    below = team.parent / "below"
    below.mkdir()
    text = a_team(
        below, "- {name: inner, question: Is order ORD-1 shipped?, expect: {agent: orders}}"
    ).read_text()
    (below / "team.yaml").rename(below / "shop.yaml")
    (below / "shop.yaml").write_text(text.partition("tests:")[0])
    (below / "shop.test.yaml").write_text("tests:" + text.partition("tests:")[2])
    assert typed(team.parent, "-k", "good or inner") == 0
    assert "2 passed" in capsys.readouterr().out
    assert typed(below) == 0


def test_validate_reads_the_tests_too(team: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "team.yaml"]) == 0
    (team.parent / "own.test.yaml").write_text("tests: [{name: x, question: q, expect: {agent: dsk}}]\n")
    assert main(["validate", "team.yaml"]) == 2
    assert "own.test.yaml:1:" in capsys.readouterr().out
    assert main(["validate", "own.test.yaml", "--no-import"]) == 2
    assert 'did you mean "desk"?' in capsys.readouterr().out
