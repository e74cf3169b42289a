from collections.abc import Iterator


def look_up(word: str) -> str:
    """Look a word up."""
    return word


def send(text: str) -> str:
    """Send a message."""
    return text


def enough() -> bool:
    return True


def by_request_alone(request: str) -> str:
    return "billing"


class Chooser:
    def choose(self, conversation: list[dict[str, str]], agents: dict[str, str]) -> str:
        return "sales"


def judges_a_text(answer: str) -> bool:
    return "DONE" in answer


class Condition:
    def __init__(self, tool: str, arguments: dict[str, str]) -> None:
        self.met = True


def needs_more(tool: str, arguments: dict[str, str], limit: float, currency: str) -> bool:
    return True


def needs_a_name(text: str, *, language: str) -> bool:
    return bool(text)


def judges_arguments_alone(arguments: dict[str, str]) -> bool:
    return True


def gives_nothing(text: str) -> None:
    print(text)


def yields(text: str) -> Iterator[bool]:
    yield True


def judges_three(answer: str, run: dict[str, object], more: int) -> bool:
    return True
