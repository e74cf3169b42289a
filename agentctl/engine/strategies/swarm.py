"""swarm: members are peers; the one that is active passes control on, or answers and so ends it.

A member's own transfer comes first; the rules of `handoff_when` are tried where it answered instead.
"""

from __future__ import annotations

import re
from collections import Counter

from agentctl.engine.crew import Crew
from agentctl.engine.steps import Steps
from agentctl.engine.strategies.common import concluded, limit_reached, names, next_task, run_member
from agentctl.engine.task import Answer, Passed, Said, Task
from agentctl.engine.transfers import PREFIX
from agentctl.errors import LimitReached
from agentctl.spec.strategies import HandoffRule, Swarm
from agentctl.spec.team import Agent

_THERE_AND_BACK = 3


async def swarm(agent: Agent, options: Swarm, task: Task, steps: Steps, _crew: Crew) -> Answer:
    return await _Swarm(agent, options, task, steps).run()


class _Swarm:
    def __init__(self, agent: Agent, options: Swarm, task: Task, steps: Steps) -> None:
        self.agent = agent
        self.options = options
        self.task = task
        self.steps = steps
        self.active = options.start or agent.agents[0].name
        self.said: list[Said] = []
        self.visits: Counter[str] = Counter()
        self.handoffs = 0
        self.rally = _Rally()

    async def run(self) -> Answer:
        note: Said | None = None
        while True:
            answer = await self._turn(note)
            passed, rule = answer.transfer, None
            if passed is None:
                rule = self._rule(answer)
                passed = Passed(agent=rule.to, message="", reason=_because(rule)) if rule else None
            if passed is None:
                return concluded(self.agent, answer, self.said)
            await self._pass_on(passed, answer, by_rule=rule is not None)
            note = Said(agent=self.active, text=passed.message) if passed.message else None
            self.active = passed.agent

    async def _turn(self, note: Said | None) -> Answer:
        self.visits[self.active] += 1
        given = next_task(
            self.agent, self.active, self.task, self.said, note=note, peers=self._peers(self.active)
        )
        answer = await run_member(self.active, self.visits[self.active], given, self.steps)
        self.said.append(answer.by(self.active))
        return answer

    def _peers(self, member: str) -> list[str]:
        """Whom a member may pass to: anybody, unless the file has `transitions`."""
        transitions = self.options.transitions
        allowed = names(self.agent) if transitions is None else transitions.get(member, ())
        return [name for name in allowed if name != member]

    def _rule(self, answer: Answer) -> HandoffRule | None:
        fitting = (
            rule
            for rule in self.options.handoff_when
            if rule.from_ in (None, self.active) and rule.to != self.active and _holds(rule, answer)
        )
        return next(fitting, None)

    async def _pass_on(self, passed: Passed, answer: Answer, *, by_rule: bool) -> None:
        if self.handoffs == self.options.max_handoffs:
            raise limit_reached(self.agent, "max_handoffs", self.handoffs, "hand-off", self._last())
        if self.rally.counts(self.active, passed.agent, answer) == _THERE_AND_BACK:
            raise self._repetition(passed.agent)
        self.handoffs += 1
        await self.steps.decide(
            f"handoff-{self.handoffs}",
            chosen=[passed.agent],
            among=names(self.agent) if by_rule else self._peers(self.active),
            by="rule" if by_rule else "model",
            reason=passed.reason or passed.message,
        )

    def _last(self) -> str:
        return next((one.text for one in reversed(self.said) if one.text.strip()), "")

    def _repetition(self, to: str) -> LimitReached:
        return LimitReached(
            f"agents '{self.active}' and '{to}' of '{self.agent.name}' passed control to each other and "
            f"back {_THERE_AND_BACK} times without a new tool result",
            limit="repetition",
            answer=self._last() or None,
            agent=self.agent.name,
            hint="say in their instructions who answers what or restrict `transitions`; go on with --with",
        )


class _Rally:
    """Counts how often the same two members passed control there and back, with nothing learned between."""

    def __init__(self) -> None:
        self._pair: frozenset[str] = frozenset()
        self._passes = 0
        self._seen: set[tuple[str, str]] = set()

    def counts(self, from_: str, to: str, answer: Answer) -> int:
        """The rounds that are complete with this pass."""
        results = set(_tool_results(answer))
        pair = frozenset((from_, to))
        if results - self._seen or pair != self._pair:
            self._passes = 0
        self._seen |= results
        self._pair = pair
        self._passes += 1
        return self._passes // 2


def _holds(rule: HandoffRule, answer: Answer) -> bool:
    if rule.text is not None:
        return rule.text in answer.text
    if rule.regex is not None:
        return re.search(rule.regex, answer.text) is not None
    return any(
        tool == rule.tool and (rule.contains is None or rule.contains in text)
        for tool, text in _tool_results(answer)
    )


def _because(rule: HandoffRule) -> str:
    if rule.text is not None:
        return f"the answer contains '{rule.text}'"
    if rule.regex is not None:
        return f"the answer matches '{rule.regex}'"
    return f"tool '{rule.tool}' was called" + (f" and gave '{rule.contains}'" if rule.contains else "")


def _tool_results(answer: Answer) -> list[tuple[str, str]]:
    """(tool, text) of every result of the turn; transfers are none."""
    called = {call.id: call.name for message in answer.exchanges for call in message.calls}
    found = [(called.get(one.call_id, ""), one.text) for one in answer.exchanges if one.role == "tool"]
    return [(name, text) for name, text in found if not name.startswith(PREFIX)]
