"""Script files that are missing or wrong: every mistake at once, with its line, before the first call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentctl.diagnostics import Span
from agentctl.errors import UsageError
from agentctl.models.script import ScriptModel
from agentctl.schemafiles import schema, schema_names, schema_text
from agentctl.spec.settings import ModelSettings

SPAN = Span(path="team.yaml", line=1, column=1, end_line=1, end_column=1)


def refused(folder: Path, text: str | bytes) -> UsageError:
    data = text.encode() if isinstance(text, str) else text
    (folder / "bad.yaml").write_bytes(data)
    with pytest.raises(UsageError) as caught:
        ScriptModel(ModelSettings(id="script:bad.yaml", folder=folder, span=SPAN))
    assert '"bad.yaml"' in caught.value.message
    assert caught.value.exit_code == 2
    return caught.value


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r'"gone.yaml" cannot be read: No such file') as caught:
        ScriptModel(ModelSettings(id="script:gone.yaml", folder=tmp_path, span=SPAN))
    assert caught.value.hint == "the path after `script:` is relative to the team file's folder"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("agents:\n  a: [", 2, ""),
        ("agents:\n  a: [one]\n  a: [two]\n", 3, '"a"'),
        ("", 1, "empty"),
        ("agents: {}\n", 1, "must not be empty"),
        ("agnets: {a: [b]}\n", 1, '"agnets"'),
        ("agents:\n  a:\n    - calls:\n        - nam: x\n", 4, '"nam"'),
        ("agents:\n  a:\n    - one\n    - txt: two\n", 4, '"txt"'),
        ("agents:\n  a:\n    - one\n    - 3\n", 4, "must be a text or a mapping"),
        ("agents:\n  a:\n    - text: x\n      delay: 3 days\n", 4, "must be a duration"),
        ("agents:\n  a:\n    - calls: [{name: f, arguments: {}, raw: x}]\n", 3, "not with both"),
        ("agents:\n  a:\n    - text: x\n      when: {regex: '('}\n", 4, "no regular expression"),
        ("agents:\n  a:\n    - text: x\n      when: {in: last}\n", 4, '"contains"'),
        ("agents:\n  a:\n    - error: {message: x}\n", 3, '"status"'),
        ("agents:\n  a:\n    - text: x\n      repeat: 0\n", 4, "true or a whole number from 1"),
        ("agents:\n  a:\n    - text: x\n      usage: {in: 3}\n", 4, '"in"'),
        ("agents:\n  'a b': []\n", 2, "the name of an agent"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    error = refused(tmp_path, text)
    assert f"line {line}:" in error.message
    assert words in error.message


def test_all_mistakes_are_told_up_to_a_bound(tmp_path: Path) -> None:
    assert refused(tmp_path, "agents:\n  a:\n    - txt: one\n    - txt: two\n").message.count("line ") >= 2
    many = "agents:\n  a:\n" + "    - 3\n" * 20
    assert refused(tmp_path, many).message.endswith("and 12 more")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    refused(tmp_path, b"agents: \xff\xfe\x00")


def test_every_key_of_the_schema_is_described() -> None:
    found = schema("script")
    assert found["description"]
    undescribed = list(_undescribed(found, "script"))
    assert not undescribed


def _undescribed(value: object, where: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    named = {**value.get("properties", {}), **value.get("$defs", {})}
    own = [f"{where}.{name}" for name, one in value.get("properties", {}).items() if not _told(one)]
    return own + [path for name, one in named.items() for path in _undescribed(one, f"{where}.{name}")]


def _told(one: object) -> bool:
    return isinstance(one, dict) and ("description" in one or "$ref" in one)


def test_schemas_are_found_by_name() -> None:
    assert "script" in schema_names()
    assert json.loads(schema_text("script")) == schema("script")
    with pytest.raises(UsageError, match='there is no schema "scrpt"') as caught:
        schema_text("scrpt")
    assert "script" in (caught.value.hint or "")
