"""agentctl runs a durable team of language-model agents from one YAML file.

The names below are the public API, imported on first use: `load_team` and `validate` read team files;
`run`, `resume`, `open_run`, `list_runs` and `cancel` work with runs; `ToolContext`, `ToolError`,
`FatalToolError` and `tool` are for the authors of tools.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from agentctl.api.answers import Reply
    from agentctl.api.looking import cancel, list_runs, open_run
    from agentctl.api.runs import resume, run
    from agentctl.api.teams import load_team, validate
    from agentctl.errors import AgentctlError, FatalToolError, TeamError, ToolError
    from agentctl.journal.summary import RunView
    from agentctl.tools.decorator import tool
    from agentctl.tools.tool import ToolContext

__all__ = [
    "AgentctlError",
    "FatalToolError",
    "Reply",
    "RunView",
    "TeamError",
    "ToolContext",
    "ToolError",
    "cancel",
    "list_runs",
    "load_team",
    "open_run",
    "resume",
    "run",
    "tool",
    "validate",
]

_HOMES: Final = {
    "AgentctlError": "agentctl.errors",
    "FatalToolError": "agentctl.errors",
    "Reply": "agentctl.api.answers",
    "RunView": "agentctl.journal.summary",
    "TeamError": "agentctl.errors",
    "ToolContext": "agentctl.tools.tool",
    "ToolError": "agentctl.errors",
    "cancel": "agentctl.api.looking",
    "list_runs": "agentctl.api.looking",
    "load_team": "agentctl.api.teams",
    "open_run": "agentctl.api.looking",
    "resume": "agentctl.api.runs",
    "run": "agentctl.api.runs",
    "tool": "agentctl.tools.decorator",
    "validate": "agentctl.api.teams",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("agentctl")
    raise AttributeError(f"module 'agentctl' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
