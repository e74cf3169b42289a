"""Keys that are typed into a team file: taken out of the copy that a run keeps, and put back from the file.

No file of a run holds a key. One that stands in a variable is read from there when the run goes on; one that
somebody typed is read from the team file again, at the same place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from agentctl.api.inner_secrets import NAMED, in_address, in_arguments, in_defaults, is_key
from agentctl.api.secrets import text_without_secrets, words_of
from agentctl.diagnostics import Report
from agentctl.document import Filled, dump, plain, read_document
from agentctl.errors import UsageError
from agentctl.journal.redact import MASK, Redactor
from agentctl.jsontypes import Json, JsonObject
from agentctl.spec.resolve import servers_by_name
from agentctl.spec.settings import ModelSettings
from agentctl.spec.strategies import PlanExecute
from agentctl.spec.team import Agent, Team

_SCHEME: Final = re.compile(r"(?:bearer|basic|token)\s+", re.IGNORECASE)
_VARIABLE: Final = "${"

Places = Mapping[str, str]
"""Strings by the dotted path of their place in the document."""


def typed_secrets(team: Team) -> set[str]:
    """What stands under a name of a secret: in `env`, `headers` and `args` of servers, in what is passed to a
    model (`params`) and in the fixed arguments of tools; what headers hold whatever their name is, and what
    addresses do; defaults of variables of servers too. Keys of known providers are found anywhere else."""
    found = {value for value in _under_names(team) if _VARIABLE not in value}
    for server in servers_by_name(team).values():
        found.update(in_defaults(server))
    values = {_SCHEME.sub("", value, count=1) for value in found}
    return values - words_of(team) if values else values


def _under_names(team: Team) -> set[str]:
    servers = servers_by_name(team).values()
    of_servers: Iterator[JsonObject] = ({**server.env, "headers": server.headers} for server in servers)
    named = {value for each in (*of_servers, *_passed(team)) for value in _named(each)}
    for server in servers:
        named.update(in_arguments(server.args))
    passed = [
        text for each in (*(server.env for server in servers), *_passed(team)) for _, text in _strings(each)
    ]
    for address in (*(server.url for server in servers), *_base_urls(team), *passed):
        found = set(in_address(address))
        named |= {*found, address} if found and isinstance(address, Filled) else found
    return named


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText:
    """A resolved team as a run keeps it; `typed`: keys that stood in the file are `•••` in it."""

    text: str
    typed: bool


def kept_text(team: Team, secrets: Mapping[str, str]) -> KeptText:
    """`secrets` are variables whose values may stand in the team; they become `${NAME}` again."""
    text = text_without_secrets(team, secrets, _under_names(team))
    redactor = Redactor(typed_secrets(team))
    if redactor.text(text) == text:
        return KeptText(text=text, typed=False)
    document = _document(text)
    hidden = redactor.redact(document)
    return KeptText(text=dump(hidden) if hidden != document else text, typed=hidden != document)


def with_typed(kept: str, team: Team, secrets: Mapping[str, str], run_id: str) -> str:
    """The kept text with its keys again, from the `team` that the file holds now.

    Raises `UsageError` where one is not there any more.
    """
    redactor = Redactor(typed_secrets(team))
    found = dict(_strings(_document(text_without_secrets(team, secrets, _under_names(team)))))
    lost: list[str] = []

    def filled(value: Json, place: str) -> Json:
        if isinstance(value, str) and MASK in value:
            key = _same(value, place, found, redactor)
            if key is None:
                lost.append(place)
            return key or value
        if isinstance(value, Mapping):
            return {name: filled(below, _below(place, name)) for name, below in value.items()}
        if isinstance(value, list):
            return [filled(below, _below(place, str(at))) for at, below in enumerate(value)]
        return value

    whole = filled(_document(kept), "")
    if lost:
        raise UsageError(
            f'the key typed at `{lost[0]}` in "{team.path}" is not there any more, and a run keeps none',
            hint="put it back; or name a variable there, as ${NAME}, and go on with: "
            f"agentctl resume {run_id} --with TEAM",
        )
    return dump(whole)


def _same(kept: str, place: str, found: Places, redactor: Redactor) -> str | None:
    """The string of which `kept` is what is left without keys: at its place, or the only one like it."""
    there = found.get(place)
    if there is not None and redactor.text(there) == kept:
        return there
    alike = {text for text in found.values() if redactor.text(text) == kept}
    return alike.pop() if len(alike) == 1 else None


def _document(text: str) -> Json:
    document = read_document(text.encode("utf-8"), path="team.yaml", report=Report())
    assert document is not None, "what was dumped can be read"
    return plain(document.root)


def _strings(value: Json, place: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for name, below in value.items():
            yield from _strings(below, _below(place, name))
    elif isinstance(value, list):
        for at, below in enumerate(value):
            yield from _strings(below, _below(place, str(at)))


def _below(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _passed(team: Team) -> Iterator[Mapping[str, Json]]:
    for agent in team.agents():
        yield from (tool.args for tool in agent.tools)
        yield from (model.params for model in _models(agent))


def _base_urls(team: Team) -> Iterator[str]:
    for agent in team.agents():
        yield from (model.base_url for model in _models(agent) if model.base_url)


def _models(agent: Agent) -> Iterator[ModelSettings]:
    planner = agent.strategy.planner if isinstance(agent.strategy, PlanExecute) else None
    for model in (agent.model, planner.model if planner is not None else None):
        if model is not None:
            yield model


def _named(given: Mapping[str, Json], *, headers: bool = False) -> Iterator[str]:
    for name, value in given.items():
        if isinstance(value, Mapping):
            yield from _named(value, headers=name.endswith("headers"))
        elif isinstance(value, str) and (is_key(name, value) if headers else NAMED.search(name)):
            yield value
