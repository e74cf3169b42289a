"""Teams with tests, and short ways to how the tests went."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent, indent

from agentctl.testing.collect import collect
from agentctl.testing.results import Result, Summary
from agentctl.testing.runner import run_all

TEAM = """
name: desk
model: offline
instructions: Route each request.
strategy: handoff
agents:
  - name: billing
    description: Account balances and refunds
    instructions: You handle balances and refunds of accounts.
    tools:
      - {function: "tools:balance", idempotent: true}
      - {function: "tools:refund", approve: always}
  - name: orders
    description: Order status and shipping
    instructions: You handle orders and their shipping.
    tools: [{function: "tools:order_status", idempotent: true}]
"""
TOOLS = '''
def balance(account_id: str) -> dict:
    """Balance of an account.

    Args:
        account_id: The account's number, such as ACC-1.
    """
    return {"account_id": account_id, "balance": "42.00"}


def refund(account_id: str, amount: float) -> str:
    """Refund an amount to an account."""
    return f"refunded {amount} to {account_id}"


def order_status(order_id: str) -> dict:
    """Status of an order, such as ORD-1."""
    return {"order_id": order_id, "status": "shipped"}


def is_polite(answer: str) -> bool:
    return "please" in answer


def names_the_run(answer: str, run: dict) -> str:
    return "" if run["agent"] == "billing" else f"{run['agent']} answered"


def forgets(answer: str) -> object:
    pass


def asserts(answer: str) -> bool:
    assert "thanks" in answer, "no thanks in it"
    return True
'''


def a_team(folder: Path, tests: str, **files: str) -> Path:
    """The team with these `tests`, beside other files by name (`_` for `.` in their endings)."""
    text = TEAM + "tests:\n" + indent(dedent(tests).strip("\n"), "  ") + "\n"
    (folder / "team.yaml").write_text(text, encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    for name, content in files.items():
        (folder / name.replace("_yaml", ".yaml")).write_text(dedent(content), encoding="utf-8")
    return folder / "team.yaml"


def went(path: Path, *, expression: str = "", parallel: int = 4, live: bool = False) -> Summary:
    items = collect([path], live=live)
    folder = path if path.is_dir() else path.parent
    return asyncio.run(run_all(items, expression=expression, parallel=parallel, folder=folder))


def only(path: Path) -> Result:
    (result,) = went(path).results
    return result


def missed(result: Result) -> Mapping[str, object]:
    """What did not hold, each with what was there instead."""
    return {failure.what: failure.actual for failure in result.failures}
