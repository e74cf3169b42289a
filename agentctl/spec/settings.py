"""The parts of a team file that other rooms read by themselves: models, tools, functions, retries.

Everything here is frozen, resolved and defaulted; durations are seconds, prices USD per million tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from agentctl.diagnostics import Span
from agentctl.jsontypes import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionRef:
    """A Python function named in a team file: `module:attribute` or `./file.py:attribute`.

    `folder` is that of the file it stands in, where its resolution begins.
    """

    target: str
    folder: Path
    span: Span = field(compare=False)
    pointer: str = field(default="", compare=False)


def is_file(where: str) -> bool:
    """Whether what stands before the colon of a function's name is a file, not a module."""
    return "/" in where or "\\" in where or where.endswith(".py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    attempts: int = 3
    backoff: Literal["exponential", "fixed"] = "exponential"
    delay: float = 2.0
    max_delay: float = 60.0

    def pause(self, failed: int) -> float:
        """Seconds to wait after the `failed`-th failed attempt (from 1)."""
        factor = 2 ** (failed - 1) if self.backoff == "exponential" else 1
        return min(self.delay * factor, self.max_delay)


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    input: float
    output: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """One model as the file states it; None means unstated, and then nothing is sent.

    `id` is a litellm model id, `offline`, `script:FILE` or `recording:FILE` (relative to `folder`).
    """

    id: str
    folder: Path
    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    reasoning_effort: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    timeout: float | None = None
    retries: int | None = None
    fallbacks: tuple[str, ...] = ()
    price: Price | None = None
    params: JsonObject = field(default_factory=dict)
    span: Span = field(compare=False)
    pointer: str = field(default="", compare=False)


Approve: TypeAlias = Literal["always", "never"] | FunctionRef
GuardrailPlace: TypeAlias = Literal["input", "output", "tool"]
GuardrailAction: TypeAlias = Literal["fail", "retry", "fix", "ask"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guardrail:
    """A judge of an agent's request, final answer or tool arguments: what `regex` finds is rejected, or
    what `function` does not let pass. `action` says what a rejection does.

    `attempts` bounds the further turns of `retry`, `replacement` is what `fix` puts where the regex was
    found, `tools` the tools whose arguments are judged (all without it).
    """

    on: GuardrailPlace
    regex: str | None = None
    function: FunctionRef | None = None
    action: GuardrailAction = "fail"
    message: str | None = None
    attempts: int = 2
    replacement: str | None = None
    tools: tuple[str, ...] = ()
    span: Span = field(compare=False)
    pointer: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEntry:
    """One item of an agent's `tools` that names a Python function.

    `stated` are the options that the file writes out: they hold also where a decorator says otherwise.
    An option that differs from its default counts as stated anyway.
    """

    function: FunctionRef
    name: str | None = None
    description: str | None = None
    approve: Approve = "never"
    idempotent: bool = False
    timeout: float = 120.0
    retry: Retry | None = None
    max_output: int = 50_000
    args: JsonObject = field(default_factory=dict)
    stated: frozenset[str] = frozenset()
    span: Span = field(compare=False)
    pointer: str = field(default="", compare=False)


START_TIMEOUT: Final = 60.0
"""Seconds that a server has to start where the file does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """One server of `mcp_servers`: a program to start (`command`), or an address (`url`).

    Values of `env` and `headers` are as the file writes them, their `${NAME}` not yet filled in, so that
    no secret is kept with the team. `cwd` is absolute.
    """

    name: str
    cwd: Path
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    start_timeout: float = START_TIMEOUT
    span: Span = field(compare=False)
    pointer: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class McpEntry:
    """One item of an agent's `tools` that names a server: those of its tools that the globs let through.

    `approve` and `idempotent` are None where the file leaves them to what the server declares.
    """

    mcp: McpServer
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    approve: Approve | None = None
    idempotent: bool | None = None
    timeout: float = 120.0
    max_output: int = 50_000
    span: Span = field(compare=False)
    pointer: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinEntry:
    """One item of an agent's `tools` that names what agentctl brings along."""

    builtin: Literal["ask_person"]
    span: Span = field(compare=False)
    pointer: str = field(default="", compare=False)
