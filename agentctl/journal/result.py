"""`result.json` of a run directory: derived from the journal, and only as good as that."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from pathlib import Path

from agentctl.jsontypes import JsonObject


def write_result(folder: Path, result: JsonObject) -> None:
    """Replaces the file whole. What keeps it from being written takes nothing from the run."""
    draft = folder / f".result-{secrets.token_hex(4)}"
    with suppress(OSError):
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=2)
            file.write("\n")
        draft.replace(folder / "result.json")
