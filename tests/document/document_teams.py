"""A real team file, and strategies that spoil it, for the tests that feed the reader with anything."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

# No deadline: a machine may be busy with other things at any time.
FUZZ = settings(max_examples=200, deadline=None)

TEAM = """\
# yaml-language-server: $schema=../../schemas/team.schema.json
name: support_supervisor
description: Front desk of customer support
model: ${AGENTCTL_MODEL:-offline}
x-limits: &small {turns: 6, cost_usd: 0.05, time: 60s}
instructions: "Route each request to the right specialist: billing, technical, or sales."
strategy: handoff
agents:
  - name: billing
    description: Account balances, payments and invoices
    instructions: |
      You handle billing: balances, {{ inputs.customer }}.

      Grüße, 😀.
    tools: [{function: "tools:check_balance", idempotent: true}, ./x.py:refund]
    limits: *small
  - name: 'technical'
    limits:
      <<: *small
      turns: 0x8
    instructions: >-
      folded text
      of two lines
  - {name: sales, examples: [no, 12:30, ~, 1e3, "it's", 'say ""']}
"""
PIECES = st.sampled_from(
    [
        "\t",
        ": ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        "{{ x }}",
        '"',
        "'",
        "*a",
        "&a ",
        "<<: *small",
        "!!python/x ",
        "---\n",
        "...\n",
        "\n",
        "\r\n",
        "  ",
        "|\n",
        "> x",
        "%YAML 9\n",
        "@",
        "`",
        "#",
        "? ",
        "\ufeff",
        "\x07",
        "\x85",
        "\u2028",
        "\\q",
        "\\ud800",
        "1: x\n",
        "name: x\n",
        "${",
        "${NO}",
        "[" * 120,
        "é",
        "😀",
        "\ue000",
        "\ud7ff",
        ": |\n",
    ]
)
CLEAN_PIECES = PIECES.filter(lambda piece: piece not in ("\x07", "\r\n", "\ufeff"))


@st.composite
def mutated_teams(draw: st.DrawFn, *, clean: bool = False) -> str:
    """A team file with one to four mistakes; `clean` ones hold only characters that YAML allows."""
    text = TEAM
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 0, 1, 2, 5, 40])))
        text = text[:start] + draw(CLEAN_PIECES if clean else PIECES) + text[end:]
    return text
