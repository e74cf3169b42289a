"""`agentctl --install-completion [SHELL]` and `agentctl --show-completion [SHELL]`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from agentctl.cli.completion_scripts import install, script
from agentctl.errors import UsageError


def completion(option: str, shell: str | None = None, *more: str) -> int:
    """Without a shell it is the one that this was started from."""
    if more:
        raise UsageError(f"{option} takes one shell, not also '{more[0]}'", hint="name one")
    if option == "--show-completion":
        print(script(shell), end="")
        return 0
    for path in install(shell, Path.home(), os.environ):
        print(f"wrote {path}", file=sys.stderr)
    print("it takes effect in the next shell that is started", file=sys.stderr)
    return 0
