"""The vocabulary of the journal: what a record holds, whatever it is kept in.

| ev | data |
|---|---|
| run.started, run.resumed | agentctl, run_id, format (started only), limits? (set by the command) |
| run.completed | answer, agent, path, answers? (by agent, if several), left_out? (by revisions: executions) |
| run.failed, run.limit | error, answer? (the last there was) |
| run.waiting | waiting_for |
| run.interrupted, run.cancelled | |
| execution.started | agent, parent, attempt, strategy?, request? (if not the parent's), note?, seen |
| execution.completed | answer, agent, path, transfer? (of a swarm member: agent, message, reason) |
| execution.failed | error, cause (step, rule, limit), absorbed? |
| decision.completed | chosen, among, by, reason |
| model.started | in, agent, model, settings, messages (how many), tools (names) |
| model.completed | in, out (a reply), pieces? (lengths in which its text streamed), ms |
| tool.started | in, agent, tool, arguments, key |
| tool.completed | in, out (text, error?), state?, printed?, spilled?, files?, reused?, ms |
| listing.started, listing.completed | in, agent, asks (servers and globs); in, out (their tools), ms |
| function.started, function.completed | in, function, out, ms |
| <thing>.failed | in, error, ms: never an outcome, so the step is done again |
| tool.skipped | out: a person let a call in doubt rest |
| wait.started | in, request, asks? (the step it is known by), anew? (what was asked before is not it) |
| wait.completed | in, answer, ms |
| timer.started, timer.completed | deadline (Unix seconds) |
| revision.recorded | kind: team (file, sha256, path, folder, hash, inputs, typed?), rerun or retry |
| signal.received | kind, value, name (of its file); its step is the question's |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from agentctl.jsontypes import Json, JsonObject

FORMAT: Final = 1
_NUMBER: Final = (int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One line. `ts` is Unix seconds by the wall clock, `t` seconds since this process took up the run
    (monotonic), `batch` the write it was part of, which is the `seq` of that write's first record; `step`
    is empty for records of the run itself."""

    seq: int
    batch: int
    ts: float
    t: float
    ev: str
    step: str = ""
    data: JsonObject = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        """Flat, as it stands in the journal and in `--events`, without the checksum."""
        head: dict[str, Json] = {
            "seq": self.seq,
            "batch": self.batch,
            "ts": self.ts,
            "t": self.t,
            "ev": self.ev,
            "step": self.step,
        }
        return {**head, **self.data}

    @classmethod
    def from_json(cls, line: Mapping[str, Json]) -> Record:
        """Raises KeyError or TypeError where a field is missing or of another type."""
        data = dict(line)
        seq, batch, ev, step = data.pop("seq"), data.pop("batch"), data.pop("ev"), data.pop("step")
        ts, t = data.pop("ts"), data.pop("t")
        if not (isinstance(seq, int) and isinstance(batch, int)):
            raise TypeError("seq and batch are whole numbers")
        if not (isinstance(ev, str) and isinstance(step, str)):
            raise TypeError("ev and step are strings")
        if not (isinstance(ts, _NUMBER) and isinstance(t, _NUMBER)):
            raise TypeError("ts and t are numbers")
        data.pop("crc", None)
        return cls(seq=seq, batch=batch, ts=float(ts), t=float(t), ev=ev, step=step, data=data)
