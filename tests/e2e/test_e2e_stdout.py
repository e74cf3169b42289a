"""Stdout holds the answer and nothing else, whatever tools do."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from e2e.command import BALANCE, SUPPORT, Desk

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


@pytest.mark.parametrize("sink", ["closed pipe", "full disk"])
def test_nobody_has_to_read_stderr(desk: Desk, sink: str) -> None:
    if sink == "full disk":
        nowhere = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, nowhere = os.pipe()
        os.close(reader)
    words = [sys.executable, "-m", "agentctl", "run", str(SUPPORT), BALANCE]
    done = subprocess.run(
        words, cwd=desk.folder, env=desk.environment(), stdout=-1, stderr=nowhere, text=True, check=False
    )
    os.close(nowhere)
    assert (done.returncode, done.stdout) == (0, "The balance of account ACC-123 is 5432.10 USD.\n")


@pytest.mark.parametrize(
    "words",
    [
        ("nowhere", "hello"),
        (str(SUPPORT), ""),
        (str(SUPPORT), "a", "--input", "b=c"),
        (str(SUPPORT), "a", "--bogus"),
    ],
)
def test_programs_are_told_what_keeps_a_run_from_starting(desk: Desk, words: tuple[str, ...]) -> None:
    done = desk("run", "--json", *words)
    assert done.returncode == 2
    result = json.loads(done.stdout)
    assert (result["status"], result["error"]["code"]) == ("failed", "usage")
    events = desk("run", "--events", *words)
    assert events.returncode == 2
    last = json.loads(events.stdout.splitlines()[-1])
    assert last == {"ev": "run.finished", "status": "failed", "answer": None, "error": result["error"]}
