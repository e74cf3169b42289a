"""Anchors, aliases and merges, and the bounds of what they may grow into."""

from __future__ import annotations

import pytest
from document_reading import codes, good, marked, only, place, read, value_of

from agentctl.document import Object, locate, plain
from agentctl.jsontypes import Json


def test_alias_has_its_own_pointer_and_place_and_its_inside_that_of_the_anchor() -> None:
    root = good("x-base: &base\n  - {k: v}\nuse: *base\n")
    use = locate(root, ["use"])
    inner = locate(root, ["use", 0, "k"])
    assert (use.pointer, place(use.span)) == ("/use", "3:6-3:11")
    assert (inner.pointer, place(inner.span)) == ("/use/0/k", "2:9-2:10")
    assert plain(root) == {"x-base": [{"k": "v"}], "use": [{"k": "v"}]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<<: *a\n  y: own", {"x": 1, "y": "own"}),
        ("y: own\n  <<: *a", {"x": 1, "y": "own"}),
        ("<<: [*a, *b]", {"x": 1, "y": 2, "z": 3}),
        ("<<: [*b, *a]", {"x": 1, "y": 0, "z": 3}),
        ("<<: {k: v}\n  y: own", {"k": "v", "y": "own"}),
        ("<<: []", {}),
        ("<<: *c\n  x: own", {"x": "own", "y": 2, "w": {"deep": 1}}),
        ("'<<': 1", {"<<": 1}),
    ],
)
def test_merge(text: str, value: Json) -> None:
    base = "a: &a {x: 1, y: 2}\nb: &b {y: 0, z: 3}\nc: &c\n  <<: *a\n  w: {deep: 1}\n"
    assert plain(locate(good(f"{base}m:\n  {text}\n"), ["m"])) == value


def test_merged_entries_have_the_pointer_of_the_new_place_and_the_span_of_the_old() -> None:
    root = good("a: &a {x: {y: 1}}\nm: {<<: *a}\n")
    merged = locate(root, ["m"])
    assert isinstance(merged, Object)
    assert place(merged.entries[0].key_span) == "1:8-1:9"
    assert locate(root, ["m", "x", "y"]).pointer == "/m/x/y"


def test_merged_keys_stand_where_the_merge_stands() -> None:
    merged = plain(locate(good("a: &a {x: 1, y: 2}\nm: {first: 0, <<: *a, y: 3}\n"), ["m"]))
    assert isinstance(merged, dict)
    assert list(merged) == ["first", "x", "y"]


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("m: {<<: «text»}\n", "/m/<<"),
        ("m:\n  <<: [«1», {a: 1}]\n", "/m/<</0"),
        ("a: &a [x]\nm: {<<: [«*a»]}\n", "/m/<</0"),
        ("m:\n  <<:«»\n", "/m/<<"),
    ],
)
def test_merge_of_what_is_no_mapping_is_refused(text: str, pointer: str) -> None:
    text, expected = marked(text)
    diagnostic = only(text)
    assert (diagnostic.code, place(diagnostic.span), diagnostic.pointer) == ("yaml-merge", expected, pointer)


def test_two_merges_in_one_mapping_are_refused_with_the_mend() -> None:
    diagnostic = only("a: &a {x: 1}\nm:\n  <<: *a\n  <<: *a\n")
    assert diagnostic.code == "yaml-duplicate-key"
    assert "`<<: [*a, *b]`" in str(diagnostic.hint)


@pytest.mark.parametrize(
    ("text", "word", "hint"),
    [
        ("a: &base 1\nb: «*bas»\n", "no `&bas` comes before it", "did you mean `*base`?"),
        ("b: «*qqq»\n", "no `&qqq` comes before it", "if it is text"),
        ("b: «*later»\nc: &later 1\n", "no `&later` comes before it", "if it is text"),
        ("a: &a [x, «*a»]\n", "stands inside the value it names", "take it out"),
        ("a: &a 1\nb: &a {c: «*a»}\n", "stands inside the value it names", "take it out"),
    ],
)
def test_alias_of_nothing_is_refused(text: str, word: str, hint: str) -> None:
    text, expected = marked(text)
    diagnostic = only(text)
    assert (diagnostic.code, place(diagnostic.span)) == ("yaml-alias", expected)
    assert word in diagnostic.message
    assert hint in str(diagnostic.hint)


def test_alias_may_be_a_key_if_it_is_text() -> None:
    assert value_of("a: &k name\n*k : 1\n") == {"a": "name", "name": 1}
    assert codes(read("a: &k [1]\n*k : 1\n")[1]) == ["yaml-key"]


def test_later_anchor_of_the_same_name_holds() -> None:
    assert value_of("a: &x 1\nb: &x 2\nc: *x\n") == {"a": 1, "b": 2, "c": 2}


def test_alias_bomb_is_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    document, report = read("\n".join(lines))
    assert document is None
    assert codes(report) == ["yaml-alias-bomb"]


def test_aliases_of_a_long_text_are_bounded_too() -> None:
    assert codes(read(f"a: &a {'x' * 100_000}\nb: [{'*a, ' * 500}]\n")[1]) == ["yaml-alias-bomb"]


def test_many_uses_of_one_anchor_are_no_bomb() -> None:
    text = "x-d: &d {turns: 6, cost_usd: 0.1}\nagents:\n" + "  - {name: a, limits: *d}\n" * 2_000
    assert codes(read(text)[1]) == []


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "[[\n"])
def test_deep_nesting_is_refused(opening: str) -> None:
    document, report = read(opening * 50_000)
    assert document is None
    assert codes(report) == ["yaml-too-deep"]


@pytest.mark.parametrize(("levels", "expected"), [(100, []), (101, ["yaml-too-deep"])])
def test_a_hundred_levels_are_read(levels: int, expected: list[str]) -> None:
    brackets = levels - 1
    assert codes(read(f"a: {'[' * brackets}{']' * brackets}\n")[1]) == expected


@pytest.mark.parametrize(("levels", "expected"), [(100, []), (101, ["yaml-too-deep"])])
def test_aliases_do_not_hide_levels(levels: int, expected: list[str]) -> None:
    text = f"a: &a {'[' * 50}{']' * 50}\nb: {'[' * (levels - 51)}*a{']' * (levels - 51)}\n"
    assert codes(read(text)[1]) == expected


def test_near_anchors_are_not_sought_among_very_many() -> None:
    text = "".join(f"a{n}: &base{n} 1\n" for n in range(600))
    assert "did you mean" not in str(only(f"{text}b: *base\n").hint)


def test_more_directives_than_make_sense_are_refused() -> None:
    diagnostic = only("".join(f"%TAG !a{n}! x:\n" for n in range(101)) + "---\na: 1\n")
    assert (diagnostic.code, place(diagnostic.span)) == ("yaml-too-big", "101:1-101:5")


def test_more_faults_than_anyone_reads_end_the_reading() -> None:
    document, report = read("a: 1\n" * 2_000)
    assert document is None
    assert len(report.found) == 1_001
    assert report.found[-1].code == "yaml-too-many-faults"


def test_more_values_than_are_read_are_refused() -> None:
    document, report = read(f"a: [{'x,' * 500_000}]\n")
    assert document is None
    assert codes(report) == ["yaml-too-big"]
