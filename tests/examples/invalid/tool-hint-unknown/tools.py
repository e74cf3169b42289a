from __future__ import annotations


def check(word: Word) -> str:
    """Check."""
    return word
