"""How long a server asks to be left alone, in each of the ways that servers say it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agentctl.models.waits import asked_wait

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "3600"}, 3600.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:01:00 GMT"}, 60.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:01:00 GMT", "date": "Sun, 01 Mar 2026 12:00:50 GMT"}, 10.0),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"x-ratelimit-reset-requests": "6m0s"}, 360.0),
        ({"x-ratelimit-reset-tokens": "250ms"}, 0.25),
        (
            {
                "x-ratelimit-remaining-requests": "5",
                "x-ratelimit-reset-requests": "9s",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "2s",
            },
            2.0,
        ),
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-03-01T12:00:30Z",
            },
            30.0,
        ),
        ({"x-ratelimit-reset": str(int(NOW.timestamp()) + 12)}, 12.0),
        ({"x-ratelimit-reset": str((int(NOW.timestamp()) + 12) * 1000)}, 12.0),
        ({"x-ratelimit-reset": "12"}, 12.0),
        ({"retry-after": "3", "x-ratelimit-reset-tokens": "60s"}, 3.0),
        ({}, None),
    ],
)
def test_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(headers, "", now=NOW) == seconds


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        ('{"error": {"details": [{"retryDelay": "12s"}]}}', 12.0),
        ('{"error": {"details": [{"retryDelay": "12.5s"}]}}', 12.5),
        ("Rate limit reached. Please try again in 20s. Visit us", 20.0),
        ("Please try again in 1m30.5s", 90.5),
        ("please retry after 120ms.", 0.12),
        ("Please retry after 26 seconds.", 26.0),
        ("try again in a while", None),
    ],
)
def test_words(body: str, seconds: float | None) -> None:
    assert asked_wait({}, body, now=NOW) == seconds
