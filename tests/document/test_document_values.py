"""What a value is: YAML 1.2 core, and JSON only."""

from __future__ import annotations

import pytest
from document_reading import codes, marked, only, place, read, value_of

from agentctl.document import locate, plain
from agentctl.jsontypes import Json


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("y", "y"),
        ("12:30", "12:30"),
        ("2024-01-31", "2024-01-31"),
        ("1_000", "1_000"),
        ("=", "="),
        ("0b11", "0b11"),
        ("1.2.3", "1.2.3"),
        ("-", None),
        ("true", True),
        ("TRUE", True),
        ("False", False),
        ("tRUE", "tRUE"),
        ("null", None),
        ("~", None),
        ("", None),
        ("nUll", "nUll"),
        ("0", 0),
        ("-7", -7),
        ("+7", 7),
        ("0123", 123),
        ("0o17", 15),
        ("0x1F", 31),
        ("-0o17", "-0o17"),
        ("1.5", 1.5),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("-1.5E-3", -0.0015),
        (".", "."),
        ("1e", "1e"),
        ("'12'", "12"),
        ('"true"', "true"),
        ('"\\u00e9\\/"', "é/"),
        ("!!str 12", "12"),
        ("! 12", "12"),
        ("!!int 0o17", 15),
        ("!!float 1", 1.0),
        ("!!bool 'true'", True),
        ("!!null ''", None),
        ("!!seq [1]", [1]),
        ("!!map {a: 1}", {"a": 1}),
        ("http://x:80/#y", "http://x:80/#y"),
        ("{a: 1, b: [x, 'y']}", {"a": 1, "b": ["x", "y"]}),
        ("|\n  one\n   two\n\n", "one\n two\n"),
        (">-\n  one\n  two", "one two"),
        ("one\n  two", "one two"),
        ("text\twith a tab", "text\twith a tab"),
        ("a\u2028b\u2029c\u0085d", "a\u2028b\u2029c\u0085d"),
        ('"a\u2028 b"', "a\u2028 b"),
    ],
)
def test_value_is_what_yaml_1_2_says(written: str, value: Json) -> None:
    text = "key:\n  -\n" if written == "-" else f"key: {written}\n"
    found = value_of(text)
    expected: Json = {"key": [None] if written == "-" else value}
    assert found == expected
    assert repr(found) == repr(expected)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a: «.inf»\n", '".inf"'),
        ("a: [1, «-.INF»]\n", '"-.INF"'),
        ("a: «.nan»\n", '".nan"'),
        ("a: «1e999»\n", "too large"),
        (f"a: «{'9' * 401}»\n", "more than 400 digits"),
        ("a: «!!float .inf»\n", '".inf"'),
    ],
)
def test_number_that_is_no_json_is_refused(text: str, word: str) -> None:
    text, expected = marked(text)
    diagnostic = only(text)
    assert diagnostic.code in ("yaml-number", "yaml-tag")
    assert place(diagnostic.span) == expected
    assert word in diagnostic.message
    assert diagnostic.hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a: «!!python/object:os.system x»\n",
            "the tag `!!python/object:os.system` has no meaning in this file",
        ),
        ("a: «!custom {b: 1}»\n", "the tag `!custom` has no meaning in this file"),
        ("a: «!custom»\n  b: 1\n", "the tag `!custom` has no meaning in this file"),
        ("a: «!!set {b}»\n", "the tag `!!set` has no meaning in this file"),
        ("a: «!!timestamp 2024-01-01»\n", "the tag `!!timestamp` has no meaning in this file"),
        (
            "a: «!<tag:example.org,2024:x> y»\n",
            "the tag `!<tag:example.org,2024:x>` has no meaning in this file",
        ),
        ("a: «!!int abc»\n", '"abc" is not written as the tag `!!int` asks for'),
        ("a: «!!map [1]»\n", "the tag `!!map` does not fit a list"),
        ("a: «!!str {b: 1}»\n", "the tag `!!str` does not fit a mapping"),
    ],
)
def test_tag_is_refused(text: str, message: str) -> None:
    text, expected = marked(text)
    diagnostic = only(text)
    assert (diagnostic.code, diagnostic.message, place(diagnostic.span), diagnostic.pointer) == (
        "yaml-tag",
        message,
        expected,
        "/a",
    )


