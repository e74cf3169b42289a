"""Long values beside the journal: each once, in a file named by the SHA-256 of what it holds.

In a record such a value is `{"$blob": sha256, "bytes": n}`; a key that looks like the marker's in data
of others gets one more `$`, and loses it when it is read, so nothing that a person sends is mistaken.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from agentctl.errors import JournalError
from agentctl.journal.line import json_bytes
from agentctl.jsontypes import Json, JsonObject

LIMIT: Final = 32 * 1024
"""The most bytes of JSON that stand in a record itself."""

_MARK: Final = "$blob"
_TELLTALE: Final = b'$blob"'
_LOOKALIKE: Final = re.compile(r"\$+blob")
Read: TypeAlias = Callable[[str], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    name: str
    data: bytes


def is_plain(line: bytes) -> bool:
    """Whether a line holds neither a marker nor anything that looks like one."""
    return _TELLTALE not in line


def pack(data: JsonObject) -> tuple[JsonObject, list[Blob]]:
    """The data with every long value replaced by its marker, and the blobs that hold those values.

    Takes JSON as `json.loads` gives it: dicts and lists.
    """
    blobs: list[Blob] = []
    return {_escaped(key): _packed(value, blobs) for key, value in data.items()}, blobs


def unpack(data: JsonObject, read: Read) -> dict[str, Json]:
    """The data as it was before `pack`; `read` gives a blob's bytes by name."""
    return {_unescaped(key): _unpacked(value, read) for key, value in data.items()}


def read_from(folder: Path) -> Read:
    """Reads blobs of a folder, each checked against its name. The reader raises `JournalError`."""

    def read(name: str) -> bytes:
        path = folder / name
        try:
            data = path.read_bytes()
        except OSError as error:
            raise JournalError(
                f'"{path}", which a record names, cannot be read: {error.strerror}',
                hint="restore the file from a copy of the run",
            ) from error
        if hashlib.sha256(data).hexdigest() != name:
            raise JournalError(
                f'"{path}" is damaged: it no longer holds what its name says',
                hint="restore the file from a copy of the run",
            )
        return data

    return read


def _packed(value: Json, blobs: list[Blob]) -> Json:
    """Inner values first, so that a long text in a list goes out alone and the list stays readable."""
    if not isinstance(value, str | dict | list):
        return value
    text = json_bytes(value)
    if not isinstance(value, str) and (len(text) > LIMIT or not is_plain(text)):
        value = _packed_members(value, blobs)
        text = json_bytes(value)
    if len(text) <= LIMIT:
        return value
    blob = Blob(name=hashlib.sha256(text).hexdigest(), data=text)
    blobs.append(blob)
    return {_MARK: blob.name, "bytes": len(text)}


def _packed_members(value: dict[str, Json] | list[Json], blobs: list[Blob]) -> Json:
    if isinstance(value, dict):
        return {_escaped(key): _packed(item, blobs) for key, item in value.items()}
    return [_packed(item, blobs) for item in value]


def _unpacked(value: Json, read: Read) -> Json:
    if isinstance(value, list):
        return [_unpacked(item, read) for item in value]
    if not isinstance(value, dict):
        return value
    name = value.get(_MARK)
    if isinstance(name, str):
        return _unpacked(json.loads(read(name)), read)
    return {_unescaped(key): _unpacked(item, read) for key, item in value.items()}


def _escaped(key: str) -> str:
    return f"${key}" if _LOOKALIKE.fullmatch(key) else key


def _unescaped(key: str) -> str:
    return key[1:] if _LOOKALIKE.fullmatch(key) else key
