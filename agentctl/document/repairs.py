"""What is read otherwise than it was written, so that the parser comes to the end of a broken file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agentctl.document.events import Edit, Stretch, Unreadable
from agentctl.document.source import Source
from agentctl.document.syntax import UNEXPLAINED
from agentctl.document.syntax_levels import blank_tabs, last_of_block
from agentctl.document.trouble import Fault

_MOST_LEFT_OUT: Final = 10
_LAST: Final = ("yaml-too-deep", "yaml-many-documents")
_OF_A_LINE: Final = ("yaml-indentation", "yaml-tab")


class Repairs:
    """The repairs of one file; each round of reading adds some."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._left_out = 0
        self._is_blank_taken = False
        self.mends: list[Stretch] = []
        self.drops: list[Stretch] = []
        self.edits: list[Edit] = []
        self.last: list[int] = []

    @property
    def is_needed(self) -> bool:
        return bool(self.mends or self.drops or self.edits)

    def take_blank(self, error: Unreadable) -> bool:
        """Whether lines that are blank but for tabs, which are no fault, may have been the trouble."""
        if self._is_blank_taken or "tab" not in error.problem:
            return False
        self._is_blank_taken = True
        return self._add_edits(blank_tabs(self._source))

    def is_echo(self, fault: Fault) -> bool:
        """Whether the fault may come of a repair that was made before."""
        if not self.is_needed:
            return False
        start, end = fault.mend or fault.drop or (fault.start, fault.end)
        before = (*self.mends, *self.drops)
        is_over = any(begun < max(end, start + 1) and start < ended for begun, ended in before)
        row = self._source.row(fault.start)
        is_moved = fault.code in _OF_A_LINE and any(self._source.row(at) == row for at, _, _ in self.edits)
        return is_over or is_moved or fault.code == UNEXPLAINED

    def take(self, faults: Sequence[Fault]) -> bool:
        """Whether there is anything new in how the faults can be repaired."""
        mends = [fault.mend for fault in faults if fault.mend and fault.mend[0] < fault.mend[1]]
        drops = [fault.drop for fault in faults if fault.drop]
        self.mends = sorted([*self.mends, *mends])
        self.drops += drops
        self.last = [fault.start for fault in faults]
        is_edited = self._add_edits([edit for fault in faults for edit in fault.edits])
        return bool(mends or drops or is_edited)

    def leave_out(self, error: Unreadable, told: Sequence[Fault]) -> bool:
        """Leaves out the lines that the trouble stands on, with all below them; whether that is new."""
        if self._left_out >= _MOST_LEFT_OUT or any(fault.code in _LAST for fault in told):
            return False
        self._left_out += 1
        is_inside = "flow" in error.context or "quoted" in error.context
        places = (error.since, error.at) if is_inside else (error.at, error.since)
        return any(self._drop_row(self._source.row(min(at, len(self._source.text)))) for at in places)

    def _drop_row(self, row: int) -> bool:
        start = self._source.line_bounds(row)[0]
        last = last_of_block(self._source, row)
        while last + 1 < self._source.rows and self._source.line(last + 1).lstrip()[:1] in ("]", "}"):
            last += 1
        end = self._source.line_bounds(last)[1]
        is_new = not any(begun <= start < ended for begun, ended in self.drops)
        if not is_new or not self._source.line(row).strip():
            return False
        self.drops.append((start, end))
        self.mends = [mend for mend in self.mends if mend[1] <= start or end <= mend[0]]
        self.edits = [edit for edit in self.edits if edit[1] <= start or end <= edit[0]]
        return True

    def _add_edits(self, edits: Sequence[Edit]) -> bool:
        """Adds those that overlap no other repair; whether there were any."""
        taken = sorted([*self.mends, *self.drops, *((start, end) for start, end, _ in self.edits)])
        new: list[Edit] = []
        at = reach = 0
        for start, end, text in sorted(edits):
            while at < len(taken) and taken[at][0] < max(end, start + 1):
                reach = max(reach, taken[at][1], taken[at][0] + 1)
                at += 1
            if start >= reach:
                new.append((start, end, text))
                reach = max(end, start + 1)
        self.edits = sorted([*self.edits, *new])
        return bool(new)
