"""The README's commands for runs that stopped, each on a run that stopped that way."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping

import pytest

from agentctl.jsontypes import JsonObject
from e2e.cast import Stage, agent, crew, looks, transfer
from e2e.command import ROOT, Desk, killed_when

_SECTION = re.compile(r"## A run survives its process\n(.*?)\n## ", re.DOTALL)
_COMMAND = re.compile(r"^agentctl (.+?)(?:\s{2,}#.*)?$", re.MULTILINE)


def recipes() -> list[str]:
    (section,) = _SECTION.findall((ROOT / "README.md").read_text("utf-8"))
    found = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return [command for block in found for command in _COMMAND.findall(block)]


def stops(stage: Stage, wired: Desk) -> str:
    stage.set(agent("desk", *crew("billing", "sales"), strategy="sequential"))
    started = wired("run", ".", "What now?")
    assert started.returncode == 0
    return ""


def is_asked_for_consent(stage: Stage, wired: Desk) -> str:
    tool: JsonObject = {"function": "tools:look", "approve": "always"}
    stage.set(agent("desk", tools=[tool]), {"desk": [looks("it"), "done"]})
    assert wired("run", ".", "What now?").returncode == 3
    return ""


def is_to_be_assigned(stage: Stage, wired: Desk) -> str:
    stage.set(agent("desk", *crew("billing", "sales"), strategy="manual"))
    assert wired("run", ".", "What now?").returncode == 3
    return ""


def is_in_doubt(stage: Stage, wired: Desk) -> str:
    stage.set(agent("desk", tools=[{"function": "tools:look"}]), {"desk": [looks("it"), "done"]})
    tools = wired.folder / "tools.py"
    wait = "    import pathlib, time\n    while not pathlib.Path('go').exists():\n        time.sleep(0.01)\n"
    tools.write_text(tools.read_text("utf-8").replace("    return f", f"{wait}    return f", 1), "utf-8")
    killed_when(wired.start("run", ".", "What now?"), lambda: stage.looked == ["it"])
    (wired.folder / "go").touch()
    return "desk/turn-1/call-1.look"


def reached_a_limit(stage: Stage, wired: Desk) -> str:
    tool: JsonObject = {"function": "tools:look", "idempotent": True}
    stage.set(agent("desk", tools=[tool], limits={"turns": 1}), {"desk": [looks("it"), "done"]})
    assert wired("run", ".", "What now?").returncode == 4
    return ""


def handed_over(stage: Stage, wired: Desk) -> str:
    stage.set(
        agent("desk", *crew("billing", "sales"), strategy="handoff"),
        {"desk": transfer("billing", message="x")},
    )
    assert wired("run", ".", "What now?").returncode == 0
    return ""


_BY_OPTION: Mapping[str, tuple[Callable[[Stage, Desk], str], int]] = {
    "--approve": (is_asked_for_consent, 0),
    "--choose": (is_to_be_assigned, 3),
    "--rerun": (is_in_doubt, 0),
    "--skip": (is_in_doubt, 0),
    "--retry": (handed_over, 0),
    "--max-turns": (reached_a_limit, 0),
}


def test_there_are_recipes() -> None:
    assert len(recipes()) == 12


@pytest.mark.parametrize("command", recipes())
def test_a_recipe_does_what_it_is_for(command: str, stage: Stage, wired: Desk) -> None:
    words = shlex.split(command)
    prepare, code = next((_BY_OPTION[word] for word in words if word in _BY_OPTION), (stops, 0))
    step = prepare(stage, wired)
    run = {"RUN": wired.run_id, "STEP": step}
    words = [run.get(word, word) for word in words]
    if "--with" in words:
        words.append("--yes")
    done = wired(*words)
    assert done.returncode == code, done.stderr
    assert (done.stdout != "") == ((code == 0 and words[0] != "runs") or words == ["runs"])


def test_a_call_is_answered_with_the_command_that_the_run_printed(stage: Stage, wired: Desk) -> None:
    step = is_in_doubt(stage, wired)
    told = wired("resume", "--last").stderr.splitlines()
    rerun, skip = (
        next(line for line in told if line.endswith(f"{way} {step}")) for way in ("--rerun", "--skip")
    )
    assert wired(*shlex.split(rerun)[1:]).stdout == "done\n"
    assert stage.looked == ["it", "it"]
    assert skip == rerun.replace("--rerun", "--skip")
