"""Replies as they come in the wild, by litellm as by the openai client: the same run and the same end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

import agentctl
from agentctl.jsontypes import JsonObject, as_text
from e2e.cast import Stage, agent
from loopback.replies import Answer, Call, Failure, Raw, Scripted

pytestmark = [
    pytest.mark.xdist_group("litellm"),  # its import takes seconds: one worker is enough
    pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning"),  # litellm's own
]

WAYS = {
    "openai": ("openai/gpt-4o-mini", {}),
    "litellm": ("deepseek/deepseek-chat", {"DEEPSEEK_API_BASE": "base_url", "DEEPSEEK_API_KEY": "sk-none"}),
    "anthropic": (
        "anthropic/claude-sonnet-4-5",
        {"ANTHROPIC_API_BASE": "address", "ANTHROPIC_API_KEY": "sk-none"},
    ),
}
TOOL: JsonObject = {"function": "tools:count", "idempotent": True}
TOOLS = '''
def count(what: str, times: int = 1) -> str:
    """Counts something."""
    with open("looked", "a") as file:
        print(what, repr(times), file=file)
    return f"{times} of {what}"
'''


def counts(arguments: str | JsonObject, name: str = "count", identity: str = "") -> Call:
    return Call(name=name, arguments=arguments, id=identity)


def says(*calls: Call, text: str | None = None) -> Answer:
    return Answer(text=text, calls=list(calls))


@pytest.fixture(params=WAYS)
def way(
    request: pytest.FixtureRequest, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Stage]:
    """A stage whose one agent is told these replies, over the client that the model goes by."""
    model, variables = WAYS[request.param]
    for name, value in variables.items():
        monkeypatch.setenv(name, as_text(getattr(stage.server, value, value)))

    def told(*replies: Scripted | str) -> Stage:
        stage.set({**agent("desk", tools=[TOOL]), "model": {"id": model, "retries": 0}})
        (stage.folder / "tools.py").write_text(TOOLS, "utf-8")
        left = [Answer(text=reply) if isinstance(reply, str) else reply for reply in replies]
        stage.server.script = lambda seen: left.pop(0) if len(left) > 1 else left[0]
        return stage

    return told


def listened(stage: Stage) -> agentctl.RunView:
    """With somebody who listens, so that replies stream."""
    heard: list[JsonObject] = []
    return asyncio.run(agentctl.run(stage.folder, "Well?", runs_dir=stage.runs, on_event=heard.append))


@pytest.mark.parametrize(
    ("calls", "made"),
    [
        ([counts({"what": "a", "times": 3})], ["a 3"]),
        ([counts({"what": "a", "times": "3"})], ["a 3"]),
        ([counts({"what": 5, "times": [1]})], []),
        ([counts({"what": "a", "more": 1})], []),
        ([counts({})], []),
        ([counts({"what": "a"}, name="cuont")], []),
        ([counts({"what": "a"}, identity="x"), counts({"what": "b"}, identity="x")], ["a 1", "b 1"]),
    ],
    ids=["fits", "coerced", "wrong type", "unknown argument", "none", "misspelt tool", "one id twice"],
)
def test_calls(way: Callable[..., Stage], calls: Sequence[Call], made: list[str]) -> None:
    stage = way(says(*calls, text="Let me see."), "Done.")
    run = listened(stage)
    assert (run.status, run.answer) == ("completed", "Done."), run.error
    assert sorted(stage.looked) == made
    assert len(stage.server.requests) == 2


@pytest.mark.parametrize(
    ("first", "status", "asked"),
    [
        (Answer(text=""), "completed", 2),
        (Answer(text="Begun and", finish="length"), "completed", 2),
        ('<tool_call>{"name": "count", "arguments": {"what": "a"}}</tool_call>', "completed", 2),
        (Failure(status=401, body={"error": {"message": "who are you"}}), "failed", 1),
        (Failure(status=503, body="<html><title>down</title></html>"), "failed", 1),
        (Raw(body="<html><title>Sign in</title></html>"), "failed", 1),
        (Answer(text="is cut in the middle", cut_after=3), "failed", 1),
    ],
    ids=["empty", "cut at its limit", "a call as text", "refused key", "down", "a page", "broken off"],
)
def test_replies(way: Callable[..., Stage], first: Scripted | str, status: str, asked: int) -> None:
    """What failed is gone on with by a resume, once the server is well again."""
    stage = way(first, "Done.")
    run = listened(stage)
    assert (run.status, len(stage.server.requests)) == (status, asked), run.error
    if status == "failed":
        again = stage.resume(run)
        assert again.status == "completed", again.error
