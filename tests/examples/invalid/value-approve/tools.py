def look(word: str) -> str:
    """Look it up."""
    return word


def find(word: str) -> str:
    """Find it."""
    return word


def seek(word: str) -> str:
    """Seek it."""
    return word
