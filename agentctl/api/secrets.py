"""Which variables a team file holds secrets from, and its text without them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Final

from agentctl.document import Filled, escape_variables
from agentctl.journal.redact import hides, places
from agentctl.jsontypes import Json, as_object
from agentctl.spec.resolve import document_of, dump_document, servers_by_name, team_json
from agentctl.spec.team import Team

_SECRET: Final = re.compile(
    r"(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|JWT|AUTHORIZATION)($|_)|_PWD($|_)",
    re.IGNORECASE,
)
_VARIABLE: Final = r"\$\{[^}]*\}"


def stated_secrets(team: Team, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The variables named like secrets whose values stand in the team, as where a header has `${NAME}`."""
    named = {name: value for name, value in environ.items() if hides(value) and _SECRET.search(name)}
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


def words_of(team: Team) -> frozenset[str]:
    """What the format and the team itself are written with: keys, kinds, names. A key that is one of them, as
    the dummy for a server of one's own may be, cannot be hidden without making another team of it."""
    named = {agent.name for agent in team.agents()} | set(servers_by_name(team))
    kinds = {agent.strategy.type for agent in team.agents() if agent.strategy is not None}
    tools = {tool.function.target for agent in team.agents() for tool in agent.tools}
    functions = {target.rpartition(":")[2] for target in tools}
    return frozenset({*_keys(team_json(team)), *named, *kinds, *tools, *functions})


def text_without_secrets(team: Team, secrets: Mapping[str, str], under: Container[str]) -> str:
    """The team as `dump_team` writes it, without what it has from secret variables: those are read again on
    resume. By its place, however short: what a variable was written for is written so again; `under` are the
    values that stand under the name of a secret, whatever their variable is called. And by what it is,
    wherever else a value of `secrets` stands by now; the keys of the document stay what they are."""
    found = {value: name for name, value in sorted(secrets.items()) if hides(value)}
    ordered = sorted(found, key=lambda value: -len(value))
    pattern = re.compile("|".join([f"({_VARIABLE})", *(f"({places(value).pattern})" for value in ordered)]))

    def named(match: re.Match[str]) -> str:
        return match[0] if match[1] is not None else f"${{{found[match[0]]}}}"

    def without(value: Json) -> Json:
        if isinstance(value, Filled):
            named_so = all(name in secrets or _SECRET.search(name) for name in value.variables)
            if named_so or value in under:
                return value.written
            return without(escape_variables(value))
        if isinstance(value, str):
            return pattern.sub(named, value)
        if isinstance(value, Mapping):
            return {key: without(below) for key, below in value.items()}
        if isinstance(value, list | tuple):
            return [without(below) for below in value]
        return value

    return dump_document(as_object(without(document_of(team))))


def _keys(value: Json) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from value
    below = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for each in below:
        yield from _keys(each)
