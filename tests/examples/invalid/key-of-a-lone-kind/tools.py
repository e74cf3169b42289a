def look(word: str) -> str:
    """Look a word up."""
    return word


def is_dear(tool: str, arguments: dict[str, str]) -> bool:
    return True
