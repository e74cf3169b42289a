"""The tools of one server that an agent may call: listed by the server, chosen by the team file."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.errors import ExecutionFailed
from agentctl.jsonschemas import Checker, schema_problems
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.spec.settings import FunctionRef, McpEntry
from agentctl.tools.describing import search_text
from agentctl.tools.mcp_names import offered_name
from agentctl.tools.mcp_servers import SharedServer
from agentctl.tools.results import overdue_text, shortened
from agentctl.tools.tool import Tool, ToolContext, ToolResult
from agentctl.tools.wording import bounded

_PROBLEMS: Final = 5
_LONGEST: Final = 1_000
_GLOB: Final = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class McpToolset:
    """One item of an agent's `tools`; `server` is shared by all who name it. See the protocol `Toolset`."""

    entry: McpEntry
    server: SharedServer

    @property
    def asks(self) -> JsonObject:
        chosen = {"include": list(self.entry.include), "exclude": list(self.entry.exclude)}
        return {"server": self.entry.mcp.name, **{key: globs for key, globs in chosen.items() if globs}}

    async def listing(self) -> Json:
        """`[{name, description, schema, read_only, idempotent, destructive}]` of the tools let through."""
        every = await self.server.list_tools()
        names = [as_text(tool.get("name")) for tool in every]
        for pattern in (*self.entry.include, *self.entry.exclude):
            if not any(fnmatchcase(name, pattern) for name in names):
                raise self._unknown(pattern, names)
        return [tool for tool in every if self._is_chosen(as_text(tool.get("name")))]

    def tools(self, listing: Json, taken: Collection[str]) -> tuple[Tool, ...]:
        names = set(taken)
        found = []
        for listed in as_list(listing):
            tool = self._tool(as_object(listed), names)
            names.add(tool.name)
            found.append(tool)
        return tuple(found)

    def _is_chosen(self, name: str) -> bool:
        include, exclude = self.entry.include, self.entry.exclude
        chosen = not include or any(fnmatchcase(name, pattern) for pattern in include)
        return chosen and not any(fnmatchcase(name, pattern) for pattern in exclude)

    def _unknown(self, pattern: str, names: Collection[str]) -> ExecutionFailed:
        near = None if _GLOB.search(pattern) else nearest(pattern, names)
        listed = bounded(", ".join(names), _LONGEST) or "none"
        span = self.entry.span
        return ExecutionFailed(
            f'the server "{self.entry.mcp.name}" has no tool that fits "{pattern}" '
            f"({span.path}:{span.line}:{span.column})",
            rule="unknown-tool",
            hint=f'did you mean "{near}"?' if near else f"it has: {listed}",
        )

    def _tool(self, listed: JsonObject, taken: Collection[str]) -> Tool:
        own, server = as_text(listed.get("name")), self.entry.mcp.name
        name = offered_name(own, server, taken)
        schema = _object_schema(as_object(listed.get("schema")))
        description = as_text(listed.get("description"))
        idempotent = self.entry.idempotent
        if idempotent is None:
            idempotent = listed.get("read_only") is True or listed.get("idempotent") is True
        return Tool(
            name=name,
            description=description,
            parameters=schema,
            search_text=search_text(own, description, "", schema),
            source=f"mcp:{server}/{own}",
            idempotent=idempotent,
            approve=self._approve(listed),
            check=_Check(name, schema),
            call=_Call(self, own, name, idempotent),
            folder=Path(self.entry.mcp.cwd),
        )

    def _approve(self, listed: JsonObject) -> bool | FunctionRef:
        """A server's word that a tool destroys is taken; that it does not is what most leave unsaid."""
        stated = self.entry.approve
        if isinstance(stated, FunctionRef):
            return stated
        if stated is None:
            return listed.get("destructive") is True and listed.get("read_only") is not True
        return stated == "always"


@dataclass(frozen=True, slots=True)
class _Call:
    toolset: McpToolset
    own: str
    name: str
    idempotent: bool

    async def __call__(self, arguments: JsonObject, _context: ToolContext) -> ToolResult:
        entry = self.toolset.entry
        try:
            result = await self.toolset.server.call(
                self.own, arguments, again=self.idempotent, timeout=entry.timeout
            )
        except TimeoutError:
            return ToolResult(text=overdue_text(self.name, entry.timeout), error=True)
        short = shortened(result.text, entry.max_output)
        return result if short == result.text else replace(result, text=short, full=result.text)


class _Check:
    """Arguments against a schema of somebody else's; one that is none is left to the server."""

    def __init__(self, name: str, schema: JsonObject) -> None:
        self._name = name
        self._checker = None if schema_problems(schema) else Checker(schema)

    def __call__(self, arguments: JsonObject) -> str | None:
        if self._checker is None:
            return None
        problems = [str(problem) for problem in self._checker.problems(arguments)]
        if not problems:
            return None
        told = "; ".join(problems[:_PROBLEMS])
        return bounded(f"'{self._name}' was not called: its arguments do not fit: {told}", _LONGEST)


def _object_schema(schema: JsonObject) -> JsonObject:
    """Every provider takes an object with properties; not every one takes the name of a dialect."""
    kept = {key: value for key, value in schema.items() if key not in ("$schema", "$id")}
    return {"type": "object", "properties": {}, **kept}
