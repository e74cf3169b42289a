"""stop_if: whether a chain or a round of turns ends with the answer it has now."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentctl.engine.steps import Call, Decider, Steps
from agentctl.engine.strategies.common import function_args, names, transcript
from agentctl.engine.task import Said, Task
from agentctl.jsontypes import canonical
from agentctl.spec.strategies import StopIf
from agentctl.spec.team import Agent


async def stops(
    agent: Agent, stop_if: StopIf | None, key: str, task: Task, said: Sequence[Said], steps: Steps
) -> bool:
    """An end is put on record under `key` as a decision.

    `text` and `regex` judge the last of what was said alone; a function is given the conversation.
    """
    if stop_if is None:
        return False
    last = said[-1]
    if stop_if.function is not None:
        args = function_args(stop_if.function, transcript(task, said))
        returned = await steps.step(Call(key=f"{key}/stop-if", function="function", args=args))
        held = bool(returned)
        reason = f"ends here: {stop_if.function.target} returned {canonical(returned)[:100]}"
    elif stop_if.regex is not None:
        held = re.search(stop_if.regex, last.text) is not None
        reason = f"ends here: the answer of '{last.agent}' matches '{stop_if.regex}'"
    else:
        held = stop_if.text is not None and stop_if.text in last.text
        reason = f"ends here: the answer of '{last.agent}' contains '{stop_if.text}'"
    if held:
        by: Decider = "function" if stop_if.function else "rule"
        await steps.decide(f"{key}/stop", chosen=[], among=names(agent), by=by, reason=reason)
    return held
