"""The registered functions: what a step may do. Each takes JSON arguments and gives a JSON result.

They are all that touches models, tools, functions of the team file and chance; what enters the record
from outside is redacted here, once.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from agentctl.engine.context import Fitted, fitted, smallest
from agentctl.engine.crew import Crew
from agentctl.engine.pieces import Pieces
from agentctl.engine.steps import Function
from agentctl.errors import ModelError, UsageError
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, digest, to_json
from agentctl.models.messages import Message, ModelRequest, Reply, ToolSpec
from agentctl.models.model import Model
from agentctl.models.prices import window
from agentctl.tools.excerpts import cut, output_id, read_output_tool, reader_name
from agentctl.tools.functions import call_function
from agentctl.tools.tool import Tool, ToolContext, ToolResult

_WHERE: Final = ("folder", "span", "pointer")
IN_FLIGHT: Final = 100
"""Model calls of one run under way at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a step stands, and whom to tell what happens during it.

    `call` names the call by its place without the marks of attempts and by what is asked: the same whenever
    this very call is made. `turn` says the how-manieth model call of the execution it is, from 1. `listened`:
    somebody wants the text of a reply as it comes.
    """

    run_id: str
    execution: str
    step: str
    call: str
    notify: Callable[[JsonObject], None]
    turn: int = 1
    listened: bool = True
    afford: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`out` is the outcome; `beside` goes into the record next to it."""

    out: Json
    beside: JsonObject = field(default_factory=dict)


class StepFunction(Protocol):
    def identity(self, args: JsonObject) -> Json:
        """What the input hash covers."""
        ...

    def begun(self, args: JsonObject) -> JsonObject:
        """What the record of the start holds beside the hash."""
        ...

    async def run(self, args: JsonObject, place: Place) -> Result: ...


def _nothing(_name: str) -> str | None:
    return None


