"""Nodes of `output` into the shape of an agent's answer: a JSON Schema, or the name of a Python class."""

from __future__ import annotations

from typing import Final

from agentctl.document.nodes import Node, Object
from agentctl.jsontypes import JsonObject
from agentctl.spec.embedded import read_schema
from agentctl.spec.functions import read_function
from agentctl.spec.reading import TeamFile
from agentctl.spec.settings import FunctionRef

RETRIES: Final = 2
"""Further turns that may mend an answer, where the file states no `output_retries`."""


def read_output(node: Node | None, file: TeamFile) -> JsonObject | FunctionRef | None:
    """What cannot be read is reported, by the schema or here, and left out."""
    if not isinstance(node, Object):
        return read_function(node, file)
    return read_schema(node, "output", file) or None
