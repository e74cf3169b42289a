"""A server that a careless author wrote: it does one thing at a time, and not all as the protocol wants it.

Its first argument is a folder, in which it counts its starts; its second a method that it never answers.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(sys.argv[1])
TOOLS = [
    {"name": "plain", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "no_schema"},
    {"name": "odd", "inputSchema": [], "description": 7, "annotations": {"readOnlyHint": True, "title": 3}},
    {"description": "has no name", "inputSchema": {"type": "object"}},
    "no tool",
    {"name": "martian"},
    {"name": "no_list"},
    {"name": "hang"},
]


def called(name: str, arguments: object) -> dict[str, Any]:
    if name == "hang":
        time.sleep(600)
    if name == "martian":
        return {"content": [{"type": "martian", "x": 1}, {"type": "text", "text": "and words"}]}
    if name == "no_list":
        return {"content": 7}
    return {"content": [{"type": "text", "text": f"{name} got {json.dumps(arguments)}"}]}


def answer(method: str, given: dict[str, Any]) -> dict[str, Any] | None:
    if method in sys.argv[2:]:
        time.sleep(600)
    if method == "initialize":
        version = given["protocolVersion"]
        told = {"name": "raw", "version": "1"}
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": told}
    if method == "tools/list":
        return {"tools": TOOLS}
    return called(given["name"], given.get("arguments")) if method == "tools/call" else None


def main() -> None:
    with (HERE / "starts").open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"], message.get("params") or {})
        ending = {"error": {"code": -32601, "message": "no"}} if result is None else {"result": result}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **ending}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
