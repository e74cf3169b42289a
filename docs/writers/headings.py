"""Which mappings of which schema have a table, and under which heading."""

from __future__ import annotations

from typing import Final

TEAM: Final = {
    "The document": "",
    "An agent": "agent",
    "An agent of another file": "include",
    "An input": "input",
    "A model": "model",
    "A tool that is a Python function": "tool",
    "Tools of an MCP server": "mcp_tools",
    "A builtin tool": "builtin",
    "An MCP server that is started": "mcp_program",
    "An MCP server at an address": "mcp_address",
    "A guardrail": "guardrail",
    "Limits": "limits",
    "Retry": "retry",
    "Stop if": "stop_if",
    "Strategy handoff": "handoff",
    "Strategy router": "router",
    "Strategy sequential": "sequential",
    "Strategy parallel": "parallel",
    "Strategy swarm": "swarm",
    "Strategy round_robin": "round_robin",
    "Strategy random": "random",
    "Strategy plan_execute": "plan_execute",
    "Strategy manual": "manual",
    "A test": "case",
    "A row of a test": "case_row",
    "An answer of a person": "person",
    "What a test expects": "expect",
    "A decision that is expected": "expect_decision",
    "A call that is expected": "expect_call",
    "An answer that is expected": "expect_answer",
    "An error that is expected": "expect_error",
    "A question that is expected": "expect_wait",
    "The most that is expected": "expect_max",
}
TEAM_VALUES: Final = {
    "strategy": "the name of a [strategy](strategies/index.md), or a mapping with `type` and its options"
}
RESULT: Final = {
    "A result": "",
    "A decision": "decision",
    "An execution": "execution",
    "A step": "step",
    "A tool call": "call",
    "A message": "message",
    "Usage": "usage",
    "A question": "question",
    "An error": "error",
}
