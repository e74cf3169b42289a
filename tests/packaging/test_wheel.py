"""The built wheel, installed by itself into an empty environment, does the main job."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

from agentctl.spec.strategies import STRATEGIES

ROOT = Path(__file__).parents[2]
QUESTION = "What's the balance on account ACC-123?"

pytestmark = pytest.mark.packaging


def call(words: Sequence[str | Path], cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of console scripts of an environment that holds the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("wheel")
    call([sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT], folder)
    environment = folder / "environment"
    venv.create(environment, with_pip=True)
    scripts = environment / "bin"
    wheel = next(folder.glob("*.whl"))
    constraints = ROOT / "constraints.txt"
    call([scripts / "python", "-m", "pip", "install", "-q", "-c", constraints, wheel], folder)
    return scripts


def test_the_support_team_runs(installed: Path, tmp_path: Path) -> None:
    done = call([installed / "agentctl", "run", ROOT / "teams" / "support", QUESTION], tmp_path)
    assert "5432.10" in done.stdout
    assert "billing" in done.stderr
    call([installed / "agentctl", "show", "--last", "--html", "run.html"], tmp_path)
    assert "5432.10" in (tmp_path / "run.html").read_text("utf-8")


def test_the_schemas_are_inside(installed: Path, tmp_path: Path) -> None:
    for name in ("team", "run", "script"):
        shown = call([installed / "agentctl", "schema", name], tmp_path).stdout
        assert json.loads(shown) == json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_new_team_of_every_strategy_is_inside(installed: Path, tmp_path: Path, strategy: str) -> None:
    call([installed / "agentctl", "init", "desk", "--strategy", strategy], tmp_path)
    assert " passed in " in call([installed / "agentctl", "test", "desk"], tmp_path).stdout


def test_the_types_are_inside(installed: Path, tmp_path: Path) -> None:
    where = call([installed / "python", "-c", "import agentctl; print(agentctl.__file__)"], tmp_path).stdout
    assert (Path(where.strip()).parent / "py.typed").exists()


def test_servers_without_their_library_are_told_how_to_get_it(installed: Path, tmp_path: Path) -> None:
    server = "mcp_servers: {time: {command: x}}\ntools: [{mcp: time}]\n"
    team = f"name: desk\nmodel: offline\ninstructions: x\n{server}"
    (tmp_path / "team.yaml").write_text(team, "utf-8")
    done = subprocess.run(
        [installed / "agentctl", "run", ".", "x"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "error[mcp-missing]" in done.stderr
    assert "pip install 'mcp>=2.3,<3'" in done.stderr
    assert done.stdout == ""
