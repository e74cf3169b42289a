"""Strategies inside strategies: five levels of mixed kinds, and random trees that keep every promise."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentctl.errors import ModelError
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, digest
from agentctl.models.messages import ModelRequest, Reply, ToolCall, Usage
from agentctl.spec.settings import Retry
from agentctl.spec.strategies import (
    Handoff,
    HandoffRule,
    Manual,
    Parallel,
    PlanExecute,
    Random,
    RoundRobin,
    Router,
    Sequential,
    StopIf,
    Strategy,
    Swarm,
)
from agentctl.spec.team import Agent, Context
from engine.harness import (
    Saying,
    Stage,
    agent,
    call,
    calls,
    end_of,
    function,
    is_work,
    leaves,
    passes,
    play,
    resumed_everywhere,
    tool,
)


def five_levels() -> Stage:
    level5 = agent("swarm", strategy=Swarm(), agents=leaves("triage", "expert"))
    level4 = agent("lab", strategy=PlanExecute(), agents=[level5, agent("finder")])
    level3 = agent("panel", strategy=Parallel(on_error="continue"), agents=[level4, agent("judge")])
    level2 = agent("chain", strategy=Sequential(), agents=[agent("drafter"), level3, agent("closer")])
    level1 = agent("desk", strategy=Handoff(), agents=[level2, agent("other")])
    root = agent("root", strategy=RoundRobin(turns=2), agents=[level1])
    first = {"id": "a", "agent": "swarm", "task": "judge it"}
    return Stage(
        root=root,
        says={
            "desk": passes("chain", "be quick"),
            "lab": [json.dumps({"steps": [first]}), '{"answer": "The lab says."}'],
            "triage": passes("expert", "you know"),
            "expert": [calls(call("look")), "The expert says."],
        },
        tools={"expert": [tool("look", lambda _: "42", idempotent=True)]},
    )


def test_five_levels_of_mixed_strategies() -> None:
    ran = play(five_levels())
    once = ["desk", "drafter", "lab", "judge", "triage", "expert", "expert", "lab", "closer"]
    assert ran.order == once * 2
    assert (ran.answer, ran.path) == ("closer is done", ["root", "desk", "chain", "closer"])
    assert ran.shown("expert") == ["user: judge it", "user: [triage] you know"]
    deepest = max(ran.executions, key=lambda path: path.count("/"))
    assert deepest == "root/desk.1/chain.1/panel.1/lab.1/plan-1/a/triage.1"


def test_five_levels_resume_from_every_record_to_the_same_end() -> None:
    resumed_everywhere(five_levels)


def test_a_team_deeper_than_the_bound_ends_by_it() -> None:
    team = agent("leaf")
    for level in range(8):
        team = agent(f"level{level}", strategy=Sequential(), agents=[team])
    ran = play(Stage(root=team))
    assert (ran.ended.ev, ran.error["limit"]) == ("run.limit", "depth")


Choice = TypeVar("Choice")
CONVERSATION: Final[Context] = "conversation"
TASK: Final[Context] = "task"
TURNS: Final = 8
MOST_CALLS: Final = 4000


@dataclass(frozen=True, slots=True)
class Tree:
    """A random team; `seed` also decides what its models say."""

    root: Agent
    seed: int


class Grower:
    """Builds a team from a seed: `depth` levels of strategies at most, one to three members each."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._made = 0

    def agent(self, depth: int, *, top: bool = True) -> Agent:
        self._made += 1
        name = f"a{self._made}"
        retry = self._one(None, None, None, Retry(attempts=2, delay=0))
        if depth == 0 or (not top and self._chance.random() < 0.3):
            context = self._one(None, CONVERSATION, TASK)
            return agent(name, context=context, retry=retry, limits={"turns": TURNS, "tool_calls": 6})
        members = [self.agent(depth - 1, top=False) for _ in range(self._few())]
        strategy = self._strategy([member.name for member in members])
        return agent(name, strategy=strategy, agents=members, retry=retry, limits={"turns": TURNS})

    def _strategy(self, names: list[str]) -> Strategy:
        one, few = self._one, self._few
        synthesize = self._chance.random() < 0.2
        stop_if = one(None, StopIf(text="1"), StopIf(regex="[2-4]$"), StopIf(function=function("odd")))
        made: list[Callable[[], Strategy]] = [
            lambda: Handoff(final=one("specialist", "supervisor"), max_handoffs=few(), synthesize=synthesize),
            lambda: Handoff(required=True),
            lambda: Router(by=one(None, function("pick")), fallback=one(None, *names), synthesize=synthesize),
            lambda: Sequential(pass_=one("previous", "output", "all"), stop_if=stop_if),
            lambda: Parallel(max_concurrency=one(None, few()), on_error=one("fail", "continue", "continue")),
            lambda: self._swarm(names, synthesize=synthesize),
            lambda: RoundRobin(turns=one(None, few()), stop_if=stop_if, synthesize=synthesize),
            lambda: Random(seed=few(), turns=few()),
            lambda: PlanExecute(
                max_concurrency=one(None, few()),
                max_replans=one(0, 1),
                max_steps=4,
                synthesize=not synthesize,
            ),
            lambda: Manual(choose=function("choose"), turns=few()),
        ]
        return self._chance.choice([*made, *made[3:8]])()

    def _swarm(self, names: list[str], *, synthesize: bool) -> Strategy:
        rules = [
            HandoffRule(to=self._one(*names), from_=self._one(None, *names), text="7"),
            HandoffRule(to=self._one(*names), tool="look", contains=self._one(None, "3")),
        ]
        transitions = {name: tuple(self._chance.sample(names, k=len(names) - 1)) for name in names}
        return Swarm(
            start=self._one(None, *names),
            transitions=self._one(None, transitions),
            handoff_when=tuple(rules[: self._chance.randrange(3)]),
            max_handoffs=self._few(),
            synthesize=synthesize,
        )

    def _one(self, *choices: Choice) -> Choice:
        return self._chance.choice(choices)

    def _few(self) -> int:
        return self._chance.randint(1, 4)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    seed = draw(st.integers(min_value=0, max_value=2**32))
    return Tree(Grower(seed).agent(draw(st.integers(min_value=1, max_value=4))), seed)


