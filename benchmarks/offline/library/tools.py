"""What the desk of library looks up: the benchmark only sees what is asked for."""


def find_title(title: str) -> str:
    """Whether a title is in the collection and where it stands.

    Args:
        title: The title that is looked for.
    """
    return "done"


def renew_item(item_id: str, weeks: int = 2) -> str:
    """Extends the time an item is borrowed.

    Args:
        item_id: The number under the bar code, such as B-2044.
        weeks: For how many weeks.
    """
    return "done"


def pay_fine(member_id: str, amount: float) -> str:
    """Pays a fine for items that came back late.

    Args:
        member_id: The member's number, such as M-81.
        amount: How much is paid, in euros.
    """
    return "done"


def event_seats(event_id: str, seats: int) -> str:
    """Reserves seats at a reading or course.

    Args:
        event_id: The event's number, such as EV-12.
        seats: How many seats.
    """
    return "done"
