def open_case(word: str) -> str:
    """Open a case."""
    return word


def look_up(word: str) -> str:
    """Look a word up."""
    return word
