"""YAML as people get it wrong: the code, the place and the mend of each mistake."""

from __future__ import annotations

import pytest
from document_reading import codes, marked, only, place, read

from agentctl.document import Object, plain
from agentctl.jsontypes import Json

# The code, a text with the place marked, a word of the hint, and what is read on as (None: nothing).
CASES: list[tuple[str, str, str, Json]] = [
    ("yaml-tab", "a:\n«\t»b: 1\n", "spaces", {"a": {"b": 1}}),
    ("yaml-tab", "a:\n  b: 1\n «\t»c: 2\n", "spaces", {"a": {"b": 1, "c": 2}}),
    ("yaml-tab", "a:\n  - «\t»b: 1\n", "space", {"a": [{"b": 1}]}),
    ("yaml-tab", "a:\n    - b\n«\t»- c\n    - d\n", "spaces", {"a": ["b", "c", "d"]}),
    ("yaml-tab", "a: 1\n«\t»b:\n  - c\n", "spaces", {"a": 1, "b": ["c"]}),
    ("yaml-tab", "a:\n  - b: 1\n«\t»c: 2\n  - b: 3\n", "spaces", {"a": [{"b": 1, "c": 2}, {"b": 3}]}),
    ("yaml-tab", "a:\n    b:\n«\t»- c: 1\n        d: 2\n", "spaces", {"a": {"b": [{"c": 1, "d": 2}]}}),
    (
        "yaml-indentation",
        "a:\n  - b: 1\n «-» b: 2\n    c: 3\n",
        "column 3",
        {"a": [{"b": 1}, {"b": 2, "c": 3}]},
    ),
    (
        "yaml-indentation",
        "a:\n  - b: 1\n  «-»b: 2\n    c: 3\n",
        "`- b:`",
        {"a": [{"b": 1}, {"b": 2, "c": 3}]},
    ),
    ("yaml-template", "a: «{{ x }}»\nb: 1\n", '"{{ x }}"', {"a": "{{ x }}", "b": 1}),
    ("yaml-template", "a: «{{ x }} and»\nb: 1\n", '"{{ x }} and"', {"a": "{{ x }} and", "b": 1}),
    ("yaml-template", "a: «{{ x }} {{ y }}» # c\n", '"{{ x }} {{ y }}"', {"a": "{{ x }} {{ y }}"}),
    ("yaml-template", "- «{{ x }} y»\n", '"{{ x }} y"', None),
    ("yaml-template", 'a: [«{{ f("x") }}», b]\n', "'{{ f(\"x\") }}'", {"a": ['{{ f("x") }}', "b"]}),
    ("yaml-template", "a: «{{ [1]: 2 }}»\n", "quotes", {"a": "{{ [1]: 2 }}"}),
    ("yaml-template", "a: «{{ .nan }}»\n", "quotes", {"a": "{{ .nan }}"}),
    ("yaml-template", "a: «{{ 1: 2 }}»\n", "quotes", {"a": "{{ 1: 2 }}"}),
    ("yaml-template", "a: «{{ x: 1, x: 2 }}»\n", "quotes", {"a": "{{ x: 1, x: 2 }}"}),
    ("yaml-colon", "a: b«:» c\n", '"b: c"', {"a": "b: c"}),
    ("yaml-colon", "a:\n  - x: y«:» 'z'\n", "\"y: 'z'\"", {"a": [{"x": "y: 'z'"}]}),
    ("yaml-colon", 'a: say "x"«:» now\n', "'say \"x\": now'", {"a": 'say "x": now'}),
    ("yaml-colon", f"a: {'x' * 70}«:» c\n", '"…"', {"a": f"{'x' * 70}: c"}),
    ("yaml-colon", "a: 1\n«foo bar»\nb: 2\n", "`foo: bar`", {"a": 1, "foo": "bar", "b": 2}),
    ("yaml-colon", "a: 1\n«foo bar baz»\nb: 2\n", "key: value", {"a": 1, "b": 2}),
    ("yaml-colon", "«name:»foo\nmodel: x\n", "`name: …`", {"name": "foo", "model": "x"}),
    ("yaml-colon", "a: 1\n«name:»foo\nmodel: x\n", "`name: …`", {"a": 1, "name": "foo", "model": "x"}),
    ("yaml-indicator", "a: «@x»\n", '"@x"', {"a": "@x"}),
    ("yaml-indicator", "a: «`x` y»\n", '"`x` y"', {"a": "`x` y"}),
    ("yaml-indicator", "a: «%x»\n", '"%x"', {"a": "%x"}),
    ("yaml-indicator", "a: «*bold* text»\n", '"*bold* text"', {"a": "*bold* text"}),
    ("yaml-indicator", "a: «**bold**»\n", '"**bold**"', {"a": "**bold**"}),
    ("yaml-indicator", "a: «& b»\n", '"& b"', {"a": "& b"}),
    ("yaml-indicator", "a: «> 5 items»\n", '"> 5 items"', {"a": "> 5 items"}),
    ("yaml-indicator", "a: «| x»\n", '"| x"', {"a": "| x"}),
    ("yaml-indicator", "a: «, x»\n", '", x"', {"a": ", x"}),
    ("yaml-indicator", "a: «]»\n", '"]"', {"a": "]"}),
    ("yaml-indicator", "a: «} x»\n", '"} x"', {"a": "} x"}),
    ("yaml-indicator", "a: «? b»\n", '"? b"', {"a": "? b"}),
    ("yaml-indicator", "a: «!x!y z»\n", '"!x!y z"', {"a": "!x!y z"}),
    ("yaml-indicator", "a: [b, «@c d», e]\n", '"@c d"', {"a": ["b", "@c d", "e"]}),
    ("yaml-indicator", "«%a: 1»\n", "delete", None),
    ("yaml-indicator", "«%YAML 2.0»\n---\na: 1\n", "delete", {"a": 1}),
    ("yaml-bracket", "a: «[x] do»\nb: 1\n", '"[x] do"', {"a": "[x] do", "b": 1}),
    ("yaml-bracket", "a: «{x} do»\n", '"{x} do"', {"a": "{x} do"}),
    ("yaml-bracket", "a: «[»x, y\nb: 1\n", "end it with ']'", {"a": "[x, y", "b": 1}),
    ("yaml-bracket", "a: «[»x, y\n", "end it with ']'", {"a": "[x, y"}),
    ("yaml-bracket", "a: «{»x: y\nb: 1\n", "end it with '}'", {"a": "{x: y", "b": 1}),
    ("yaml-bracket", "a: [x, «[»y, 'z'}]\n", "end it with ']'", {"a": ["x", ["y", "z"]]}),
    ("yaml-bracket", "a: «[»x}\nb: 1\n", "end it with ']'", {"a": ["x"], "b": 1}),
    ("yaml-bracket", "a: ['x' «y»]\n", "separate", {"a": ["x", "y"]}),
    (
        "yaml-bracket",
        "a: {b: «ask who, when», c: d}\n",
        '"ask who, when"',
        {"a": {"b": "ask who, when", "c": "d"}},
    ),
    ("yaml-bracket", "a: {c: d, b: «x, y, z»}\n", '"x, y, z"', {"a": {"c": "d", "b": "x, y, z"}}),
    ("yaml-bracket", "a: {b: «1,000», c: d}\n", "`1000`", {"a": {"b": 1000, "c": "d"}}),
    ("yaml-bracket", "a: {b: «1,000,000»}\n", "`1000000`", {"a": {"b": 1000000}}),
    ("yaml-indicator", "a: | «one»\n  two\nb: 1\n", "on the next", {"a": "| one\n  two", "b": 1}),
    ("yaml-variable", "a: [«${X}», b]\n", '"${X}"', {"a": ["${X}", "b"]}),
    (
        "yaml-variable",
        "a: {b: «x ${X:-y}/${Z} z», c: d}\n",
        '"x ${X:-y}/${Z} z"',
        {"a": {"b": "x ${X:-y}/${Z} z", "c": "d"}},
    ),
    ("yaml-variable", "a: [«${»{x}}]\n", "quotes", None),
    ("yaml-quote", 'a: «"foo»\nb: 1\n', 'end it with "', {"a": "foo", "b": 1}),
    ("yaml-quote", "a: «'tis so»\nb: 1\n", "apostrophe", {"a": "tis so", "b": 1}),
    ("yaml-quote", 'a: «"foo»\nb: "bar"\n', 'end it with "', {"a": "foo", "b": "bar"}),
    ("yaml-quote", 'a: «"foo»\n  goes on\nb: 1\n', 'end it with "', {"b": 1}),
    ("yaml-quote", 'a: [«"foo]»\nb: 1\n', 'end it with "', {"b": 1}),
    ("yaml-quote", "a: 'don'«t'»\nb: 1\n", "''", {"a": "'don't'", "b": 1}),
    ("yaml-quote", 'a: "x" «and» more\nb: 1\n', '\\"', {"a": '"x" and more', "b": 1}),
    ("yaml-escape", 'a: "«\\d»"\nb: 1\n', "double the backslash", {"a": '"\\d"', "b": 1}),
    ("yaml-escape", 'a: "x C:«\\q»dir" # c\n', "single quotes", {"a": '"x C:\\qdir"'}),
    ("yaml-escape", 'a: "«\\u»d83d\\ude00"\n', "the character itself", {"a": '"\\ud83d\\ude00"'}),
    ("yaml-escape", 'a: "«\\U»FFFFFFFF"\n', "the character itself", {"a": '"\\UFFFFFFFF"'}),
    ("yaml-escape", 'a: "«\\x»g0"\n', "backslash", {"a": '"\\xg0"'}),
    ("yaml-escape", 'a: "one\n  «\\d» two"\n', "double the backslash", None),
    ("yaml-indentation", "a:\n    b: 1\n  «c:» 2\n", "column 5", {"a": {"b": 1, "c": 2}}),
    ("yaml-indentation", "a:\n  - b\n «-» c\n", "column 3", {"a": ["b", "c"]}),
    ("yaml-indentation", "a: foo\n  «b: c»\n", "indent it like `a`", {"a": "foo", "b": "c"}),
    (
        "yaml-indentation",
        "agents:\n  - name: a\n  «d:» x\n",
        "column 5",
        {"agents": [{"name": "a", "d": "x"}]},
    ),
    ("yaml-indentation", "a: «-» b\n", "next line", {"a": "- b"}),
    ("yaml-indentation", "a: 1\n«-» b\n", "give the list a key", {"a": 1}),
    ("yaml-many-documents", "a: 1\n...\n«b»\n", "delete", None),
    ("yaml-indentation", "a: |\n    x\n «y» z\n", "alike", {"a": "|\n    x\n y z"}),
    (
        "yaml-indentation",
        "a:\n  - b: 1\n   «-» b: 2\n     c: 3\n",
        "column 3",
        {"a": [{"b": 1}, {"b": 2, "c": 3}]},
    ),
    (
        "yaml-indentation",
        "a:\n  - b: 1\n «-» b: 2\n   c: 3\nd: 4\n",
        "column 3",
        {"a": [{"b": 1}, {"b": 2, "c": 3}], "d": 4},
    ),
    ("yaml-indentation", "a:\n  - b: 1\n   «c:» 3\n", "column 5", {"a": [{"b": 1, "c": 3}]}),
    ("yaml-indentation", "a:\n    - b\n  «-» c\nd: 4\n", "column 5", {"a": ["b", "c"], "d": 4}),
    (
        "yaml-indentation",
        "a: x,\n  «bs:»\n    - c: 1\n    - d: 2\n",
        "indent it like `a`",
        {"a": "x,", "bs": [{"c": 1}, {"d": 2}]},
    ),
    ("yaml-indentation", "a: x y\n  «Note: z»\nb: 1\n", "`a: |`", {"a": "x y\n  Note: z", "b": 1}),
    ("yaml-indentation", "a:\n  - x:y\n  «x:z»\nb: 1\n", "`- x:z`", {"a": ["x:y", "x:z"], "b": 1}),
    ("yaml-indentation", "a:\n  - x\n  «y»\nb: 1\n", "`- y`", {"a": ["x", "y"], "b": 1}),
    ("yaml-indentation", "a:\n  «-»b: 1\n   c: 2\n", "`- b:`", {"a": [{"b": 1, "c": 2}]}),
    ("yaml-indentation", "a:\n  «-»b: 1\n    c: 2\n", "`- b:`", {"a": [{"b": 1, "c": 2}]}),
    ("yaml-colon", "a:\n  - «b c»\n    d: 2\n", "`b: c`", {"a": [{"b": "c", "d": 2}]}),
    ("yaml-character", "a:«\u00a0»b\nc: 1\n", "plain spaces", {"a": "b", "c": 1}),
    ("yaml-character", "a: 1\nb:«\u2003»c\n", "plain spaces", {"a": 1, "b": "c"}),
    ("yaml-character", "a:\n«\u00a0\u00a0»b: 1\n", "plain spaces", {"a": {"b": 1}}),
    ("yaml-character", "a:\n«\u00a0\u00a0»- b\n", "plain spaces", {"a": ["b"]}),
    ("yaml-tab", "a: >\n  one\n«\t»\n  two\nb: 1\n", "delete the tab", {"a": "one\ntwo\n", "b": 1}),
    (
        "yaml-tab",
        "a:\n«\t»- b: 1\n  - b: 2\n    c: 3\nd: 4\n",
        "spaces",
        {"a": [{"b": 1}, {"b": 2, "c": 3}], "d": 4},
    ),
    ("yaml-key", "a: 1\n«:» x\n", "key: value", {"a": 1}),
    ("yaml-many-documents", "{a: 1}\n«{»b: 2}\n", "delete", None),
    ("yaml-syntax", "«---» a: 1\n", "next line", None),
    ("yaml-syntax", "a: {«:» x}\n", "quotes", None),
    ("yaml-syntax", "[a] «b:» c\n", "quotes", None),
    ("yaml-indicator", "a: 1\nb: «&x *y»\n", '"&x *y"', {"a": 1, "b": "&x *y"}),
]


