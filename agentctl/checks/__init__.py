"""What the tools and models of a team tell about it: an explicit table of checks, one module each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from agentctl.checks.absent_functions import absent_functions
from agentctl.checks.builtin_names import builtin_names
from agentctl.checks.checked import Check, Checked, place_of
from agentctl.checks.guardrail_tools import guardrail_tools
from agentctl.checks.imports import imports as imports_check
from agentctl.checks.model_abilities import model_abilities
from agentctl.checks.model_access import model_access, unused_models
from agentctl.checks.output_types import output_types
from agentctl.checks.overlap import overlap
from agentctl.checks.reply_files import reply_files
from agentctl.checks.risky_tools import risky_tools
from agentctl.checks.rule_tools import rule_tools
from agentctl.checks.server_library import server_library
from agentctl.checks.server_programs import server_programs
from agentctl.checks.shared_tools import shared_tools
from agentctl.checks.signatures import signatures
from agentctl.checks.transfer_names import transfer_names
from agentctl.checks.undescribed import undescribed
from agentctl.checks.unknown_price import unknown_price
from agentctl.diagnostics import Report
from agentctl.spec.functions import all_functions
from agentctl.spec.team import Team

if TYPE_CHECKING:
    from agentctl.tools.importing import Importer
    from agentctl.tools.toolbox import Toolboxes

CHECKS: Final[tuple[Check, ...]] = (
    imports_check,
    absent_functions,
    signatures,
    transfer_names,
    builtin_names,
    server_library,
    rule_tools,
    guardrail_tools,
    output_types,
    model_access,
    reply_files,
)
ADVICE: Final[tuple[Check, ...]] = (
    unused_models,
    model_abilities,
    unknown_price,
    server_programs,
    risky_tools,
    shared_tools,
    undescribed,
    overlap,
)
"""Checks that only warn: what they say keeps nothing from running."""


def load_tools(team: Team, importer: Importer) -> Toolboxes:
    """Imports every function that the team names; its tools by `place_of` their agent."""
    from agentctl.tools.toolbox import load_toolboxes

    entries = {place_of(agent): agent.tools for agent in team.agents()}
    return load_toolboxes(entries, all_functions(team), importer=importer)


def check_team(
    team: Team,
    report: Report,
    *,
    environ: Mapping[str, str],
    toolboxes: Toolboxes | None,
    advice: bool = True,
) -> None:
    """Adds to `report` what only tools and models can tell; without `toolboxes` what can be told so.

    The team may be incomplete: what the report has errors about is left alone. Without `advice` only
    what keeps a team from running is looked for.
    """
    checked = Checked(team=team, environ=environ, toolboxes=toolboxes)
    for check in (*CHECKS, *(ADVICE if advice else ())):
        check(checked, report)
