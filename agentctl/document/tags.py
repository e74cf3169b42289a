"""Tags: the core ones are obeyed and all others refused: a value is JSON and never a call of something."""

from __future__ import annotations

from typing import Final, Literal

from agentctl.document.scalars import Kind, NotJson, Value, read_as

_CORE: Final = "tag:yaml.org,2002:"
_SCALARS: Final[dict[str, Kind]] = {
    f"{_CORE}null": "null",
    f"{_CORE}bool": "bool",
    f"{_CORE}int": "int",
    f"{_CORE}float": "float",
    f"{_CORE}str": "str",
    "!": "str",
}
_COLLECTIONS: Final = {f"{_CORE}map": "mapping", f"{_CORE}seq": "list"}


def shown(tag: str) -> str:
    """A tag as a person writes it."""
    return (
        f"!!{tag.removeprefix(_CORE)}"
        if tag.startswith(_CORE)
        else tag
        if tag.startswith("!")
        else f"!<{tag}>"
    )


def tagged_value(tag: str, text: str) -> Value | NotJson:
    """The value of a tagged scalar; a `NotJson` says why there is none."""
    kind = _SCALARS.get(tag)
    if kind is None:
        return NotJson(f"the tag `{shown(tag)}` has no meaning in this file")
    found = read_as(kind, text)
    return found[0] if found else NotJson(f'"{text}" is not written as the tag `{shown(tag)}` asks for')


def collection_fault(tag: str | None, kind: Literal["mapping", "list"]) -> str | None:
    """Why a collection of this kind may not have this tag, or None where it may."""
    if tag is None or tag == "!" or _COLLECTIONS.get(tag) == kind:
        return None
    if tag in _COLLECTIONS or tag in _SCALARS:
        return f"the tag `{shown(tag)}` does not fit a {kind}"
    return f"the tag `{shown(tag)}` has no meaning in this file"
