"""Keeps a finished run of every strategy as format-N goldens: `python tests/journal/keep_golden.py`.

Run once for each format that is released; a released golden is never written again.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

import agentctl  # noqa: E402 - with its neighbour
from agentctl.journal.disk import SystemDisk  # noqa: E402
from agentctl.journal.header import read_header, write_header  # noqa: E402
from agentctl.journal.records import FORMAT  # noqa: E402
from chaos.casts import NINE, Cast  # noqa: E402 - found through the line above

GOLDEN = TESTS / "journal" / "golden" / f"runs-{FORMAT}"


def keep(cast: Cast) -> None:
    """With a folder that is nowhere, so that a resume takes the modules of where it runs."""
    with tempfile.TemporaryDirectory() as name:
        team = Path(name) / "team"
        cast.write(team)
        os.chdir(team)
        view = asyncio.run(agentctl.run(".", "What now?", run_id="r1", runs_dir=Path(name)))
        assert view.status == "completed", view.error
        kept = GOLDEN / cast.name
        kept.mkdir(parents=True, exist_ok=True)
        run = Path(name) / "r1"
        header = {**read_header(run), "folder": "/nowhere", "path": "team.yaml"}
        write_header(SystemDisk(), kept, header, (run / "team.yaml").read_text("utf-8"))
        (kept / "journal.jsonl").write_bytes((run / "journal.jsonl").read_bytes())


if __name__ == "__main__":
    for each in NINE:
        keep(each)
