"""A `.env` file into variables, for `substitute`; the environment of the process is not changed."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

from agentctl.errors import UsageError


def load_env_file(path: Path) -> Mapping[str, str]:
    """The variables of a `.env` file; none where there is no file. A name without `=` sets nothing.

    `${OTHER}` in a value is read from the file and the environment. Raises `UsageError` where the file cannot
    be read. Messages never repeat a line, which may hold a secret.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise UsageError(f'"{path}" is not UTF-8', hint="save it as UTF-8") from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(
            f'"{path}" cannot be read: {reason}', hint="make it a readable file, or remove it"
        ) from error
    return _parsed(text, path)


def _parsed(text: str, path: Path) -> Mapping[str, str]:
    from dotenv import dotenv_values
    from dotenv.parser import parse_stream

    for binding in parse_stream(io.StringIO(text)):
        if binding.error:
            raise UsageError(
                f'line {binding.original.line} of "{path}" is not `NAME=value`',
                hint="write `NAME=value`, put `#` before a comment, and close every quote",
            )
    values = dotenv_values(stream=io.StringIO(text))
    return {name: value for name, value in values.items() if value is not None}
