"""The run of a failing test, kept like any other run, so that `agentctl show` can tell what happened."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agentctl.api.equip import team_secrets
from agentctl.api.literals import kept_text
from agentctl.api.rehearsal import Rehearsal
from agentctl.journal.directory import create_run, open_run
from agentctl.journal.ledger import Clock
from agentctl.journal.records import Record
from agentctl.jsontypes import as_text
from agentctl.spec.read import team_environ
from agentctl.spec.team import Team

PLACE: Final = Path(".agentctl") / "test-runs"


async def keep(rehearsal: Rehearsal, team: Team, folder: Path) -> str:
    """The command that shows the run, written below `folder`. Raises AgentctlError where it cannot be."""
    header = {key: value for key, value in rehearsal.header.items() if key not in ("run_id", "team")}
    kept = kept_text(team, team_secrets(team, team_environ(team.folder, os.environ)))
    place = create_run(
        folder / PLACE,
        run_id=None,
        team=team.root.name,
        header={**header, "typed": True} if kept.typed else header,
        team_yaml=kept.text,
        now=datetime.now(UTC),
    )
    times = _Times(rehearsal.records)
    journal = open_run(place.path, clock=Clock(now=times.now, monotonic=times.monotonic))
    try:
        for record in rehearsal.records:
            times.at(record)
            data = {**record.data, "run_id": place.run_id} if "run_id" in record.data else record.data
            await journal.append(record.ev, record.step, data)
    finally:
        await journal.close()
    return shlex.join(["agentctl", "show", place.run_id, "--runs-dir", as_text(str(PLACE))])


class _Times:
    """A clock that stands where each record was made."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._ts = records[0].ts if records else 0.0
        self._t = 0.0

    def at(self, record: Record) -> None:
        self._ts, self._t = record.ts, record.t

    def now(self) -> float:
        return self._ts

    def monotonic(self) -> float:
        return self._t
