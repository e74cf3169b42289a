"""Teams in people's own suites: what pytest makes of `*.test.yaml`, by the plugin it finds by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from testing_teams import a_team

pytest_plugins = ["pytester"]

TESTS = """
tests:
  - {name: good, question: "Is order ORD-1 shipped?", expect: {agent: orders}, tags: [smoke]}
  - {name: wrong, question: "Is order ORD-1 shipped?", expect: {agent: billing}}
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> Path:
    path = a_team(
        pytester.path, "- {name: own, question: 'Is order ORD-1 shipped?', expect: {agent: orders}}"
    )
    (pytester.path / "desk.test.yaml").write_text(TESTS)
    pytester.makepyfile(test_other="def test_it(): pass")
    return path


def test_test_files_are_collected_beside_others(suite: Path, pytester: pytest.Pytester) -> None:
    result = pytester.runpytest("-p", "no:cacheprovider", "-v")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "desk.test.yaml::good PASSED*",
            "desk.test.yaml::wrong FAILED*",
            "*_ wrong _*",
            "agent",
            "  expected: billing",
            "  actual:   orders",
            "shown by: agentctl show *",
            "FAILED desk.test.yaml::wrong - not as expected: agent",
        ]
    )


def test_tags_and_names_choose(suite: Path, pytester: pytest.Pytester) -> None:
    pytester.runpytest("-k", "smoke").assert_outcomes(passed=1, deselected=2)
    pytester.runpytest("desk.test.yaml::good").assert_outcomes(passed=1)


def test_a_team_file_given_by_name_is_collected_too(suite: Path, pytester: pytest.Pytester) -> None:
    result = pytester.runpytest("team.yaml", "-q")
    result.assert_outcomes(passed=2, failed=1)


def test_a_broken_file_is_an_error_with_its_line(suite: Path, pytester: pytest.Pytester) -> None:
    (pytester.path / "desk.test.yaml").write_text("tests: [{name: x, question: q, expect: {agnt: desk}}]\n")
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["desk.test.yaml:1:*unknown key*agnt*", 'hint: did you mean "agent"?'])


@pytest.mark.parametrize(
    "content", ["suites: [one]\n", TESTS, "templates: [a.yaml]\ntests:\n  - it: renders {{ .Values.name }}\n"]
)
def test_files_of_other_programs_are_left_alone(content: str, pytester: pytest.Pytester) -> None:
    pytester.mkdir("charts").joinpath("deploy.test.yaml").write_text(content)
    pytester.makepyfile(test_other="def test_it(): pass")
    earlier = "ignore::pytest.PytestAssertRewriteWarning"  # modules that tests before this one imported
    result = pytester.runpytest("-W", "error", "-W", earlier)
    result.assert_outcomes(passed=1)
    told = "agentctl left alone 'charts/deploy.test.yaml': no team stands beside it, and no `team:` in it"
    assert (told in result.stdout.str()) is ("tests:" in content)


def test_a_yaml_file_of_another_program_can_be_given_by_name(pytester: pytest.Pytester) -> None:
    """Its own plugin then collects it."""
    pytester.makeconftest("""
        import pytest

        class Stages(pytest.File):
            def collect(self):
                return [pytest.Function.from_parent(self, name="it", callobj=lambda: None)]

        def pytest_collect_file(file_path, parent):
            return Stages.from_parent(parent, path=file_path) if file_path.suffix == ".yaml" else None
    """)
    (pytester.path / "stages.yaml").write_text("test_name: it\nstages: []\n")
    result = pytester.runpytest("--collect-only", "-q", "stages.yaml")
    assert "error" not in result.stdout.str().lower()


@pytest.mark.parametrize("words", [["alone.test.yaml"], []])
def test_a_test_file_that_means_a_team_and_has_none_is_an_error(
    words: list[str], pytester: pytest.Pytester
) -> None:
    (pytester.path / "alone.test.yaml").write_text(TESTS if words else f"team: desk.yaml{TESTS}")
    result = pytester.runpytest(*words)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*there is no team file*{'team' if words else 'desk'}.yaml*"])


SCRIPT = """
agents:
  '*':
    - {text: one, when: {contains: first}}
    - {text: two, when: {contains: second}}
    - {text: three, when: {contains: third}}
"""


def scripted(pytester: pytest.Pytester, *words: str) -> None:
    """A test for each word, in files by turns, which all are answered by one script."""
    a_team(pytester.path, "- {name: own, question: Go, expect: {agent: desk}}", replies_yaml=SCRIPT)
    for part in ("a", "b"):
        cases = "".join(
            f"  - {{name: {word}, model: script:replies.yaml, question: {word}, expect: {{agent: desk}}}}\n"
            for word in words["ab".index(part) :: 2]
        )
        (pytester.path / f"{part}.test.yaml").write_text(f"team: team.yaml\ntests:\n{cases}")


def test_turns_that_no_file_comes_to_fail_the_last_test(pytester: pytest.Pytester) -> None:
    scripted(pytester, "first", "second")
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["script", "*unused: line 6: turn 3 of [*]*"])
    scripted(pytester, "first", "second", "third")
    pytester.runpytest().assert_outcomes(passed=3)


@pytest.mark.processes
def test_turns_that_no_process_comes_to_fail_the_session(pytester: pytest.Pytester) -> None:
    scripted(pytester, "first", "second")
    result = pytester.runpytest_subprocess("-n", "2", "--dist", "load")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["*turns of scripts that no test came to*", "script", "*unused: line 6: turn 3 of [*]*"]
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    scripted(pytester, "first", "second", "third")
    assert pytester.runpytest_subprocess("-n", "2", "--dist", "load").ret == pytest.ExitCode.OK
    assert pytester.runpytest_subprocess("-n", "2", "-k", "second").ret == pytest.ExitCode.OK
