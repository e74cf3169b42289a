"""What the desk of energy looks up: the benchmark only sees what is asked for."""

from datetime import date
from typing import Literal


def report_reading(meter_id: str, kilowatt_hours: int) -> str:
    """Records a reading.

    Args:
        meter_id: The meter's number, such as MT-808.
        kilowatt_hours: What the meter shows.
    """
    return "done"


def change_tariff(contract_id: str, tariff: Literal["green", "basic", "night"]) -> str:
    """Changes the tariff of a contract.

    Args:
        contract_id: The contract's number, such as EC-70.
        tariff: The new tariff.
    """
    return "done"


def end_contract(contract_id: str, last_day: date) -> str:
    """Ends a contract.

    Args:
        contract_id: The contract's number, such as EC-70.
        last_day: The last day of supply.
    """
    return "done"


def outage_info(postcode: str) -> str:
    """Known power cuts in an area.

    Args:
        postcode: Five digits.
    """
    return "done"
