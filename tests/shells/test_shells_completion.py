"""Tab pressed in the real bash, zsh and fish: what the scripts of `--show-completion` put on the line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from terminal import Terminal

pytestmark = pytest.mark.shells
SUPPORT = Path(__file__).parents[2] / "teams" / "support"
TABS = {
    "agentctl doc": "agentctl doctor ",
    "agentctl run de": "agentctl run desk ",
    "agentctl run folder/de": "agentctl run folder/desk ",
    "agentctl run fol": "agentctl run folder/",
    "agentctl run desk --mod": "agentctl run desk --model ",
    "agentctl run desk --model bil": "agentctl run desk --model billing=",
    "agentctl run desk --model billing=o": "agentctl run desk --model billing=offline ",
    "agentctl run desk --model=bil": "agentctl run desk --model=billing=",
    "agentctl init new --strategy roun": "agentctl init new --strategy round_robin ",
    "agentctl resume fir": "agentctl resume first-run ",
    "agentctl run desk x --after fir": "agentctl run desk x --after first-run ",
    "agentctl runs pr": "agentctl runs prune ",
    "agentctl runs rm sec": "agentctl runs rm second-run ",
    "agentctl show first-run --execution b": "agentctl show first-run --execution billing ",
    "agentctl nothing-like-this": "agentctl nothing-like-this",
}
"""What is typed before Tab, and what stands on the line after it."""
SHELLS = {
    "bash": (("bash", "-i"), 'bind -x \'"\\C-g": printf "[%s]\\n" "$READLINE_LINE"\''),
    "zsh": (("zsh", "-i"), "show() { print -r -- \"[$BUFFER]\" }; zle -N show; bindkey '^G' show"),
    "fish": (("setsid", "--ctty", "--wait", "fish"), 'bind \\cg \'echo "["(commandline)"]"\''),
}
"""How each is started, and how it is made to show its line when Ctrl-G is pressed."""


@pytest.fixture(scope="module")
def environ(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """`agentctl` on the path, in a home of its own that holds teams and runs."""
    home = tmp_path_factory.mktemp("home")
    program = home / "bin" / "agentctl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agentctl "$@"\n', "utf-8")
    program.chmod(0o755)
    for name in ("desk", "folder/desk"):
        shutil.copytree(SUPPORT, home / name)
    kept = {
        name: os.environ[name] for name in ("COVERAGE_PROCESS_CONFIG", "PYTHONPATH") if name in os.environ
    }
    found = {**kept, "PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(home), "LANG": "C.UTF-8"}
    for run in ("first-run", "second-run"):
        question = "What's the balance on account ACC-123?"
        command = ["agentctl", "run", "desk", question, "--run-id", run]
        subprocess.run(command, cwd=home, env=found, check=True, capture_output=True)
    return found


def called(command: list[str], environ: Mapping[str, str]) -> str:
    done = subprocess.run(
        command, cwd=environ["HOME"], env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def opened(environ: Mapping[str, str]) -> Iterator[Callable[..., Terminal]]:
    terminals: list[Terminal] = []

    def at_terminal(*command: str) -> Terminal:
        terminals.append(
            Terminal(
                command, Path(environ["HOME"]), {**environ, "TERM": "dumb", "COLUMNS": "200"}, whole=True
            )
        )
        return terminals[-1]

    yield at_terminal
    for terminal in terminals:
        terminal.close()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_installed_script_completes(
    shell: str, environ: Mapping[str, str], opened: Callable[..., Terminal]
) -> None:
    called(["agentctl", "--install-completion", shell], environ)
    command, binding = SHELLS[shell]
    terminal = opened(*command)
    terminal.send(f"{binding}; echo rea''dy\n")
    terminal.until("ready")
    for typed, line in TABS.items():
        terminal.send(f"\x15{typed}\t\x07")
        terminal.until(f"[{line}]")


def test_fish_shows_what_a_candidate_is(environ: Mapping[str, str]) -> None:
    called(["agentctl", "--install-completion", "fish"], environ)
    shown = called(["fish", "-c", "complete -C 'agentctl run desk --model '"], environ)
    assert "billing=\tAccount balances, payments and invoices\n" in shown
    assert "offline\tneeds no key\n" in shown


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_that_it_is_called_from_is_recognised(shell: str, environ: Mapping[str, str]) -> None:
    named = called(["agentctl", "--show-completion", shell], environ)
    assert called([shell, "-c", "agentctl --show-completion; true"], environ) == named
