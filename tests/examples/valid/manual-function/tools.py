def look_up(word: str) -> str:
    """Look a word up."""
    return word


def send(text: str) -> str:
    """Send a message."""
    return text


def needs_person(name: str, arguments: dict[str, str]) -> bool:
    """Whether a person must agree."""
    return True


def route(conversation: list[dict[str, str]], agents: dict[str, str]) -> str | None:
    """Choose an agent, or finish."""
    return "billing" if len(conversation) == 1 else None


def enough(conversation: list[dict[str, str]]) -> bool:
    """Whether to stop."""
    return True
