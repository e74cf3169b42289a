"""handoff: the parent's model picks a specialist by calling its transfer tool, and that answer stands.

With several transfers in a turn, or `final: supervisor`, the answers return to the parent's loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from agentctl.engine.calls import ToolOutcome
from agentctl.engine.crew import Crew
from agentctl.engine.loop import Loop
from agentctl.engine.steps import Delegation, Failed, Steps
from agentctl.engine.strategies.common import limit_reached, member_task
from agentctl.engine.task import Answer, Said, Task, forwarded
from agentctl.engine.transfers import (
    Refused,
    Transfer,
    is_transfer,
    read_transfer,
    record_refusals,
    transfer_tool,
)
from agentctl.errors import ExecutionFailed
from agentctl.models.messages import Reply, ToolCall
from agentctl.spec.strategies import Handoff
from agentctl.spec.team import Agent

_MUST_TRANSFER = "Do not answer yourself: pass the request on by calling one of the transfer tools."


async def handoff(agent: Agent, options: Handoff, task: Task, steps: Steps, crew: Crew) -> Answer:
    return await _Desk(agent, options, task, steps, crew).run()


class _Desk:
    def __init__(self, agent: Agent, options: Handoff, task: Task, steps: Steps, crew: Crew) -> None:
        self.agent = agent
        self.options = options
        self.task = task
        self.steps = steps
        self.transfers = [transfer_tool(member, crew, message_required=False) for member in agent.agents]
        self.loop = Loop(agent, task, steps, crew, self.transfers)
        self.said: list[Said] = []
        self.visits: Counter[str] = Counter()
        self.latest: tuple[str, str] | None = None

    async def run(self) -> Answer:
        reply = await self._first_turn()
        while True:
            final = await self._follow(reply) if reply.calls else await self._own(reply)
            if final is not None:
                return final
            reply = await self.loop.turn()

    async def _own(self, reply: Reply) -> Answer | None:
        """The supervisor's own answer, unless it may not stand as it is."""
        answer = await self.loop.settled(reply.text)
        if answer is None:
            return None
        if not self.visits:
            await self._answered_itself()
        return replace(answer, said=tuple(self.said), exchanges=())

    async def _first_turn(self) -> Reply:
        reply = await self.loop.turn()
        if reply.calls or not self.options.required:
            return reply
        self.loop.say(_MUST_TRANSFER)
        reply = await self.loop.turn(required=True)
        if not reply.calls:
            raise ExecutionFailed(
                f"agent '{self.agent.name}' must transfer (required: true) but answered itself twice",
                rule="transfer-required",
                hint="set `required: false`, use `strategy: router`, or try another model",
            )
        return reply

    async def _answered_itself(self) -> None:
        await self.steps.decide(
            f"turn-{self.loop.turns}/itself",
            chosen=[self.agent.name],
            among=[self.agent.name, *(member.name for member in self.agent.agents)],
            by="model",
            reason="answered itself",
        )

    async def _follow(self, reply: Reply) -> Answer | None:
        """Runs the tools and transfers of one turn; the specialist's answer where that is the end."""
        outcomes = await self.loop.run_tools([call for call in reply.calls if not is_transfer(call)])
        found = [
            read_transfer(call, place, self.transfers, message_required=False)
            for place, call in enumerate(reply.calls, start=1)
            if is_transfer(call)
        ]
        refused = [item for item in found if isinstance(item, Refused)]
        wanted = self._without_repeats([item for item in found if isinstance(item, Transfer)], refused)
        outcomes |= {item.call.id: ToolOutcome(text=item.problem, error=True) for item in refused}
        members = [member.name for member in self.agent.agents]
        await record_refusals(refused, reply.calls, members, f"turn-{self.loop.turns}", self.steps)
        if self._ends(found, wanted):
            return await self._pass_on(wanted[0], reply, outcomes)
        outcomes |= await self._consult(wanted, reply.text)
        self.loop.close_turn(reply.calls, outcomes)
        return None

    def _ends(self, found: Sequence[Transfer | Refused], wanted: Sequence[Transfer]) -> bool:
        """One specialist is asked, and beside it at the most the same again: nothing is left to answer."""
        readable = all(isinstance(item, Transfer) for item in found)
        return readable and len(wanted) == 1 and self.options.final == "specialist"

    def _without_repeats(self, wanted: list[Transfer], refused: list[Refused]) -> list[Transfer]:
        kept = []
        for transfer in wanted:
            this = (transfer.agent, transfer.message)
            if this == self.latest:
                problem = f"'{transfer.agent}' was just given the same message; use its answer."
                refused.append(Refused(call=transfer.call, problem=problem))
            else:
                kept.append(transfer)
            self.latest = this
        return kept

    async def _pass_on(self, transfer: Transfer, reply: Reply, outcomes: dict[str, ToolOutcome]) -> Answer:
        note = "\n".join([transfer.message, *_results(reply.calls, outcomes)]).strip()
        delegation = await self._delegation(transfer, note, reply.text, absorb=False)
        answer = Answer.from_json(await self.steps.delegate(delegation))
        return forwarded(self.agent.name, answer, [*self.said, answer.by(transfer.agent)])

    async def _consult(self, wanted: Sequence[Transfer], beside: str) -> dict[str, ToolOutcome]:
        needs = self.visits.total() + len(wanted)
        delegations = [
            await self._delegation(transfer, transfer.message, beside, absorb=True, needs=needs)
            for transfer in wanted
        ]
        outcomes: dict[str, ToolOutcome] = {}
        for transfer, outcome in zip(wanted, await self.steps.gather(delegations), strict=True):
            if isinstance(outcome, Failed):
                problem = f"'{transfer.agent}' failed: {outcome.error}"
                outcomes[transfer.call.id] = ToolOutcome(text=problem, error=True)
                continue
            answer = Answer.from_json(outcome.value)
            self.said.append(answer.by(transfer.agent))
            outcomes[transfer.call.id] = ToolOutcome(text=answer.text)
        return outcomes

    async def _delegation(
        self, transfer: Transfer, note: str, beside: str, *, absorb: bool, needs: int = 0
    ) -> Delegation:
        most = self.options.max_handoffs
        if self.visits.total() >= most:
            raise limit_reached(self.agent, "max_handoffs", most, "hand-off", needs=needs)
        self.visits[transfer.agent] += 1
        await self.steps.decide(
            f"turn-{self.loop.turns}/call-{transfer.place}.{transfer.call.name}",
            chosen=[transfer.agent],
            among=[member.name for member in self.agent.agents],
            by="model",
            reason=transfer.reason,
        )
        beside_said = [Said(agent=self.agent.name, text=beside)] if beside.strip() else []
        return Delegation(
            key=f"{transfer.agent}.{self.visits[transfer.agent]}",
            agent=transfer.agent,
            absorb=absorb,
            task=member_task(
                self.agent,
                transfer.agent,
                default="conversation",
                request=self.task.request,
                conversation=[*self.task.inherited, *self.said, *beside_said],
                note=Said(agent=self.agent.name, text=note) if note else None,
            ),
        )


def _results(calls: Sequence[ToolCall], outcomes: dict[str, ToolOutcome]) -> list[str]:
    """The results of the parent's own tools, as lines of the note to the specialist."""
    return [f"Result of {call.name}: {outcomes[call.id].text}" for call in calls if call.id in outcomes]
