def check(word: str) -> str:
    """Check a word."""
    return word
