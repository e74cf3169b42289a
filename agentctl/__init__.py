"""agentctl runs a durable team of language-model agents from one YAML file.

The names below are the public API, imported on first use. `load_team` gives a `Team`, which runs, resumes
and streams; `run` and `resume` are each a coroutine that does so in one call. `open_run`, `list_runs` and
`cancel` are for runs that are there, `validate` for team files; `ToolContext`, `ToolError`, `FatalToolError`
and `tool` are for the authors of tools.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # in place of the one in `typing`, whose import a Ctrl-C would end in a traceback

if TYPE_CHECKING:
    from typing import Final

    from agentctl.api.answers import Reply
    from agentctl.api.events import (
        AgentFailed,
        AgentFinished,
        AgentStarted,
        DecisionMade,
        Event,
        ModelFinished,
        ModelStarted,
        QuestionAsked,
        RunFinished,
        RunStarted,
        TextDiscarded,
        TextStreamed,
        ToolFinished,
        ToolStarted,
    )
    from agentctl.api.looking import cancel, list_runs, open_run
    from agentctl.api.runs import resume, run
    from agentctl.api.team import Ask, Team, load_team
    from agentctl.api.teams import validate
    from agentctl.diagnostics import Diagnostic, Report
    from agentctl.errors import (
        AgentctlError,
        FatalToolError,
        RunEnded,
        RunInterrupted,
        RunInUse,
        RunLimited,
        RunNotFound,
        RunWaits,
        TeamError,
        ToolError,
        UsageError,
    )
    from agentctl.journal.summary import DecisionView, ExecutionView, OpenQuestion, RunView, StepView
    from agentctl.tools.decorator import tool
    from agentctl.tools.tool import ToolContext

__all__ = [
    "AgentFailed",
    "AgentFinished",
    "AgentStarted",
    "AgentctlError",
    "Ask",
    "DecisionMade",
    "DecisionView",
    "Diagnostic",
    "Event",
    "ExecutionView",
    "FatalToolError",
    "ModelFinished",
    "ModelStarted",
    "OpenQuestion",
    "QuestionAsked",
    "Reply",
    "Report",
    "RunEnded",
    "RunFinished",
    "RunInUse",
    "RunInterrupted",
    "RunLimited",
    "RunNotFound",
    "RunStarted",
    "RunView",
    "RunWaits",
    "StepView",
    "Team",
    "TeamError",
    "TextDiscarded",
    "TextStreamed",
    "ToolContext",
    "ToolError",
    "ToolFinished",
    "ToolStarted",
    "UsageError",
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
    "AgentFailed": "agentctl.api.events",
    "AgentFinished": "agentctl.api.events",
    "AgentStarted": "agentctl.api.events",
    "AgentctlError": "agentctl.errors",
    "Ask": "agentctl.api.team",
    "DecisionMade": "agentctl.api.events",
    "DecisionView": "agentctl.journal.summary",
    "Diagnostic": "agentctl.diagnostics",
    "Event": "agentctl.api.events",
    "ExecutionView": "agentctl.journal.summary",
    "FatalToolError": "agentctl.errors",
    "ModelFinished": "agentctl.api.events",
    "ModelStarted": "agentctl.api.events",
    "OpenQuestion": "agentctl.journal.summary",
    "QuestionAsked": "agentctl.api.events",
    "Reply": "agentctl.api.answers",
    "Report": "agentctl.diagnostics",
    "RunEnded": "agentctl.errors",
    "RunFinished": "agentctl.api.events",
    "RunInUse": "agentctl.errors",
    "RunInterrupted": "agentctl.errors",
    "RunLimited": "agentctl.errors",
    "RunNotFound": "agentctl.errors",
    "RunStarted": "agentctl.api.events",
    "RunView": "agentctl.journal.summary",
    "RunWaits": "agentctl.errors",
    "StepView": "agentctl.journal.summary",
    "Team": "agentctl.api.team",
    "TeamError": "agentctl.errors",
    "TextDiscarded": "agentctl.api.events",
    "TextStreamed": "agentctl.api.events",
    "ToolContext": "agentctl.tools.tool",
    "ToolError": "agentctl.errors",
    "ToolFinished": "agentctl.api.events",
    "ToolStarted": "agentctl.api.events",
    "UsageError": "agentctl.errors",
    "cancel": "agentctl.api.looking",
    "list_runs": "agentctl.api.looking",
    "load_team": "agentctl.api.team",
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
