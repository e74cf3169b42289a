"""One record as one line of bytes and back.

A line is `<JSON object>` with `"crc"` as its last member and a newline after it. The checksum is the
CRC-32, as eight hex digits, of the line's bytes before `,"crc":` just as they stand, so that a change
of any bit, white space included, is seen without writing the JSON anew.
"""

from __future__ import annotations

import json
import zlib
from typing import Final

from agentctl.journal.records import Record
from agentctl.jsontypes import Json

START: Final = b'{"seq":'
_SEAL: Final = b',"crc":"%08x"}\n'
_SEAL_SIZE: Final = len(_SEAL % 0)


def json_bytes(value: Json) -> bytes:
    """Compact JSON in UTF-8, readable as it stands; escaped to ASCII where UTF-8 cannot hold a surrogate."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def to_line(record: Record) -> bytes:
    """Raises TypeError or ValueError where the data is not JSON."""
    body = json_bytes(record.as_json())[:-1]
    return body + _SEAL % zlib.crc32(body)


def from_line(line: bytes) -> Record | None:
    """The record of one line with its newline, or None where anything about it is not as it was written."""
    if not line.startswith(START):
        return None
    body = line[:-_SEAL_SIZE]
    if line[-_SEAL_SIZE:] != _SEAL % zlib.crc32(body):
        return None
    try:
        return Record.from_json(json.loads(str(body, "utf-8") + "}"))
    except (ValueError, KeyError, TypeError):
        return None
