def ask(question: str) -> str:
    """Ask."""
    return question
