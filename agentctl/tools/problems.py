"""What is wrong with a tool or function, as data: without a place, then at one of a team file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agentctl.diagnostics import Related, Span

FaultCode: TypeAlias = Literal[
    "function-malformed",  # not `module:attribute` nor `./file.py:attribute`
    "module-missing",
    "module-syntax",
    "import-failed",  # the module raised while it was imported
    "standard-library",
    "attribute-missing",
    "not-callable",
    "lambda",
    "tool-signature",  # parameters that no model could fill
    "function-signature",  # a function that is no tool, and takes other arguments than it is given
    "tool-type",  # an annotation that has no JSON Schema
    "tool-args",  # fixed arguments that do not fit
    "tool-name",
    "tool-duplicate",
    "tool-retry",
    "output-type",  # an `output` that is no class an answer can be read as
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong, wherever it is used. `at` is the path below the tool's entry, if any."""

    code: FaultCode
    message: str
    hint: str
    at: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolProblem:
    """A fault where it matters: the entry of the team file that names the tool or function."""

    code: FaultCode
    message: str
    hint: str
    span: Span
    pointer: str
    related: tuple[Related, ...] = ()
