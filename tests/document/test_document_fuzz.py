"""Whatever the bytes: reading never raises, and every diagnostic lies inside the file."""

from __future__ import annotations

from document_reading import PATH, assert_inside, good, read
from document_teams import FUZZ, TEAM, mutated_teams
from hypothesis import given
from hypothesis import strategies as st

from agentctl.document import Array, Document, Node, Object, Scalar, plain, substitute
from agentctl.jsontypes import canonical

SYNTAX = st.text(alphabet="ab1 \n\n\t:-,[]{}\"'|>&*!%@`#?\\~<.$\r\x00\x85\u2028é😀", max_size=80)


def _check(data: str | bytes) -> None:
    document, report = read(data)
    assert_inside(report)
    assert document is not None or report.errors
    if document is None:
        return
    root = substitute(document.root, {}, report=report, path=PATH)
    assert_inside(report)
    canonical(plain(root))
    _assert_nested(document, root, document.root)


def _assert_nested(document: Document, root: Node, node: Node) -> None:
    """Pointers lead to their nodes, and spans lie in the text."""
    lines = document.text.split("\n")
    pending = [(root, "")]
    while pending:
        found, pointer = pending.pop()
        assert found.pointer == pointer
        assert found.span.end_column <= len(lines[found.span.end_line - 1]) + 1
        match found:
            case Object():
                pending += [
                    (entry.value, f"{pointer}/{entry.key.replace('~', '~0').replace('/', '~1')}")
                    for entry in found.entries
                ]
            case Array():
                pending += [(item, f"{pointer}/{index}") for index, item in enumerate(found.items)]
            case Scalar():
                pass


def test_team_of_the_fuzzer_is_sound() -> None:
    assert isinstance(good(TEAM), Object)


@FUZZ
@given(mutated_teams())
def test_mutated_team(text: str) -> None:
    _check(text)


@FUZZ
@given(SYNTAX)
def test_text_of_marks(text: str) -> None:
    _check(text)


@FUZZ
@given(st.text())
def test_any_text(text: str) -> None:
    _check(text.encode("utf-8", "surrogatepass"))


@FUZZ
@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    _check(data)


@FUZZ
@given(mutated_teams(), st.sampled_from(["utf-16", "utf-16-be", "latin-1", "cp1252", "utf-32"]))
def test_mutated_team_in_another_encoding(text: str, encoding: str) -> None:
    _check(text.encode(encoding, "replace"))
