"""Nodes of `output` into the shape of an agent's answer: a JSON Schema, or the name of a Python class."""

from __future__ import annotations

from typing import Final

from agentctl.document.nodes import Node, Object, locate, plain
from agentctl.jsonschemas import schema_problems
from agentctl.jsontypes import JsonObject, as_object
from agentctl.spec.functions import read_function
from agentctl.spec.reading import TeamFile
from agentctl.spec.settings import FunctionRef

RETRIES: Final = 2
"""Further turns that may mend an answer, where the file states no `output_retries`."""


def read_output(node: Node | None, file: TeamFile) -> JsonObject | FunctionRef | None:
    """What cannot be read is reported, by the schema or here, and left out."""
    if not isinstance(node, Object):
        return read_function(node, file)
    schema = as_object(plain(node))
    problems = schema_problems(schema)
    for problem in problems[:1]:
        hint = "`output` is a JSON Schema, such as {type: object, properties: {total: {type: number}}}"
        file.error(
            "wrong-output", f"the schema of `output`: {problem}", locate(node, problem.path), hint=hint
        )
    return None if problems or not schema else schema
