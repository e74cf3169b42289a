"""random: chance picks who has each turn; seed and draws are on record, so that a resume draws the same."""

from __future__ import annotations

from collections import Counter

from agentctl.engine.crew import Crew
from agentctl.engine.steps import Call, Steps
from agentctl.engine.strategies.common import concluded, names, next_task, run_member
from agentctl.engine.task import Answer, Said, Task
from agentctl.jsontypes import Json, JsonObject, as_object, as_text
from agentctl.spec.strategies import Random
from agentctl.spec.team import Agent


async def random(agent: Agent, options: Random, task: Task, steps: Steps, _crew: Crew) -> Answer:
    weights: dict[str, Json] = dict.fromkeys(names(agent), 1)
    if options.weights is not None:
        weights = {name: options.weights.get(name, 0) for name in weights}
    total = sum(options.weights.values()) if options.weights else len(weights)
    seed: Json = options.seed
    said: list[Said] = []
    visits: Counter[str] = Counter()
    for turn in range(1, options.turns + 1):
        args: JsonObject = {"seed": seed, "weights": weights, "turn": turn}
        drawn = as_object(await steps.step(Call(key=f"draw-{turn}", function="draw", args=args)))
        seed, chosen = drawn.get("seed"), as_text(drawn.get("chosen"))
        await steps.decide(
            f"turn-{turn}",
            chosen=[chosen],
            among=list(weights),
            by="chance",
            reason=f"weight {weights[chosen]} of {total:g}, seed {seed}",
        )
        visits[chosen] += 1
        answer = await run_member(chosen, visits[chosen], next_task(agent, chosen, task, said), steps)
        said.append(answer.by(chosen))
    return concluded(agent, answer, said)
