"""Runs that did not go smoothly, replayed: failures that were absorbed, tried again, or ended the run."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from textwrap import dedent

import pytest

import agentctl
from agentctl import Reply, RunView
from agentctl.api.replays import Missing, open_replay
from agentctl.jsontypes import JsonObject, as_list, as_object, as_text
from agentctl.models.recording import Recording
from agentctl.models.recording_file import read_recording
from agentctl.models.recording_json import recording_json
from e2e.cast import agent, steps

TOOLS = '''
from agentctl import FatalToolError, ToolError


def look(what: str) -> str:
    """Looks something up."""
    if what == "nothing":
        raise ToolError("there is nothing to look up")
    if what == "everything":
        raise FatalToolError("that is too much")
    return f"{what} is fine"
'''
REFUSED = "{error: {kind: auth, message: no such key}}"


def both(folder: Path, team: JsonObject, script: str) -> tuple[RunView, RunView]:
    """A run that a script answers, and its replay, which must make the same recording."""
    (folder / "team.yaml").write_text(json.dumps({"model": "script:replies.yaml", **team}))
    (folder / "tools.py").write_text(TOOLS)
    (folder / "replies.yaml").write_text(dedent(script))
    one, other = folder / "one.yaml", folder / "other.yaml"
    first = asyncio.run(agentctl.run(folder, "Go.", record=one, durable=False))
    (folder / "replies.yaml").unlink()
    again = asyncio.run(agentctl.run(folder, "Go.", replay=str(one), record=other, durable=False))
    assert other.read_text() == one.read_text()
    return first, again


def told(run: RunView) -> list[tuple[str, str, str | None, str]]:
    return [
        (one.id, one.status, one.answer, as_text((one.error or {}).get("code"))) for one in run.executions
    ]


def test_a_failure_that_a_panel_absorbs(tmp_path: Path) -> None:
    team = agent("boss", agent("one"), agent("two"), strategy={"type": "parallel", "on_error": "continue"})
    first, again = both(tmp_path, team, f"agents: {{one: [fine], two: [{REFUSED}]}}")
    assert ("boss/two.1", "failed", None, "model-auth") in told(first)
    assert (again.status, told(again)) == ("completed", told(first))


def test_a_failure_of_which_the_parent_is_told(tmp_path: Path) -> None:
    script = f"""
    agents:
      boss: [{{calls: [{{name: transfer_to_one}}, {{name: transfer_to_two}}]}}, {{text: one was fine}}]
      one: [{{calls: [{{name: look, arguments: {{what: nothing}}}}]}}, {{text: nothing there}}]
      two: [{{calls: [{{name: look, arguments: {{what: sky}}}}]}}, {REFUSED}]
    """
    members = [agent(name, tools=["tools:look"]) for name in ("one", "two")]
    first, again = both(tmp_path, agent("boss", *members, strategy="handoff"), script)
    assert [one.absorbed for one in first.executions] == [False, False, True]
    assert (again.answer, told(again)) == ("one was fine", told(first))
    assert sum(one.tool_calls for one in again.executions) == 2


def test_a_delegation_that_is_tried_again(tmp_path: Path) -> None:
    script = """
    agents:
      one:
        - {calls: [{name: look, arguments: {what: sky}}]}
        - {text: the sky is fine, error: {kind: bad_response, times: 1}}
    """
    model: JsonObject = {"id": "script:replies.yaml", "retries": 0}
    member = agent("one", tools=["tools:look"], model=model, retry={"attempts": 2, "delay": "1ms"})
    first, again = both(tmp_path, agent("boss", member, strategy="sequential"), script)
    assert [one.id for one in first.executions] == ["boss", "boss/one.1", "boss/one.1~2"]
    assert (again.answer, told(again)) == ("the sky is fine", told(first))
    path = tmp_path / "team.yaml"
    path.write_text(path.read_text().replace("1ms", "1h"))
    assert replayed(tmp_path / "one.yaml").answer == "the sky is fine"  # at once: nobody has to be spared


def test_a_step_of_a_plan_that_fails(tmp_path: Path) -> None:
    plans = [steps(("a", "one", []), ("b", "two", [])), steps(("c", "one", [])), '{"answer": "done"}']
    script = json.dumps({"agents": {"boss": plans, "one": ["fine"], "two": [{"error": {"kind": "auth"}}]}})
    team = agent("boss", agent("one"), agent("two"), strategy="plan_execute")
    first, again = both(tmp_path, team, script)
    assert any(one.status == "failed" for one in first.executions)
    assert (again.answer, told(again)) == (first.answer, told(first))


def test_a_failure_that_ends_the_run_ends_it_again(tmp_path: Path) -> None:
    first, again = both(tmp_path, agent("one"), f"agents: {{one: [{REFUSED}]}}")
    assert (first.status, again.error) == ("failed", first.error)


def test_a_tool_that_ends_the_run_ends_it_again(tmp_path: Path) -> None:
    script = "agents: {one: [{calls: [{name: look, arguments: {what: everything}}]}]}"
    first, again = both(tmp_path, agent("one", tools=["tools:look"]), script)
    assert (first.status, again.error) == ("failed", first.error)
    assert as_text((again.error or {}).get("message")) == "that is too much"


def test_control_that_is_passed_on_and_comes_back(tmp_path: Path) -> None:
    script = """
    agents:
      one:
        - {calls: [{name: transfer_to_two, arguments: {message: for you}}], when: {lacks: yours}}
        - {text: done}
      two: [{calls: [{name: transfer_to_one, arguments: {message: yours}}]}]
    """
    team = agent("boss", agent("one"), agent("two"), strategy={"type": "swarm", "start": "one"})
    first, again = both(tmp_path, team, script)
    assert (first.answer, again.answer) == ("done", "done")
    assert [one.agent for one in again.executions] == ["boss", "one", "two", "one"]
    assert told(again) == told(first)


PLAN = steps(("a", "one", []), ("b", "one", [])).replace("do b", "do a")
TWICE = agent("boss", agent("one", tools=["tools:look"]), agent("two"), strategy="plan_execute")
LOOKS = f"""
agents:
  boss: ['{PLAN}', '{{"answer": "both"}}']
  one: [{{calls: [{{name: look, arguments: {{what: sky}}}}]}}, {{text: fine}}]
