def check(word: str) -> str:
    """Check."""
    return word