@pytest.mark.parametrize(
    ("text", "word", "hint"),
    [
        ("«1»: x\n", 'the key "1" is a number', '"1"'),
        ("«1.5»: x\n", 'the key "1.5" is a number', '"1.5"'),
        ("«true»: x\n", 'the key "true" is a truth value', '"true"'),
        ("«null»: x\n", 'the key "null" is null', '"null"'),
        ("«:» x\n", "a key is missing", "key: value"),
        ("«.inf»: x\n", '".inf" is no JSON number', "quotes"),
        ("? «[a, b]»\n: x\n", "a list cannot be a key", "bracket"),
        ("? «{a: b}»\n: x\n", "a mapping cannot be a key", "bracket"),
        (f"«{'7' * 100}»: x\n", 'the key "' + "7" * 60 + '…" is a number', "quotes"),
    ],
)
def test_key_that_is_no_text_is_refused(text: str, word: str, hint: str) -> None:
    text, expected = marked(text)
    diagnostic = only(text)
    assert diagnostic.code == ("yaml-number" if "inf" in text else "yaml-key")
    assert place(diagnostic.span) == expected
    assert word in diagnostic.message
    assert hint in str(diagnostic.hint)


def test_refused_key_keeps_its_text() -> None:
    document, _ = read("1: x\ntrue: {2: y}\n")
    assert document is not None
    assert plain(document.root) == {"1": "x", "true": {"2": "y"}}


def test_words_that_other_readers_take_for_truth_values_are_keys() -> None:
    assert value_of("on: 1\nno: 2\n12:30: 3\n") == {"on": 1, "no": 2, "12:30": 3}


def test_json_is_read() -> None:
    assert value_of('{"a": [1, 2.5, null, true, "x\\n\\ty"], "b":{"c":"d"}}') == {
        "a": [1, 2.5, None, True, "x\n\ty"],
        "b": {"c": "d"},
    }


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only a comment\n", "---\n", "---\n# x\n...\n", "~\n", "\ufeff"]
)
def test_file_without_content_is_empty(text: str) -> None:
    document, report = read(text)
    assert document is None
    assert codes(report) == ["yaml-empty"]
    assert [place(diagnostic.span) for diagnostic in report] == ["1:1-1:1"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("«- name: x»\n- b: 1\n", "a list"),
        ("# c\n«[a, b]»\n", "a list"),
        ("«just text»\n", "a single value"),
        ("«12»\n", "a single value"),
        ("«|»\n  text\n", "a single value"),
    ],
)
def test_root_that_is_no_mapping_is_refused(text: str, kind: str) -> None:
    text, expected = marked(text)
    document, report = read(text)
    (diagnostic,) = report
    assert document is None
    assert (diagnostic.code, place(diagnostic.span)) == ("yaml-root", expected)
    assert kind in diagnostic.message


def test_a_list_of_one_mapping_is_refused_and_read_as_that() -> None:
    document, report = read("- name: x\n  b: [1]\n")
    assert [found.code for found in report] == ["yaml-root"]
    assert document is not None
    assert plain(document.root) == {"name": "x", "b": [1]}
    assert locate(document.root, ("b", 0)).pointer == "/b/0"


def test_second_document_is_refused_and_the_first_is_read() -> None:
    document, report = read("---\na: 1\n---\nb: [\n")
    assert document is not None
    assert plain(document.root) == {"a": 1}
    assert [(d.code, place(d.span)) for d in report] == [("yaml-many-documents", "3:1-3:4")]


def test_one_document_may_begin_and_end_with_its_marks() -> None:
    assert value_of("%YAML 1.2\n---\na: 1\n...\n") == {"a": 1}
