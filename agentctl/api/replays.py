"""What a run is replayed from: a file, or another run, which is written out as a file beside its journal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from agentctl.api.looking import run_folder
from agentctl.api.own_team import own_team, run_inputs
from agentctl.api.recordings import recorded, write_recording
from agentctl.diagnostics import Report
from agentctl.engine.functions import World
from agentctl.engine.people import Ask
from agentctl.engine.replayed import ReplayedWorld, answering, at_once
from agentctl.errors import RunNotFound
from agentctl.journal.reading import read_run
from agentctl.jsontypes import Json, JsonObject, as_object, as_text
from agentctl.models.model import Model
from agentctl.models.recording import Recording
from agentctl.models.recording_file import read_recording
from agentctl.models.replay import ReplayModel, Tape
from agentctl.spec.resolve import with_inputs

Tools: TypeAlias = Literal["recorded", "live"]
Missing: TypeAlias = Literal["error", "live"]
OF_RUN: Final = "recording.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """`missing` says what becomes of calls that were not recorded. `file` is absolute."""

    recording: Recording
    file: Path
    tools: Tools = "recorded"
    missing: Missing = "error"

    def as_json(self) -> JsonObject:
        """For the header of the replayed run, which is resumed with the same."""
        return {"file": str(self.file), "tools": self.tools, "missing": self.missing}

    @classmethod
    def from_json(cls, value: Json) -> Replay | None:
        found = as_object(value)
        if not found:
            return None
        return open_replay(
            as_text(found.get("file")),
            tools="live" if found.get("tools") == "live" else "recorded",
            missing="live" if found.get("missing") == "live" else "error",
        )

    @property
    def model(self) -> str:
        return f"recording:{self.file}"

    def models(self, opened: Mapping[str, Model]) -> Mapping[str, Model]:
        """One tape for all of them. Live ones are asked what was not recorded; where that is an error,
        models that are no recordings answer in its place, as a test may want it for some agents.
        """
        tape = Tape(self.recording)
        if self.missing == "live":
            return {name: ReplayModel(model.id, tape, model) for name, model in opened.items()}
        return {
            name: ReplayModel(model.id, tape) if isinstance(model, ReplayModel) else model
            for name, model in opened.items()
        }

    def world(self, world: World) -> World:
        return ReplayedWorld(
            crew=world.crew,
            models=world.models,
            functions=world.functions,
            inputs=world.inputs,
            state=world.state,
            redact=world.redact,
            spill=world.spill,
            spilled=world.spilled,
            keep=world.keep,
            pause=at_once if self.missing == "error" else world.pause,
            recording=self.recording,
            live_tools=self.tools == "live",
            fill_gaps=self.missing == "live",
        )

    def ask(self, ask: Ask | None) -> Ask:
        return answering(self.recording, ask)


def open_replay(path: str | Path, *, tools: Tools = "recorded", missing: Missing = "error") -> Replay:
    """Raises `UsageError` where the file is no recording."""
    file = Path(os.path.normpath(Path(path).absolute()))
    return Replay(recording=read_recording(file, shown=str(path)), file=file, tools=tools, missing=missing)


async def find_replay(
    named: str, *, runs_dir: str | Path | None, tools: Tools = "recorded", missing: Missing = "error"
) -> Replay:
    """`named` is a file, else the id of a run. Raises `UsageError` or `RunNotFound`."""
    if _is_file(named):
        return open_replay(named, tools=tools, missing=missing)
    try:
        folder = run_folder(named, runs_dir=runs_dir)
    except RunNotFound as error:
        error.hint = f'there is no file "{named}" either; {error.hint}'
        raise
    return open_replay(await _written(folder), tools=tools, missing=missing)


def _is_file(named: str) -> bool:
    return Path(named).is_file()


async def record_run(folder: Path, file: Path) -> None:
    """Writes the recording of the run in `folder`, as far as it has come."""
    header, records, _ = read_run(folder)
    team = with_inputs(own_team(folder, header, Report(), keys=False), run_inputs(header, records))
    write_recording(await recorded(team, header, records, path=str(file)), team, file)


async def _written(folder: Path) -> Path:
    await record_run(folder, folder / OF_RUN)
    (folder / OF_RUN).chmod(0o600)
    return folder / OF_RUN
