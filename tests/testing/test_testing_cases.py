"""Which cases there are, which are chosen, who answers in them, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from testing_teams import a_team, missed, only, went

from agentctl.api.teams import validate
from agentctl.errors import TeamError, UsageError
from agentctl.testing.collect import collect

EACH = """
- name: by number
  question: What is the balance of account ACC-1?
  tags: [smoke]
  expect: {agent: billing}
  each:
    - {name: first, tags: [quick], expect: {tools: [balance]}}
    - {question: Balance of account ACC-2?, expect: {tools: [{name: balance, args: {account_id: ACC-2}}]}}
- {name: other, question: Is order ORD-1 shipped?, expect: {agent: orders}, tags: [slow]}
"""


def test_each_row_is_a_test_of_its_own_with_what_stands_above(tmp_path: Path) -> None:
    summary = went(a_team(tmp_path, EACH))
    assert [result.item.case.name for result in summary.results] == [
        "by number[first]",
        "by number[Balance of account ACC-2?]",
        "other",
    ]
    assert [result.verdict for result in summary.results] == ["passed"] * 3
    assert summary.exit_code == 0


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        ("", 3),
        ("smoke", 2),
        ("smoke and quick", 1),
        ("not smoke", 1),
        ("first or slow", 2),
        ("smoke and not first", 1),
        ("(first or other) and slow", 1),
        ('"by number"', 2),
        ("BALANCE", 1),
        ("nothing of the kind", 0),
    ],
)
def test_words_choose_tests(tmp_path: Path, expression: str, count: int) -> None:
    expression = expression if expression != "nothing of the kind" else "nothing"
    summary = went(a_team(tmp_path, EACH), expression=expression)
    assert (len(summary.results), summary.deselected) == (count, 3 - count)


@pytest.mark.parametrize("expression", ["(smoke", "smoke and", "and", "smoke slow", "not"])
def test_an_expression_that_cannot_be_read_is_refused(tmp_path: Path, expression: str) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        went(a_team(tmp_path, EACH), expression=expression)


def test_results_stand_in_the_order_of_the_file_however_many_run_at_once(tmp_path: Path) -> None:
    path = a_team(tmp_path, EACH)
    names = [[result.item.name for result in went(path, parallel=count).results] for count in (1, 8)]
    assert names[0] == names[1]


def test_files_beside_a_team_belong_to_it_or_to_the_team_they_name(tmp_path: Path) -> None:
    path = a_team(tmp_path, EACH)
    one = "{name: own, question: Is order ORD-1 shipped?, expect: {agent: orders}}"
    (tmp_path / "more.test.yaml").write_text(f"tests: [{one}]\n")
    (tmp_path / "other.yaml").write_text(path.read_text().partition("tests:")[0])
    (tmp_path / "other.test.yaml").write_text(f"tests: [{one}]\n")
    (tmp_path / "named.test.yaml").write_text(f"team: other.yaml\ntests: [{one}]\n")
    assert len(collect([path])) == 4
    assert sorted(Path(item.file).name for item in collect([tmp_path / "other.yaml"])) == [
        "named.test.yaml",
        "other.test.yaml",
    ]
    assert [item.case.name for item in collect([tmp_path / "more.test.yaml"])] == ["own"]
    assert len(collect([path, path, tmp_path / "more.test.yaml"])) == 4


@pytest.mark.parametrize(
    "replies", ["agents: {desk: [{text: Hello}]}", "recording: 1", "x-said: [&a Hello]\nagents: {'*': [*a]}"]
)
def test_replies_beside_a_test_file_are_no_team(tmp_path: Path, replies: str) -> None:
    path = a_team(tmp_path, EACH)
    (tmp_path / "said.yaml").write_text(replies)
    (tmp_path / "said.test.yaml").write_text("tests: [{name: own, question: q, expect: {agent: desk}}]")
    assert [Path(item.file).name for item in collect([path])] == [*["team.yaml"] * 3, "said.test.yaml"]
    (tmp_path / "said.test.yaml").write_text("tests: [{name: own, question: q, expect: {agent: nobody}}]")
    for targets in ([path], [tmp_path / "said.test.yaml"]):
        assert [found.code for found in validate(targets)] == ["unknown-agent"]


def test_replies_that_are_named_as_a_team_are_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "said.yaml").write_text("recording: 1")
    (tmp_path / "own.test.yaml").write_text(
        "team: said.yaml\ntests: [{name: own, question: q, expect: {agent: desk}}]"
    )
    with pytest.raises(TeamError) as raised:
        collect([tmp_path / "own.test.yaml"])
    told = [(found.code, found.message) for found in raised.value.report]
    assert told == [("not-a-team", "this file is a recording, and no team")]
    found = validate([tmp_path / "own.test.yaml"]).found
    assert [(each.code, each.message) for each in found] == told
    assert "`team:`" in (found[0].hint or "")


def test_what_keeps_tests_from_running_is_told_by_validate_too_and_once(tmp_path: Path) -> None:
    path = a_team(tmp_path, EACH)
    path.write_text(path.read_text().partition("tests:")[0].replace("strategy: handoff", "strategy: handof"))
    files = [tmp_path / f"{name}.test.yaml" for name in ("one", "two")]
    for file in files:
        file.write_text("tests: [{name: own, question: q, expect: {agent: desk}}]")
    with pytest.raises(TeamError) as raised:
        collect([path])
    assert [found.code for found in raised.value.report] == ["unknown-strategy"]
    for targets in (files, [path, *files], [tmp_path, *files], files[:1]):
        assert [found.code for found in validate(targets)] == ["unknown-strategy"]


def test_offline_stands_in_for_models_that_need_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    path = a_team(tmp_path, EACH)
    path.write_text(
        path.read_text().replace("model: offline", "model: {id: openai/gpt-4o, fallbacks: [anthropic/x]}")
    )
    assert went(path).exit_code == 0


def test_a_team_without_a_model_is_tested_offline(tmp_path: Path) -> None:
    path = a_team(tmp_path, EACH)
    path.write_text(path.read_text().replace("model: offline\n", ""))
    assert went(path).exit_code == 0


def test_live_leaves_the_teams_model_and_what_tests_name(tmp_path: Path) -> None:
    script = "agents: {'*': [{text: scripted}]}"
    tests = """
    - {name: scripted, model: script:replies.yaml, question: Go, expect: {answer: {equals: scripted}}}
    - {name: own, model: offline, question: Go, expect: {agent: desk}}
    """
    path = a_team(tmp_path, tests, replies_yaml=script)
    path.write_text(path.read_text().replace("model: offline\ninstr", "model: openai/gpt-4o\ninstr"))
    models = {
        item.case.name: item.team.root.model.id if item.team.root.model else None
        for item in collect([path], live=True)
    }
    assert models == {"scripted": "script:replies.yaml", "own": "openai/gpt-4o"}


def test_agents_can_have_models_of_their_own_in_a_test(tmp_path: Path) -> None:
    script = "agents: {billing: [{text: from the script}]}"
    tests = """
    - name: it
      model: {billing: script:replies.yaml}
      question: What is the balance of account ACC-1?
      expect: {path: [desk, billing], answer: {equals: from the script}}
    """
    assert only(a_team(tmp_path, tests, replies_yaml=script)).verdict == "passed"


def test_turns_that_no_test_comes_to_are_an_error_of_the_last_test(tmp_path: Path) -> None:
    script = """
    agents:
      '*':
        - {text: one, when: {contains: first}}
        - {text: two, when: {contains: second}}
    """
    first = "- {name: a, model: script:replies.yaml, question: first, expect: {answer: {equals: one}}}"
    second = "- {name: b, model: script:replies.yaml, question: second, expect: {answer: {equals: two}}}"
    path = a_team(tmp_path, f"{first}\n{second}", replies_yaml=script)
    assert went(path).exit_code == 0
    assert went(path, expression="::a").exit_code == 0
    (result,) = went(a_team(tmp_path, first)).results
    assert missed(result) == {"script": ["unused: line 5: turn 2 of *"]}


def test_a_turn_that_is_missing_fails_the_run(tmp_path: Path) -> None:
    tests = "- {name: it, model: script:replies.yaml, question: Go, expect: {agent: desk}}"
    result = only(a_team(tmp_path, tests, replies_yaml="agents: {other: [{text: x}]}"))
    assert "status" in missed(result)
    assert "has no turn 1" in result.failures[0].note


def test_a_case_that_cannot_be_run_is_an_error(tmp_path: Path) -> None:
    tests = "- {name: it, model: script:nowhere.yaml, question: Go, expect: {agent: desk}}"
    summary = went(a_team(tmp_path, tests))
    assert (summary.results[0].verdict, summary.exit_code) == ("error", 2)
    assert "nowhere.yaml" in summary.results[0].message


@pytest.mark.parametrize(
    ("tests", "code", "word"),
    [
        ("- {name: a, question: q}", "expects-nothing", "expects nothing"),
        ("- {name: a, question: q, expect: {}}", "wrong-value", "must not be empty"),
        ("- {name: a, expect: {agent: desk}}", "missing-key", "asks nothing"),
        ("- {name: a, question: q, expect: {agent: desc}}", "unknown-agent", "desc"),
        ("- {name: a, question: q, model: {bill: offline}, expect: {agent: desk}}", "unknown-agent", "bill"),
        ("- {name: a, question: q, expect: {decisions: [{among: [x]}]}}", "unknown-agent", "x"),
        ("- {name: a, question: q, answers: [{choose: x}], expect: {agent: desk}}", "unknown-agent", "x"),
        ("- {name: a, question: q, expect: {tools: [balanc]}}", "unknown-tool", "balanc"),
        ("- {name: a, question: q, expect: {not_called: [x]}}", "unknown-tool", "x"),
        (
            "- {name: a, question: q, expect: {tools: [{name: balance, agent: orders}]}}",
            "unknown-tool",
            "orders",
        ),
        ("- {name: a, question: q, expect: {agent: desk}, model: gpt-4o}", "wrong-value", "offline"),
        ("- {name: a, question: q, expect: {answer: {regex: '('}}}", "wrong-regex", "("),
        ("- {name: a, question: q, expect: {answer: {json_schema: {type: x}}}}", "wrong-schema", "type"),
        ("- {name: a, question: q, expect: {answer: {function: 'tools:nope'}}}", "attribute-missing", "nope"),
        ("- {name: a, question: q, expect: {error: {code: x}}}", "wrong-value", "status"),
        (
            "- {name: a, question: q, expect: {status: failed, error: {code: model-aut}}}",
            "unknown-value",
            "model-aut",
        ),
        ("- {name: a, question: q, tools: recorded, expect: {agent: desk}}", "wrong-value", "recording"),
        ("- {name: a, question: q, expcet: {agent: desk}}", "unknown-key", "expcet"),
        (
            "- {name: a, question: q, expect: {agent: desk}}\n" * 2,
            "duplicate-name",
            "two tests",
        ),
    ],
)
def test_mistakes_are_told_at_their_place(tmp_path: Path, tests: str, code: str, word: str) -> None:
    path = a_team(tmp_path, tests)
    with pytest.raises(TeamError) as raised:
        collect([path])
    found = [(each.code, each.message) for each in raised.value.report if each.severity == "error"]
    assert found[0][0] == code, found
    assert word in found[0][1]
    (tmp_path / "own.test.yaml").write_text("tests:\n" + tests.replace("- {name", "- {name") + "\n")
    path.write_text(path.read_text().partition("tests:")[0])
    with pytest.raises(TeamError) as again:
        collect([path])
    assert code in [each.code for each in again.value.report]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("assert: {agent: desk}", "expect"),
        ("expect: {answer: {containz: x}}", "contains"),
        ("expect: {tool_calls: [balance]}", "tools"),
        ("expect: {answer: {icontains: x}}", "contains"),
        ("expect: {agent: desk}, prompt: x", "question"),
    ],
)
def test_words_of_other_tools_never_pass_for_expectations(tmp_path: Path, written: str, meant: str) -> None:
    question = "" if "prompt" in written else "question: q, "
    with pytest.raises(TeamError) as raised:
        collect([a_team(tmp_path, f"- {{name: a, {question}{written}}}")])
    found = [each for each in raised.value.report if each.code == "unknown-key"]
    assert [each.hint for each in found] == [f'did you mean "{meant}"?']


def test_inputs_are_given(tmp_path: Path) -> None:
    tests = """
    - {name: given, question: Hello, inputs: {customer: Ann}, expect: {agent: desk}}
    - {name: missing, question: Hello, expect: {agent: desk}}
    """
    path = a_team(tmp_path, tests)
    text = path.read_text().replace(
        "instructions: Route each request.", "instructions: 'Serve {{ inputs.customer }}.'"
    )
    path.write_text("inputs: {customer: {required: true}}\n" + text.lstrip())
    with pytest.raises(TeamError) as caught:
        went(path)
    assert [found.message for found in caught.value.report.found] == [
        'test "missing" gives no value for the required input "customer"'
    ]
    path.write_text(path.read_text().replace("{required: true}", "{}"))
    assert {result.verdict for result in went(path).results} == {"passed"}


def test_chance_falls_the_same_way_every_time(tmp_path: Path) -> None:
    tests = "- {name: it, question: Hello, expect: {decisions: [{by: chance}]}}"
    path = a_team(tmp_path, tests)
    path.write_text(path.read_text().replace("strategy: handoff", "strategy: random"))
    drawn = {only(path).item.team.root.strategy for _ in range(3)}
    assert len(drawn) == 1


def test_the_run_that_is_kept_of_a_failing_test_holds_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_TOKEN", "hunter2-0123")
    path = a_team(tmp_path, "- {name: it, question: 'Is order ORD-1 shipped?', expect: {agent: billing}}")
    servers = (
        'mcp_servers: {far: {url: "http://127.0.0.1:9/mcp", headers: '
        '{Authorization: "Bearer ${DESK_TOKEN}", X-Api-Key: typed-0123}}}\n'
    )
    text = path.read_text().replace(
        'tools: [{function: "tools:order', 'tools: [{mcp: far}, {function: "tools:order'
    )
    path.write_text(servers + text.lstrip())
    assert only(path).command.startswith("agentctl show ")
    kept = [file.read_text() for file in (tmp_path / ".agentctl").rglob("*") if file.is_file()]
    assert any("Bearer ${DESK_TOKEN}" in text for text in kept)
    assert not any("hunter2" in text or "typed-0123" in text for text in kept)
