from typing import TypedDict

from pydantic import BaseModel


class Damage(BaseModel):
    item: str
    amount: float = 0


class Letter(TypedDict):
    greeting: str
    text: str


def pay(amount: float) -> str:
    """Pay an amount."""
    return f"paid {amount}"


def polite(text: str) -> bool:
    """Whether the answer is polite."""
    return "fool" not in text


def small(tool: str, arguments: dict[str, float]) -> bool:
    """Whether the amount is small."""
    return arguments["amount"] < 100
