"""Runs teams through the engine's real seam, over a journal in memory, with models that a test writes.

A test's model is a normal provider: a function from the request to a reply. What it saw is kept.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from agentctl.diagnostics import Span
from agentctl.engine.crew import Crew
from agentctl.engine.functions import World
from agentctl.engine.people import Ask
from agentctl.engine.recorder import Recorder
from agentctl.engine.run import Order, Run
from agentctl.engine.session import work
from agentctl.errors import ModelError
from agentctl.journal.memory import MemoryJournal
from agentctl.journal.records import Record
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, canonical
from agentctl.models.messages import Message, ModelRequest, Reply, ToolCall
from agentctl.models.model import Notify
from agentctl.models.wire import chat_messages
from agentctl.spec.settings import FunctionRef, ModelSettings, Retry
from agentctl.spec.strategies import Strategy
from agentctl.spec.team import Agent, Context, Limit, LimitName, Team
from agentctl.tools.outputs import OutputShape
from agentctl.tools.tool import Tool, ToolContext, ToolResult, Toolset
from loopback.rules import check_request

HERE = Path("/team")
SPAN = Span(path="team.yaml", line=4, column=3, end_line=4, end_column=9)
MODEL = ModelSettings(id="test", folder=HERE, span=SPAN)

Saying: TypeAlias = str | Reply | Exception
Say: TypeAlias = Saying | Callable[[ModelRequest], Saying]
Says: TypeAlias = Mapping[str, Say | Sequence[Say]]
"""What a model says: a text, a whole reply, a failure, or whatever a function makes of the request."""


def agent(
    name: str,
    *,
    strategy: Strategy | None = None,
    agents: Sequence[Agent] = (),
    instructions: str = "",
    description: str = "",
    context: Context | None = None,
    retry: Retry | None = None,
    limits: Mapping[LimitName, float] | None = None,
) -> Agent:
    return Agent(
        name=name,
        description=description or f"does {name}",
        instructions=instructions,
        model=MODEL,
        agents=tuple(agents),
        strategy=strategy,
        context=context,
        retry=retry,
        limits={key: Limit(value=value, span=SPAN) for key, value in (limits or {}).items()},
        spans={"strategy": SPAN},
    )


def leaves(*names: str) -> list[Agent]:
    return [agent(name) for name in names]


def call(name: str, arguments: str = "{}", *, call_id: str = "") -> ToolCall:
    return ToolCall(id=call_id or f"id_{name}", name=name, arguments=arguments)


def calls(*made: ToolCall, text: str = "") -> Reply:
    return Reply(text=text, calls=made, finish="calls")


def passes(to: str, message: str = "please", *, text: str = "", call_id: str = "") -> Reply:
    return calls(call(f"transfer_to_{to}", f'{{"message": "{message}"}}', call_id=call_id), text=text)


def function(name: str) -> FunctionRef:
    return FunctionRef(target=f"tools:{name}", folder=HERE, span=SPAN)


def tool(
    name: str,
    run: Callable[[JsonObject], str],
    *,
    idempotent: bool = False,
    approve: bool | FunctionRef = False,
    check: Callable[[JsonObject], str | None] = lambda _arguments: None,
) -> Tool:
    """A tool that takes anything; `run` may raise FatalToolError."""

    async def made(arguments: JsonObject, _context: ToolContext) -> ToolResult:
        return ToolResult(text=run(arguments))

    return Tool(
        name=name,
        description=f"does {name}",
        parameters={"type": "object"},
        search_text=name,
        source="test",
        idempotent=idempotent,
        approve=approve,
        check=check,
        call=made,
        folder=HERE,
    )


class SpokenModel:
    """One model for the whole team: `says` holds each agent's replies, turn after turn of an execution.

    The last one is repeated. `saw` keeps every request in order of arrival.
    """

    id = "test"

    def __init__(self, says: Says) -> None:
        self.says = says
        self.saw: list[ModelRequest] = []
        self.busy = 0
        self.most_at_once = 0

    async def reply(self, request: ModelRequest, notify: Notify) -> Reply:
        self.saw.append(request)
        assert check_request(chat_messages(request.messages, model="test")) == []
        assert calls_are_answered(request.messages) == []
        self.busy += 1
        self.most_at_once = max(self.most_at_once, self.busy)
        try:
            await asyncio.sleep(0)
            await self.pause(request)
        finally:
            self.busy -= 1
        return self._said(request)

    async def pause(self, request: ModelRequest) -> None:
        """For subclasses that hold a reply back."""

    async def close(self) -> None: ...

    def _said(self, request: ModelRequest) -> Reply:
        known = self.says.get(request.agent, self.says.get("*", f"{request.agent} is done"))
        turns = [known] if isinstance(known, str | Reply | Exception) or callable(known) else list(known)
        said = turns[min(request.turn, len(turns)) - 1]
        if callable(said):
            said = said(request)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Reply) else Reply(text=said)


def calls_are_answered(messages: Sequence[Message]) -> list[str]:
    """What is wrong with the calls of a history: each is answered once, directly after its turn, in order."""
    broken = []
    for place, message in enumerate(messages):
        if not message.calls:
            continue
        after = messages[place + 1 : place + 1 + len(message.calls)]
        ids = [found.id for found in message.calls]
        if [one.call_id for one in after if one.role == "tool"] != ids:
            broken.append(f"message {place} made {ids}")
        following = messages[place + 1 + len(message.calls) :]
        if following and following[0].role == "tool":
            broken.append(f"message {place} has more results than calls")
    return broken


@dataclass(kw_only=True)
class Ran:
    """How a run, or the latest pass over it, ended."""

    ended: Record
    records: list[Record]
    model: SpokenModel
    used: Counter[str] = field(default_factory=Counter)

    @property
    def answer(self) -> str:
        return as_text(self.ended.data.get("answer"))

    @property
    def path(self) -> list[Json]:
        return list(as_list(self.ended.data.get("path")))

    @property
    def error(self) -> JsonObject:
        return as_object(self.ended.data.get("error"))

    @property
    def order(self) -> list[str]:
        """The agents whose models were asked, in order."""
        return [request.agent for request in self.model.saw]

    @property
    def decisions(self) -> list[tuple[list[Json], str, str]]:
        """(chosen, by, reason) of every decision, in order."""
        return [
            (list(as_list(one.data["chosen"])), as_text(one.data["by"]), as_text(one.data["reason"]))
            for one in self.records
            if one.ev == "decision.completed"
        ]

    @property
    def executions(self) -> list[str]:
        return [one.step for one in self.records if one.ev == "execution.started"]

    def events(self, ev: str) -> list[Record]:
        return [record for record in self.records if record.ev == ev]

    def shown(self, agent: str, visit: int = 1) -> list[str]:
        """The messages of the agent's n-th request, each as `role: text`, calls as `role: text [name]`."""
        request = [one for one in self.model.saw if one.agent == agent][visit - 1]
        return [told(message) for message in request.messages]


