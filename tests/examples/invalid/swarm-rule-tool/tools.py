def check_balance(account: str) -> str:
    """The balance of an account."""
    return account
