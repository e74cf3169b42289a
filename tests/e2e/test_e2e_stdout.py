"""Stdout holds the answer and nothing else, whatever tools do."""

from __future__ import annotations

from e2e.command import Desk

TEAM = """
name: solo
model: script:script.yaml
tools: [{function: "tools:noise", idempotent: true}]
"""
SCRIPT = """
agents:
  solo:
    - calls: [{name: noise}]
    - The answer.
"""
TOOLS = '''
import os, subprocess, sys

print("at import")

def noise() -> str:
    """Makes noise."""
    print("printed")
    subprocess.run([sys.executable, "-c", "print(\'a program\')"], check=True)
    os.write(1, b"raw bytes")
    return "quiet"
'''


def test_only_the_answer_reaches_stdout(desk: Desk) -> None:
    for name, text in (("team.yaml", TEAM), ("script.yaml", SCRIPT), ("tools.py", TOOLS)):
        (desk.folder / name).write_text(text, "utf-8")
    done = desk("run", ".", "Go")
    assert (done.returncode, done.stdout) == (0, "The answer.\n")
    assert "a program" in done.stderr
    assert "raw bytes" in done.stderr
    assert '"printed":"printed\\n"' in (desk.runs[0] / "journal.jsonl").read_text("utf-8")
    validated = desk("validate", "--json", ".")
    assert validated.stdout.startswith("{")
