"""Instructions, in the team file or in a file of their own, and the sentence that describes an agent."""

from __future__ import annotations

import re
from typing import Final

from agentctl.document.nodes import Node
from agentctl.spec.inputs import note_file_uses, note_uses
from agentctl.spec.paths import read_named_file
from agentctl.spec.reading import TeamFile
from agentctl.spec.templates import check_file_templates
from agentctl.spec.values import member, text

_PARAGRAPH_END: Final = re.compile(r"\n\s*(?:\n|[-*#])")
_SENTENCE_END: Final = re.compile(r"(?<!\be\.g)(?<!\bi\.e)[.!?](?=\s|$)")


def read_instructions(node: Node | None, file: TeamFile) -> str | None:
    """The text of `instructions`, or None where there is none (a file that cannot be read is reported)."""
    written = text(node)
    if node is not None and written is not None:
        note_uses(written, node, file)
        return written
    named = member(node, "file")
    path = text(named)
    if named is None or not path:
        return None
    data = read_named_file(path, named, file)
    if data is None:
        return None
    try:
        found = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        message = f'"{file.shown_path(path)}" is not UTF-8: byte 0x{data[error.start]:02X} at {error.start}'
        file.error("unreadable-file", message, named, hint="save the file as UTF-8")
        return None
    note_file_uses(found, file.shown_path(path), file)
    check_file_templates(found, file.shown_path(path), file)
    return found


def first_sentence(instructions: str) -> str:
    """The first sentence, on one line; the first paragraph where it has no end."""
    paragraph = _PARAGRAPH_END.split(instructions.strip(), maxsplit=1)[0]
    line = " ".join(paragraph.split())
    end = _SENTENCE_END.search(line)
    return line[: end.end()] if end else line
