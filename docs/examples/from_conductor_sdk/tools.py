"""What the shop can do with an order."""


def check_order(order_id: str) -> dict[str, str]:
    """Find out the status of an order.

    Args:
        order_id: The order's number, such as ORD-5.
    """
    return {"order_id": order_id, "status": "late"}


def pay_back(order_id: str) -> str:
    """Pay an order back.

    Args:
        order_id: The order's number, such as ORD-5.
    """
    return f"{order_id} is paid back"
