def refund(amount: float) -> str:
    """Pay money back."""
    return str(amount)
