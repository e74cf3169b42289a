"""Which variables a team file holds secrets from, and its text without them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from agentctl.jsontypes import Json
from agentctl.spec.resolve import team_json
from agentctl.spec.team import Team

_SECRET: Final = re.compile(
    r"(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|JWT|AUTHORIZATION)($|_)|_PWD($|_)",
    re.IGNORECASE,
)
_SHORTEST: Final = 6


def stated_secrets(team: Team, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The variables named like secrets whose values stand in the team, as where a header has `${NAME}`."""
    named = {
        name: value for name, value in environ.items() if len(value) >= _SHORTEST and _SECRET.search(name)
    }
    if not named:
        return {}
    texts = "\n".join(_texts(team_json(team)))
    return {name: value for name, value in named.items() if value in texts}


def _texts(value: Json) -> Iterator[str]:
    """Every text in the team, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, below in value.items():
            yield key
            yield from _texts(below)
    elif isinstance(value, list | tuple):
        for below in value:
            yield from _texts(below)


def without_secrets(text: str, secrets: Mapping[str, str]) -> str:
    """A secret that stands in the team file through a variable is read from that variable again on resume."""
    for variable, value in sorted(secrets.items(), key=lambda item: -len(item[1])):
        text = text.replace(value, f"${{{variable}}}")
    return text
