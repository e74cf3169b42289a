"""What the desk of cinema looks up: the benchmark only sees what is asked for."""

from datetime import date
from typing import Literal


def buy_tickets(showing_id: str, seats: int, discount: bool = False) -> str:
    """Buys tickets.

    Args:
        showing_id: The showing's number, such as SH-20.
        seats: How many seats.
        discount: Whether a student or senior discount applies.
    """
    return "done"


def refund_ticket(ticket_id: str) -> str:
    """Takes a ticket back.

    Args:
        ticket_id: The ticket's number, such as TK-3344.
    """
    return "done"


def showtimes(day: date) -> str:
    """All showings of a day.

    Args:
        day: The day.
    """
    return "done"


def search_found(thing: Literal["umbrella", "phone", "scarf", "bag"]) -> str:
    """Looks for a thing among what was found.

    Args:
        thing: What was left behind.
    """
    return "done"
