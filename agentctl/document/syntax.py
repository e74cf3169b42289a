"""A syntax error of the parser into faults that a person can mend: the commonest mistakes, a rule each.

The first rule that recognises the trouble explains it; what no rule knows keeps the parser's words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from agentctl.document import (
    syntax_document,
    syntax_indentation,
    syntax_lines,
    syntax_open,
    syntax_spaces,
    syntax_tabs,
    syntax_values,
)
from agentctl.document.events import Stretch, Unreadable
from agentctl.document.source import Source
from agentctl.document.trouble import Fault, Trouble, trouble_of, word_at

Rule: TypeAlias = Callable[[Trouble], Sequence[Fault]]

UNEXPLAINED: Final = "yaml-syntax"
_RULES: Final[tuple[Rule, ...]] = (
    syntax_document.too_deep,
    syntax_document.conflict,
    syntax_document.foreign_lines,
    syntax_spaces.foreign_spaces,
    syntax_tabs.tabs,
    syntax_open.unclosed_quote,
    syntax_document.directive,
    syntax_document.behind_end,
    syntax_document.beside_mark,
    syntax_values.escape,
    syntax_values.template,
    syntax_values.quote_in_quotes,
    syntax_values.bracket_before_text,
    syntax_values.indicator,
    syntax_values.colon_in_text,
    syntax_indentation.list_beside_key,
    syntax_open.variable,
    syntax_open.bracket,
    syntax_lines.missing_colon,
    syntax_indentation.indentation,
)


def explain(error: Unreadable, source: Source, last: Stretch) -> Sequence[Fault]:
    """At least one fault; `last` is where the scalar stands that was read last."""
    trouble = trouble_of(error, source, last)
    for rule in _RULES:
        faults = rule(trouble)
        if faults:
            return faults
    return (_unknown(trouble),)


def _unknown(trouble: Trouble) -> Fault:
    start, end = word_at(trouble.source, trouble.at)
    words = " ".join(part for part in (trouble.problem, trouble.context) if part)
    return Fault(
        code=UNEXPLAINED,
        message=f"this is not YAML: {words}",
        hint="if it is meant as text, write it in quotes",
        start=start,
        end=end,
    )
