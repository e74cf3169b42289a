"""What the desk of garage looks up: the benchmark only sees what is asked for."""

from typing import Literal


def book_service(plate: str, work: Literal["inspection", "tyres", "brakes", "oil"]) -> str:
    """Books work on a car.

    Args:
        plate: The car's number plate, such as KA-AB123.
        work: What is to be done.
    """
    return "done"


def rent_car(size: Literal["small", "estate", "van"], days: int) -> str:
    """Rents out a car.

    Args:
        size: What kind of car.
        days: For how many days.
    """
    return "done"


def report_accident(policy_id: str, email: str) -> str:
    """Opens a report of an accident.

    Args:
        policy_id: The policy's number, such as POL-9001.
        email: Where the forms are sent.
    """
    return "done"
