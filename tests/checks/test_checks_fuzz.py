"""Whatever is in the files: validate ends soon, raises nothing, and points into the files alone."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentctl.api.teams import validate
from agentctl.diagnostics import Report, Span
from agentctl.render.diagnostics_github import diagnostics_github
from agentctl.render.diagnostics_json import diagnostics_json
from agentctl.render.diagnostics_sarif import diagnostics_sarif
from agentctl.render.diagnostics_text import diagnostics_text

ROOT: Final = Path(__file__).parents[2]
TEAMS: Final = sorted((ROOT / "teams").glob("*/team.yaml"))
VALID: Final = sorted((ROOT / "tests" / "examples" / "valid").glob("*/team.yaml"))
# Words that mean something somewhere in a team file, and signs that mean something to YAML.
_WORDS: Final = (
    "name agents strategy handoff router swarm plan_execute transitions handoff_when weights plan tools "
    "function tools:check ./tools.py:nothing os:system limits turns unlimited model offline openai/gpt-4o "
    "${HOME} ${NONE} {{ inputs.x }} inputs output guardrails tests mcp_servers file team.yaml null true yes "
    "0 -1 1e999 .nan 12:30 &a *a << !x [ ] { } , : - ' \" | > # \t \n \n\n \x00 é 😀 \u2028"
)
PIECES: Final = tuple(_WORDS.split(" "))
FUZZ: Final = settings(
    max_examples=40,
    deadline=timedelta(seconds=10),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@contextmanager
def copied(team: Path) -> Iterator[Path]:
    """A copy of the team's folder as the working directory."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(team.parent, copy, ignore=shutil.ignore_patterns("__pycache__", ".agentctl"))
        with chdir(copy):
            yield copy


def check(data: bytes) -> None:
    """Validates `team.yaml` with and without imports, in the working directory."""
    Path("team.yaml").write_bytes(data)
    for imports in (True, False):
        report = validate(["team.yaml"], imports=imports, environ={"HOME": "/home"})
        for found in report:
            assert found.hint, found
            for span in (found.span, *(other.span for other in found.related)):
                assert_inside(span, report)
        diagnostics_text(report, width=40)
        diagnostics_json(report)
        diagnostics_github(report)
        diagnostics_sarif(report, version="1")


def assert_inside(span: Span, report: Report) -> None:
    lines = report.sources[span.path].split("\n")
    assert 1 <= span.line <= span.end_line <= len(lines), span
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1, span
    assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 1, span
    assert (span.line, span.column) <= (span.end_line, span.end_column), span


@st.composite
def edits(draw: st.DrawFn, text: str) -> str:
    """The text with a few stretches of it cut out, doubled, moved, or replaced by a word."""
    for _ in range(draw(st.integers(1, 4))):
        at, other = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        stretch = text[at : min(other, at + 80)]
        piece = draw(st.sampled_from(PIECES))
        middle = draw(st.sampled_from(["", stretch + stretch, piece, f" {piece} ", f"\n  {piece}: "]))
        text = text[:at] + middle + text[at + len(stretch) :]
    return text


@FUZZ
@given(st.data(), st.sampled_from([*TEAMS, *VALID]))
def test_real_teams_cut_and_mixed(data: st.DataObject, team: Path) -> None:
    with copied(team):
        check(data.draw(edits(team.read_text(encoding="utf-8"))).encode("utf-8", "surrogatepass"))


@FUZZ
@given(st.data(), st.sampled_from(TEAMS))
def test_real_teams_with_bytes_spoilt(data: st.DataObject, team: Path) -> None:
    spoilt = bytearray(team.read_bytes())
    for at, byte in data.draw(st.lists(st.tuples(st.integers(0, len(spoilt) - 1), st.integers(0, 255)))):
        spoilt[at] = byte
    with copied(team):
        check(bytes(spoilt))


@FUZZ
@given(st.data(), st.sampled_from([team for team in TEAMS if (team.parent / "tools.py").exists()]))
def test_real_tools_cut_and_mixed(data: st.DataObject, team: Path) -> None:
    """Whole lines only, so that what is left is mostly Python and never anything new."""
    lines = (team.parent / "tools.py").read_text(encoding="utf-8").split("\n")
    kept = data.draw(st.lists(st.sampled_from(lines), max_size=len(lines)))
    with copied(team) as copy:
        (copy / "tools.py").write_text("\n".join(kept), encoding="utf-8")
        check(team.read_bytes())


@FUZZ
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_heaps_of_words_and_signs(pieces: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        check(" ".join(pieces).encode())
