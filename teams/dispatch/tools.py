"""Who of a repair service is free in a district, and what a repair costs."""

from typing import Literal

District = Literal["north", "south", "centre"]

PLUMBERS = {"north": ("Ada", 40), "south": ("Bo", 25), "centre": ("Ada", 55)}
ELECTRICIANS = {"north": ("Chidi", 30), "south": ("Dora", 70), "centre": ("Dora", 20)}
QUOTES = {"leak": 140, "drain": 110, "fuse": 85, "socket": 95}


def next_plumber(district: District) -> dict[str, object]:
    """The next free plumber in a district, and the minutes until they arrive.

    Args:
        district: The part of the town.
    """
    name, minutes = PLUMBERS[district]
    return {"district": district, "plumber": name, "arrives_in_minutes": minutes}


def next_electrician(district: District) -> dict[str, object]:
    """The next free electrician in a district, and the minutes until they arrive.

    Args:
        district: The part of the town.
    """
    name, minutes = ELECTRICIANS[district]
    return {"district": district, "electrician": name, "arrives_in_minutes": minutes}


def quote(repair: Literal["leak", "drain", "fuse", "socket"]) -> dict[str, object]:
    """Price of a repair with the way there.

    Args:
        repair: What is broken.
    """
    return {"repair": repair, "price": QUOTES[repair], "currency": "EUR"}
