"""How long a server asks to be left alone, from the headers and body of its refusal.

In this order: `retry-after-ms`, `Retry-After` (seconds or an HTTP date), the providers' reset headers of
limits that are used up, the body's own words. Taken literally, never shortened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_NUMBER: Final = re.compile(r"\d+(\.\d+)?")
_PARTS: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_WORDS: Final = (
    re.compile(r'"retryDelay"\s*:\s*"([0-9.]+s)"'),
    re.compile(r"(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)?(?:ms|s|m|h)(?![a-z]))+)", re.IGNORECASE),
    re.compile(r"(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?)(?= seconds?)", re.IGNORECASE),
)
_EPOCH_SECONDS: Final = 1e9
_EPOCH_MILLISECONDS: Final = 1e12


def asked_wait(headers: Mapping[str, str], body: str, *, now: datetime) -> float | None:
    """Seconds to wait, or None when the server does not say. Header names in lower case."""
    clock = _date(headers.get("date", "")) or now
    if _NUMBER.fullmatch(headers.get("retry-after-ms", "")):
        return float(headers["retry-after-ms"]) / 1000
    asked = _moment(headers.get("retry-after", ""), clock)
    if asked is not None:
        return asked
    resets = [_moment(value, now) for name, value in headers.items() if _is_used_up(name, headers)]
    known = [wait for wait in resets if wait is not None]
    return max(known) if known else _said(body)


def _is_used_up(name: str, headers: Mapping[str, str]) -> bool:
    """Whether this is the reset of a limit of which nothing, or nobody knows how much, remains."""
    if "ratelimit" not in name or "reset" not in name:
        return False
    remaining = headers.get(name.replace("reset", "remaining"))
    return remaining is None or remaining.strip() in ("0", "0.0")


def _moment(text: str, now: datetime) -> float | None:
    """Seconds until what the text names: a number, `1m30s`, an HTTP date, an ISO time or an epoch."""
    text = text.strip()
    if _NUMBER.fullmatch(text):
        number = float(text)
        if number >= _EPOCH_MILLISECONDS:
            number /= 1000
        return max(0.0, number - now.timestamp()) if number >= _EPOCH_SECONDS else number
    if text and not _PARTS.sub("", text):
        return sum(float(number) * _UNITS[unit] for number, unit in _PARTS.findall(text))
    moment = _date(text) or _iso(text)
    return None if moment is None else max(0.0, (moment - now).total_seconds())


def _said(body: str) -> float | None:
    found = next((match for words in _WORDS if (match := words.search(body))), None)
    return _moment(found[1], datetime.now(UTC)) if found else None


def _date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _iso(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
