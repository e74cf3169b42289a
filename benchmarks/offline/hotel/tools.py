"""What the desk of hotel looks up: the benchmark only sees what is asked for."""

from typing import Literal


def book_room(kind: Literal["single", "double", "suite"], nights: int) -> str:
    """Books a room.

    Args:
        kind: What kind of room.
        nights: For how many nights.
    """
    return "done"


def cancel_booking(booking_id: str) -> str:
    """Cancels a booking of a room.

    Args:
        booking_id: The number in the confirmation, such as HB-601.
    """
    return "done"


def send_staff(room: int, task: Literal["towels", "cleaning", "repair"]) -> str:
    """Sends somebody up to a room.

    Args:
        room: The room's number.
        task: What is to be done.
    """
    return "done"


def book_table(guests: int, time: str) -> str:
    """Reserves a table.

    Args:
        guests: How many people.
        time: When, as HH:MM.
    """
    return "done"
