"""The run pauses: every open question is on record and nothing else is left to do."""

from __future__ import annotations


class Paused(BaseException):
    """Ends the way up to the run; a BaseException, so that no strategy takes it for a failure."""
