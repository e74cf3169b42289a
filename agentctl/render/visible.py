"""Foreign text made safe to show: whatever would move the cursor or hide or reorder text becomes an escape.

Line feeds and tabs stay. Nothing here knows what the text is about.
"""

from __future__ import annotations

import re
from typing import Final

_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 without tab and line feed
    "\u200b\u200e\u200f\u2028\u2029\ufeff"  # invisible marks and foreign line ends
    "\u202a-\u202e\u2066-\u2069"  # bidirectional overrides
    "\ud800-\udfff"  # lone surrogates cannot be encoded
    "\U000e0000-\U000e007f]"  # tags, which hide text
)
_SHORT: Final = {"\r": "\\r", "\b": "\\b", "\f": "\\f", "\v": "\\v"}


def visible(text: str) -> str:
    """`text` with control characters written out (`\\x1b`, `\\r`, `\\u202e`)."""
    return _UNSAFE.sub(lambda match: _escape(match[0]), text.replace("\r\n", "\n"))


def one_line(text: str, limit: int = 100) -> str:
    """`visible(text)` on one line, white space folded, cut at `limit` characters with an ellipsis."""
    folded = " ".join(visible(text[: limit * 8]).split())
    return folded if len(folded) <= limit else folded[: limit - 1].rstrip() + "…"


def _escape(character: str) -> str:
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
