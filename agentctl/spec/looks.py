"""What a file looks like by its name and the keys at its top: a team, tests, a recording.

It is a guess for files that nobody named as such; whoever reads one tells what is wrong with it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from agentctl.diagnostics import Report
from agentctl.document.encoding import decode

ENDING: Final = ".test.yaml"
_READ: Final = 1_000_000


def _key(*names: str) -> re.Pattern[str]:
    return re.compile(rf"^(\ufeff)?[\"']?({'|'.join(names)})[\"']?\s*:", re.MULTILINE)


_NAME: Final = _key("name")
_OWN: Final = _key("agents", "sub_agents", "instructions?", "strategy")
_TESTS: Final = _key("tests")
_RECORDING: Final = _key("recording")


def is_test_file(path: Path) -> bool:
    return path.name.endswith(ENDING) and path.name != ENDING


def head(path: Path) -> str:
    """The text that is looked at, in whichever encoding; empty where there is no readable file."""
    try:
        with path.open("rb") as file:
            source = decode(file.read(_READ), path=str(path), report=Report())
    except OSError:
        return ""
    return source.text if source else ""


def is_like_a_team(text: str) -> bool:
    return _NAME.search(text) is not None and _OWN.search(text) is not None


def is_like_tests(text: str) -> bool:
    return _TESTS.search(text) is not None


def is_like_a_recording(text: str) -> bool:
    return _RECORDING.search(text) is not None and not is_like_a_team(text)
