"""The packages of `package.json`, installed once, and the language server of them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from npm.npm_language_server import LanguageServer

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `node_modules`, exactly as the lock file says."""
    folder = tmp_path_factory.mktemp("npm")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    return folder / "node_modules"


@pytest.fixture(scope="session")
def editor(packages: Path) -> Iterator[LanguageServer]:
    with LanguageServer(packages / "yaml-language-server" / "bin" / "yaml-language-server") as server:
        yield server
