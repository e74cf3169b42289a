"""What is told of functions where nothing of the team may be imported."""

from __future__ import annotations

from pathlib import Path

from agentctl.api.teams import validate

TEAM = """\
name: desk
model: offline
strategy: {type: router, by: "json:loads"}
agents:
  - {name: one, instructions: Orders., tools: ["os:system", "./nofile.py:f", "nomodule.sub:f"]}
  - {name: two, instructions: Bills., tools: ["tools:look", "./tools.py:look", "pack.below:look"]}
"""
TRAP = "raise SystemExit('imported')\n"


def test_what_shows_without_running_anything_is_told(tmp_path: Path) -> None:
    (tmp_path / "team.yaml").write_text(TEAM)
    (tmp_path / "tools.py").write_text(TRAP)
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text(TRAP)
    report = validate([tmp_path / "team.yaml"], imports=False, environ={})
    assert [(found.span.line, found.code) for found in report if found.severity == "error"] == [
        (3, "standard-library"),
        (5, "standard-library"),
        (5, "module-missing"),
        (5, "module-missing"),
    ]