"""


def _read(recording: Path) -> Recording:
    return read_recording(recording, shown=recording.name)


def replayed(recording: Path, missing: Missing = "error") -> RunView:
    replay = open_replay(recording, missing=missing)
    return asyncio.run(agentctl.run(recording.parent, "Go.", replay=replay, durable=False))


def test_equal_requests_get_the_reply_of_their_own_step(tmp_path: Path) -> None:
    both(tmp_path, TWICE, LOOKS)
    recording = tmp_path / "one.yaml"
    first, second, third = recording.read_text().split("text: fine\n")
    edited = f"{first}text: fine a\n{second}text: fine b\n{third}"
    planned, _, rest = edited.partition("[one] fine")
    recording.write_text(f"{planned}[one] fine a{rest.replace('[one] fine', '[one] fine b')}")
    found = {one.id: one.answer for one in replayed(recording).executions if one.agent == "one"}
    assert found == {"boss/plan-1/a": "fine a", "boss/plan-1/b": "fine b"}


@pytest.mark.parametrize("part", ["calls", "tools"])
def test_what_comes_more_often_than_it_was_recorded_is_told(tmp_path: Path, part: str) -> None:
    both(tmp_path, TWICE, LOOKS)
    recording = tmp_path / "one.yaml"
    kept = dict(recording_json(_read(recording)))
    kept[part] = [each for each in as_list(kept[part]) if "/b/" not in as_text(as_object(each)["step"])]
    recording.write_text(json.dumps(kept))
    run = replayed(recording)
    assert run.status == "failed"
    assert f"once, and it is {'sent' if part == 'calls' else 'made'} once more" in str(run.error)


def test_a_gap_is_filled_by_the_live_tool(tmp_path: Path) -> None:
    both(tmp_path, TWICE, LOOKS)
    (tmp_path / "replies.yaml").write_text(LOOKS)
    recording = tmp_path / "one.yaml"
    kept = {key: each for key, each in recording_json(_read(recording)).items() if key != "tools"}
    recording.write_text(json.dumps(kept))
    assert "no call of this tool" in str(replayed(recording).error)
    assert replayed(recording, missing="live").answer == "both"


def test_what_a_person_told_an_agent_stands_in_one_place(tmp_path: Path) -> None:
    """Editing it there is what counts, and what later calls were sent of it is then told to differ."""
    asks = agent("desk", tools=[{"builtin": "ask_person"}], model="script:replies.yaml")
    (tmp_path / "team.yaml").write_text(json.dumps(asks))
    (tmp_path / "replies.yaml").write_text(
        "agents: {desk: [{calls: [{name: ask_person, arguments: {question: Colour?}}]}, Painted.]}"
    )
    recording, team = tmp_path / "one.yaml", agentctl.load_team(tmp_path / "team.yaml")

    blue = Reply(kind="answer", text="blue")
    first = team.run("Paint it", ask=lambda _: blue, durable=False, record=recording)
    text = recording.read_text("utf-8")
    assert (first.answer, text.count("blue"), "\ntools:" in text) == ("Painted.", 2, False)
    again = tmp_path / "again.yaml"
    assert team.run("Paint it", replay=recording, durable=False, record=again).answer == "Painted."
    assert again.read_text("utf-8") == text
    answers = text.index("\nanswers:")
    recording.write_text(text[:answers] + text[answers:].replace("blue", "green"))
    half = team.run("Paint it", replay=recording, durable=False)
    assert "sent now: tool to call 1: green" in str((half.error or {})["message"])
    recording.write_text(text.replace("blue", "green"))
    assert team.run("Paint it", replay=recording, durable=False).answer == "Painted."
