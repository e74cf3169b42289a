"""Nodes of `limits` and `retry` into their settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, Literal, get_args

from agentctl.document.nodes import Node, Object
from agentctl.spec.reading import TeamFile
from agentctl.spec.settings import Retry
from agentctl.spec.team import Limit, LimitName
from agentctl.spec.values import choice, count, duration, number, text, whole

LIMITS: Final[tuple[LimitName, ...]] = get_args(LimitName)
_DEFAULTS: Final = Retry()
_BACKOFFS: Final[tuple[Literal["exponential", "fixed"], ...]] = ("exponential", "fixed")


def read_limits(node: Node | None, file: TeamFile) -> Mapping[LimitName, Limit]:
    if not isinstance(node, Object):
        return {}
    found: dict[LimitName, Limit] = {}
    for name in LIMITS:
        entry = node.entry(name)
        value = _limit(name, entry.value, file) if entry else None
        if entry and value is not None:
            found[name] = Limit(value=value, span=entry.key_span, pointer=entry.value.pointer)
    return found


def _limit(name: LimitName, node: Node, file: TeamFile) -> float | None:
    if text(node) == "unlimited":
        return math.inf
    if name == "time":
        return read_period("time", node, file)
    value = number(node) if name == "cost_usd" else whole(node)
    return value if value is not None and value > 0 else None


def read_period(key: str, node: Node | None, file: TeamFile) -> float | None:
    """A duration above 0, in seconds."""
    seconds = duration(node)
    if seconds == 0 and node is not None:
        file.error(
            "wrong-value",
            f'"{key}" must be more than 0',
            node,
            hint=f"write `{key}: 30s`, or take `{key}` out",
        )
    return seconds or None


def read_retry(node: Node | None) -> Retry | None:
    if not isinstance(node, Object):
        return None
    delay, max_delay = duration(node.get("delay")), duration(node.get("max_delay"))
    return Retry(
        attempts=count(node.get("attempts"), _DEFAULTS.attempts),
        backoff=choice(node.get("backoff"), _BACKOFFS, _DEFAULTS.backoff),
        delay=_DEFAULTS.delay if delay is None else delay,
        max_delay=_DEFAULTS.max_delay if max_delay is None else max_delay,
    )
