def look(word: str) -> str:
    """Looks."""
    return word
