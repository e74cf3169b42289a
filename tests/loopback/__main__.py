"""`python -m loopback RULES [--log FILE] [--port N]`: prints its base URL, serves until its stdin closes.

The log gets one line of JSON a request as it arrives: `{path, model, messages, tools, broken}`.
"""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path

from agentctl.jsontypes import canonical
from loopback.replies import Scripted
from loopback.rulebook import read_rules
from loopback.server import LoopbackServer, Script, Seen


def main() -> None:
    parser = argparse.ArgumentParser(prog="loopback", description=__doc__)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    script = read_rules(options.rules)
    if options.log is not None:
        script = _logged(script, options.log)
    with LoopbackServer(script, port=options.port) as server:
        sys.stdout.write(f"{server.base_url}\n")
        sys.stdout.flush()
        sys.stdin.read()


def _logged(script: Script, path: Path) -> Script:
    lock = threading.Lock()

    def logged(seen: Seen) -> Scripted:
        line = {
            "path": seen.path,
            "model": seen.body.get("model"),
            "messages": len(seen.messages),
            "tools": seen.tools,
            "broken": seen.broken,
        }
        with lock, path.open("a", encoding="utf-8") as file:
            file.write(f"{canonical(line)}\n")
        return script(seen)

    return logged


if __name__ == "__main__":
    main()
