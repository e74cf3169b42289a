def look(word: str) -> str:
    """Look a word up."""
    return word


def send(text: str) -> str:
    """Send a text."""
    return text


def put(text: str) -> str:
    """Put a text somewhere."""
    return text
