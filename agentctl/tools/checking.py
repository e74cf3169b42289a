"""Says in a model's language what is wrong with the arguments it wrote, briefly enough to send back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from agentctl.diagnostics import nearest
from agentctl.tools.wording import bounded, preview, said

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

CHECK_LIMIT: Final = 1_000
"""Characters of the whole answer."""
_SHOWN: Final = 5


def problems_text(error: ValidationError, known: Sequence[str]) -> str:
    """`account_id: field required; amount: Input should be a valid number, got 'x'`.

    `known` are the parameters that exist, for the nearest name to one that does not.
    """
    found = error.errors(include_url=False, include_context=False)
    parts = list(dict.fromkeys(_problem(each, known) for each in found))
    more = f"; and {len(parts) - _SHOWN} more" if len(parts) > _SHOWN else ""
    return f"{bounded('; '.join(parts[:_SHOWN]), CHECK_LIMIT - len(more))}{more}"


def unchecked_text(error: Exception) -> str:
    """Where a validator of the tool's own types raised something of its own."""
    return bounded(f"the arguments could not be checked: {type(error).__name__}: {said(error)}", CHECK_LIMIT)


def _problem(found: ErrorDetails, known: Sequence[str]) -> str:
    where = ".".join(str(part) for part in found["loc"]) or "arguments"
    match found["type"]:
        case "missing":
            return f"{where}: field required"
        case "extra_forbidden":
            return _unknown(where, known) if len(found["loc"]) == 1 else f"{where}: there is no such field"
        case _:
            words = said(Exception(found["msg"])).removeprefix("Value error, ")
            return f"{where}: {words}, got {preview(found['input'])}"


def _unknown(name: str, known: Sequence[str]) -> str:
    close = nearest(name, known)
    if close:
        return f"{name}: there is no such parameter, did you mean '{close}'?"
    listed = ", ".join(f"'{each}'" for each in known)
    return f"{name}: there is no such parameter, there {'are ' + listed if listed else 'is none'}"
