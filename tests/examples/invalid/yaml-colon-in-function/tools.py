def lookup(order_id: str) -> str:
    """Look up an order by its id."""
    return "on its way"
