"""libyaml and the parser written in Python give the same nodes, places and faults: either may serve."""

from __future__ import annotations

import pytest
import yaml
from document_teams import FUZZ, TEAM, mutated_teams
from hypothesis import assume, given

from agentctl.diagnostics import Diagnostic, Report
from agentctl.document import Node
from agentctl.document.compose import Composer, Stopped
from agentctl.document.events import FASTEST, Loader, Reading, Unreadable
from agentctl.document.source import Source
from agentctl.document.syntax import explain


def _composed(text: str, loader: Loader) -> tuple[Node | None, list[Diagnostic], str]:
    report = Report()
    source = Source("team.yaml", text)
    composer = Composer(source, Reading(text, loader=loader), report)
    try:
        return composer.compose(), report.found, ""
    except Stopped:
        return None, report.found, "stopped"
    except Unreadable as error:
        return None, report.found, explain(error, source, composer.last)[0].code


def test_libyaml_is_used_where_it_is_there() -> None:
    assert yaml.CSafeLoader is FASTEST


def test_both_give_the_same_places() -> None:
    fast = _composed(TEAM, yaml.CSafeLoader)
    assert fast == _composed(TEAM, yaml.SafeLoader)
    assert fast[0] is not None


@FUZZ
@given(mutated_teams(clean=True))
def test_both_agree_on_what_both_read(text: str) -> None:
    assume("::" not in text)  # inside brackets the two end the text at different colons
    fast, slow = _composed(text, yaml.CSafeLoader), _composed(text, yaml.SafeLoader)
    assert fast[2] or slow[2] or fast == slow


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a:\n\tb: 1\n", "yaml-tab"),
        ("a: {{ x }} y\n", "yaml-template"),
        ("a: b: c\n", "yaml-colon"),
        ("a: @x\n", "yaml-indicator"),
        ("a: *b* c\n", "yaml-indicator"),
        ("a: > 5\n", "yaml-indicator"),
        ("%YAML 2.0\n---\na: 1\n", "yaml-indicator"),
        ("a: [x] y\n", "yaml-bracket"),
        ("a: [x\nb: 1\n", "yaml-bracket"),
        ("a: [${X}]\n", "yaml-variable"),
        ('a: "x\n', "yaml-quote"),
        ("a: 'don't'\n", "yaml-quote"),
        ('a: "\\d"\n', "yaml-escape"),
        ('a: "\\xg0"\n', "yaml-escape"),
        ('a: "\\ud83d\\ude00"\n', "yaml-escape"),
        ('a: "\\UFFFFFFFF"\n', "yaml-escape"),
        ("a:\n    b: 1\n  c: 2\n", "yaml-indentation"),
        ("a:\n  - b: 1\n  c: 2\n", "yaml-indentation"),
        ("a: - b\n", "yaml-indentation"),
        ("a: x\n  b: c\n", "yaml-indentation"),
        ("a: 1\nfoo\nb: 2\n", "yaml-colon"),
        ("a: 1\n...\nb\n", "yaml-many-documents"),
        ("--- a: 1\n", "yaml-syntax"),
    ],
)
def test_both_are_explained_alike(text: str, code: str) -> None:
    assert [_composed(text, loader)[2] for loader in (yaml.CSafeLoader, yaml.SafeLoader)] == [code, code]
