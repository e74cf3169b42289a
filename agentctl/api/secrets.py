"""Which variables a team file holds secrets from, and its text without them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from agentctl.spec.resolve import dump_team
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
    text = dump_team(team)
    return {name: value for name, value in named.items() if value in text}


def without_secrets(text: str, secrets: Mapping[str, str]) -> str:
    """A secret that stands in the team file through a variable is read from that variable again on resume."""
    for variable, value in sorted(secrets.items(), key=lambda item: -len(item[1])):
        text = text.replace(value, f"${{{variable}}}")
    return text
