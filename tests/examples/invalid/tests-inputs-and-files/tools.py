def check_balance(account: str) -> str:
    """Balance of an account."""
    return account
