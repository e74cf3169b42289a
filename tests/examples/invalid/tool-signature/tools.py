def check(*words: str) -> str:
    """Check them."""
    return " ".join(words)
