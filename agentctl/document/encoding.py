"""Bytes into a `Source`: UTF-8 with or without a mark, every line break as `\\n`.

A file in another encoding is an error, yet is read on, so that its other faults are found too.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from agentctl.diagnostics import Report, Span
from agentctl.document.source import Source

LARGEST: Final = 5_000_000
_WIDE_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TEXT_BYTES: Final = bytes({*b"\t\n\f\r\x1b", *range(0x20, 0x100)})
_LOOKED_AT: Final = 8000
_STRAY_CONTROLS: Final = 30
_STRAY_BYTE: Final = re.compile("[\udc80-\udcff]")
_CONTROL: Final = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MOST_CONTROLS: Final = 20


def decode(data: bytes, *, path: str, report: Report) -> Source | None:
    """The text of a file, also put into `report.sources`; None where there is no text to go on with."""
    if len(data) > LARGEST:
        _too_big(data, path, report)
        return None
    wide = _wide_encoding(data)
    if wide is None and _is_no_text(data[:_LOOKED_AT]):
        _no_text(path, report)
        return None
    text = data.decode(wide, "replace") if wide else data.decode("utf-8", "surrogateescape")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    source = Source(path, _without_strays(text))
    report.sources[path] = source.text
    if wide:
        _wrong_encoding(source, wide.upper().removesuffix("-LE").removesuffix("-BE"), report)
    else:
        _report_strays(source, text, report)
    return source


def _too_big(data: bytes, path: str, report: Report) -> None:
    first_line = data[:200].decode("utf-8", "replace").removeprefix("\ufeff").splitlines()[:1]
    report.sources[path] = first_line[0] if first_line else ""
    report.error(
        "yaml-too-big",
        f"the file has {len(data):,} bytes; at most {LARGEST:,} are read",
        _first_place(path),
        hint="move agents into files of their own and name them with `{file: …}` under `agents`",
    )


def _is_no_text(head: bytes) -> bool:
    """Whether so many control characters are in it as no text has, however it is encoded."""
    controls = len(head.translate(None, _TEXT_BYTES))
    return controls > max(_STRAY_CONTROLS, len(head) // 20)


def _no_text(path: str, report: Report) -> None:
    report.sources[path] = ""
    report.error(
        "yaml-encoding",
        "this is no text file",
        _first_place(path),
        hint="name a team file, which is YAML in UTF-8",
    )


def _wide_encoding(data: bytes) -> str | None:
    for mark, name in _WIDE_MARKS:
        if data.startswith(mark):
            return name
    head = data[:4]
    if len(head) == 4 and head[1] == 0 and head[0] != 0:
        return "utf-32-le" if head[2:] == b"\0\0" else "utf-16-le"
    if len(head) == 4 and head[0] == 0 and head[1:3] != b"\0\0" and head[1] != 0:
        return "utf-16-be"
    return "utf-32-be" if len(head) == 4 and head[:3] == b"\0\0\0" and head[3] != 0 else None


def _wrong_encoding(source: Source, name: str, report: Report) -> None:
    report.error(
        "yaml-encoding",
        f"the file is encoded as {name}; only UTF-8 is read",
        _first_place(source.path),
        hint="save the file as UTF-8",
    )


def _without_strays(text: str) -> str:
    """Bytes that are no UTF-8 shown as what they are in Windows-1252, which is what they mostly are."""
    return _STRAY_BYTE.sub(lambda found: _as_latin(ord(found.group()) - 0xDC00), text)


def _as_latin(byte: int) -> str:
    character = bytes([byte]).decode("cp1252", "replace")
    return character if _CONTROL.match(character) is None else "\ufffd"


def _report_strays(source: Source, text: str, report: Report) -> None:
    """One error at the first byte: a wrong encoding is one cause, however many letters it spoils."""
    first = _STRAY_BYTE.search(text)
    if first is None:
        return
    byte = ord(first.group()) - 0xDC00
    report.error(
        "yaml-encoding",
        f"the byte 0x{byte:02X} is not UTF-8 ({_as_latin(byte)!r} in Latin-1); only UTF-8 is read",
        source.span(first.start(), first.end()),
        hint="save the file as UTF-8; its encoding now seems to be Latin-1 or Windows-1252",
    )


def _first_place(path: str) -> Span:
    return Span(path=path, line=1, column=1, end_line=1, end_column=1)


def without_controls(source: Source, report: Report) -> str:
    """The text to parse: characters that YAML forbids are reported and replaced, one for one."""
    first = _CONTROL.search(source.text)
    if first is None:
        return source.text
    rows: set[int] = set()
    for found in _CONTROL.finditer(source.text):
        row = source.row(found.start())
        if row not in rows and len(rows) < _MOST_CONTROLS:
            rows.add(row)
            _report_control(source, found.start(), report)
    return _CONTROL.sub("\ufffd", source.text)


def _report_control(source: Source, at: int, report: Report) -> None:
    report.error(
        "yaml-character",
        f"the control character U+{ord(source.text[at]):04X} may not stand in YAML",
        source.span(at, at + 1),
        hint=f'delete it, or write it as "\\u{ord(source.text[at]):04x}" in double quotes',
    )
