"""Keys inside of what people type: in headers, in addresses, in the arguments of a program that is started.

Only the text itself is looked at, and the names that stand in it; nothing of where it is sent to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import unquote, urlsplit

from agentctl.document import Filled
from agentctl.document.variables import defaults
from agentctl.spec.settings import McpServer
from agentctl.tools.mcp_variables import is_plain

NAMED: Final = re.compile(
    r"key|token(?!s)|secret|passw|_pwd|credential|auth|cookie|(^|_)pat($|_)", re.IGNORECASE
)
"""Names of keys: of headers, parameters, options, variables."""
_ORDINARY: Final = re.compile(
    r"accept.*|content-.*|user-agent|.*version|.*-title|.*referer|origin|host|connection|cache-control",
    re.IGNORECASE,
)
"""Headers that hold no key, whatever they hold."""
_MIXED: Final = re.compile(r"(?=.*[A-Za-z])(?=.*[0-9])(?:.{16,}|.*[0-9]{3}.*)", re.DOTALL)
_HEADER: Final = re.compile(r"([A-Za-z0-9-]+):\s*(.+)", re.DOTALL)
_ASSIGNED: Final = re.compile(r"(--?[A-Za-z][\w-]*|[A-Za-z_]\w*)=(.+)", re.DOTALL)
_PLACE: Final = re.compile(r"[~.]?[/\\]|[A-Za-z]:\\|[a-z][a-z0-9+.-]*://", re.IGNORECASE)
"""How a path or an address begins."""
_HEADERS: Final = ("-H", "--header", "--headers")


def is_key(name: str, value: str) -> bool:
    """Whether a header of that name with that value may hold a key: it need not be named like one."""
    if NAMED.search(name):
        return True
    return not _ORDINARY.fullmatch(name) and _looks_like_one(value)


def in_address(text: str) -> Iterator[str]:
    """The password of an address, or its user where it has none, and what may be a key in its query."""
    if "://" not in text:
        return
    try:
        parts = urlsplit(text)
    except ValueError:
        return
    user = parts.netloc.rpartition("@")[0]
    found = [user.partition(":")[2] or user] if user else []
    for pair in parts.query.split("&"):
        name, _, value = pair.partition("=")
        if NAMED.search(name) or _looks_like_one(unquote(value)):
            found.append(value)
    for value in filter(None, found):
        yield from (value, unquote(value))


def in_arguments(arguments: Sequence[str]) -> Iterator[str]:
    """What follows an option, or is assigned to a name, that says it is a key; headers; keys in addresses;
    and what comes from a variable, unless it is a plain word, number, path or address."""
    before = ""
    for argument in arguments:
        yield from in_address(argument)
        assigned = _ASSIGNED.fullmatch(argument)
        name, value = (assigned[1], assigned[2]) if assigned else (before, argument)
        header = _HEADER.fullmatch(value) if name in _HEADERS else None
        if header is not None:
            name, value = header[1], header[2]
        is_named = is_key(name, value) if header is not None else bool(NAMED.search(name))
        if is_named and "://" not in value:
            yield value
        if isinstance(argument, Filled) and (is_named or _holds_one(argument, value)):
            yield from (str(argument), value)
        before = argument if argument.startswith("-") and assigned is None else ""


def in_defaults(server: McpServer) -> Iterator[str]:
    """What is typed for variables of `env` and `headers` that are not set, where it may be a key."""
    for header, text in server.headers.items():
        yield from (given for name, given in defaults(text) if NAMED.search(name) or is_key(header, given))
    for key, text in server.env.items():
        for name, given in defaults(text):
            if NAMED.search(key) or NAMED.search(name) or _looks_like_one(given):
                yield given


def _holds_one(filled: Filled, value: str) -> bool:
    return _looks_like_one(value) or any(NAMED.search(name) for name in filled.variables)


def _looks_like_one(value: str) -> bool:
    """Letters and digits in one: a plain word, number, path or address is none."""
    if not is_plain(value):
        return bool(value)
    return _MIXED.fullmatch(value) is not None and not _PLACE.match(value)
