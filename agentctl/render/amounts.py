"""Money, tokens and time as people read them."""

from __future__ import annotations


def money(usd: float | None, *, complete: bool = True) -> str:
    """`$0.0123`, `at least $0.0123` where a part is unknown, `cost unknown` where all of it is or the rest
    is nothing.
    """
    if usd is None or (usd == 0 and not complete):
        return "cost unknown"
    digits = 2 if usd == 0 or usd >= 1 else 4
    shown = f"${usd:.{digits}f}" if usd == 0 or usd >= 0.0001 else "<$0.0001"
    return shown if complete else f"at least {shown}"


def tokens(number: int, *, complete: bool = True) -> str:
    """`345 tokens`, `12.3k tokens`, `4.6M tokens`; where some or all were not counted `at least 345 tokens`
    or `tokens unknown`.
    """
    if not complete:
        return f"at least {tokens(number)}" if number else "tokens unknown"
    return f"{short_number(number)} token" if number == 1 else f"{short_number(number)} tokens"


def short_number(number: int) -> str:
    if number < 10_000:
        return str(number)
    if number < 1_000_000:
        return f"{number / 1000:.1f}k"
    return f"{number / 1_000_000:.1f}M"


def size(number: int) -> str:
    """`812 B`, `12.3 KB`, `4.6 MB`, `1.2 GB`, in powers of 1000."""
    if number < 1000:
        return f"{number} B"
    amount, unit = number / 1000, "KB"
    for larger in ("MB", "GB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{amount:.1f} {unit}"


def plural(number: int, word: str) -> str:
    """`1 call`, `2 calls`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def duration(ms: float) -> str:
    """`3 ms`, `1.2 s`, `2m 05s`, `1h 02m`, from milliseconds."""
    if ms < 1000:
        return f"{round(ms)} ms"
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    seconds = round(ms / 1000)
    if seconds < 3600:
        return f"{seconds // 60}m {seconds % 60:02}s"
    return f"{seconds // 3600}h {seconds % 3600 // 60:02}m"
