"""What the models of a recorded run were sent, for whoever looks at it: as much as can still be told."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from agentctl.api.looking import run_folder
from agentctl.api.own_team import own_team, run_inputs
from agentctl.api.retracing import sent_to_models
from agentctl.diagnostics import Report
from agentctl.errors import AgentctlError
from agentctl.journal.reading import read_run
from agentctl.jsontypes import JsonObject, as_list, as_object, as_text
from agentctl.spec.given import with_inputs


def sent_messages(
    run_id: str | None = None, *, runs_dir: str | Path | None = None
) -> Mapping[str, Sequence[JsonObject]]:
    """The messages of each model call, by its step, as `Message.as_json` has them.

    The run's own team is read again and its tools are imported; where that fails, nothing is told.
    """
    path = run_folder(run_id, runs_dir=runs_dir)
    header, records, _ = read_run(path)
    try:
        team = with_inputs(own_team(path, header, Report(), keys=False), run_inputs(header, records))
        asked = asyncio.run(sent_to_models(team, {**header, "run_id": path.name}, records))
    except AgentctlError:
        return {}
    return {
        record.step: [as_object(message) for message in as_list(args.get("messages"))]
        for record in records
        if record.ev == "model.started"
        if (args := asked.get(as_text(record.data.get("in")))) is not None
    }
