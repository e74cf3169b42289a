"""A world whose tools, draws and people answer as they were recorded: the functions of a replayed run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from agentctl.diagnostics import nearest
from agentctl.engine.functions import Place, Result, StepFunction, World
from agentctl.engine.people import Ask
from agentctl.engine.steps import Function
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import Json, JsonObject, as_object, as_text, canonical, digest
from agentctl.models.recording import RecordedTool, Recording


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedWorld(World):
    """`live_tools` calls the tools all the same; `fill_gaps` calls those whose call was not recorded."""

    recording: Recording
    live_tools: bool = False
    fill_gaps: bool = False

    def registry(self) -> Mapping[Function, StepFunction]:
        own = World.registry(self)
        played: dict[Function, StepFunction] = {**own, "draw": _Drawn(own["draw"], self.recording)}
        if self.live_tools:
            return played
        listed = _Listed(own["listing"], self.recording)
        return {**played, "tool": _Recorded(own["tool"], self), "listing": listed}


def answering(recording: Recording, ask: Ask | None) -> Ask:
    """Gives the recorded answer to a question; `ask` is asked what nobody answered then."""

    async def answer(question: JsonObject) -> Json:
        given = recording.answers.get(as_text(question.get("step")))
        if given is not None:
            return given
        return await ask(question) if ask is not None else None

    return answer


class _Recorded:
    """Tool calls out of the recording, found by agent, tool and arguments; equal ones are given in turn."""

    def __init__(self, live: StepFunction, world: ReplayedWorld) -> None:
        self._live = live
        self._world = world
        self._found: defaultdict[str, list[RecordedTool]] = defaultdict(list)
        self._given: defaultdict[str, int] = defaultdict(int)
        for tool in world.recording.tools:
            self._found[_key(tool.agent, tool.tool, tool.arguments)].append(tool)

    def identity(self, args: JsonObject) -> Json:
        return self._live.identity(args)

    def begun(self, args: JsonObject) -> JsonObject:
        return self._live.begun(args)

    async def run(self, args: JsonObject, place: Place) -> Result:
        if args.get("problem") is not None:
            return await self._live.run(args, place)
        agent, name = as_text(args.get("agent")), as_text(args.get("tool"))
        key = _key(agent, name, as_object(args.get("arguments")))
        calls = self._found.get(key)
        if not calls:
            if self._world.fill_gaps:
                return await self._live.run(args, place)
            raise self._missing(agent, name, as_object(args.get("arguments")))
        tool = calls[min(self._given[key], len(calls) - 1)]
        self._given[key] += 1
        self._world.state.update(tool.state)
        out: JsonObject = {"text": tool.text, "error": True} if tool.error else {"text": tool.text}
        return Result(out=out, beside={"state": tool.state} if tool.state else {})

    def _missing(self, agent: str, name: str, arguments: JsonObject) -> ExecutionFailed:
        recording = self._world.recording
        then = [
            canonical(tool.arguments) for tool in recording.tools if (tool.agent, tool.tool) == (agent, name)
        ]
        now = canonical(arguments)
        near = nearest(now, then) or (then[0] if then else None)
        differs = f"recorded: {near}" if near else "no call of this tool by this agent was recorded"
        return ExecutionFailed(
            f'recording "{recording.path}" has no such call of tool "{name}" by agent "{agent}"\n'
            f"  {differs}\n  called now: {now}",
            rule="not-recorded",
            hint="record it anew with --record, edit the recording, or call tools with --replay-tools live",
        )


class _Listed:
    """What servers told of their tools at the same step, so that none is started to be asked again."""

    def __init__(self, live: StepFunction, recording: Recording) -> None:
        self._live = live
        self._recording = recording

    def identity(self, args: JsonObject) -> Json:
        return self._live.identity(args)

    def begun(self, args: JsonObject) -> JsonObject:
        return self._live.begun(args)

    async def run(self, args: JsonObject, place: Place) -> Result:
        told = self._recording.listings.get(place.step)
        return Result(out=told) if told is not None else await self._live.run(args, place)


class _Drawn:
    """What chance gave at the same step, where those to choose from are still there."""

    def __init__(self, live: StepFunction, recording: Recording) -> None:
        self._live = live
        self._recording = recording

    def identity(self, args: JsonObject) -> Json:
        return self._live.identity(args)

    def begun(self, args: JsonObject) -> JsonObject:
        return self._live.begun(args)

    async def run(self, args: JsonObject, place: Place) -> Result:
        drawn = as_object(self._recording.draws.get(place.step))
        if as_text(drawn.get("chosen")) in as_object(args.get("weights")):
            return Result(out=drawn)
        return await self._live.run(args, place)


def _key(agent: str, tool: str, arguments: JsonObject) -> str:
    return digest([agent, tool, arguments])
