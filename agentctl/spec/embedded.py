"""JSON Schemas that stand in a team file, read with every mistake reported at its place."""

from __future__ import annotations

from agentctl.document.nodes import Node, Object, locate, plain
from agentctl.jsontypes import JsonObject, as_object
from agentctl.schemamistakes import Mistake, schema_mistakes
from agentctl.spec.reading import TeamFile


def read_schema(node: Object, where: str, file: TeamFile) -> JsonObject | None:
    """The schema, or None after an error. `where` names its key."""
    schema = as_object(plain(node))
    mistakes = schema_mistakes(schema)
    for mistake in mistakes:
        _tell(mistake, node, where, file)
    return None if any(not mistake.harmless for mistake in mistakes) else schema


def _tell(mistake: Mistake, node: Object, where: str, file: TeamFile) -> None:
    place: Node = locate(node, mistake.path)
    span = place.span
    if mistake.at_key:
        above = locate(node, mistake.path[:-1])
        entry = above.entry(str(mistake.path[-1])) if isinstance(above, Object) else None
        span = entry.key_span if entry else span
    tell = file.report.warning if mistake.harmless else file.report.error
    message = f"the schema of `{where}`: {mistake.message}"
    tell("wrong-schema", message, span, hint=mistake.hint, pointer=place.pointer)
