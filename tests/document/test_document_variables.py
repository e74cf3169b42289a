"""`${NAME}` and its forms, in a text and in a document."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from document_reading import PATH, codes, marked, place, read
from document_teams import FUZZ
from hypothesis import given
from hypothesis import strategies as st

from agentctl.diagnostics import Report
from agentctl.document import Node, escape_variables, expand, plain, substitute

ENVIRON = {"HOST": "example.org", "EMPTY": "", "TRICK": "${HOST}: [x]\nb: 1", "API_KEY": "sk-secret"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain $HOST {x} $", "plain $HOST {x} $"),
        ("${HOST}", "example.org"),
        ("a ${HOST}/${HOST} b", "a example.org/example.org b"),
        ("${EMPTY}", ""),
        ("${NONE:-}", ""),
        ("${NONE:-a b}", "a b"),
        ("${EMPTY:-a b}", "a b"),
        ("${HOST:-a b}", "example.org"),
        ("${NONE:-http://x:80/?a=${HOST}}", "http://x:80/?a=example.org"),
        ("${NONE:-${EMPTY:-${HOST}}!}", "example.org!"),
        ("${HOST:-${NONE}}", "example.org"),
        ("${HOST:-${NONE:?never asked}}", "example.org"),
        ("${NONE:-$${HOST}}", "${HOST}"),
        ("${HOST:?must be set}", "example.org"),
        ("$${HOST}", "${HOST}"),
        ("$$${HOST}", "$${HOST}"),
        ("$${", "${"),
        ("$${HOST} ${HOST}", "${HOST} example.org"),
        ("{{ inputs.x }} ${HOST}", "{{ inputs.x }} example.org"),
        ("${TRICK}", "${HOST}: [x]\nb: 1"),
    ],
)
def test_text_is_expanded(text: str, value: str) -> None:
    assert expand(text, ENVIRON) == (value, ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x «${NONE}» y", 'the variable "NONE" is not set'),
        ("«${NONE:?}»", 'the variable "NONE" is not set or empty'),
        ("«${EMPTY:? give it }»", 'the variable "EMPTY" is not set or empty: give it'),
        ("${NONE:-x«${MORE}»}", 'the variable "MORE" is not set'),
        ("${NONE:-«${MORE:?why}»}", 'the variable "MORE" is not set or empty: why'),
    ],
)
def test_variable_without_value_is_a_fault(text: str, message: str) -> None:
    text, expected = marked(text)
    value, (fault,) = expand(text, ENVIRON)
    assert value == text
    assert (fault.code, fault.message) == ("variable-unset", message)
    assert f"1:{fault.start + 1}-1:{fault.end + 1}" == expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a «${»", "names no variable"),
        ("«${}»", "`${}` names no variable"),
        ("«${1X}»", "names no variable"),
        ("«${ HOST }»", "names no variable"),
        ("«${»HOST", "has no '}'"),
        ("«${»HOST:-x", "has no '}'"),
        ("«${»HOST:?x", "has no '}'"),
        ("«${»HOST:-${NONE:-x}", "has no '}'"),
        ("«${HOST-»x}", "followed by '-'"),
        ("«${HOST »}", "followed by ' '"),
        ("«${HOST:»x}", "followed by ':'"),
        ("${NONE:-«${» x", "names no variable"),
        ("${NONE:-" * 20 + "«${»NONE:-" + "}" * 21, "nested too deeply"),
    ],
)
def test_malformed_expression_is_a_fault(text: str, word: str) -> None:
    text, expected = marked(text)
    value, (fault,) = expand(text, ENVIRON)
    assert value == text
    assert fault.code == "variable-syntax"
    assert word in fault.message
    assert f"1:{fault.start + 1}-1:{fault.end + 1}" == expected


def test_faults_behind_a_fault_are_found() -> None:
    _, faults = expand("${} ${HOST ${NONE} ${X:?y}", ENVIRON)
    assert [fault.code for fault in faults] == [
        "variable-syntax",
        "variable-syntax",
        "variable-unset",
        "variable-unset",
    ]


def test_faults_are_bounded() -> None:
    assert len(expand("${" * 3_000, {})[1]) == 100
    _, report = _substituted("a: ['${'" + ", '${'" * 3_000 + "]\n")
    assert len(report.found) == 1_000


def test_near_name_is_offered_and_no_value_is_echoed() -> None:
    _, (fault,) = expand("${API_KEI}", ENVIRON)
    assert 'did you mean "API_KEY"?' in fault.hint
    assert "`${API_KEI:-default}`" in fault.hint
    assert "sk-secret" not in fault.hint + fault.message


@FUZZ
@given(st.text(alphabet="${}:-?aA \n"))
def test_escaped_text_expands_to_itself(text: str) -> None:
    assert expand(escape_variables(text), {}) == (text, ())


@FUZZ
@given(st.text(alphabet="${}:-?aA1 "), st.dictionaries(st.sampled_from(["a", "A", "aA"]), st.text()))
def test_expanding_never_raises_and_places_its_faults_inside(text: str, environ: Mapping[str, str]) -> None:
    value, faults = expand(text, environ)
    assert all(0 <= fault.start < fault.end <= len(text) for fault in faults)
    assert value == text if faults else True


def _substituted(text: str, *kept: str) -> tuple[Node, Report]:
    document, report = read(text)
    assert document is not None
    root = substitute(document.root, ENVIRON, report=report, path=PATH, keep=lambda pointer: pointer in kept)
    return root, report


def test_values_are_substituted_and_keys_are_not() -> None:
    root, report = _substituted("a: ${HOST}\n'${HOST}': [1, x, {b: '${NONE:-12}'}]\n")
    assert codes(report) == []
    assert plain(root) == {"a": "example.org", "${HOST}": [1, "x", {"b": "12"}]}


def test_value_never_changes_the_structure() -> None:
    root, _ = _substituted("a: ${TRICK}\n")
    assert plain(root) == {"a": "${HOST}: [x]\nb: 1"}


def test_kept_values_stay_as_written_and_are_checked() -> None:
    root, report = _substituted("a: 'Bearer ${API_KEY} $${x}'\nb: ${NONE}\n", "/a", "/b")
    assert plain(root) == {"a": "Bearer ${API_KEY} $${x}", "b": "${NONE}"}
    assert [(d.code, d.pointer) for d in report] == [("variable-unset", "/b")]


@pytest.mark.parametrize(
    "text",
    [
        "a: x «${NONE}» y\n",
        "a: |\n  x\n  é «${NONE}»\n",
        "a: '$${NONE} «${NONE}»'\n",
        'a: «"\\x24{NONE}"»\n',
        "a: &x\n  b: «${NONE}»\nc: [*x, *x]\n",
    ],
)
def test_fault_is_placed_at_its_expression(text: str) -> None:
    text, expected = marked(text)
    _, report = _substituted(text)
    (diagnostic,) = report
    assert (diagnostic.code, place(diagnostic.span)) == ("variable-unset", expected)
    assert len(report.found) == 1


def test_second_of_two_equal_expressions_has_its_own_place() -> None:
    _, report = _substituted("a: ${NONE} ${NONE}\n")
    assert [place(d.span) for d in report] == ["1:4-1:11", "1:12-1:19"]


def test_document_that_is_not_in_the_report_is_placed_by_its_values() -> None:
    document, _ = read("a: x ${NONE}\n")
    assert document is not None
    report = Report()
    substitute(document.root, {}, report=report, path=PATH)
    assert [place(d.span) for d in report] == ["1:4-1:13"]
