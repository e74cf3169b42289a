"""A folder of Python files, and the shortest way from its functions to tools, problems and results."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from textwrap import dedent

import pytest

from agentctl.diagnostics import Span
from agentctl.jsontypes import Json
from agentctl.spec.settings import Approve, FunctionRef, Retry, ToolEntry
from agentctl.tools.importing import Importer
from agentctl.tools.problems import Fault, ToolProblem
from agentctl.tools.tool import Tool, ToolContext, ToolResult
from agentctl.tools.toolbox import Toolboxes, load_toolboxes


class Desk:
    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self._stack = stack
        self._importer: Importer | None = None

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    def new_importer(self, *folders: Path, allow_stdlib: bool = False) -> Importer:
        return self._stack.enter_context(closing(Importer(folders, allow_stdlib=allow_stdlib)))

    @property
    def importer(self) -> Importer:
        if self._importer is None:
            self._importer = self.new_importer()
        return self._importer

    def ref(self, target: str, *, folder: str = "", line: int = 1) -> FunctionRef:
        return FunctionRef(
            target=target, folder=self.folder / folder, span=span(line), pointer=f"/refs/{line}"
        )

    def function(self, target: str, *, folder: str = "") -> object:
        """The callable, which must be there."""
        found = self.importer.load(self.ref(target, folder=folder))
        assert not isinstance(found, Fault), found
        return found

    def give(self, target: str, *, folder: str = "") -> object:
        """What the function of that name returns without arguments."""
        found = self.function(target, folder=folder)
        assert callable(found)
        return found()

    def fault(self, target: str, *, folder: str = "") -> Fault:
        found = self.importer.load(self.ref(target, folder=folder))
        assert isinstance(found, Fault)
        return found

    def entry(
        self,
        target: str,
        *,
        line: int = 1,
        name: str | None = None,
        description: str | None = None,
        approve: Approve = "never",
        idempotent: bool = False,
        timeout: float = 120.0,
        retry: Retry | None = None,
        max_output: int = 50_000,
        args: Mapping[str, Json] | None = None,
        stated: frozenset[str] = frozenset(),
    ) -> ToolEntry:
        return ToolEntry(
            function=self.ref(target, line=line),
            name=name,
            description=description,
            approve=approve,
            idempotent=idempotent,
            timeout=timeout,
            retry=retry,
            max_output=max_output,
            args=args or {},
            stated=stated,
            span=span(line),
            pointer=f"/tools/{line}",
        )

    def load(self, *entries: ToolEntry, functions: Sequence[FunctionRef] = ()) -> Toolboxes:
        return load_toolboxes({"agent": entries}, functions, importer=self.importer)

    def tool(self, entry: ToolEntry | str) -> Tool:
        """The one tool of that entry, which must have no problems."""
        loaded = self.load(self.entry(entry) if isinstance(entry, str) else entry)
        assert loaded.problems == ()
        return loaded.tools["agent"][0]

    def problems(self, *entries: ToolEntry | str) -> tuple[ToolProblem, ...]:
        return self.load(*(self.entry(each) if isinstance(each, str) else each for each in entries)).problems

    def problem(self, entry: ToolEntry | str) -> ToolProblem:
        (found,) = self.problems(entry)
        return found

    def call(self, entry: ToolEntry | str, **arguments: Json) -> ToolResult:
        return call(self.tool(entry), **arguments)


def span(line: int = 1) -> Span:
    return Span(path="team.yaml", line=line, column=3, end_line=line, end_column=9)


def context(**state: Json) -> ToolContext:
    return ToolContext(
        run_id="run-1",
        execution_id="root.1/billing.1",
        agent="billing",
        idempotency_key="key-1",
        inputs={"customer": "Ada"},
        state=state,
    )


def call(tool: Tool, **arguments: Json) -> ToolResult:
    async def main() -> ToolResult:
        return await tool.call(arguments, context())

    return asyncio.run(main())


@pytest.fixture
def desk_fixture(tmp_path: Path) -> Iterator[Desk]:
    with ExitStack() as stack:
        folder = tmp_path / "team"
        folder.mkdir()
        yield Desk(folder, stack)
