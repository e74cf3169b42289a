import socket


def check(line: socket.socket) -> str:
    """Check."""
    return ""
