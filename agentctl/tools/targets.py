"""Reads `module:attribute` and `./file.py:attribute`, and says what is malformed about anything else."""

from __future__ import annotations

from dataclasses import dataclass

from agentctl.spec.settings import is_file
from agentctl.tools.problems import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Either `module` or `file` is set; `attributes` has at least one name."""

    module: str | None
    file: str | None
    attributes: tuple[str, ...]


def read_target(text: str) -> Target | Fault:
    where, colon, names = text.strip().rpartition(":")
    if not colon:
        return _without_colon(text)
    if names.endswith("()"):
        return _malformed(text, f"write `{where}:{names[:-2]}`, without parentheses")
    attributes = tuple(names.split("."))
    if not all(name.isidentifier() for name in attributes):
        return _malformed(text, f'"{names}" is no name of a function')
    if is_file(where):
        return Target(module=None, file=where, attributes=attributes)
    if where.startswith("."):
        return _malformed(text, f"write `{where.lstrip('.')}:{names}`, counted from the team file's folder")
    if not all(part.isidentifier() for part in where.split(".")):
        return _malformed(text, f'"{where}" is no name of a module')
    return Target(module=where, file=None, attributes=attributes)


def _without_colon(text: str) -> Fault:
    module, dot, name = text.strip().rpartition(".")
    if dot and name.isidentifier() and module.strip("."):
        return _malformed(text, f"write `{module}:{name}`, with a colon before the function's name")
    return _malformed(text, "write `module:function` or `./file.py:function`")


def _malformed(text: str, hint: str) -> Fault:
    return Fault(code="function-malformed", message=f'"{text}" does not name a Python function', hint=hint)
