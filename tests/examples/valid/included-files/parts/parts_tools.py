def check(word: str) -> str:
    """Check it."""
    return word


def look(word: str) -> str:
    """Look at it."""
    return word
