"""Where a diagnostic about an agent stands."""

from __future__ import annotations

from agentctl.diagnostics import Span
from agentctl.spec.team import Agent


def place(agent: Agent, *keys: str) -> Span:
    """The place of the first of these keys that was written, else of the agent's name, else its first key."""
    stated = next((agent.spans[key] for key in (*keys, "name", "file") if key in agent.spans), None)
    return stated or min((span for key, span in agent.spans.items() if key), default=agent.spans[""])


def listed(names: list[str]) -> str:
    """Names in quotes: all of them, or the first three and how many more."""
    quoted = [f'"{name}"' for name in names]
    if len(quoted) > 4:
        return f"{', '.join(quoted[:3])} and {len(quoted) - 3} more"
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}" if len(quoted) > 1 else "".join(quoted)
