"""Texts into the files that a command is told to write; why one could not be, and what it was."""

from __future__ import annotations

from pathlib import Path

from agentctl.errors import OutputError


def write_target(path: str | Path, text: str, what: str) -> None:
    """Raises `OutputError`."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise unwritten(error, f"'{path}'", what) from error


def unwritten(error: OSError, where: str, what: str) -> OutputError:
    """`where` is a file in quotes, or stdout."""
    return OutputError(
        f"cannot write {what} to {where}: {error.strerror or error}", hint="mend that, or send it elsewhere"
    )