@pytest.mark.parametrize(("code", "text", "hint", "value"), CASES)
def test_mistake_is_told_where_it_stands(code: str, text: str, hint: str, value: Json) -> None:
    text, expected = marked(text)
    document, report = read(text)
    told = [d for d in report if d.code not in ("yaml-root", "yaml-key") or d.code == code]
    assert [(d.code, place(d.span)) for d in told] == [(code, expected)]
    assert hint in str(told[0].hint)
    assert (plain(document.root) if document else None) == value


def test_every_mistake_of_a_file_is_told_at_once() -> None:
    text = (
        "name: support\n"
        "description: Billing: refunds\n"
        "model: @home\n"
        "instructions: {{ inputs.x }} is the customer\n"
        "agents:\n"
        "  - name: 'don't'\n"
        "    name: twice\n"
        "    description: [urgent] first\n"
        "  - name: last\n"
        "   model: x\n"
    )
    _, report = read(text)
    assert [(d.code, d.span.line) for d in report] == [
        ("yaml-colon", 2),
        ("yaml-indicator", 3),
        ("yaml-template", 4),
        ("yaml-quote", 6),
        ("yaml-duplicate-key", 7),
        ("yaml-bracket", 8),
        ("yaml-indentation", 10),
    ]


def test_tabs_are_told_on_every_line_that_they_indent() -> None:
    text = (
        "a:\n  text: |\n    x\n    \tindented text\n"
        "b:\n\tc: 1\n\td:\n\t\t- e\n"
        "f: |\n  text\n  \tkey: no fault\n"
        "\t\n"
        "g: 'words\n\twithout a key'\n"
    )
    _, report = read(text)
    assert [(d.code, place(d.span)) for d in report] == [
        ("yaml-tab", "6:1-6:2"),
        ("yaml-tab", "7:1-7:2"),
        ("yaml-tab", "8:1-8:3"),
    ]


