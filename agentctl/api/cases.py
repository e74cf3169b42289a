"""The tests of a team against its tools and functions: what only these can tell is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from agentctl.checks import load_tools
from agentctl.checks.checked import place_of
from agentctl.checks.signatures import check_usages
from agentctl.checks.telling import tell_problems
from agentctl.checks.usages import JUDGE
from agentctl.diagnostics import Report, nearest
from agentctl.jsontypes import as_object
from agentctl.spec.cases import Case, Named
from agentctl.spec.settings import FunctionRef
from agentctl.spec.team import Agent, Team
from agentctl.tools.importing import Importer
from agentctl.tools.tool import Tool
from agentctl.tools.toolbox import Toolboxes, load_toolboxes


def check_cases(cases: Sequence[Case], team: Team, report: Report) -> None:
    """Reports tools that no agent has and functions that cannot be imported, each at its place."""
    if not cases:
        return
    importer = Importer([team.folder])
    try:
        _check_tools(cases, team, load_tools(team, importer), report)
        functions = [ref for case in cases if (ref := _function(case)) is not None]
        judges = load_toolboxes({}, functions, importer=importer)
        tell_problems(judges.problems, report, team)
        check_usages(((ref, JUDGE) for ref in functions), judges.functions, report, team)
    finally:
        importer.close()


def load_function(ref: FunctionRef, importer: Importer) -> Callable[..., object]:
    """The function of a test that was checked before."""
    return load_toolboxes({}, [ref], importer=importer).functions[ref]


def _function(case: Case) -> FunctionRef | None:
    return case.expect.answer.function if case.expect.answer else None


def _check_tools(cases: Iterable[Case], team: Team, toolboxes: Toolboxes, report: Report) -> None:
    """Where a tool could not be had, which is told already, any name may be its own."""
    owned = {agent.name: _names(agent, toolboxes) for agent in team.agents()}
    whole = {agent.name for agent in team.agents() if _is_whole(agent, owned[agent.name])}
    for named in dict.fromkeys(named for case in cases for named in case.tools):
        owners = [named.agent] if named.agent in owned else list(owned)
        names = [name for owner in owners for name in owned[owner]]
        if named.name not in names and whole.issuperset(owners):
            _tell(named, owned, names, report)
        _check_arguments(named, [tool for each in team.agents() if each.name in owners
                                 for tool in toolboxes.tools[place_of(each)]], report)  # fmt: skip


def _check_arguments(named: Named, tools: Iterable[Tool], report: Report) -> None:
    """Arguments that no tool of the name takes; of a server's, or one told of, nothing is known."""
    taken = [as_object(tool.parameters.get("properties")) for tool in tools if tool.name == named.name]
    known = list(dict.fromkeys(name for each in taken for name in each))
    for argument in named.arguments if taken else ():
        if argument.name not in known:
            near = nearest(argument.name, known)
            hint = f'did you mean "{near}"?' if near else f"it has {', '.join(known) or 'no parameters'}"
            message = f'tool "{named.name}" has no parameter "{argument.name}"'
            report.error("tool-args", message, argument.span, hint=hint, pointer=argument.pointer)


def _names(agent: Agent, toolboxes: Toolboxes) -> list[str]:
    return [tool.name for tool in toolboxes.tools[place_of(agent)]] + [
        each.builtin for each in agent.builtins
    ]


def _is_whole(agent: Agent, names: Sequence[str]) -> bool:
    """Whether these are all its tools; what servers have is known only when they are asked."""
    return not agent.mcp_tools and len(names) >= len(agent.tools) + len(agent.builtins)


def _tell(named: Named, owned: Mapping[str, Sequence[str]], names: Sequence[str], report: Report) -> None:
    near = nearest(named.name, names)
    others = [owner for owner, tools in owned.items() if named.name in tools]
    hint = f"tools here: {', '.join(dict.fromkeys(names)) or 'none'}"
    if others:
        hint = f'"{others[0]}" has it'
    elif near:
        hint = f'did you mean "{near}"?'
    who = f'agent "{named.agent}" has' if named.agent in owned else "the agents of the team have"
    message = f'unknown tool "{named.name}": {who} no such tool'
    report.error("unknown-tool", message, named.span, hint=hint, pointer=named.pointer)
