"""The three look-ups of the support desk, over a few fixed accounts, orders and prices."""

from decimal import Decimal
from typing import Literal

from agentctl import ToolError

BALANCES = {"ACC-123": Decimal("5432.10"), "ACC-456": Decimal("87.50"), "ACC-789": Decimal("0.00")}

ORDERS = {
    "ORD-77": {"status": "shipped", "carrier": "Northpost", "expected": "2026-12-03"},
    "ORD-78": {"status": "being packed", "carrier": None, "expected": "2026-12-05"},
    "ORD-79": {"status": "delivered", "carrier": "Northpost", "expected": "2026-11-21"},
}

PRICES = {"basic": "9.00", "pro": "29.00", "enterprise": "99.00"}


def check_balance(account_id: str) -> dict[str, object]:
    """Current balance of an account.

    Args:
        account_id: The account's number, such as ACC-123.
    """
    balance = BALANCES.get(account_id.upper())
    if balance is None:
        raise ToolError(f"There is no account {account_id}.")
    return {"account_id": account_id.upper(), "balance": balance, "currency": "USD"}


def lookup_order(order_id: str) -> dict[str, object]:
    """Status, carrier and expected delivery of an order.

    Args:
        order_id: The order's number, such as ORD-77.
    """
    order = ORDERS.get(order_id.upper())
    if order is None:
        raise ToolError(f"There is no order {order_id}.")
    return {"order_id": order_id.upper(), **order}


def get_pricing(plan: Literal["basic", "pro", "enterprise"]) -> dict[str, object]:
    """Monthly price of a plan.

    Args:
        plan: The plan's name.
    """
    return {"plan": plan, "price": PRICES[plan], "currency": "USD", "per": "month"}
