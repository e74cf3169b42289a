"""Keys go into runs by every door there is, and stand nowhere afterwards: no file, no event, no message."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from agentctl.jsontypes import Json, JsonObject
from e2e.cast import Lines, Stage, agent, crew
from e2e.command import Desk, killed_when
from loopback.replies import Answer, Call, Failure, Scripted
from loopback.server import Seen

KEY = "sk-loopback-0123456789abcdef"  # what the desk's OPENAI_API_KEY holds
GATEWAY = "gw_5f2c8a1e9b"
DOTENV = "dotenv-4711-confidential"
STRIPE = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
SECRETS = (KEY, GATEWAY, DOTENV, STRIPE)

TOOLS = '''
import os, sys
from agentctl import FatalToolError, ToolContext, ToolError

def leak(context: ToolContext) -> dict:
    """Says all it knows."""
    print("printed", os.environ["OPENAI_API_KEY"])
    print("to stderr", os.environ["OPENAI_API_KEY"], file=sys.stderr)
    context.state["seen"] = os.environ["OPENAI_API_KEY"]
    return {"key": os.environ["OPENAI_API_KEY"], "stripe": "STRIPE", "gateway": os.environ["GATEWAY_TOKEN"]}

def huge() -> str:
    """A long text with a key in it."""
    return ("x" * 40000 + " " + os.environ["OPENAI_API_KEY"] + " ") * 5

def tells() -> str:
    """Raises for the model."""
    raise ToolError("no access with " + os.environ["OPENAI_API_KEY"])

def breaks() -> str:
    """Raises by mistake."""
    raise ValueError("bad key " + os.environ["OPENAI_API_KEY"])

def fatal() -> str:
    """Ends the run."""
    raise FatalToolError("fatal with " + os.environ["OPENAI_API_KEY"])
'''.replace("STRIPE", STRIPE)


@pytest.fixture
def leaky(stage: Stage, wired: Desk) -> Desk:
    stage.set(desk())
    (wired.folder / "tools.py").write_text(TOOLS, "utf-8")
    (wired.folder / ".env").write_text(f"DOTENV_API_KEY={DOTENV}\n", "utf-8")
    return Desk(folder=wired.folder, variables={**wired.variables, "GATEWAY_TOKEN": GATEWAY})


def desk(**keys: Json) -> JsonObject:
    names = ("leak", "huge", "tells", "breaks", "fatal")
    tools: list[Json] = [{"function": f"tools:{name}", "idempotent": True} for name in names]
    model: JsonObject = {
        "id": "openai/gpt-4o-mini",
        "params": {"extra_headers": {"X-Gateway": "Bearer ${GATEWAY_TOKEN}", "X-Env": "${DOTENV_API_KEY}"}},
    }
    return agent("desk", model=model, tools=tools, **keys)


def files(folder: Path) -> list[Path]:
    return [path for path in (folder / ".agentctl").rglob("*") if path.is_file()]


def clean(folder: Path, *texts: str) -> None:
    for path in files(folder):
        data = path.read_bytes()
        for secret in SECRETS:
            assert secret.encode() not in data, path
    for text in texts:
        for secret in SECRETS:
            assert secret not in text


def calls(*names: str) -> Answer:
    return Answer(calls=[Call(name=name, arguments={}, id=f"c-{name}") for name in names])


def test_no_key_stands_in_any_file_event_or_message_of_a_run(leaky: Desk, stage: Stage) -> None:
    stage.set(
        desk(), {"desk": [calls("leak", "huge", "tells", "breaks"), f"Your key is {KEY} and {STRIPE}."]}
    )
    (leaky.folder / "tools.py").write_text(TOOLS, "utf-8")
    done = leaky("run", ".", f"My key is {KEY}, and {GATEWAY}.", "--events")
    assert done.returncode == 0, done.stderr
    sent = [str(message.get("content")) for message in stage.server.requests[-1].messages]
    assert "•••" in " ".join(sent)
    shown = leaky("show", leaky.run_id)
    full = leaky("show", leaky.run_id, "--execution", "desk")
    result = leaky("resume", leaky.run_id, "--json")
    listed = leaky("runs", "--json")
    texts = [text for one in (done, shown, full, result, listed) for text in (one.stdout, one.stderr)]
    clean(leaky.folder, *texts, *sent)
    assert json.loads(result.stdout)["answer"] == "Your key is ••• and •••."


def test_headers_are_sent_as_they_are_and_read_again_on_resume(leaky: Desk, stage: Stage) -> None:
    stage.set(desk(), {"desk": lambda _seen: Answer(text="hello", delay=3)})
    (leaky.folder / "tools.py").write_text(TOOLS, "utf-8")
    killed_when(leaky.start("run", ".", "Hello?"), lambda: stage.order == ["desk"])
    kept = (leaky.runs[0] / "team.yaml").read_text("utf-8")
    assert "${GATEWAY_TOKEN}" in kept
    assert "${DOTENV_API_KEY}" in kept
    clean(leaky.folder)
    stage.server.script = lambda _seen: Answer(text="hello")
    changed = Desk(folder=leaky.folder, variables={**leaky.variables, "GATEWAY_TOKEN": "gw_another-9"})
    assert changed("resume", leaky.run_id).stdout == "hello\n"
    assert stage.server.requests[0].headers["x-gateway"] == f"Bearer {GATEWAY}"
    assert stage.server.requests[-1].headers["x-gateway"] == "Bearer gw_another-9"


TYPED = ("typed-header-0815", "typed_argument_4711", "ghp_" + "a1B2" * 9)


def typing(*, header: str = TYPED[0]) -> JsonObject:
    """A team in whose file keys stand as they are."""
    model: JsonObject = {
        "id": "openai/gpt-4o-mini",
        "params": {"extra_headers": {"X-Gateway": f"Bearer {header}", "X-Plain": "support"}},
    }
    tool: JsonObject = {"function": "tools:note", "args": {"api_key": TYPED[1]}}
    words = f"You are desk.\nNever say {TYPED[2]}.\n"
    return agent("desk", model=model, tools=[tool], instructions=words)


def test_keys_typed_into_a_team_file_stand_in_no_file_of_a_run_which_goes_on_with_them(
    stage: Stage, wired: Desk
) -> None:
    note = '''
def note(api_key: str) -> str:
    """Notes."""
    return "noted with " + api_key
'''
    lines: Lines = {"desk": [calls("note"), lambda _seen: Answer(text="never", delay=5)]}
    stage.set(typing(), lines)
    (wired.folder / "tools.py").write_text(note, "utf-8")
    killed_when(wired.start("run", ".", "Hello?"), lambda: len(stage.order) == 2)

    def typed_in_files() -> list[str]:
        return [
            secret for path in files(wired.folder) for secret in TYPED if secret in path.read_text("utf-8")
        ]

    kept = (wired.runs[0] / "team.yaml").read_text("utf-8")
    assert typed_in_files() == []
    assert "X-Gateway: Bearer •••" in kept
    assert "X-Plain: support" in kept
    assert stage.shown("desk", 2)[-1] == "tool: noted with •••"

    stage.set(typing(header="other-words-now"), {"desk": [calls("note"), "done"]})
    (wired.folder / "team.yaml").write_text('{"name": "desk", "model": "offline"}', "utf-8")
    gone = wired("resume", wired.run_id)
    assert gone.returncode == 2
    assert "the key typed at `model.params.extra_headers.X-Gateway`" in gone.stderr
    assert f"agentctl resume {wired.run_id} --with TEAM" in gone.stderr

    stage.set(typing(), {"desk": [calls("note"), "done"]})
    (wired.folder / "tools.py").write_text(note, "utf-8")
    done = wired("resume", wired.run_id, "--events")
    assert done.returncode == 0, done.stderr
    last = stage.server.requests[-1]
    assert last.headers["x-gateway"] == f"Bearer {TYPED[0]}"
    assert TYPED[2] in str(last.messages[0]["content"]), "what the model is told is the team's own text"
    assert typed_in_files() == []
    assert not any(secret in done.stdout for secret in TYPED)
    again = wired("resume", wired.run_id, "--with", "team.yaml", "--yes")
    assert again.returncode == 0, again.stderr
    assert typed_in_files() == []


def test_a_fatal_tool_and_a_servers_refusal_tell_no_key(leaky: Desk, stage: Stage) -> None:
    stage.set(desk(), {"desk": calls("fatal")})
    (leaky.folder / "tools.py").write_text(TOOLS, "utf-8")
    done = leaky("run", ".", "Hello?", "--events")
    assert done.returncode == 1
    assert "fatal with •••" in done.stderr
    refuses = Failure(status=400, body={"error": {"message": f"bad request with {KEY}"}})
    stage.server.script = lambda _seen: refuses
    refused = leaky("run", ".", "Hello?", "--json", "--debug")
    assert refused.returncode == 1
    clean(leaky.folder, done.stdout, done.stderr, refused.stdout, refused.stderr)


def test_a_script_tells_no_key(leaky: Desk) -> None:
    (leaky.folder / "says.yaml").write_text(
        json.dumps({"agents": {"*": [{"error": {"kind": "bad_request", "message": f"no {STRIPE}"}}]}}),
        "utf-8",
    )
    done = leaky("run", ".", "Hello?", "--model", "script:says.yaml", "--events")
    assert done.returncode == 1
    clean(leaky.folder, done.stdout, done.stderr)


def test_a_key_that_streams_in_pieces_is_hidden_too(leaky: Desk, stage: Stage) -> None:
    def pieces(_seen: Seen) -> Scripted:
        return Answer(text=f"It is {KEY}, not {STRIPE} and more.", piece=5)

    stage.set(desk(), {"desk": pieces})
    (leaky.folder / "tools.py").write_text(TOOLS, "utf-8")
    done = leaky("run", ".", "Hello?", "--events")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    streamed = "".join(event["text"] for event in events if event["ev"] == "model.text")
    assert streamed == "It is •••, not ••• and more."
    clean(leaky.folder, done.stdout, done.stderr)


def test_nobody_else_may_read_a_run(leaky: Desk, stage: Stage) -> None:
    stage.set(desk(), {"desk": [calls("huge"), "done"]})
    (leaky.folder / "tools.py").write_text(TOOLS, "utf-8")
    assert leaky("run", ".", "Hello?").returncode == 0
    stage.set(agent("desk", *crew("a", "b"), strategy="sequential"))
    assert leaky("resume", leaky.run_id, "--with", ".", "--yes").returncode == 0
    (run,) = leaky.runs
    for path in [run, *run.rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
