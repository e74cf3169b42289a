"""What an examination found: of each thing whether it is there, and of each setting where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agentctl.jsontypes import JsonObject

State: TypeAlias = Literal["ok", "note", "missing", "wrong"]
"""`note` keeps nothing from running; `wrong` is the team file's fault, `missing` is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`mend` is a command where there is one, else what to do. No value of a key stands in any of it."""

    about: str
    state: State = "ok"
    message: str
    mend: str | None = None

    def as_json(self) -> JsonObject:
        found: JsonObject = {"about": self.about, "state": self.state, "message": self.message}
        return {**found, "mend": self.mend} if self.mend else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """`source` is the flag, the variable, the place in the team file or `default`: whichever won."""

    name: str
    value: str
    source: str

    def as_json(self) -> JsonObject:
        return {"name": self.name, "value": self.value, "source": self.source}


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    findings: tuple[Finding, ...]
    settings: tuple[Setting, ...]

    @property
    def exit_code(self) -> int:
        """0 where nothing is missing, 1 where something is, 2 where the team file is wrong."""
        states = {finding.state for finding in self.findings}
        return 2 if "wrong" in states else 1 if "missing" in states else 0

    @property
    def lacks(self) -> Iterator[Finding]:
        return (finding for finding in self.findings if finding.state in ("missing", "wrong"))

    def as_json(self) -> JsonObject:
        return {
            "ok": self.exit_code == 0,
            "findings": [finding.as_json() for finding in self.findings],
            "settings": [setting.as_json() for setting in self.settings],
        }
