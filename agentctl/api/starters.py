"""A new team to start from: the sample team of a strategy, in a folder where nothing else is touched.

The samples ship with agentctl, in the wheel beside the code, else in the source tree. It runs nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.errors import UsageError
from agentctl.schemafiles import schema_text
from agentctl.spec.strategies import STRATEGIES, StrategyName

_CODE: Final = Path(__file__).resolve().parents[1]
_FOLDERS: Final = (_CODE / "teams", _CODE.parent / "teams")
_SAMPLES: Final[Mapping[StrategyName, str]] = {
    "handoff": "support",
    "router": "router",
    "sequential": "review_chain",
    "parallel": "panel",
    "swarm": "swarm",
    "round_robin": "editor_critic",
    "random": "ab_test",
    "plan_execute": "research_plan",
    "manual": "dispatch",
}
_SCHEMA: Final = "team.schema.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter:
    """`files` are those written; `question` is one that the team has an answer to."""

    folder: Path
    files: tuple[Path, ...]
    question: str


def start_team(folder: str | Path, strategy: str = "handoff") -> Starter:
    """Writes `team.yaml` with tests, its tools in Python and the schema that editors check it by.

    Raises `UsageError`, and writes nothing, for an unknown strategy, where one of the files is there
    already, and where none can be written.
    """
    place = Path(folder)
    texts = _texts(strategy)
    if place.exists() and not place.is_dir():
        raise UsageError(
            f"'{folder}' is there already, and no folder", hint="name another: agentctl init DIR"
        )
    there = [name for name in texts if os.path.lexists(place / name)]
    if there:
        names = " and ".join(f"'{place / name}'" for name in there)
        hint = "nothing was written; name another folder: agentctl init DIR"
        raise UsageError(f"{names} {'is' if len(there) == 1 else 'are'} there already", hint=hint)
    try:
        _write(place, texts)
    except OSError as error:
        cause = error.strerror or str(error)
        where = error.filename or place
        hint = "nothing was left there; name another folder: agentctl init DIR"
        raise UsageError(f"cannot write '{where}': {cause}", hint=hint) from error
    return Starter(folder=place, files=tuple(place / name for name in texts), question=_question(place))


def _texts(strategy: str) -> dict[str, str]:
    sample = next((name for known, name in _SAMPLES.items() if known == strategy), None)
    if sample is None:
        near = nearest(strategy, STRATEGIES)
        hint = f"did you mean '{near}'?" if near else f"it is one of {', '.join(STRATEGIES)}"
        raise UsageError(f"there is no strategy '{strategy}'", hint=hint)
    source = next(there for there in _FOLDERS if (there / sample).is_dir()) / sample
    _, team = (source / "team.yaml").read_text(encoding="utf-8").split("\n", 1)
    return {
        "team.yaml": f"# yaml-language-server: $schema={_SCHEMA}\n{team}",
        "tools.py": (source / "tools.py").read_text(encoding="utf-8"),
        _SCHEMA: schema_text("team"),
    }


def _write(place: Path, texts: Mapping[str, str]) -> None:
    """All of them or none: what stands in the way by now is left as it is."""
    made = [folder for folder in (place, *place.parents) if not folder.exists()]
    written: list[Path] = []
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            with (place / name).open("x", encoding="utf-8") as file:
                written.append(place / name)
                file.write(text)
    except BaseException:
        with suppress(OSError):
            for path in written:
                path.unlink()
            for folder in made:
                folder.rmdir()
        raise


def _question(place: Path) -> str:
    """That of the team's first test."""
    from agentctl.api.team import load_team

    return load_team(place).spec.tests[0].question
