def check_balance(account_id: str) -> str:
    """Balance of an account."""
    return f"{account_id}: 5432.10"


def lookup_order(order_id: str) -> str:
    """Status of an order."""
    return f"{order_id} is shipped"
