"""Every code has a paragraph whose wrong example has just that problem and whose right one has none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from docs_codes import Paragraph, paragraphs

from agentctl.api.teams import validate

ROOT: Final = Path(__file__).parents[2]
PARAGRAPHS: Final = paragraphs()
# What a machine has or has not cannot be shown by a team file.
WITHOUT_EXAMPLES: Final = {"mcp-missing"}
KEYS: Final = {"OPENAI_API_KEY": "set"}
EXAMPLES: Final = [each for each in PARAGRAPHS if each.code not in WITHOUT_EXAMPLES]
# These tell of runs, whose errors have codes of their own.
ROOMS_AFTER: Final = {"engine", "journal", "api", "cli", "render", "testing", "errors.py"}
ONE_WORD: Final = {"lambda", "overlap"}
# A kind of `Problem` that is told as `wrong-value`.
NO_CODE: Final = {"wrong-key"}
_CODE: Final = re.compile(r"[a-z]+(-[a-z0-9]+)*")
# A limit on faults is only reached by other faults.
BESIDE: Final = {"yaml-too-many-faults": {"yaml-tag"}}
# These pass on a code that a `Fault`, a `Problem` or a tuple was made with.
PASS_ON: Final = {
    "checks/model_abilities.py",
    "checks/model_access.py",
    "checks/output_types.py",
    "checks/telling.py",
    "document/syntax_lines.py",
    "document/syntax_values.py",
    "document/substitute.py",
    "document/trouble.py",
    "spec/reading.py",
    "spec/rules/guardrails.py",
    "spec/shape.py",
}


@pytest.mark.parametrize("paragraph", EXAMPLES, ids=lambda each: each.code)
def test_the_wrong_example_has_just_this_problem(
    paragraph: Paragraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert paragraph.wrong is not None
    paragraph.write(tmp_path, paragraph.wrong)
    report = validate(["team.yaml"], environ=KEYS)
    codes = {found.code for found in report} - BESIDE.get(paragraph.code, set())
    assert codes == {paragraph.code}, [found.message for found in report][:9]
    severities = {found.severity.value for found in report}
    assert severities <= set(re.findall(r"\*\*(\w+)\*\*", paragraph.words.split(".")[0]))


@pytest.mark.parametrize("paragraph", EXAMPLES, ids=lambda each: each.code)
def test_the_right_example_has_no_problem(
    paragraph: Paragraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert paragraph.right is not None
    paragraph.write(tmp_path, paragraph.right)
    assert [(found.code, found.message) for found in validate(["team.yaml"], environ=KEYS)] == []


def test_a_paragraph_says_how_bad_it_is_and_what_it_means() -> None:
    for paragraph in PARAGRAPHS:
        assert re.match(r"\*\*(error|warning)\*\*(?: or \*\*warning\*\*)? [A-Z`A-Za-z]", paragraph.words)
        assert len(paragraph.words.split()) > 6


def test_codes_are_documented_once_and_all_that_can_be_told_are() -> None:
    codes = [paragraph.code for paragraph in PARAGRAPHS]
    assert sorted(codes) == sorted(set(codes))
    emitted = {
        code for path in (ROOT / "agentctl").rglob("*.py") for code in _codes(path)
    } - NO_CODE | ONE_WORD
    assert emitted - set(codes) == set(), "codes without a paragraph in docs/diagnostics.md"
    assert set(codes) - emitted == set(), "paragraphs of codes that nothing tells"


def test_what_the_examples_of_the_corpus_tell_is_documented() -> None:
    told: set[str] = set()
    for path in (ROOT / "tests" / "examples").glob("*/*/expected.txt"):
        told |= set(re.findall(r"(?:error|warning)\[([a-z0-9-]+)\]", path.read_text(encoding="utf-8")))
    assert told <= {paragraph.code for paragraph in PARAGRAPHS}


def _codes(path: Path) -> Iterator[str]:
    """Codes of diagnostics that a module makes: in calls of a report, faults, aliases and kinds."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    relative = path.relative_to(ROOT / "agentctl").as_posix()
    if relative.split("/")[0] in ROOMS_AFTER:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _of_call(node, relative)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from _of_assignment(node)
        elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
            yield from _constants(node.value.elts)


def _of_call(node: ast.Call, relative: str) -> Iterator[str]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in ("error", "warning", "tell", "_fault", "_as_text", "_unreadable") and node.args:
        if name in ("error", "warning"):
            first = node.args[0]
            assert isinstance(first, ast.Constant) or relative in PASS_ON, f"{relative}:{node.lineno}"
        yield from _constants(node.args)
    if name in ("Fault", "ToolProblem", "ModelProblem", "VariableFault", "Problem"):
        for keyword in node.keywords:
            if keyword.arg in ("code", "kind") and isinstance(keyword.value, ast.Constant):
                yield str(keyword.value.value)


def _of_assignment(node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    """`code = "…"`, `code, message = "…", …`, `Code: TypeAlias = Literal["…"]`."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    if not names & {"code", "FaultCode", "Code", "UNEXPLAINED"} or node.value is None:
        return
    for each in ast.walk(node.value):
        yield from _constants([each])


def _constants(nodes: Sequence[ast.AST]) -> Iterator[str]:
    values = (each.value for each in nodes if isinstance(each, ast.Constant))
    yield from (each for each in values if isinstance(each, str) and "-" in each and _CODE.fullmatch(each))
