"""Nodes of agents into `Agent`s, with models inherited, descriptions defaulted and other files taken in.

What is wrong with an agent is reported and left out of it; its sub-agents are read all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from agentctl.diagnostics import Span
from agentctl.document.nodes import Node, Object
from agentctl.spec.guardrails import read_guardrails
from agentctl.spec.includes import open_include
from agentctl.spec.inputs import note_uses
from agentctl.spec.instructions import first_sentence, read_instructions
from agentctl.spec.limits import read_limits, read_retry
from agentctl.spec.members import members
from agentctl.spec.models import read_model
from agentctl.spec.options import read_strategy
from agentctl.spec.outputs import RETRIES, read_output
from agentctl.spec.reading import TeamFile
from agentctl.spec.references import Members
from agentctl.spec.schema import entry_checker, include_keys
from agentctl.spec.settings import ModelSettings, Retry
from agentctl.spec.shape import check_shape
from agentctl.spec.team import Agent, Context, Limit, LimitName
from agentctl.spec.tools import read_builtins, read_mcp_tools, read_tools
from agentctl.spec.values import text, texts, whole
from agentctl.spec.vocabulary import FILE_WORDS

MOST_AGENTS: Final = 10_000
DEEPEST: Final = 50
_CONTEXTS: Final[tuple[Context, ...]] = ("conversation", "task")


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What stands beside `file` and replaces the included agent's own; None and empty replace nothing."""

    name: str | None = None
    description: str | None = None
    model: ModelSettings | None = None
    limits: Mapping[LimitName, Limit] | None = None
    retry: Retry | None = None
    spans: Mapping[str, Span] = field(default_factory=dict)


def read_agent(
    node: Object, file: TeamFile, inherited: ModelSettings | None, *, beside: Beside, depth: int = 0
) -> Agent:
    """The agent of a mapping. Its name is empty where it has none."""
    file.reading.agents += 1
    own = beside.model or read_model(node.get("model"), file)
    model = own or inherited
    instructions = read_instructions(node.get("instructions"), file) or ""
    agents = _read_agents(node.get("agents"), file, model, depth + 1)
    strategy = None
    if agents:
        strategy = read_strategy(node.get("strategy"), Members.of(agents, file))
    return Agent(
        name=beside.name or text(node.get("name")) or "",
        description=_description(node, file, beside) or first_sentence(instructions),
        examples=texts(node.get("examples")),
        model=model,
        instructions=instructions,
        tools=read_tools(node.get("tools"), file),
        mcp_tools=read_mcp_tools(node.get("tools"), file),
        builtins=read_builtins(node.get("tools")),
        agents=tuple(agents),
        strategy=strategy,
        output=read_output(node.get("output"), file),
        output_retries=RETRIES if (stated := whole(node.get("output_retries"))) is None else max(stated, 0),
        guardrails=read_guardrails(node.get("guardrails"), file),
        limits=read_limits(node.get("limits"), file) if beside.limits is None else beside.limits,
        retry=beside.retry or read_retry(node.get("retry")),
        context=next((word for word in _CONTEXTS if word == text(node.get("context"))), None),
        spans={**_spans(node), **beside.spans},
        pointer=node.pointer,
    )


def _description(node: Object, file: TeamFile, beside: Beside) -> str | None:
    if beside.description is not None:
        return beside.description
    own = node.get("description")
    written = text(own)
    if own is not None and written:
        note_uses(written, own, file)
    return written


def _spans(node: Object) -> dict[str, Span]:
    """The place of each key, for `name` that of its value, and of the agent under the empty key.

    Options of the strategy have theirs too, as `strategy.turns`.
    """
    found = {entry.key: entry.key_span for entry in node.entries}
    strategy = node.get("strategy")
    if isinstance(strategy, Object):
        found |= {f"strategy.{entry.key}": entry.key_span for entry in strategy.entries}
    name = node.get("name")
    if name is not None:
        found["name"] = name.span
    return {"": node.span, **found}


def _read_agents(node: Node | None, file: TeamFile, model: ModelSettings | None, depth: int) -> list[Agent]:
    if node is not None and depth > DEEPEST:
        message = f"agents are nested more than {DEEPEST} levels deep"
        file.error("too-many-agents", message, node, hint="put these agents beside their parents")
        return []
    found: list[Agent] = []
    for item in members(node, file):
        if file.reading.agents >= MOST_AGENTS:
            message = f"the team has more than {MOST_AGENTS:,} agents"
            if not any(told.code == "too-many-agents" for told in file.report.found):
                file.error("too-many-agents", message, item, hint="are files included many times over?")
            break
        if isinstance(item, Object):
            mended = check_shape(item, entry_checker(_kind(item)), file.report)
            found.append(_read_entry(mended, file, model, depth))
    return found


def _kind(item: Object) -> Literal["agent", "include"]:
    """What names another file says `file`, or what other tools call that and nothing of its own."""
    keys = {entry.key for entry in item.entries}
    own = {"instructions", "tools", "agents"} & keys
    return "include" if "file" in keys or (keys & FILE_WORDS and not own) else "agent"


def _read_entry(node: Object, file: TeamFile, model: ModelSettings | None, depth: int) -> Agent:
    if node.entry("file") is None:
        return read_agent(node, file, model, beside=Beside(), depth=depth)
    beside = _read_beside(node, file)
    opened = open_include(node.get("file"), file)
    if opened is None:
        spans = {"": node.span, **beside.spans}
        return Agent(name=beside.name or "", model=beside.model or model, spans=spans, pointer=node.pointer)
    root, inner = opened
    return read_agent(root, inner, model, beside=beside, depth=depth)


def _read_beside(node: Object, file: TeamFile) -> Beside:
    limits = node.get("limits")
    return Beside(
        name=text(node.get("name")),
        description=_description(node, file, Beside()),
        model=read_model(node.get("model"), file),
        limits=None if limits is None else read_limits(limits, file),
        retry=read_retry(node.get("retry")),
        spans={key: span for key, span in _spans(node).items() if key in include_keys()},
    )
