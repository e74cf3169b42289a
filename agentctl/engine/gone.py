"""Executions on record that the team has no more: an agent of theirs was renamed, moved or removed.

Read off the records and the team's members alone; what a strategy would do with them is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentctl.journal.records import Record
from agentctl.jsontypes import as_text
from agentctl.spec.team import Agent


class Gone:
    """Holds the ids of such executions. Without a revision there are none."""

    def __init__(self, root: Agent, records: Iterable[Record]) -> None:
        self._places = {agent.name: agent for agent in root.walk()}
        self._root = root.name
        self._started = {
            record.step: (as_text(record.data.get("agent")), as_text(record.data.get("parent")))
            for record in records
            if record.ev == "execution.started"
        }
        self._known: dict[str, bool] = {"": False}

    def __contains__(self, execution: str) -> bool:
        if execution not in self._known:
            self._known[execution] = self._is_gone(execution)
        return self._known[execution]

    def agent(self, execution: str) -> str:
        """Whose execution it is; empty for one that is not on record."""
        return self._started.get(execution, ("", ""))[0]

    def _is_gone(self, execution: str) -> bool:
        if execution not in self._started:
            return False
        agent, parent = self._started[execution]
        if not parent:
            return agent != self._root
        above = self._places.get(self.agent(parent))
        return parent in self or above is None or above.member(agent) is None
