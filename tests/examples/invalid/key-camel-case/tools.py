def look(word: str) -> str:
    """Look it up."""
    return word
