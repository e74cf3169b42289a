"""Two look-ups for travellers."""


def departures(town: str) -> dict[str, object]:
    """Departures of trains to a town.

    Args:
        town: Where the trains go, such as Lyon.
    """
    return {"town": town, "departures": ["08:12", "10:12"]}


def free_rooms(town: str) -> dict[str, object]:
    """Free rooms of hotels in a town.

    Args:
        town: Where the hotels are, such as Lyon.
    """
    return {"town": town, "hotel": "Du Pont", "free_rooms": 3}
