"""Flights and hotel rooms, as a travel desk looks them up."""

from typing import Literal

from agentctl import ToolError

FLIGHTS = {
    "LX-318": {"from_airport": "ZRH", "to_airport": "LHR", "status": "on time", "departure": "17:40"},
    "AZ-571": {"from_airport": "FCO", "to_airport": "BRU", "status": "cancelled", "departure": None},
}
ROOMS = {
    "ZRH": {"hotel": "Alpenblick", "free_rooms": 4, "price": 129, "currency": "EUR"},
    "FCO": {"hotel": "Via Marina", "free_rooms": 2, "price": 98, "currency": "EUR"},
}


def flight_status(flight_id: str) -> dict[str, object]:
    """Whether a flight is on time, delayed or cancelled, with its airports and departure.

    Args:
        flight_id: The flight's number, such as LX-318.
    """
    found = FLIGHTS.get(flight_id.upper())
    if found is None:
        raise ToolError(f"There is no flight {flight_id}.")
    return {"flight_id": flight_id.upper(), **found}


def rooms_near(airport: Literal["ZRH", "FCO"]) -> dict[str, object]:
    """A hotel with free rooms near an airport, with the price of a night.

    Args:
        airport: The airport's three letters.
    """
    return {"airport": airport, **ROOMS[airport]}
