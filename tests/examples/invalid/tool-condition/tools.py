def check(word: str) -> str:
    """Check a word."""
    return word


def large(word):
    """Whether."""
    return True
