"""`.env` files: read without touching the environment, and without repeating what may be a secret."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentctl.document import load_env_file
from agentctl.errors import UsageError


def _write(folder: Path, data: bytes) -> Path:
    path = folder / ".env"
    path.write_bytes(data)
    return path


def test_missing_file_has_no_variables(tmp_path: Path) -> None:
    assert load_env_file(tmp_path / ".env") == {}


def test_variables_are_read_and_the_environment_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTCTL_TEST_HOST", "outer")
    data = (
        b"\xef\xbb\xbf# comment\nAGENTCTL_A=1\nexport AGENTCTL_B='two words' # c\r\nAGENTCTL_C=\n"
        b'AGENTCTL_D\nAGENTCTL_E="x\\ny"\nAGENTCTL_F=${AGENTCTL_A}-${AGENTCTL_TEST_HOST}\n'
    )
    before = dict(os.environ)
    assert load_env_file(_write(tmp_path, data)) == {
        "AGENTCTL_A": "1",
        "AGENTCTL_B": "two words",
        "AGENTCTL_C": "",
        "AGENTCTL_E": "x\ny",
        "AGENTCTL_F": "1-outer",
    }
    assert dict(os.environ) == before


def test_wrong_line_is_named_and_not_repeated(tmp_path: Path) -> None:
    path = _write(tmp_path, b"A=1\nB='sk-secret\nC=2\n")
    with pytest.raises(UsageError) as caught:
        load_env_file(path)
    assert caught.value.message == f'line 2 of "{path}" is not `NAME=value`'
    assert "sk-secret" not in f"{caught.value.message}{caught.value.hint}"


def test_other_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not UTF-8"):
        load_env_file(_write(tmp_path, b"A=\xe9\n"))


def test_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_env_file(tmp_path)
