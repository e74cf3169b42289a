"""`{file: …}` under `agents`: the other team file as a located root and the file to read it in."""

from __future__ import annotations

import os
from typing import Final

from agentctl.diagnostics import Report
from agentctl.document.nodes import Node, Object
from agentctl.spec.files import open_team
from agentctl.spec.likeness import may_be_a_team
from agentctl.spec.lost_texts import check_texts
from agentctl.spec.mcp_servers import read_servers
from agentctl.spec.models import read_models
from agentctl.spec.paths import absolute, read_named_file, real
from agentctl.spec.reading import TeamFile
from agentctl.spec.schema import document_checker
from agentctl.spec.shape import check_shape
from agentctl.spec.templates import check_templates
from agentctl.spec.values import text

_ENDINGS: Final = (".yaml", ".yml", ".json")
_IGNORED: Final = {
    "inputs": 'declare them in "{}"',
    "tests": 'write tests of the whole team in "{}"; these run with `agentctl test` of this file',
}


def open_include(node: Node | None, file: TeamFile) -> tuple[Object, TeamFile] | None:
    """The root agent of the file that `node` names, or None after an error."""
    written = text(node)
    if node is None or not written:
        return None
    path = file.folder / written
    key = real(path)
    if key in file.above:
        circle = [*file.above[file.above.index(key) :], key]
        listed = " -> ".join(os.path.relpath(each, file.reading.folder) for each in circle)
        hint = "take one of these out of the circle"
        file.error("include-cycle", f"these files include each other: {listed}", node, hint=hint)
        return None
    root = _opened(written, key, node, file)
    if root is None:
        return None
    inner = TeamFile(
        reading=file.reading,
        shown=file.shown_path(written),
        folder=absolute(path).parent,
        above=(*file.above, key),
    )
    return root, in_file(root, inner)


def in_file(root: Object, file: TeamFile) -> TeamFile:
    """`file` with the named model settings and servers of its root."""
    return TeamFile(
        reading=file.reading,
        shown=file.shown,
        folder=file.folder,
        models=read_models(root.get("models"), file),
        servers=read_servers(root.get("mcp_servers"), file),
        above=file.above,
    )


def _opened(written: str, key: str, node: Node, file: TeamFile) -> Object | None:
    """A file that is included more than once is read and held to the schema once."""
    opened = file.reading.opened
    if key not in opened:
        data = read_named_file(written, node, file)
        if data is None:
            return None
        shown = file.shown_path(written)
        own = Report()
        root = open_team(data, shown, file.reading.environ, own)
        if _is_of_another_kind(root, written, shown, own):
            message = f'"{shown}" is no team file, by its name and by what it holds'
            hint = "name a team file, whose name ends in `.yaml`"
            file.error("not-a-team", message, node, hint=hint)
            opened[key] = None
            return None
        file.report.found += own.found
        file.report.sources.update(own.sources)
        if root is not None:
            file.reading.documents[shown] = root
            root = check_shape(root, document_checker(), file.report)
            _warn_ignored(root, file)
            check_templates(root, file)
            check_texts(root, file)
        opened[key] = root
    return opened[key]


def _is_of_another_kind(root: Object | None, written: str, shown: str, own: Report) -> bool:
    """Whether it is no team file and not meant as one, such as a module: then nothing of it is shown."""
    if written.endswith(_ENDINGS) or may_be_a_team(own.sources.get(shown, "")):
        return False
    nameless = root is None or root.entry("name") is None
    return nameless or any(found.code.startswith("yaml-") for found in own.found)


def _warn_ignored(root: Object, file: TeamFile) -> None:
    for key, hint in _IGNORED.items():
        entry = root.entry(key)
        if entry is not None:
            file.report.warning(
                "ignored-key",
                f"`{key}` of an included file are ignored",
                entry.key_span,
                hint=hint.format(file.reading.shown),
                pointer=entry.value.pointer,
            )
