"""What a help desk looks up: accounts, outages and warranties, a few of each."""

from typing import Literal

from agentctl import ToolError

ACCOUNTS = {
    "U-104": {"state": "locked", "reason": "five wrong passwords", "unlocks_at": "14:30"},
    "U-105": {"state": "active", "reason": None, "unlocks_at": None},
}
OUTAGES = {
    "Berlin": {"outage": "Wi-Fi on floors 2 and 3", "since": "09:10", "expected_end": "12:00"},
    "Lisbon": {"outage": "nothing", "since": None, "expected_end": None},
    "Osaka": {"outage": "VPN", "since": "07:45", "expected_end": "unknown"},
}
DEVICES = {
    "LT-204": {"model": "laptop 14 inch", "warranty_until": "2027-05-31", "repair": "free"},
    "PR-11": {"model": "printer", "warranty_until": "2024-02-28", "repair": "at cost"},
}


def account_status(user_id: str) -> dict[str, object]:
    """Whether a user's account is active or locked, why, and until when.

    Args:
        user_id: The user's number, such as U-104.
    """
    account = ACCOUNTS.get(user_id.upper())
    if account is None:
        raise ToolError(f"There is no user {user_id}.")
    return {"user_id": user_id.upper(), **account}


def site_outages(site: Literal["Berlin", "Lisbon", "Osaka"]) -> dict[str, object]:
    """Known network outages at a site: what is affected and when it is expected to end.

    Args:
        site: The office's city.
    """
    return {"site": site, **OUTAGES[site]}


def device_warranty(device_id: str) -> dict[str, object]:
    """Model and warranty of a device, and what a repair costs.

    Args:
        device_id: The number on the device's label, such as LT-204.
    """
    device = DEVICES.get(device_id.upper())
    if device is None:
        raise ToolError(f"There is no device {device_id}.")
    return {"device_id": device_id.upper(), **device}
