"""The parsed answer of a run as a value of the class that its agent's `output` names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from agentctl.journal.summary import RunView
from agentctl.spec.settings import FunctionRef
from agentctl.spec.team import Team
from agentctl.tools.importing import Importer
from agentctl.tools.outputs import OutputShape, class_shape
from agentctl.tools.problems import Fault
from agentctl.tools.schema import Unfit


def with_value(view: RunView, shapes: Mapping[str, OutputShape]) -> RunView:
    """The view with its `output` built; as recorded where the class does not take it any more."""
    shape = shapes.get(view.agent or "")
    if shape is None or not view.has_output:
        return view
    try:
        return replace(view, output=shape.build(view.output_json))
    except Unfit:
        return view


def recorded_value(view: RunView, team: Team) -> RunView:
    """The same for a run that ended before; as recorded where the class cannot be imported."""
    agent = next((agent for agent in team.agents() if agent.name == view.agent), None)
    if agent is None or not isinstance(agent.output, FunctionRef):
        return view
    importer = Importer([team.folder])
    try:
        kind = importer.load(agent.output)
        shape = kind if isinstance(kind, Fault) else class_shape(kind, agent.output.target)
        return view if isinstance(shape, Fault) else with_value(view, {agent.name: shape})
    finally:
        importer.close()
