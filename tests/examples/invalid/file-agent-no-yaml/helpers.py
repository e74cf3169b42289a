def lookup(order):
    """Look up: an order."""
    return {"a": order}
