"""Nodes of `models` and `model` into `ModelSettings`; a name from `models` gives the settings it names.

Settings with an empty id stand for what could not be read, so that nothing more is said about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.document.nodes import Node, Object, Scalar
from agentctl.spec.functions import split_folder
from agentctl.spec.limits import read_period
from agentctl.spec.reading import TeamFile
from agentctl.spec.settings import ModelSettings, Price
from agentctl.spec.values import getter, items, mapping, member, number, text, texts, whole

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEY_LENGTH: Final = 20
FILES: Final = ("script:", "recording:")
"""What stands before the path of a file that holds replies."""


def read_models(node: Node | None, file: TeamFile) -> Mapping[str, ModelSettings]:
    """The named settings of one file. Each is of an id: what stands for another name is reported."""
    if not isinstance(node, Object):
        return {}
    found = {entry.key: _settings(entry.value, file) for entry in node.entries}
    chained = [
        entry.key
        for entry in node.entries
        if sum(_is_chained(part, entry.key, found, file) for part in _ids(entry.value))
    ]
    found |= {name: replace(found[name], id="", fallbacks=()) for name in chained}
    declared = [known.span for known in file.reading.models]
    file.reading.models += [settings for settings in found.values() if settings.span not in declared]
    return found


def _ids(node: Node) -> Iterator[Node]:
    yield from (part for part in (node, member(node, "id")) if isinstance(part, Scalar))
    yield from items(member(node, "fallbacks"))


def _is_chained(node: Node, own: str, named: Mapping[str, ModelSettings], file: TeamFile) -> bool:
    """Whether the id of the settings `own` is another of the names; an id may be its own name."""
    name = text(node)
    if name is None or name == own or name not in named or named[name].id == name:
        return False
    message = f'"{name}" is a name from `models`, where a model id must stand'
    meant = named[name].id
    for _ in named:
        meant = named[meant].id if meant in named else meant
    meant = "" if meant in named and named[meant].id != meant else meant
    hint = f'write its id, "{meant}"' if meant else "write an id, such as openai/gpt-4o-mini"
    file.error("unknown-model", message, node, hint=hint)
    return True


def read_model(node: Node | None, file: TeamFile) -> ModelSettings | None:
    """The settings that `model` states, or None where nothing is stated."""
    if node is None:
        return None
    name = text(node)
    if name is not None and name in file.models:
        return file.models[name]
    if name is not None:
        _check_name(name, node, file)
    settings = _settings(node, file)
    parts = (member(node, "id"), *items(member(node, "fallbacks")))
    refused = [part for part in parts if _is_refused(part, file)]
    return replace(settings, id="", fallbacks=()) if refused else settings


def _settings(node: Node, file: TeamFile) -> ModelSettings:
    ids = [text(node if isinstance(node, Scalar) else member(node, "id")) or ""]
    ids += texts(member(node, "fallbacks"))
    folder, (model, *fallbacks) = _folder(ids, file)
    get = getter(node)
    place = get("id") or node
    return ModelSettings(
        id=model,
        folder=folder,
        temperature=number(get("temperature")),
        max_tokens=whole(get("max_tokens")),
        top_p=number(get("top_p")),
        reasoning_effort=text(get("reasoning_effort")),
        base_url=text(get("base_url")),
        api_key_env=_variable(get("api_key_env"), file),
        timeout=read_period("timeout", get("timeout"), file),
        retries=whole(get("retries")),
        fallbacks=tuple(fallbacks),
        price=_price(get("price")),
        params=mapping(get("params")),
        span=place.span,
        pointer=node.pointer,
    )


def _variable(node: Node | None, file: TeamFile) -> str | None:
    """The name of a variable. A key that stands there itself is told of, and goes no further."""
    name = text(node)
    if node is None or name is None or not _VARIABLE.fullmatch(name):
        return None
    if len(name) >= _KEY_LENGTH and not name.isupper() and re.search("[0-9]", name):
        message = (
            '"api_key_env" must be the name of an environment variable, and this looks like a key itself'
        )
        hint = "write the name of the variable, such as OPENAI_API_KEY, never the key itself"
        file.error("wrong-value", message, node, hint=hint)
        return None
    return name


def _folder(ids: list[str], file: TeamFile) -> tuple[Path, list[str]]:
    """Where the scripts among the ids begin: the file's folder, or the one that their paths name.

    Without a script it is the team's folder, whichever file the model stands in.
    """
    folder = file.folder if any(is_file_model(model) for model in ids) else file.reading.folder
    found: list[str] = []
    for model in ids:
        if is_file_model(model):
            kind, colon, path = model.partition(":")
            folder, rest = split_folder(path, folder)
            model = f"{kind}{colon}{rest}"
        found.append(model)
    return folder, found


def is_file_model(model: str) -> bool:
    return model.startswith(FILES)


def _price(node: Node | None) -> Price | None:
    sent, received = number(member(node, "input")), number(member(node, "output"))
    return None if sent is None or received is None else Price(input=sent, output=received)


def _check_name(name: str, node: Node, file: TeamFile) -> None:
    """A bare word near a name from `models` is hardly an id of litellm."""
    near = nearest(name, file.models) if "/" not in name and ":" not in name and name != "offline" else None
    if near is not None:
        message = f'"{name}" is no name from `models` and is taken as a model id'
        file.warning("unknown-model", message, node, hint=f'did you mean "{near}"?')


def _is_refused(node: Node | None, file: TeamFile) -> bool:
    """Whether a name from `models` stands where only an id can; then that is reported."""
    name = text(node)
    if node is None or name is None or name not in file.models:
        return False
    message = f'"{name}" is a name from `models`, where a model id must stand'
    hint = f'write its id, "{file.models[name].id}", or use `model: {name}`'
    file.error("unknown-model", message, node, hint=hint)
    return True
