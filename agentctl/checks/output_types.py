"""`output: module:Class` names a class that an answer can be read as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report
from agentctl.spec.settings import FunctionRef
from agentctl.spec.team import Agent, Team

if TYPE_CHECKING:
    from agentctl.tools.outputs import OutputShape
    from agentctl.tools.problems import Fault
    from agentctl.tools.toolbox import Toolboxes


def output_types(checked: Checked, report: Report) -> None:
    if checked.toolboxes is None or not any(agent.output for agent in checked.team.agents()):
        return
    from agentctl.tools.problems import Fault

    for agent, found in _shapes(checked.team, checked.toolboxes):
        if isinstance(found, Fault) and isinstance(agent.output, FunctionRef):
            ref = agent.output
            report.error(found.code, found.message, ref.span, hint=found.hint, pointer=ref.pointer)


def output_shapes(team: Team, toolboxes: Toolboxes) -> Mapping[str, OutputShape]:
    """The shape of each agent's answers, by its name, of a team that was checked."""
    from agentctl.tools.problems import Fault

    found = _shapes(team, toolboxes)
    return {agent.name: shape for agent, shape in found if not isinstance(shape, Fault)}


def _shapes(team: Team, toolboxes: Toolboxes) -> Iterator[tuple[Agent, OutputShape | Fault]]:
    for agent in team.agents():
        if agent.output is None:
            continue
        from agentctl.tools.outputs import class_shape, schema_shape

        if not isinstance(agent.output, FunctionRef):
            yield agent, schema_shape(agent.output)
        elif agent.output in toolboxes.functions:
            yield agent, class_shape(toolboxes.functions[agent.output], agent.output.target)
