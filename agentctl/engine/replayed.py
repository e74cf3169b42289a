"""A world whose tools, draws and people answer as they were recorded: the functions of a replayed run."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from agentctl.diagnostics import nearest
from agentctl.engine.functions import Place, Result, StepFunction, World
from agentctl.engine.people import Ask
from agentctl.engine.steps import Function
from agentctl.errors import ExecutionFailed, FatalToolError
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
        played: dict[Function, StepFunction] = {**own, "draw": _Drawn(own["draw"], self)}
        if self.live_tools:
            return played
        listed = _Listed(own["listing"], self)
        return {**played, "tool": _Recorded(own["tool"], self), "listing": listed}

    def unrecorded(self, what: str, hint: str) -> ExecutionFailed:
        return ExecutionFailed(
            f'recording "{self.recording.path}" {what}',
            rule="not-recorded",
            hint=f"record it anew with --record, edit the recording, or {hint}",
        )


async def at_once(_seconds: float) -> None:
    """A pause where nobody has to be spared: others have their turn."""
    await asyncio.sleep(0)


def answering(recording: Recording, ask: Ask | None) -> Ask:
    """Gives the recorded answer to a question; `ask` is asked what nobody answered then."""

    async def answer(question: JsonObject) -> Json:
        given = recording.answers.get(as_text(question.get("step")))
        if given is not None:
            return given
        return await ask(question) if ask is not None else None

    return answer


class _InPlace:
    """Stands in the place of a live function, and is the same to the journal."""

    def __init__(self, live: StepFunction, world: ReplayedWorld) -> None:
        self._live = live
        self._world = world

    def identity(self, args: JsonObject) -> Json:
        return self._live.identity(args)

    def begun(self, args: JsonObject) -> JsonObject:
        return self._live.begun(args)


class _Recorded(_InPlace):
    """Tool calls out of the recording, found by agent, tool and arguments; each is given once, of equal ones
    that of the same step, else the next."""

    def __init__(self, live: StepFunction, world: ReplayedWorld) -> None:
        super().__init__(live, world)
        self._left: defaultdict[str, list[RecordedTool]] = defaultdict(list)
        for tool in world.recording.tools:
            self._left[_key(tool.agent, tool.tool, tool.arguments)].append(tool)

    async def run(self, args: JsonObject, place: Place) -> Result:
        if args.get("problem") is not None or "given" in args:  # what a person answered, as it is now
            return await self._live.run(args, place)
        agent, name, given = (args.get(key) for key in ("agent", "tool", "arguments"))
        tool = self._take(as_text(agent), as_text(name), as_object(given), place.step)
        if tool is None:
            if self._world.fill_gaps:
                return await self._live.run(args, place)
            raise self._missing(as_text(agent), as_text(name), as_object(given))
        self._world.state.update(tool.state)
        if tool.fatal:
            raise FatalToolError(tool.text)
        out: JsonObject = {"text": tool.text, "error": True} if tool.error else {"text": tool.text}
        return Result(out=out, beside={"state": tool.state} if tool.state else {})

    def _take(self, agent: str, name: str, arguments: JsonObject, step: str) -> RecordedTool | None:
        left = self._left[_key(agent, name, arguments)]
        if not left:
            return None
        found = next((tool for tool in left if tool.step == step), left[0])
        left.remove(found)
        return found

    def _missing(self, agent: str, name: str, arguments: JsonObject) -> ExecutionFailed:
        made = [tool for tool in self._world.recording.tools if (tool.agent, tool.tool) == (agent, name)]
        then, now = [canonical(tool.arguments) for tool in made], canonical(arguments)
        if now in then:
            often = "once" if then.count(now) == 1 else f"{then.count(now)} times"
            what = f'has this call of tool "{name}" by agent "{agent}" {often}, and it is made once more'
            differs = ""
        else:
            near = nearest(now, then) or (then[0] if then else None)
            what = f'has no such call of tool "{name}" by agent "{agent}"'
            differs = f"  recorded: {near}" if near else "  no call of this tool by this agent was recorded"
        told = "\n".join(line for line in (what, differs, f"  called now: {now}") if line)
        return self._world.unrecorded(told, "call tools with --replay-tools live")


class _Listed(_InPlace):
    """What servers told of their tools at the same step, so that none is started to be asked again."""

    async def run(self, args: JsonObject, place: Place) -> Result:
        told = self._world.recording.listings.get(place.step)
        if told is not None:
            return Result(out=told)
        if self._world.fill_gaps:
            return await self._live.run(args, place)
        what = f'does not tell which tools the servers of agent "{as_text(args.get("agent"))}" have'
        raise self._world.unrecorded(what, "ask them with --replay-tools live")


class _Drawn(_InPlace):
    """What chance gave at the same step, where those to choose from are still there."""

    async def run(self, args: JsonObject, place: Place) -> Result:
        drawn = as_object(self._world.recording.draws.get(place.step))
        if as_text(drawn.get("chosen")) in as_object(args.get("weights")):
            return Result(out=drawn)
        return await self._live.run(args, place)


def _key(agent: str, tool: str, arguments: JsonObject) -> str:
    return digest([agent, tool, arguments])
