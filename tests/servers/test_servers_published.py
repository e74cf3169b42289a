"""Servers of other people, as they are published: listed, called, and ended with the run.

Needs package indexes of Python and node, and node; everything is installed into a temporary folder.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import venv
from dataclasses import replace
from pathlib import Path

import pytest

from agentctl.spec.settings import McpEntry, McpServer
from e2e.command import Desk, until
from servers.desk import SPAN, Held, alive, held, listening

pytestmark = pytest.mark.mcp

PYTHON = ("mcp-server-time", "mcp-server-git")
NODE = ("@modelcontextprotocol/server-everything", "@modelcontextprotocol/server-filesystem")


def done(*words: str | Path, cwd: Path) -> str:
    found = subprocess.run(
        [str(word) for word in words], cwd=cwd, capture_output=True, text=True, timeout=600
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of the servers that Python packages bring."""
    folder = tmp_path_factory.mktemp("python")
    venv.create(folder, with_pip=True)
    done(folder / "bin" / "python", "-m", "pip", "install", "--quiet", *PYTHON, cwd=folder)
    return folder / "bin"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of the servers that node packages bring."""
    npm = shutil.which("npm")
    assert npm is not None, "npm is needed for the servers of node"
    folder = tmp_path_factory.mktemp("node")
    (folder / "package.json").write_text("{}", "utf-8")
    done(npm, "install", "--no-fund", "--no-audit", "--no-package-lock", *NODE, cwd=folder)
    return folder / "node_modules" / ".bin"


def entry(folder: Path, command: Path, *args: str) -> McpEntry:
    server = McpServer(name="it", command=str(command), args=args, cwd=folder, span=SPAN)
    return McpEntry(mcp=server, span=SPAN)


def options(desk: Held) -> dict[str, tuple[bool, object]]:
    return {tool.name: (tool.idempotent, tool.approve) for tool in desk.tools}


def test_time_of_python(scripts: Path, tmp_path: Path) -> None:
    async def play() -> None:
        async with held(entry(tmp_path, scripts / "mcp-server-time")) as desk:
            assert set(options(desk)) == {"get_current_time", "convert_time"}
            now = await desk.call("get_current_time", timezone="Europe/Vienna")
            assert "Europe/Vienna" in now.text
            assert not now.error
            wrong = await desk.call("get_current_time", timezone="Mars/Olympus")
            assert wrong.error
            assert "Mars/Olympus" in wrong.text
            assert desk.tool("get_current_time").check({}) is not None

    asyncio.run(play())


def test_git_of_python(scripts: Path, tmp_path: Path) -> None:
    done("git", "init", "--quiet", "--initial-branch=main", ".", cwd=tmp_path)
    (tmp_path / "file.txt").write_text("hello\n", "utf-8")

    async def play() -> None:
        command = entry(tmp_path, scripts / "mcp-server-git", "--repository", str(tmp_path))
        async with held(replace(command, exclude=("git_checkout",))) as desk:
            assert options(desk)["git_status"] == (True, False)
            assert "git_checkout" not in options(desk)
            here = str(tmp_path)
            assert "file.txt" in (await desk.call("git_status", repo_path=here)).text
            await desk.call("git_add", repo_path=here, files=["file.txt"])
            assert "hello" in (await desk.call("git_diff_staged", repo_path=here)).text

    asyncio.run(play())


def test_everything_of_node(packages: Path, tmp_path: Path) -> None:
    async def play() -> None:
        async with held(entry(tmp_path, packages / "mcp-server-everything")) as desk:
            assert "hello" in (await desk.call("echo", message="hello")).text
            assert "5" in (await desk.call("get-sum", a=2, b=3)).text
            picture = await desk.call("get-tiny-image")
            assert [file.suffix for file in picture.files] == [".png"]
            assert picture.files[0].data.startswith(b"\x89PNG")
            assert "temperature" in (await desk.call("get-structured-content", location="Chicago")).text
            resource = await desk.call("get-resource-reference", resourceType="Text", resourceId=1)
            assert "[resource " in resource.text
            hurried = replace(desk.toolset.entry, timeout=0.3)
            tools = replace(desk.toolset, entry=hurried).tools(desk.listing, ())
            late = Held(servers=desk.servers, toolset=desk.toolset, tools=tools)
            assert (
                "may still be running"
                in (await late.call("trigger-long-running-operation", duration=5, steps=1)).text
            )
            assert "again" in (await desk.call("echo", message="again")).text

    asyncio.run(play())


def test_everything_of_node_over_http(packages: Path, tmp_path: Path, port: int) -> None:
    async def play() -> None:
        process = await asyncio.create_subprocess_exec(
            packages / "mcp-server-everything",
            "streamableHttp",
            cwd=tmp_path,
            env={"PORT": str(port), "PATH": f"{Path(shutil.which('node') or '').parent}:/usr/bin:/bin"},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            await listening(port)
            server = McpServer(name="it", url=f"http://127.0.0.1:{port}/mcp", cwd=tmp_path, span=SPAN)
            async with held(McpEntry(mcp=server, span=SPAN)) as desk:
                assert "hello" in (await desk.call("echo", message="hello")).text
        finally:
            process.kill()
            await process.wait()

    asyncio.run(play())


def test_filesystem_of_node(packages: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("A note.", "utf-8")

    async def play() -> None:
        async with held(entry(tmp_path, packages / "mcp-server-filesystem", str(tmp_path))) as desk:
            assert options(desk)["read_text_file"] == (True, False)
            assert options(desk)["write_file"][1] is True, "it says that it destroys"
            assert (await desk.call("read_text_file", path=str(tmp_path / "note.txt"))).text == "A note."
            outside = await desk.call("read_text_file", path="/etc/hostname")
            assert outside.error
            written = str(tmp_path / "new.txt")
            assert not (await desk.call("write_file", path=written, content="New.")).error

    asyncio.run(play())
    assert (tmp_path / "new.txt").read_text("utf-8") == "New."


def test_a_team_with_all_of_them(scripts: Path, packages: Path, tmp_path: Path) -> None:
    """The command line starts what each agent needs, and leaves nothing running."""
    (tmp_path / "team.yaml").write_text(
        f"""
name: desk
model: script:script.yaml
instructions: Work.
mcp_servers:
  time: {{command: {scripts / "mcp-server-time"}}}
  files: {{command: {packages / "mcp-server-filesystem"}, args: [.]}}
  unused_in_this_run: {{command: {packages / "mcp-server-everything"}}}
agents:
  - name: clerk
    description: Works
    tools: [{{mcp: time}}, {{mcp: files, include: [read_*, list_directory]}}]
  - {{name: other, description: Does not, tools: [{{mcp: unused_in_this_run}}]}}
""",
        "utf-8",
    )
    (tmp_path / "script.yaml").write_text(
        """
agents:
  desk: [{calls: [{name: transfer_to_clerk}]}]
  clerk:
    - calls:
        - {name: get_current_time, arguments: {timezone: UTC}}
        - {name: list_directory, arguments: {path: .}}
    - Done.
""",
        "utf-8",
    )
    ran = Desk(folder=tmp_path)("run", ".", "go")
    assert (ran.returncode, ran.stdout) == (0, "Done.\n"), ran.stderr
    assert "team.yaml" in ran.stderr
    until(lambda: not any(alive(pid) for pid in started_in(tmp_path)))


def started_in(folder: Path) -> list[int]:
    """The processes whose working directory is the folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink() == folder:
                found.append(int(process.name))
        except OSError:
            continue
    return found
