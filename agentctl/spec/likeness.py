"""Whether a YAML file may be meant as a team, however badly it is written: by the names at its top.

It looks at the text, since a file that cannot be read is to be told of too. Files of other programs have keys
such as `name` and `version` as well: what only a team has must be among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from agentctl.spec.schema import agent_keys
from agentctl.spec.vocabulary import KEYS

_OWN: Final = frozenset(
    {"agents", "sub_agents", "instructions", "instruction", "strategy", "guardrails", "mcp_servers"}
    | {"handoffs", "system_prompt", "system_message", "backstory", "max_turns", "output_retries"}
)
"""What hardly any other program has at the top of a file."""
_SURE: Final = frozenset({"agents", "sub_agents", "instructions", "system_prompt"})
"""Of these, what tells a team even where it does not stand at the top."""
_TELLING: Final = frozenset({"model", "llm", "tools"})
_MARKS: Final = frozenset({"version", "schema_version", "api_version"})
_FOREIGN: Final = frozenset({"tasks", "edges"})
_NOT_NEAR: Final = frozenset({"agent"})
_KEY: Final = re.compile(
    r"""^([ \t]*(?:-[ \t]+)*)(["']?)([A-Za-z_][\w .-]*?)\2[ \t]*:(?=[ \t]|$)(.*)""", re.MULTILINE
)
_IN_BRACES: Final = re.compile(r"""[{,]\s*["']?([A-Za-z_][\w-]*)["']?\s*:""")
_NEAR: Final = 0.8
_LETTERS: Final = 2


def may_be_a_team(text: str) -> bool:
    """Two keys of a team of which one is telling, `agents` alone, or all that below one other key."""
    keys = list(_top(text))
    if len(keys) == 1 and not _is_own(keys[0][0]):
        inner = list(_top(keys[0][1]))
        return bool(inner) and _is_meant([key for key, _ in inner], surely=True)
    return _is_meant([key for key, _ in keys], surely=False)


def _is_meant(keys: Sequence[str], *, surely: bool) -> bool:
    counted = [key for key in keys if key not in _MARKS and not key.startswith("x-")]
    own = sum(_is_near(key, _SURE if surely else _OWN) for key in counted)
    known = [key for key in counted if _is_known(key)]
    if own and len(known) > 1:
        return True
    whole = len(known) == len(counted) and not surely
    return whole and (own > 0 if len(known) == 1 else any(_is_near(key, _TELLING) for key in counted))


def _top(text: str) -> Iterator[tuple[str, str]]:
    """The keys at the left margin, of a list those of its items, each with what stands below it.

    What a tab indents counts as at the margin: it is no indentation.
    """
    if text.lstrip("\ufeff \n").startswith("{"):
        yield from ((found[1].casefold(), "") for found in _IN_BRACES.finditer(text))
        return
    found = list(_KEY.finditer(text.lstrip("\ufeff")))
    margin = min((_column(each[1]) for each in found), default=0)
    first = [each for each in found if _column(each[1]) == margin]
    ends = [*(each.start() for each in first[1:]), len(text)]
    for each, end in zip(first, ends[: len(first)], strict=True):
        beside = each[4].strip()
        below = beside if beside.startswith("{") else each.string[each.end() : end]
        yield each[3].strip().replace("-", "_").replace(" ", "_").casefold(), below


def _column(before: str) -> int:
    return 0 if "\t" in before else len(before)


def _is_own(key: str) -> bool:
    return _is_near(key, _OWN)


def _is_known(key: str) -> bool:
    return key in _FOREIGN or key in KEYS["agent"] or _is_near(key, agent_keys()) or _is_own(key)


@lru_cache(maxsize=1024)
def _is_near(key: str, known: frozenset[str]) -> bool:
    """Whether it is one of them, or one of them misspelt in a letter or two."""
    plain = key.replace("_", "")
    near = [each.replace("_", "") for each in known]
    near = [each for each in near if abs(len(each) - len(plain)) <= _LETTERS]
    return key not in _NOT_NEAR and bool(get_close_matches(plain, near, n=1, cutoff=_NEAR))
