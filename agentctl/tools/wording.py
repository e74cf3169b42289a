"""Foreign values and exceptions as short text that is safe to show. Nothing here raises."""

from __future__ import annotations

from typing import Final

from agentctl.tools.isolation import public_name

ERROR_LIMIT: Final = 2_000
"""Characters kept of what an exception says."""


def exception_text(error: BaseException) -> str:
    """`ValueError: what it says`, and what each member says of a group of exceptions."""
    name = type(error).__name__
    words = bounded(said(error), ERROR_LIMIT)
    if isinstance(error, BaseExceptionGroup):
        members = "; ".join(exception_text(member) for member in error.exceptions[:5])
        return bounded(f"{name}: {error.message}: {members}", ERROR_LIMIT)
    return f"{name}: {words}" if words else name


def said(error: BaseException) -> str:
    """`str(error)`, without the names that modules are loaded under."""
    try:
        text = str(error)
    except Exception:  # foreign __str__
        return "(what it says cannot be shown)"
    return public_name(text.encode("utf-8", "replace").decode("utf-8"))


def bounded(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def preview(value: object, limit: int = 80) -> str:
    """`repr(value)`, cut."""
    try:
        text = repr(value)
    except Exception:  # foreign __repr__
        text = f"<{type(value).__name__}>"
    return bounded(text.encode("utf-8", "replace").decode("utf-8"), limit)
