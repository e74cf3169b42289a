from pathlib import Path

import pytest
from rich.cells import cell_len

from agentctl.diagnostics import Related, Report, Span
from agentctl.render.diagnostics_text import count, diagnostics_text

SOURCE = """\
name: support
agents:
\t- name: 名前 # [bold]
    instruction: 'Route'

description: short
x: 1"""


def span(line: int, column: int, end_line: int, end_column: int, path: str = "team.yaml") -> Span:
    return Span(path=path, line=line, column=column, end_line=end_line, end_column=end_column)


def shown(report: Report, width: int = 80) -> str:
    return "\n".join(line.plain for line in diagnostics_text(report, width=width))


def test_a_report_shows_place_code_source_marker_related_place_and_hint() -> None:
    report = Report(sources={"team.yaml": SOURCE})
    report.error(
        "unknown-key",
        'unknown key "instruction"',
        span(4, 5, 4, 16),
        hint='did you mean "instructions"?',
        related=(Related(span=span(1, 1, 1, 5), message="the agent begins here"),),
    )
    report.warning("wide-name", "a name of wide characters", span(3, 10, 3, 12))
    assert (
        shown(report)
        == """\
team.yaml:3:10: warning[wide-name] a name of wide characters
2 | agents:
3 |     - name: 名前 # [bold]
  |             ^^^^
4 |     instruction: 'Route'

team.yaml:4:5: error[unknown-key] unknown key "instruction"
3 |     - name: 名前 # [bold]
4 |     instruction: 'Route'
  |     ^^^^^^^^^^^
team.yaml:1:1: the agent begins here
1 | name: support
  | ^^^^
2 | agents:
hint: did you mean "instructions"?

1 error, 1 warning in team.yaml"""
    )


def test_a_value_over_several_lines_is_marked_on_its_first() -> None:
    report = Report(sources={"team.yaml": SOURCE})
    report.error("shape", "not a list", span(2, 1, 4, 12))
    assert shown(report).splitlines()[1:5] == [
        "1 | name: support",
        "2 | agents:",
        "  | ^^^^^^^…",
        "3 |     - name: 名前 # [bold]",
    ]


def test_the_end_of_the_file_and_places_outside_of_it() -> None:
    report = Report(sources={"team.yaml": SOURCE})
    report.error("eof", "ends too early", span(7, 5, 7, 5))
    report.error("outside", "no such line", span(9, 1, 9, 2))
    report.error("no-text", "file not read", span(1, 1, 1, 1, path="other.yaml"))
    assert (
        shown(report)
        == """\
other.yaml:1:1: error[no-text] file not read

team.yaml:7:5: error[eof] ends too early
6 | description: short
7 | x: 1
  |     ^

team.yaml:9:1: error[outside] no such line

3 errors in 2 files"""
    )


def test_long_lines_are_cut_around_the_marker_at_any_width() -> None:
    line = "description: " + "".join(f"word{number} " for number in range(100))
    report = Report(sources={"t": line})
    start = line.index("word50") + 1
    report.error("long", "too long", span(1, start, 1, start + 6, path="t"))
    for width in (40, 60, 100, 200):
        _, source, marker, *_ = shown(report, width).splitlines()
        assert cell_len(source) <= width
        assert source[marker.index("^") : marker.rindex("^") + 1] == "word50"
        assert source.startswith("1 | …")
        assert source.endswith("…")


def test_a_marked_part_wider_than_the_terminal_keeps_its_start() -> None:
    line = "key: " + "x" * 500
    report = Report(sources={"t": line})
    report.error("long", "too long", span(1, 6, 1, 506, path="t"))
    _, source, marker, *_ = shown(report, 50).splitlines()
    assert cell_len(source) <= 50
    assert "xxx" in source
    assert marker.count("^") >= 20