def test_tabs_that_separate_are_read() -> None:
    assert codes(read("a:\tb\nc: [\n\td]\n")[1]) == []


def test_repeated_mistakes_are_bounded() -> None:
    found = list(read("l:\n" + "  - a: {{ x }} y\n" * 3_000)[1])
    assert [each.code for each in found if each.code != "yaml-template"] == ["yaml-too-many-faults"]
    assert len(found) == 1_001
    odd = "".join(f"k{number}: @x\n" for number in range(300))
    assert codes(read(odd)[1]).count("yaml-too-many-faults") == 1


def test_a_mistake_that_comes_again_and_again_hides_nothing() -> None:
    lines = "".join(f"  - a: b: {number}\n    c: 'don't'\n    d: x\n    d: y\n" for number in range(300))
    document, report = read(f"all:\n{lines}z: 1\nz: 2\n")
    found = codes(report)
    assert [found.count(code) for code in ("yaml-colon", "yaml-quote", "yaml-duplicate-key")] == [
        300,
        300,
        301,
    ]
    assert document is not None


def test_text_that_looks_like_a_mistake_made_before_is_no_mistake() -> None:
    text = "a: b: c\nd: |\n  x\n  a: b: c\ne: {a: 1}\na2: 'a: b: c'\nlist:\n  - a: b\n    c: d\n"
    assert codes(read(text)[1]) == ["yaml-colon"]


