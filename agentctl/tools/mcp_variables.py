"""The variables in `env` and `headers` of a server: filled in for its start, and which of them are secret."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from agentctl.spec.settings import McpServer

_VARIABLE: Final = re.compile(r"(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)")
_SECRET: Final = re.compile(r"key|token|secret|pass|_pwd|credential|auth|cookie|(^|_)pat($|_)", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[A-Za-z]+|[0-9.]+|(?:[A-Za-z]+|[0-9]+)(?:[ _.,@-](?:[A-Za-z]+|[0-9]+))+")
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://[^@?#]*", re.IGNORECASE)
_PATHS: Final = re.compile(r"[~.]?[/\\].*|[A-Za-z]:\\.*")


def secret_variables(server: McpServer, environ: Mapping[str, str]) -> Iterator[str]:
    """The variables whose values must stand nowhere.

    In `headers` every one is. In `env` it is one unless its value is a plain word, number, path or address
    without credentials, and neither it nor the key that it stands under is named like a secret: a folder
    or a language that were hidden would be missing from answers.
    """
    for text in server.headers.values():
        yield from _VARIABLE.findall(text)
    for key, text in server.env.items():
        for name in _VARIABLE.findall(text):
            if _SECRET.search(key) or _SECRET.search(name) or not is_plain(environ.get(name, "")):
                yield name


def is_plain(value: str) -> bool:
    """Whether a value is a word, number, path or address without credentials."""
    return any(pattern.fullmatch(value) for pattern in (_PLAIN, _ADDRESS, _PATHS))
