"""`${NAME}`, `${NAME:-default}` and `${NAME:?message}` in one text: found, checked, and replaced.

Knows texts and a mapping of variables alone; a value is never read again, so it cannot bring in variables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agentctl.diagnostics import nearest

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STOP: Final = re.compile(r"\$\$\{|\$\{")
_STOP_INSIDE: Final = re.compile(r"\$\$\{|\$\{|\}")
_DEEPEST: Final = 20
_MOST_FAULTS: Final = 100
_DOLLAR_TEMPLATE: Final = re.compile(r"\$\{\{\s*([^{}\n]*?)\s*\}\}")
_MENTIONED: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)")
_LITERAL: Final = "or `$${` where the two characters are meant"

Code: TypeAlias = Literal["variable-unset", "variable-syntax"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableFault:
    """Why `text[start:end]` has no value. `name` is the variable's, or empty where it has none."""

    code: Code
    message: str
    hint: str
    name: str
    start: int
    end: int


class Filled(str):
    """A text with its variables filled in, which still knows how it was `written`."""

    written: str

    def __new__(cls, value: str, written: str) -> Filled:
        made = super().__new__(cls, value)
        made.written = written
        return made

    def __reduce__(self) -> tuple[type[Filled], tuple[str, str]]:
        return Filled, (str(self), self.written)

    @property
    def variables(self) -> frozenset[str]:
        """The names of those that were written in it."""
        return frozenset(_MENTIONED.findall(self.written.replace("$${", "")))


def expand(text: str, environ: Mapping[str, str]) -> tuple[str, tuple[VariableFault, ...]]:
    """`text` with its variables replaced and `$${` as `${`; where there are faults, `text` as it was.

    At most 100 faults are noted.
    `:-` and `:?` take an empty variable for an unset one, as a shell does; a default may hold variables.
    """
    if "${" not in text:
        return text, ()
    parser = _Parser(text, environ)
    value = parser.whole()
    return (text, tuple(parser.faults)) if parser.faults else (value, ())


def defaults(text: str) -> tuple[tuple[str, str], ...]:
    """What `text` has for variables that are not set, each with the variable's name."""
    parser = _Parser(text, {})
    parser.whole()
    return tuple(parser.defaults)


def escape_variables(text: str) -> str:
    """`text` such that `expand` gives it back: every `${` as `$${`."""
    return text.replace("${", "$${")


class _Malformed(Exception):
    """An expression that is none; `fault` tells why. Reading goes on behind it."""

    def __init__(self, message: str, hint: str, start: int, end: int) -> None:
        super().__init__(message)
        self.fault = VariableFault(
            code="variable-syntax", message=message, hint=hint, name="", start=start, end=end
        )


class _Parser:
    def __init__(self, text: str, environ: Mapping[str, str]) -> None:
        self.faults: list[VariableFault] = []
        self.defaults: list[tuple[str, str]] = []
        self._text = text
        self._environ = environ

    def whole(self) -> str:
        parts: list[str] = []
        at = 0
        while len(self.faults) < _MOST_FAULTS and (found := _STOP.search(self._text, at)) is not None:
            parts.append(self._text[at : found.start()])
            at = found.end()
            if found[0] == "$${":
                parts.append("${")
                continue
            try:
                value, at = self._expression(found.start(), depth=1, is_used=True)
            except _Malformed as error:
                self.faults.append(error.fault)
                at = max(at, error.fault.end)
            else:
                parts.append(value)
        return "".join((*parts, self._text[at:]))

    def _expression(self, start: int, *, depth: int, is_used: bool) -> tuple[str, int]:
        """The value of the `${` at `start` and where it ends. What is not used is read, not looked up."""
        if depth > _DEEPEST:
            raise _Malformed("defaults are nested too deeply", "use fewer", start, start + 2)
        found = _NAME.match(self._text, start + 2)
        if found is None:
            raise self._nameless(start)
        name, at = found[0], found.end()
        operator = self._text[at : at + 2]
        value = self._environ.get(name)
        if operator.startswith("}"):
            if value is None and is_used:
                self._note_unset(name, f'the variable "{name}" is not set', start, at + 1)
            return value or "", at + 1
        if operator == ":-":
            default, end = self._default(start, at + 2, depth=depth, is_used=is_used and not value)
            self.defaults.append((name, default))
            return value or default, end
        if operator == ":?":
            return value or "", self._demand(name, start, at + 2, is_met=bool(value) or not is_used)
        raise self._unfinished(name, start, at)

    def _default(self, start: int, at: int, *, depth: int, is_used: bool) -> tuple[str, int]:
        parts: list[str] = []
        while (found := _STOP_INSIDE.search(self._text, at)) is not None:
            parts.append(self._text[at : found.start()])
            at = found.end()
            if found[0] == "}":
                return "".join(parts), at
            if found[0] == "$${":
                parts.append("${")
                continue
            value, at = self._expression(found.start(), depth=depth + 1, is_used=is_used)
            parts.append(value)
        raise self._unclosed(start)

    def _demand(self, name: str, start: int, at: int, *, is_met: bool) -> int:
        end = self._text.find("}", at)
        if end < 0:
            raise self._unclosed(start)
        if not is_met:
            reason = self._text[at:end].strip()
            message = f'the variable "{name}" is not set or empty' + (f": {reason}" if reason else "")
            self._note_unset(name, message, start, end + 1)
        return end + 1

    def _note_unset(self, name: str, message: str, start: int, end: int) -> None:
        near = nearest(name, self._environ)
        meant = f'did you mean "{near}"? Otherwise set' if near and near != name else "set"
        hint = (
            f"{meant} it in the environment or in the `.env` beside the file, or write `${{{name}:-default}}`"
        )
        self.faults.append(
            VariableFault(code="variable-unset", message=message, hint=hint, name=name, start=start, end=end)
        )

    def _nameless(self, start: int) -> _Malformed:
        end = self._text.find("}", start) + 1 or start + 2
        shown = self._text[start:end]
        template = _DOLLAR_TEMPLATE.match(self._text, start)
        if template is not None:
            return _Malformed(
                f"`{template[0]}` is no variable, `${{NAME}}`, and no template, which has no `$`",
                f"write `{{{{ {template[1]} }}}}`, without the `$`; a variable is `${{NAME}}`",
                start,
                template.end(),
            )
        return _Malformed(
            f"`{shown}` names no variable: a name is letters, digits and '_', a digit not first",
            f"write `${{NAME}}`, {_LITERAL}",
            start,
            end,
        )

    def _unclosed(self, start: int) -> _Malformed:
        return _Malformed("the '${' here has no '}'", f"close it, {_LITERAL}", start, start + 2)

    def _unfinished(self, name: str, start: int, at: int) -> _Malformed:
        if at >= len(self._text):
            return self._unclosed(start)
        return _Malformed(
            f"`${{{name}` is followed by {self._text[at]!r}, and not by '}}', ':-' or ':?'",
            f"write `${{{name}}}`, `${{{name}:-default}}` or `${{{name}:?message}}`, {_LITERAL}",
            start,
            at + 1,
        )
