"""A server of the Model Context Protocol with two tools, spoken to over stdin and stdout."""

from mcp.server import MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("catalogue")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def find_book(title: str) -> str:
    """Find a book by its title and tell its shelf."""
    return f"{title} stands on shelf 12"


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def remove_book(title: str) -> str:
    """Remove a book from the catalogue for good."""
    return f"{title} is removed"


if __name__ == "__main__":
    server.run()