def _nowhere(_name: str, data: bytes) -> str:
    return f"memory, {len(data):,} bytes"


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What the functions of one run reach: its models by agent, tools, functions, state, secrets.

    `functions` are those of the team file by (target, folder). `state` is what tools share. `spill` keeps a
    long text by a name and gives where, `spilled` gives it back, `keep` keeps what is no text. `pause` passes
    seconds between attempts.
    """

    crew: Crew
    models: Mapping[str, Model]
    functions: Mapping[tuple[str, str], Callable[..., object]]
    inputs: JsonObject
    state: dict[str, Json]
    redact: Callable[[Json], Json]
    spill: Callable[[str, str], str]
    spilled: Callable[[str], str | None] = _nothing
    keep: Callable[[str, bytes], str] = _nowhere
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    def registry(self) -> Mapping[Function, StepFunction]:
        return {
            "model": _ModelCall(self),
            "tool": _ToolCall(self),
            "listing": _Listing(self),
            "function": _FunctionCall(self),
            "guardrail": _Rejection(),
            "draw": _Draw(),
        }


class _ModelCall:
    """args: agent, messages, tools, required?, schema?, search_texts?, model? (not the agent's)."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._flight = asyncio.Semaphore(IN_FLIGHT)
        self._described: dict[int, str] = {}

    def identity(self, args: JsonObject) -> Json:
        names: list[Json] = [as_object(tool).get("name") for tool in as_list(args.get("tools"))]
        return {"messages": args.get("messages"), "tools": names, "schema": args.get("schema")}

    def _settings(self, agent: str) -> str:
        """The hash of what the file says of the agent's model, without secrets."""
        model = self._world.crew.agent(agent).model
        if id(model) not in self._described:  # agents that inherit a model hold the same one
            told = {key: value for key, value in as_object(to_json(model)).items() if key not in _WHERE}
            self._described[id(model)] = digest(self._world.redact(told))
        return self._described[id(model)]

    def begun(self, args: JsonObject) -> JsonObject:
        tools = as_list(args.get("tools"))
        found: JsonObject = {
            "agent": args.get("agent"),
            "model": self._model(args).id,
            "messages": len(as_list(args.get("messages"))),
            "tools": [as_object(tool).get("name") for tool in tools],
            "described": digest(tools),
            "settings": self._settings(as_text(args.get("agent"))),
        }
        shortened = self._fitted(args).shortened if _has_results(args) else 0
        return {**found, "shortened": shortened} if shortened else found

    async def run(self, args: JsonObject, place: Place) -> Result:
        pieces = Pieces(place.notify)
        sent = self._fitted(args, place.turn, place.step)
        shorter = smallest(sent.request)
        request = replace(sent.request, streamed=place.listened, shrinks=shorter.shortened > 0)
        shortened = sent.shortened
        async with self._flight:
            place.afford()  # what others spent while this call stood in line counts too
            try:
                reply = await self._model(args).reply(request, pieces)
            except ModelError as error:
                if error.kind != "context_overflow" or not request.shrinks:
                    raise
                shortened += shorter.shortened
                place.notify({"ev": "model.shortened", "shortened": shortened})
                request = replace(request, messages=shorter.request.messages, shrinks=False)
                reply = await self._model(args).reply(request, pieces)
        out = self._redacted(reply)
        beside = pieces.beside(out)
        return Result(out=out, beside={**beside, "shortened": shortened} if shortened else beside)

    def _fitted(self, args: JsonObject, turn: int = 1, step: str = "") -> Fitted:
        return fitted(_request(args, turn, step), window(self._model(args).id))

    def _model(self, args: JsonObject) -> Model:
        return self._world.models[as_text(args.get("model")) or as_text(args.get("agent"))]

    def _redacted(self, reply: Reply) -> Json:
        """What a provider needs back stays byte for byte; everything else is redacted."""
        found = dict(reply.as_json())
        opaque = found.pop("opaque", None)
        clean = dict(as_object(self._world.redact(found)))
        return {**clean, "opaque": opaque} if opaque else clean


class _ToolCall:
    """args: agent, tool, arguments, and at most one of: problem (then nothing is executed), given (the
    answer of a person, which is the result), reads (it reads on in an earlier result).
    """

    def __init__(self, world: World) -> None:
        self._world = world

    def identity(self, args: JsonObject) -> Json:
        return {"tool": args.get("tool"), "arguments": args.get("arguments")}

    def begun(self, args: JsonObject) -> JsonObject:
        kept = {key: args.get(key) for key in ("agent", "tool", "arguments")}
        return {**kept, "note": args["note"]} if "note" in args else kept

    async def run(self, args: JsonObject, place: Place) -> Result:
        if args.get("problem") is not None:
            return Result(out={"text": args.get("problem"), "error": True}, beside={"refused": True})
        if "given" in args:
            return Result(out={"text": self._world.redact(args.get("given"))})
        world = self._world
        agent = as_text(args.get("agent"))
        tool = await self._tool(agent, args)
        context = ToolContext(
            run_id=place.run_id,
            execution_id=place.execution,
            agent=agent,
            idempotency_key=f"{place.run_id}:{place.call}",
            inputs=world.inputs,
            state=dict(world.state),
        )
        result = await tool.call(as_object(args.get("arguments")), context)
        world.state.update(result.state)
        return self._recorded(result, agent, place)

    async def _tool(self, agent: str, args: JsonObject) -> Tool:
        world, name = self._world, as_text(args.get("tool"))
        if args.get("reads") is True:
            wanted = as_text(as_object(args.get("arguments")).get("id"))
            return read_output_tool(name, [wanted], lambda output: world.spilled(_kept_as(agent, output)))
        tool = world.crew.tool(agent, name)
        if tool is None and world.crew.toolsets.get(agent):
            world.crew.take(agent, await world.crew.listing(agent))
            tool = world.crew.tool(agent, name)
        if tool is None:
            raise UsageError(
                f"agent '{agent}' has no tool '{name}'", hint="the team changed; start a new run"
            )
        return tool

    def _recorded(self, result: ToolResult, agent: str, place: Place) -> Result:
        world = self._world
        beside: dict[str, Json] = {}
        text = as_text(world.redact(result.text))
        if result.full is not None:
            # shortened anew, since a secret may stand where it was cut
            full, output = as_text(world.redact(result.full)), output_id(place.step)
            beside["spilled"] = world.spill(_kept_as(agent, output), full)
            reader = reader_name([tool.name for tool in world.crew.own(agent)])
            text = cut(full, len(result.text), output, reader)
        if result.files:
            kept = {
                file.label: world.keep(f"{place.step}-{file.label}{file.suffix}", file.data)
                for file in result.files
            }
            text = "\n".join([text, *(f"[{label} is kept in {path}]" for label, path in kept.items())])
            beside["files"] = list(kept.values())
        if result.state:
            beside["state"] = world.redact(result.state)
        if result.printed:
            beside["printed"] = world.redact(result.printed)
        return Result(out={"text": text, "error": True} if result.error else {"text": text}, beside=beside)


def _kept_as(agent: str, output: str) -> str:
    """Under the agent's name, so that no other can read it, whatever its model is told."""
    return f"{agent}-{output}"


class _Listing:
    """args: agent, asks. What the servers that an agent's `tools` name tell of their tools."""

    def __init__(self, world: World) -> None:
        self._world = world

    def identity(self, args: JsonObject) -> Json:
        return args

    def begun(self, args: JsonObject) -> JsonObject:
        return args

    async def run(self, args: JsonObject, place: Place) -> Result:  # noqa: ARG002 - the protocol's
        return Result(out=self._world.redact(await self._world.crew.listing(as_text(args.get("agent")))))


class _FunctionCall:
    """args: function, folder, arguments."""

    def __init__(self, world: World) -> None:
        self._world = world

    def identity(self, args: JsonObject) -> Json:
        return {"function": args.get("function"), "arguments": args.get("arguments")}

    def begun(self, args: JsonObject) -> JsonObject:
        return {"function": args.get("function")}

    async def run(self, args: JsonObject, place: Place) -> Result:  # noqa: ARG002 - the protocol's
        key = (as_text(args.get("function")), as_text(args.get("folder")))
        out = await call_function(self._world.functions[key], *as_list(args.get("arguments")))
        return Result(out=self._world.redact(out))


class _Rejection:
    """args: agent, subject, why, action. Does nothing: what a guardrail rejected is put on record."""

    def identity(self, args: JsonObject) -> Json:
        return args

    def begun(self, args: JsonObject) -> JsonObject:
        return {"function": f"guardrail on {as_text(args.get('subject'))}", **args}

    async def run(self, args: JsonObject, place: Place) -> Result:  # noqa: ARG002 - the protocol's
        out: JsonObject = {"rejected": args.get("why"), "action": args.get("action")}
        return Result(out=out, beside={"subject": args.get("subject")})


class _Draw:
    """args: seed (or null), weights by name, turn (from 1). Gives the seed used and who was drawn."""

    def identity(self, args: JsonObject) -> Json:
        return args

    def begun(self, args: JsonObject) -> JsonObject:
        return {"seed": args.get("seed")}

    async def run(self, args: JsonObject, place: Place) -> Result:  # noqa: ARG002 - the protocol's
        stated = args.get("seed")
        seed = stated if isinstance(stated, int) else random.SystemRandom().getrandbits(48)
        weights = as_object(args.get("weights"))
        chance = random.Random(f"{seed}/{args.get('turn')}")  # noqa: S311 - repeatable on purpose
        numbers = [float(weight) for weight in weights.values() if isinstance(weight, int | float)]
        chosen = chance.choices(list(weights), weights=numbers)[0]
        return Result(out={"seed": seed, "chosen": chosen})


def _has_results(args: JsonObject) -> bool:
    """Whether there is anything in the conversation that could be shortened."""
    return any(as_object(message).get("role") == "tool" for message in as_list(args.get("messages")))


def _request(args: JsonObject, turn: int, step: str) -> ModelRequest:
    return ModelRequest(
        agent=as_text(args.get("agent")),
        turn=turn,
        messages=tuple(Message.from_json(message) for message in as_list(args.get("messages"))),
        tools=tuple(ToolSpec.from_json(tool) for tool in as_list(args.get("tools"))),
        required=args.get("required") is True,
        schema=as_object(args["schema"]) if args.get("schema") else None,
        step=step,
        search_texts={k: as_text(v) for k, v in as_object(args.get("search_texts")).items()},
    )
