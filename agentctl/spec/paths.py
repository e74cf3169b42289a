"""Files that a team file names: read as text, or said to be missing with what is near."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from agentctl.diagnostics import nearest_file
from agentctl.document.nodes import Node
from agentctl.spec.reading import TeamFile

LARGEST: Final = 5_000_000


def read_named_file(written: str, node: Node, file: TeamFile) -> bytes | None:
    """The bytes of a file named relative to the team file, or None after an error at `node`."""
    path = file.folder / written
    shown = file.shown_path(written)
    try:
        if path.is_file() and path.stat().st_size > LARGEST:
            message = f'"{shown}" has more than {LARGEST:,} bytes'
            file.error("unreadable-file", message, node, hint="name a smaller file")
            return None
        if path.is_file() or path.is_dir() or not path.exists():
            return path.read_bytes()
        # A pipe or device may have no end.
        file.error("unreadable-file", f'"{shown}" is no file', node, hint="name a file of text")
    except FileNotFoundError:
        hint = _escaped(written) or _near_file(path, written) or f"it is looked for beside {file.shown}"
        message = f"there is no file {json.dumps(shown, ensure_ascii=False)}"
        file.error("missing-file", message, node, hint=hint)
    except IsADirectoryError:
        file.error("missing-file", f'"{shown}" is a folder', node, hint="name a file in it")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        hint = "check its permissions, or name another file"
        file.error("unreadable-file", f'"{shown}" cannot be read: {reason}', node, hint=hint)
    return None


def absolute(path: Path) -> Path:
    """The path from the root, without `..`; links are not followed, so that folders stay as named."""
    return Path(os.path.normpath(path.absolute()))


def real(path: Path) -> str:
    """What tells a file apart from others, whatever links lead to it."""
    try:
        return os.path.realpath(path)
    except ValueError:  # a name that no file can have
        return str(path)


def near_name(path: Path) -> str | None:
    """The name beside `path` that it is most likely meant to be."""
    try:
        return nearest_file(path.name, sorted(entry.name for entry in path.parent.iterdir()))
    except (OSError, ValueError):
        return None


def _escaped(written: str) -> str | None:
    """For a path such as `prompts\\new.md` whose backslash was read as an escape."""
    if written.isprintable():
        return None
    return "in double quotes a backslash begins an escape, such as `\\n` for a line break: write `/` instead"


def _near_file(path: Path, written: str) -> str | None:
    near = near_name(path)
    return f'did you mean "{Path(written).with_name(near).as_posix()}"?' if near else None
