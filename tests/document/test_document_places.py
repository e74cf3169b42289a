"""Where keys and values stand: spans in characters from 1, JSON pointers from the root."""

from __future__ import annotations

from document_reading import codes, good, place, read, value_of

from agentctl.diagnostics import Report
from agentctl.document import Array, Object, locate, read_document
from agentctl.document.source import Source

TEXT = """\
name: süd 😀 x
agents:
  - name: "a"
    text: |
      one
      two


    # remark
    more: plain
      text
  -
list: [{k/~: 1}, 'ж']   # end
empty:

"""


def test_spans_end_where_values_end() -> None:
    root = good(TEXT)
    assert isinstance(root, Object)
    spans = {
        "/name": "1:7-1:14",
        "/agents": "3:3-12:4",
        "/agents/0": "3:5-11:11",
        "/agents/0/name": "3:11-3:14",
        "/agents/0/text": "4:11-6:10",
        "/agents/0/more": "10:11-11:11",
        "/agents/1": "12:4-12:4",
        "/list": "13:7-13:22",
        "/list/0": "13:8-13:16",
        "/list/0/k~1~0": "13:14-13:15",
        "/list/1": "13:18-13:21",
        "/empty": "14:7-14:7",
    }
    found = {}
    nodes = [root, *(entry.value for entry in root.entries)]
    while nodes:
        node = nodes.pop()
        found[node.pointer] = place(node.span)
        if isinstance(node, Object):
            nodes += [entry.value for entry in node.entries]
        elif isinstance(node, Array):
            nodes += node.items
    del found[""]
    assert found == spans


def test_key_spans_are_the_keys_alone() -> None:
    root = good('"a b": 1\n  \n? long\n: 2\nключ : 3\n')
    assert isinstance(root, Object)
    assert [(e.key, place(e.key_span)) for e in root.entries] == [
        ("a b", "1:1-1:6"),
        ("long", "3:3-3:7"),
        ("ключ", "5:1-5:5"),
    ]


def test_line_endings_and_a_byte_order_mark_do_not_move_places() -> None:
    plain_root = good(TEXT)
    for data in (
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
    ):
        assert good(data) == plain_root


def test_sources_hold_the_text_with_line_feeds() -> None:
    report = Report()
    document = read_document(b"\xef\xbb\xbfa: 1\r\nb: \xc3\xa9\r\n", path="x.yaml", report=report)
    assert document is not None
    assert document.path == "x.yaml"
    assert document.text == report.sources["x.yaml"] == "a: 1\nb: é\n"


def test_separators_of_unicode_are_no_line_breaks() -> None:
    root = locate(good("a: x\u2028y\nb: \u0085z\n"), ["b"])
    assert place(root.span) == "2:4-2:6"


def test_private_characters_stay_themselves() -> None:
    assert value_of("a: \ue000\ue001\u2028\n") == {"a": "\ue000\ue001\u2028"}


def test_duplicate_keys_name_both_lines() -> None:
    document, report = read("a: 1\nb: {c: 1, 'c': 2}\na: [x]\n")
    assert document is not None
    assert value_of("a: 1\nb: {c: 1}\n") == {"a": 1, "b": {"c": 1}}
    first, second = report
    assert codes(report) == ["yaml-duplicate-key", "yaml-duplicate-key"]
    assert (place(first.span), place(first.related[0].span), first.pointer) == (
        "2:11-2:14",
        "2:5-2:6",
        "/b/c",
    )
    assert (place(second.span), place(second.related[0].span), second.pointer) == ("3:1-3:2", "1:1-1:2", "/a")
    assert second.message == 'the key "a" is given twice: on line 1 and on line 3'


def test_place_that_is_not_there_is_the_deepest_on_the_way() -> None:
    root = good("a: [x, {b: y}]\n")
    assert locate(root, ["a", 1, "b", "c"]).pointer == "/a/1/b"
    assert locate(root, ["a", 5]).pointer == "/a"
    assert locate(root, ["a", "b"]).pointer == "/a"
    assert locate(root, [0]) is root


def test_offsets_outside_a_source_are_moved_inside() -> None:
    source = Source("x", "ab\nc")
    assert [source.offset(1, 2), source.offset(9, 9), source.offset(0, 0)] == [1, 4, 0]