def test_control_characters_and_markup_of_a_file_are_shown_as_they_are() -> None:
    report = Report(sources={"t": "a: '\x1b[31m[/x]'"})
    report.error("odd", "odd \x07 text [bold]", span(1, 4, 1, 15, path="t"), hint="remove \x1b")
    text = shown(report)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "1 | a: '\\x1b[31m[/x]'" in text
    assert "odd \\x07 text [bold]" in text
    assert "hint: remove \\x1b" in text


def test_windows_line_ends_do_not_show() -> None:
    report = Report(sources={"t": "a: 1\r\nb: 2\r\nc: 3"})
    report.error("odd", "odd", span(2, 1, 2, 2, path="t"))
    assert shown(report).splitlines()[1:5] == ["1 | a: 1", "2 | b: 2", "  | ^", "3 | c: 3"]


def test_an_empty_report_has_no_lines_but_can_be_counted() -> None:
    assert diagnostics_text(Report()) == []
    assert count(Report()) == "no problems"


def test_links_lead_to_files_that_exist(tmp_path: Path) -> None:
    file = tmp_path / "team.yaml"
    file.write_text("a: 1")
    report = Report()
    report.error("odd", "odd", span(1, 1, 1, 2, path=str(file)))
    report.error("odd", "odd", span(1, 1, 1, 2, path=str(tmp_path / "gone.yaml")))
    linked = [
        "link" in str(line.spans) for line in diagnostics_text(report, links=True) if "error" in line.plain
    ]
    assert linked[:2] == [False, True]
    assert "link" not in str([line.spans for line in diagnostics_text(report)])


def test_a_key_that_stands_in_the_file_is_not_shown_again() -> None:
    key = "sk-proj-4f9Ab3cD0eF1gH2iJ3kL4mN5oP6qR7sT"
    line = f"model: {{api_key: {key}, idd: x}}"
    report = Report(sources={"team.yaml": line})
    column = line.index("idd") + 1
    report.error("unknown-key", 'unknown key "idd"', span(1, column, 1, column + 3))
    assert key not in shown(report)
    assert "1 | model: {api_key: •••, idd: x}\n  |                       ^^^" in shown(report)


@pytest.mark.parametrize(
    ("line", "secret", "kept"),
    [
        ("model: {api_key: 0123456789abcdef0123, idd: x}", "0123456789abcdef0123", "api_key: •••, idd"),
        ('headers: {Authorization: "abcDEF123456", idd: x}', "abcDEF123456", '"•••", idd'),
        ("model: {api_key_env: OPENAI_API_KEY, idd: x}", "•••", "OPENAI_API_KEY, idd"),
        ("env: {TOKEN: $TOKEN_OF_OURS, idd: x}", "•••", "$TOKEN_OF_OURS, idd"),
    ],
)
def test_what_stands_under_the_name_of_a_key_is_not_shown(line: str, secret: str, kept: str) -> None:
    report = Report(sources={"team.yaml": line})
    column = line.index("idd") + 1
    report.error("unknown-key", 'unknown key "idd"', span(1, column, 1, column + 3))
    assert secret not in shown(report)
    assert kept in shown(report)


def test_a_key_in_a_message_is_masked() -> None:
    report = Report(sources={"team.yaml": "model: x"})
    key = "sk-proj-4f9Ab3cD0eF1gH2iJ3kL4mN5oP6qR7sT"
    report.error("model-unknown", f'the model id "{key}"', span(1, 8, 1, 9), hint=f"not {key}")
    assert key not in shown(report)
    assert 'the model id "•••"' in shown(report)
    assert "hint: not •••" in shown(report)


def test_a_line_break_in_a_name_breaks_no_line() -> None:
    report = Report(sources={"team.yaml": SOURCE})
    report.error("unknown-key", 'unknown key "a\nb"', span(4, 5, 4, 16), hint="take a\nb out")
    lines = shown(report).splitlines()
    assert lines[0] == 'team.yaml:4:5: error[unknown-key] unknown key "a\\nb"'
    assert "hint: take a\\nb out" in lines
