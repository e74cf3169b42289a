"""The part of a request that is its matter: what to search for, to translate, to be reminded of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_TOLD: Final = re.compile(r":\s+(\S.*)$|\b(?:about|saying|that says)\s+(\S.*)$", re.IGNORECASE | re.DOTALL)
_LEAD: Final = re.compile(
    r"^(?:please\s+|can you\s+|could you\s+)*"
    r"(?:add|calculate|compute|create|describe|draft|evaluate|explain|find|look|note|open|remind|search|send"
    r"|summari[sz]e|translate|write)(?:\s+(?:me|us|up))?"
    r"(?:\s+(?:a|an|the)\s+(?:note|task|todo|reminder|ticket|issue|message)\b)?"
    r"(?:\s+(?:for|to|that|about|of))?\s+(?=\S)",
    re.IGNORECASE,
)
_JOINT: Final = re.compile(
    r"(?:\s+(?:in|into|to|at|on|by|from|for|before|under|with|of|below|above|over)|,)\s*[$€£]?\s*$",
    re.IGNORECASE,
)
_REST: Final = re.compile(r"^\s*(?:dollars|euros|pounds|usd|eur|gbp)?[\s?.!]*$", re.IGNORECASE)


def matter(text: str, taken: Sequence[tuple[int, int]]) -> str:
    """`taken` are the places of values for other parameters: what leads to them at the end is left out."""
    end = len(text)
    for start, stop in sorted((place for place in taken if place[0] >= 0), reverse=True):
        joint = _JOINT.search(text[:start])
        if joint and stop <= end and _REST.match(text[stop:end]):
            end = joint.start()
    cut = text[:end].strip() or text.strip()
    told = _TOLD.search(cut)
    found = told.group(1) or told.group(2) if told else _LEAD.sub("", cut)
    return found.strip().rstrip("?.! ") or text.strip()
