"""Bytes that are no UTF-8, characters that YAML forbids, files that are too big."""

from __future__ import annotations

import pytest
from document_reading import assert_inside, codes, only, place, read

from agentctl.document import plain

TEXT = "name: x\ntext: süß\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_wide_encodings_are_named_and_read_on(encoding: str) -> None:
    document, report = read((TEXT + "text: 1\n").encode(encoding))
    assert codes(report) == ["yaml-encoding", "yaml-duplicate-key"]
    first = next(iter(report))
    assert encoding[:6].upper() in first.message
    assert place(first.span) == "1:1-1:1"
    assert document is not None
    assert plain(document.root) == {"name": "x", "text": "süß"}


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_latin_is_told_at_its_first_letter_and_read_on(encoding: str) -> None:
    document, report = read(TEXT.encode(encoding))
    (diagnostic,) = report
    assert (diagnostic.code, place(diagnostic.span)) == ("yaml-encoding", "2:8-2:9")
    assert "0xFC" in diagnostic.message
    assert "'ü'" in diagnostic.message
    assert document is not None
    assert plain(document.root) == {"name": "x", "text": "süß"}


def test_columns_before_a_wrong_byte_count_characters() -> None:
    assert place(only("a: é😀".encode() + b"\xe9\n").span) == "1:6-1:7"


def test_byte_that_is_no_letter_anywhere_is_still_placed() -> None:
    assert codes(read(b"a: x\x81y\n")[1]) == ["yaml-encoding"]


def test_control_characters_are_told_once_a_line_and_read_on() -> None:
    document, report = read("a: x\x07y\x08\nb: \x1b[0m\nb: 1\n")
    assert [(d.code, place(d.span)) for d in report] == [
        ("yaml-character", "1:5-1:6"),
        ("yaml-character", "2:4-2:5"),
        ("yaml-duplicate-key", "3:1-3:2"),
    ]
    assert "U+0007" in next(iter(report)).message
    assert document is not None


def test_binary_file_is_told_in_few_words() -> None:
    data = bytes(range(256)) * 40
    _, report = read(data)
    assert_inside(report)
    assert 1 <= len(report.found) <= 30


@pytest.mark.parametrize("start", [b"", b"\n", b"\xef\xbb\xbfname: x\n"])
def test_file_over_five_megabytes_is_refused_unread(start: bytes) -> None:
    document, report = read(start + b"a" * 5_000_001)
    assert document is None
    assert codes(report) == ["yaml-too-big"]
    assert "5,000,0" in next(iter(report)).message
    assert_inside(report)


def test_file_of_five_megabytes_is_read() -> None:
    text = "a: " + "x" * 4_999_996 + "\n"
    assert len(text) == 5_000_000
    assert codes(read(text)[1]) == []


@pytest.mark.parametrize(
    "data",
    [bytes(range(1, 32)) * 8 + b"a: b\n", b"\x7fELF" + bytes(4000), b"\x1f\x8b" + bytes(range(256)) * 9],
)
def test_what_is_no_text_is_one_error(data: bytes) -> None:
    document, report = read(data)
    assert document is None
    (diagnostic,) = report
    assert (diagnostic.code, diagnostic.message) == ("yaml-encoding", "this is no text file")


def test_a_few_control_characters_are_still_told_one_by_one() -> None:
    assert codes(read(b"a: x\x00y\nb: x\x01y\n")[1]) == ["yaml-character", "yaml-character"]
