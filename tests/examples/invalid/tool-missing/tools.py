def check(word: str) -> str:
    """Check it."""
    return word