def test_tabs_on_many_lines_are_told_for_some_and_counted() -> None:
    document, report = read("a:\n" + "".join(f"\tb{number}: 1\n" for number in range(3_000)) + "c: 1\nc: 2\n")
    found = list(report)
    assert [each.code for each in found] == ["yaml-tab"] * 20 + ["yaml-duplicate-key"]
    assert "and 2,980 more below it are too" in found[19].message
    assert document is not None


@pytest.mark.parametrize(
    "text", ["a: 1\n\t\nb: 2\n", "a:\n  - c\n \t \n  - d\n\t\t\nb: 2\n", "a: |\n  x\n\nb: 1\n\t\n"]
)
def test_blank_lines_with_tabs_are_no_fault(text: str) -> None:
    document, report = read(text)
    assert codes(report) == []
    assert document is not None
    assert isinstance(document.root, Object)
    assert document.root.entry("b") is not None


def test_what_cannot_be_mended_is_left_out_and_the_rest_is_read() -> None:
    document, report = read('a: 1\nb: "x\n  y\nc: 3\nd: 4\nd: 5\n')
    assert codes(report) == ["yaml-quote", "yaml-duplicate-key"]
    assert document is not None
    assert plain(document.root) == {"a": 1, "c": 3, "d": 4}


def test_open_bracket_names_where_its_end_was_missed() -> None:
    diagnostic = only("a: [x, y\nb: 1\n")
    assert [place(related.span) for related in diagnostic.related] == ["2:2-2:3"]


def test_fault_at_the_end_of_a_file_is_placed_inside_it() -> None:
    diagnostic = only('a: "x\n\n\n')
    assert place(diagnostic.span) == "1:4-1:6"


def test_unclosed_quote_is_not_told_again_by_its_mend() -> None:
    _, report = read("a: 'x\nb: 'y\nc: 'z\n")
    assert [(d.code, d.span.line) for d in report] == [
        ("yaml-quote", 1),
        ("yaml-quote", 2),
        ("yaml-quote", 3),
    ]