def told(message: Message) -> str:
    made = " ".join(f"[{one.name}]" for one in message.calls)
    return f"{message.role}: {message.text}" + (f" {made}" if made else "")


def as_it_is(value: Json) -> Json:
    return value


@dataclass(kw_only=True)
class Stage:
    """A team with its models, tools and functions; `used` counts the calls of tools and functions."""

    root: Agent
    says: Says = field(default_factory=dict)
    tools: Mapping[str, Sequence[Tool]] = field(default_factory=dict)
    toolsets: Mapping[str, Sequence[Toolset]] = field(default_factory=dict)
    redact: Callable[[Json], Json] = as_it_is
    functions: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    outputs: Mapping[str, OutputShape] = field(default_factory=dict)
    model: SpokenModel | None = None
    ask: Ask | None = None
    request: str = "What now?"

    async def run(self, earlier: Sequence[Record] = (), *, signals: Mapping[str, Json] | None = None) -> Ran:
        """A pass over the run: from the records of an earlier one, with answers of people by step."""
        model = self.model or SpokenModel(self.says)
        before = len(model.saw)
        journal = MemoryJournal()
        recorder = Recorder(journal)
        for record in earlier:
            await recorder.record(record.ev, record.step, record.data)
        await recorder.record("run.resumed" if earlier else "run.started", data={"run_id": "r"})
        for step, value in (signals or {}).items():
            await recorder.record("signal.received", step, {"kind": "answer", "value": value})
        team = Team(root=self.root, path="team.yaml", folder=HERE)
        names = [one.name for one in team.agents()]
        world = World(
            crew=Crew(
                team=team,
                tools={name: tuple(found) for name, found in self.tools.items()},
                outputs=self.outputs,
                toolsets={name: tuple(found) for name, found in self.toolsets.items()},
            ),
            models={**dict.fromkeys(names, model), **{f"{name}.planner": model for name in names}},
            functions={(f"tools:{name}", str(HERE)): found for name, found in self.functions.items()},
            inputs={},
            state={},
            redact=self.redact,
            spill=journal.spill,
            spilled=journal.spilled,
            keep=journal.keep,
        )
        order = Order(run_id="r", request=self.request)
        ended = await work(lambda: Run(order, world, recorder, self.ask), recorder, lambda *_: "answer")
        del model.saw[:before]
        return Ran(ended=ended, records=list(journal.records), model=model)


def play(stage: Stage, earlier: Sequence[Record] = (), *, signals: Mapping[str, Json] | None = None) -> Ran:
    return asyncio.run(stage.run(earlier, signals=signals))


def resumed_everywhere(stage: Callable[[], Stage], *, again: Sequence[str] = ()) -> None:
    """Cuts the records of an undisturbed run after every one of them and resumes: the same end each time,
    and no finished model, tool, function or draw step done again, but for steps that begin with `again`."""
    whole = play(stage())
    for cut in range(1, len(whole.records)):
        kept = whole.records[:cut]
        resumed = play(stage(), kept)
        assert end_of(resumed) == end_of(whole), f"cut after {cut}: {kept[-1].ev} {kept[-1].step}"
        finished = {(one.ev, one.step) for one in kept if is_work(one)}
        twice = {(one.ev, one.step) for one in resumed.records[cut:] if is_work(one)} & finished
        assert not twice, f"cut after {cut}: done again: {twice}"


def is_work(record: Record) -> bool:
    return record.ev in ("model.completed", "tool.completed", "function.completed", "draw.completed")


def end_of(ran: Ran) -> str:
    """How a run ended, without what depends on attempts: the answer and who gave it, or the error."""
    data = ran.ended.data
    error = {key: value for key, value in as_object(data.get("error")).items() if key != "execution"}
    kept = {key: data.get(key) for key in ("answer", "agent", "path", "answers")}
    return canonical({"ev": ran.ended.ev, "error": error, **kept})


def broken() -> ModelError:
    return ModelError("the model is out of order", kind="server")


Answerer: TypeAlias = Callable[[JsonObject], Awaitable[Json]]


def person(*answers: Json) -> Answerer:
    """Somebody at a terminal who gives these answers, one after another, then none."""
    given = list(answers)

    async def ask(_request: JsonObject) -> Json:
        return given.pop(0) if given else None

    return ask
