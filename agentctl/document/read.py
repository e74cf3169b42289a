"""The bytes of one file into a `Document`, with every fault that can honestly be told in one pass.

After a syntax error whose mend is plain, the file is read on as if mended, to find what else is wrong.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import Final

from agentctl.diagnostics import Report
from agentctl.document.compose import MOST_FAULTS, Composer, Stopped
from agentctl.document.encoding import decode, without_controls
from agentctl.document.events import Reading, Unreadable
from agentctl.document.nodes import Array, Document, Node, Object, Scalar
from agentctl.document.places import moved
from agentctl.document.refusals import too_many_syntax_faults
from agentctl.document.repairs import Repairs
from agentctl.document.source import Source
from agentctl.document.syntax import explain
from agentctl.document.syntax_alike import alike

_MOST_ROUNDS: Final = 200
_MOST_DIRECTIVES: Final = 100
_TAG_DIRECTIVE: Final = re.compile("^%TAG", re.MULTILINE)
_MOST_CHARACTERS: Final = 10_000_000
_KEPT_BYTES: Final = 100_000


def read_document(data: bytes, *, path: str, report: Report) -> Document | None:
    """Reads a file's bytes; `path` is as it should be shown. None where nothing is left to check.

    A document is also returned beside errors, with the faulty parts left out or read as the text they are.
    """
    if len(data) > _KEPT_BYTES:
        return _document(data, path, report)
    try:
        document = _faultless(data, path)
    except _Faulty as faulty:
        report.found += faulty.report.found
        report.sources |= faulty.report.sources
        return faulty.document
    report.sources[path] = document.text
    return document


class _Faulty(Exception):
    def __init__(self, report: Report, document: Document | None) -> None:
        super().__init__()
        self.report = report
        self.document = document


@lru_cache(maxsize=16)
def _faultless(data: bytes, path: str) -> Document:
    """A service reads the same few files for every run; what is raised is not kept."""
    found = Report()
    document = _document(data, path, found)
    if document is None or found.found:
        raise _Faulty(found, document)
    return document


def _document(data: bytes, path: str, report: Report) -> Document | None:
    source = decode(data, path=path, report=report)
    if source is None:
        return None
    text = without_controls(source, report)
    root = None if _has_too_many_directives(source, report) else _read(source, text, report)
    return Document(path=path, text=source.text, root=root) if root else None


def _has_too_many_directives(source: Source, report: Report) -> bool:
    """The parser compares every `%TAG` with all before it, for hours if a file were made for that."""
    found = next(islice(_TAG_DIRECTIVE.finditer(source.text), _MOST_DIRECTIVES, None), None)
    if found is not None:
        report.error(
            "yaml-too-big",
            f"the file has more than {_MOST_DIRECTIVES} lines that begin with '%TAG'",
            source.span(found.start(), found.end()),
            hint="delete them: tags have no meaning in a team file",
        )
    return found is not None


def _read(source: Source, text: str, report: Report) -> Object | None:
    repairs = Repairs(source)
    # The text is read again after every mend, so that the rounds are bounded by the work they make.
    rounds = max(2, min(_MOST_ROUNDS, _MOST_CHARACTERS // (len(text) + 1)))
    for _ in range(rounds):
        found = Report()
        composer = Composer(source, Reading(text, repairs.mends, repairs.drops, repairs.edits), found)
        try:
            root = composer.compose()
        except Unreadable as error:
            if repairs.take_blank(error):
                continue
            if len(report.found) >= MOST_FAULTS:
                break
            told = [fault for fault in explain(error, source, composer.last) if not repairs.is_echo(fault)]
            if told:
                most = MOST_FAULTS - len(report.found) - len(told)
                told += [fault for fault in alike(told[0], source, most=most) if not repairs.is_echo(fault)]
            for fault in told:
                fault.tell(source, report)
            if repairs.take(told) or repairs.leave_out(error, told):
                continue
            root = None
        except Stopped:
            root = None
        else:
            root = _checked_root(root, source, found, is_mended=repairs.is_needed)
        report.found += found.found
        return root
    last = max(repairs.last, default=0)
    too_many_syntax_faults(report, source.span(last, last))
    return None


def _checked_root(root: Node | None, source: Source, report: Report, *, is_mended: bool) -> Object | None:
    if isinstance(root, Object):
        return root
    if is_mended and not isinstance(root, Array):
        return None
    if root is None or (isinstance(root, Scalar) and root.value is None):
        report.error(
            "yaml-empty",
            "the file holds no team" if source.text.strip() else "the file is empty",
            source.span(0, 0),
            hint="begin with `name:`, the name of the team",
        )
        return None
    start = source.offset(root.span.line, root.span.column)
    end = min(
        source.offset(root.span.end_line, root.span.end_column), source.line_bounds(source.row(start))[1]
    )
    kind = "a list" if isinstance(root, Array) else "a single value"
    hint = "delete the '- ' before its keys" if isinstance(root, Array) else "write `key: value` lines"
    report.error(
        "yaml-root",
        f"the file holds {kind}; a team is a mapping of keys to values",
        source.span(start, end),
        hint=hint,
    )
    only = moved(root.items[0], "") if isinstance(root, Array) and len(root.items) == 1 else None
    return only if isinstance(only, Object) else None
