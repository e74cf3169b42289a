"""A server of the Model Context Protocol for tests: over stdio, or with a port over streamable HTTP.

Its first argument is a folder, in which it counts its starts and where calls leave their marks; variables
that begin with `DESK_` make it slow, broken, stubborn or talkative.
"""

from __future__ import annotations

import base64
import os
import signal
import sys
import time
from pathlib import Path
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import (
    AudioContent,
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from pydantic import BaseModel, Field

HERE = Path(sys.argv[1])
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\nnot really").decode("ascii")
server = MCPServer("desk")


class Balance(BaseModel):
    account: str
    amount: float


def mark(name: str) -> None:
    with (HERE / name).open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def check_balance(account_id: Annotated[str, Field(description="Such as ACC-123.")]) -> str:
    """Balance of an account."""
    mark("check_balance")
    return f"{account_id} has 5432.10"


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def close_account(account_id: str) -> str:
    """Close an account for good."""
    mark("close_account")
    return f"{account_id} is closed"


@server.tool(annotations=ToolAnnotations(idempotent_hint=True, destructive_hint=False))
def set_limit(account_id: str, limit: int = 10) -> str:
    """Set the limit of an account."""
    mark("set_limit")
    return f"{account_id}: {limit}"


@server.tool()
def structured(account_id: str) -> Balance:
    """A structured balance."""
    return Balance(account=account_id, amount=12.5)


@server.tool()
def pictures() -> list[ImageContent | AudioContent | EmbeddedResource | ResourceLink | TextContent]:
    """Things that no text can hold."""
    return [
        TextContent(text="Look:"),
        ImageContent(data=PNG, mime_type="image/png"),
        AudioContent(data=PNG, mime_type="audio/wav"),
        EmbeddedResource(resource=TextResourceContents(uri="note://1", text="A note.")),
        EmbeddedResource(
            resource=BlobResourceContents(uri="blob://1", blob=PNG, mime_type="application/pdf")
        ),
        ResourceLink(name="manual", uri="file:///manual.txt", description="How to"),
    ]


@server.tool(name="long.name/with-many words that no provider would take as it stands, since it is too long")
def long_name() -> str:
    """A name that has to be changed."""
    return "called"


@server.tool()
def long_text(lines: int = 3000) -> str:
    """More text than anybody wants."""
    return "\n".join(f"line {number} of a long text" for number in range(lines))


@server.tool()
def fails() -> str:
    """Fails."""
    raise ValueError("no such account")


@server.tool()
def secret() -> str:
    """Tells what it was started with."""
    return f"token {os.environ.get('DESK_TOKEN', 'none')}, home {os.environ.get('DESK_HOME', 'none')}"


@server.tool()
def authorization(context: Context[Any, Any]) -> str:
    """Tells with which right it was called."""
    request = context.request_context.request
    return str(request.headers.get("authorization")) if request else "none"


@server.tool()
def slow(seconds: float) -> str:
    """Takes its time."""
    mark("slow")
    time.sleep(seconds)
    return "done at last"


@server.tool()
def dies(name: str = "dies") -> str:
    """Ends the server, unless it did so before."""
    mark(name)
    if len((HERE / name).read_text("utf-8").splitlines()) == 1:
        os._exit(1)
    return "alive again"


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def dies_once() -> str:
    """Ends the server the first time; does no harm."""
    return dies("dies_once")


@server.tool()
def always_dies() -> str:
    """Ends the server."""
    os._exit(1)


def main() -> None:
    stubborn = os.environ.get("DESK_STUBBORN")
    if stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    mark("starts")
    if stubborn == "at its start":
        time.sleep(40)
    if "DESK_SAYS" in os.environ:
        sys.stderr.write(f"{os.environ['DESK_SAYS']}\n")
    if "DESK_BROKEN" in os.environ:
        sys.exit(3)
    time.sleep(float(os.environ.get("DESK_SLOW", "0")))
    if len(sys.argv) > 2:
        server.run("streamable-http", port=int(sys.argv[2]), host="127.0.0.1")
    else:
        server.run("stdio")


if __name__ == "__main__":
    main()
