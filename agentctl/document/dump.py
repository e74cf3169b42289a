"""JSON into YAML text in block style, which `read_document` reads back as the same JSON.

What YAML 1.1 would not read as a string is quoted too, for the sake of other tools.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from agentctl.document.events import DEEPEST
from agentctl.document.refusals import TYPOGRAPHIC
from agentctl.document.scalars import plain_value
from agentctl.document.syntax_spaces import begins_with_space
from agentctl.jsontypes import Json

_TAG: Final = "tag:yaml.org,2002:"
_END: Final = "\n...\n"
_BROAD: Final = 1_000_000
_PRINTABLE: Final = re.compile(
    "[\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010fffe]*"
)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def dump(value: Json) -> str:
    """The text ends with a line break. `${` is written as it is; see `escape_variables`.

    Keys keep their order. A lone surrogate, which no file can hold, becomes U+FFFD. Raises `ValueError` for
    `nan` and `inf`, which are no JSON, and for more levels than the reader takes.
    """
    text = yaml.serialize(_node(value, 0), Dumper=_Dumper, allow_unicode=True, width=_BROAD)
    return str(text).removesuffix(_END) + "\n" if str(text).endswith(_END) else str(text)


class _Dumper(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """The items of a list stand to the right of its key, whatever `indentless` asks for."""
        super().increase_indent(flow, indentless and flow)


def _node(value: Json, depth: int) -> Node:
    if depth > DEEPEST:
        raise ValueError(f"a value nested more than {DEEPEST} levels cannot be written as YAML")
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        pairs = [(_string(key), _node(item, depth + 1)) for key, item in value.items()]
        return MappingNode(f"{_TAG}map", pairs, flow_style=not pairs)
    if value is None or isinstance(value, bool | int | float):
        return _plain(value)
    items = [_node(item, depth + 1) for item in value]
    return SequenceNode(f"{_TAG}seq", items, flow_style=not items)


def _plain(value: None | bool | int | float) -> Node:
    if value is None:
        return ScalarNode(f"{_TAG}null", "null")
    if isinstance(value, bool):
        return ScalarNode(f"{_TAG}bool", "true" if value else "false")
    if isinstance(value, int):
        return ScalarNode(f"{_TAG}int", str(int(value)))
    if not math.isfinite(value):
        raise ValueError(f"{value!r} is no JSON number")
    text = repr(float(value))
    return ScalarNode(f"{_TAG}float", text if "." in text else text.replace("e", ".0e"))


def _string(text: str) -> Node:
    text = _SURROGATE.sub("\ufffd", text)
    style: str | None = None
    if not _PRINTABLE.fullmatch(text):
        style = '"'
    elif "\n" in text:
        style = "|"
    elif not isinstance(plain_value(text), str) or text[0] in TYPOGRAPHIC or begins_with_space(text):
        style = "'"
    return ScalarNode(f"{_TAG}str", text, style=style)
