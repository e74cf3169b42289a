def look_up(word: str) -> str:
    """Look a word up."""
    return word


def send(text: str) -> str:
    """Send a message."""
    return text


def needs_person(name: str, arguments: dict[str, str]) -> bool:
    """Whether a person must agree."""
    return True


def route(request: str, agents: dict[str, str]) -> str:
    """Choose an agent."""
    return "billing"


def enough(conversation: list[dict[str, str]]) -> bool:
    """Whether to stop."""
    return True
