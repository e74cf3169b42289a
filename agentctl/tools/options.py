"""The options of one tool as they hold: what the team file states, else the decorator, else the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Final, Literal, TypeVar

from agentctl.spec.settings import FunctionRef, Retry, ToolEntry

ATTRIBUTE: Final = "__agentctl_tool__"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What a decorator states; None is unstated. `timeout` is in seconds, `max_output` in characters."""

    name: str | None = None
    description: str | None = None
    approve: Literal["always", "never"] | None = None
    idempotent: bool | None = None
    timeout: float | None = None
    retry: Retry | None = None
    max_output: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    name: str | None
    description: str | None
    approve: bool | FunctionRef
    idempotent: bool
    timeout: float
    retry: Retry | None
    max_output: int


def options_of(entry: ToolEntry, function: object) -> Options:
    """A function without the decorator states nothing."""
    found = getattr(function, ATTRIBUTE, None)
    stated = found if isinstance(found, Stated) else Stated()

    def choose(key: str, written: _T, decorated: _T | None) -> _T:
        said = key in entry.stated or written != _DEFAULTS[key]
        return written if said or decorated is None else decorated

    approve = choose("approve", entry.approve, stated.approve)
    return Options(
        name=entry.name or stated.name,
        description=entry.description or stated.description,
        approve=approve if isinstance(approve, FunctionRef) else approve == "always",
        idempotent=choose("idempotent", entry.idempotent, stated.idempotent),
        timeout=choose("timeout", entry.timeout, stated.timeout),
        retry=choose("retry", entry.retry, stated.retry),
        max_output=choose("max_output", entry.max_output, stated.max_output),
    )


_DEFAULTS: Final[Mapping[str, object]] = {
    each.name: each.default for each in fields(ToolEntry) if each.default is not MISSING
}
