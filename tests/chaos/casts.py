"""A team for every strategy and one that nests them, their scripted models, and the tools that count effects.

Every leaf calls two tools in one turn, `note` (idempotent) and `send` (not); both append a line with the
call's key to the file `effects`, and may die before or after that, as the environment says.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from agentctl.jsontypes import Json, JsonObject, as_object

TOOLS = '''
import os, signal
from agentctl import ToolContext

def effect(tool, context):
    place = f"{tool} {context.idempotency_key}"
    if os.environ.get("DIES") == f"before {place}":
        os.kill(os.getpid(), signal.SIGKILL)
    with open("effects", "a") as file:
        file.write(place + "\\n")
    if os.environ.get("DIES") == f"after {place}":
        os.kill(os.getpid(), signal.SIGKILL)
    return "Done, nobody needs to ask."

def note(text: str, context: ToolContext) -> str:
    """Notes something down."""
    return effect("note", context)

def send(text: str, context: ToolContext) -> str:
    """Sends something that cannot be taken back."""
    return effect("send", context)

def route(request, agents):
    return "b"

def desk(conversation, agents):
    heard = [said["agent"] for said in conversation]
    return next((name for name in agents if name not in heard), None)
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """`team` is the team file without its models; `turns` what each agent's model says, in order."""

    name: str
    team: JsonObject
    turns: dict[str, list[Json]]

    def write(self, folder: Path) -> None:
        """The folder of the team, with a scripted model."""
        folder.mkdir(parents=True)
        whole: JsonObject = {"model": "script:models.yaml", **self.team}
        (folder / "team.yaml").write_text(json.dumps(whole), "utf-8")
        (folder / "models.yaml").write_text(json.dumps({"agents": self.turns}), "utf-8")
        (folder / "tools.py").write_text(TOOLS, "utf-8")


def leaf(name: str, **keys: Json) -> JsonObject:
    tools: list[Json] = [{"function": "tools:note", "idempotent": True}, "tools:send"]
    return {"name": name, "description": f"Does {name}", "tools": tools, **keys}


def group(name: str, strategy: Json, *members: JsonObject, **keys: Json) -> JsonObject:
    return {
        "name": name,
        "description": f"Does {name}",
        "strategy": strategy,
        "agents": list(members),
        **keys,
    }


def worked(name: str, *, then: Json = None) -> list[Json]:
    """A leaf's turns: both tools at once, then its answer, which tells whether a result was unknown."""
    calls: list[Json] = [{"name": tool, "arguments": {"text": name}} for tool in ("note", "send")]
    last: Json = then or {"text": f"{name} is done"}
    unsure: JsonObject = {"when": {"contains": "is unknown"}, "text": f"{name} is unsure"}
    return [{"calls": calls}, last] if then else [{"calls": calls}, unsure, last]


def passes(to: str) -> JsonObject:
    return {"calls": [{"name": f"transfer_to_{to}", "arguments": {"message": f"go on, {to}"}}]}


def leaves(*names: str) -> dict[str, list[Json]]:
    return {name: worked(name) for name in names}


AB = (leaf("a"), leaf("b"))
PLAN: JsonObject = {
    "steps": [
        {"id": "one", "agent": "a", "task": "first"},
        {"id": "two", "agent": "b", "task": "second"},
        {"id": "three", "agent": "a", "task": "third", "depends_on": ["one", "two"]},
    ]
}

NINE = [
    Cast(
        name="handoff",
        team=group("front", "handoff", *AB),
        turns={"front": [passes("b")], **leaves("a", "b")},
    ),
    Cast(
        name="router",
        team=group("front", "router", *AB),
        turns={"front": [{"text": {"agent": "a", "reason": "it fits"}}], **leaves("a", "b")},
    ),
    Cast(
        name="sequential",
        team=group("front", {"type": "sequential", "pass": "all"}, *AB),
        turns=leaves("a", "b"),
    ),
    Cast(
        name="parallel",
        team=group("front", "parallel", *AB, leaf("c")),
        turns=leaves("a", "b", "c"),
    ),
    Cast(
        name="swarm",
        team=group("front", "swarm", *AB),
        turns={"a": worked("a", then=passes("b")), "b": worked("b")},
    ),
    Cast(
        name="round_robin",
        team=group("front", {"type": "round_robin", "turns": 3}, *AB),
        turns=leaves("a", "b"),
    ),
    Cast(
        name="random",
        team=group("front", {"type": "random", "turns": 2, "seed": 4}, *AB),
        turns=leaves("a", "b"),
    ),
    Cast(
        name="plan_execute",
        team=group("front", "plan_execute", *AB),
        turns={"front": [{"text": PLAN}, {"text": "all is done"}], **leaves("a", "b")},
    ),
    Cast(
        name="manual",
        team=group("front", {"type": "manual", "choose": "tools:desk"}, *AB),
        turns=leaves("a", "b"),
    ),
]
PERSON = Cast(
    name="manual_by_a_person",
    team=group("front", "manual", *AB),
    turns=leaves("a", "b"),
)
NESTED = Cast(
    name="nested",
    team=group(
        "front",
        "handoff",
        group(
            "many",
            "parallel",
            group("line", "sequential", leaf("a"), leaf("b")),
            group("peers", "swarm", leaf("c"), leaf("d")),
            group("turns", {"type": "round_robin", "turns": 3}, leaf("e"), leaf("f")),
            group("planned", "plan_execute", leaf("g"), leaf("h")),
        ),
        leaf("other"),
    ),
    turns={
        "front": [passes("many")],
        "c": worked("c", then=passes("d")),
        "planned": [
            {
                "text": {
                    "steps": [{"id": "x", "agent": "g", "task": "g"}, {"id": "y", "agent": "h", "task": "h"}]
                }
            },
            {"text": "all is planned"},
        ],
        **leaves("a", "b", "d", "e", "f", "g", "h", "other"),
    },
)


def slowly(cast: Cast) -> Cast:
    """The same with models that take a moment for every reply, so that there is time to die in."""
    return Cast(
        name=f"slow_{cast.name}",
        team=cast.team,
        turns={name: [_slow(turn) for turn in turns] for name, turns in cast.turns.items()},
    )


def _slow(turn: Json) -> Json:
    return {**as_object({"text": turn} if isinstance(turn, str) else turn), "delay": "30ms"}