class Moody:
    """What models and functions do, decided by the seed and by what they are asked alone."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def number(self, *asked: Json) -> int:
        return int(digest([self._seed, list(asked)])[:8], 16)

    def says(self, request: ModelRequest) -> Saying:
        shown: list[Json] = [message.as_json() for message in request.messages]
        number = self.number(request.agent, request.turn, shown)
        said = self._shaped(request, number) if request.schema is not None else self._spoken(request, number)
        return Reply(text=said, usage=Usage(output=1)) if isinstance(said, str) else said

    def _spoken(self, request: ModelRequest, number: int) -> Saying:
        offered = [spec.name for spec in request.tools] or ["nothing"]
        passes_on = request.turn < 3 and any(spec.transfer for spec in request.tools)
        match number % 60:
            case 0 | 1:
                return ModelError("the model is out of order", kind="server")
            case 2 | 3:
                return ""
            case mood if mood < (45 if passes_on else 15):
                return self._calls(offered, number // 60)
            case _:
                return f"says {number % 10}"

    def _calls(self, offered: Sequence[str], number: int) -> Reply:
        names = [*reversed(offered), *offered, "transfer_to_nobody", "unknown"]
        made = tuple(
            ToolCall(
                id=f"c{place}",
                name=names[(number >> (2 * place)) % len(names)],
                arguments=['{"message": "go on"}', "{}", "not JSON", ""][(number >> place) % 4],
            )
            for place in range(1 + number % 7 // 4)
        )
        return Reply(text="", calls=made, finish="calls", usage=Usage(output=1))

    def _shaped(self, request: ModelRequest, number: int) -> Saying:
        names = list(request.search_texts)
        if "steps" not in as_object(as_object(request.schema)["properties"]):
            return [f'{{"agent": "{names[number % len(names)]}"}}', "nobody"][number % 5 == 0]
        if number % 4 == 0:
            return ["so be it", '{"steps": 1}', '{"answer": "done"}'][number % 3]
        steps: list[Json] = [
            {
                "id": f"{request.turn}{place}",
                "agent": names[(number >> place) % len(names)],
                "task": f"do {place}",
                "depends_on": [f"{request.turn}{place - 1}"] if place and number % 2 else [],
            }
            for place in range((number + 1) % 4)
        ]
        return json.dumps({"steps": steps, "answer": "" if steps else "done"})

    def functions(self) -> Mapping[str, Callable[..., object]]:
        def pick(request: str, agents: JsonObject) -> str | None:
            number = self.number("pick", request)
            return None if number % 5 == 0 else list(agents)[number % len(agents)]

        def choose(conversation: Sequence[Json], agents: JsonObject) -> str | None:
            number = self.number("choose", conversation)
            return None if number % 4 == 0 else list(agents)[number % len(agents)]

        def odd(conversation: Sequence[Json]) -> bool:
            return self.number("odd", conversation) % 2 == 1

        return {"pick": pick, "choose": choose, "odd": odd}


def staged(tree: Tree) -> Stage:
    moody = Moody(tree.seed)

    async def rerun(_request: JsonObject) -> Json:
        return "rerun"

    tools = [
        tool("look", lambda arguments: f"saw {moody.number(arguments) % 10}", idempotent=True),
        tool("write", lambda arguments: f"wrote {moody.number(arguments) % 10}"),
    ]
    return Stage(
        root=tree.root,
        says={"*": moody.says},
        tools={one.name: tools for one in tree.root.walk()},
        functions=moody.functions(),
        ask=rerun,
    )


FAST = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@FAST
@given(trees(), st.data())
def test_random_teams_end_within_their_limits_and_resume_to_the_same_end(
    tree: Tree, data: st.DataObject
) -> None:
    """That every call is answered once, and every request one that providers take, the model asserts."""
    whole = play(staged(tree))
    assert whole.ended.ev in ("run.completed", "run.failed", "run.limit")
    assert len(whole.order) < MOST_CALLS
    if whole.ended.ev == "run.completed":
        assert whole.answer.strip()
        assert whole.path[0] == tree.root.name
    for _ in range(3):
        cut = data.draw(st.integers(min_value=1, max_value=len(whole.records) - 1))
        kept = whole.records[:cut]
        resumed = play(staged(tree), kept)
        assert end_of(resumed) == end_of(whole)
        finished = {(one.ev, one.step) for one in kept if is_work(one)}
        assert not {(one.ev, one.step) for one in resumed.records[cut:] if is_work(one)} & finished


def test_every_decision_is_on_record_once() -> None:
    ran = play(five_levels())
    steps = [one.step for one in ran.events("decision.completed")]
    assert len(steps) == len(set(steps))
    assert {as_text(one.data["by"]) for one in ran.events("decision.completed")} == {"model", "rotation"}
    assert all(as_list(one.data["among"]) for one in ran.events("decision.completed"))


def test_what_is_random_is_the_same_for_the_same_seed() -> None:
    tree = Tree(agent("root", strategy=Random(seed=1, turns=3), agents=leaves("a", "b")), 7)
    assert end_of(play(staged(tree))) == end_of(partial(play, staged(tree))())
