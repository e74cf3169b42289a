"""Everything this project raises on purpose, each with an exit code and the mend.

    AgentctlError
    ├── UsageError            2  the command, an input or a path is wrong
    ├── TeamError             2  the team file has errors (carries the report)
    ├── RunNotFound           2  no such run
    ├── RunInUse              5  another process works on the run
    ├── JournalError          1  a record could not be written, or is damaged
    ├── OutputError           1  what was asked for besides could not be written; the run itself is kept
    ├── ResumeMismatch        1  what is asked now is not what was recorded
    ├── ModelError            1  a model call failed for good (kind tells why)
    ├── ExecutionFailed       1  a delegation failed by a rule of its strategy or loop
    ├── FatalToolError        1  a tool ended the run
    ├── LimitReached          4  a limit of the file ended a delegation or the run
    └── RunEnded              1  a run gave no answer, where one was asked for by `raise_for_status()`
        ├── RunWaits          3  it waits for a person
        ├── RunLimited        4  it reached a limit
        └── RunInterrupted  130  it was interrupted or cancelled

`ToolError` is no AgentctlError: it is what a tool tells the model.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal, TypeAlias, get_args

from agentctl.diagnostics import Report
from agentctl.jsontypes import JsonObject

ModelErrorKind: TypeAlias = Literal[
    "rate_limit",  # 429: try again later
    "timeout",
    "connection",  # dropped, refused, name not resolved
    "server",  # 5xx, 408, 409
    "quota",  # the account's money or quota is used up
    "auth",  # 401
    "permission",  # 403
    "not_found",  # no such model or address
    "bad_request",  # 400 and other refusals of the request as such
    "context_overflow",
    "refused",  # content policy
    "bad_response",  # not the protocol: HTML, no choices, broken JSON
    "unreadable",  # an answer that the client library could not make a reply of
    "script",  # a scripted or recorded model has no answer
]

_KINDS: Final[tuple[ModelErrorKind, ...]] = get_args(ModelErrorKind)
UNFORESEEN: Final = ("model-script", "not-recorded")
"""Codes of what a script or a recording has no answer to: no failure of the team."""


def error_kind(name: str) -> ModelErrorKind:
    """The kind of that name, or of a `model-…` code; a name that is none is a bad response."""
    plain = name.removeprefix("model-").replace("-", "_")
    return next((kind for kind in _KINDS if kind == plain), "bad_response")


class AgentctlError(Exception):
    """The operation failed: `message` names the thing and the cause, `hint` what to do."""

    exit_code: ClassVar[int] = 1
    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.execution = ""
        """Id of the execution it ended first; empty outside of runs."""

    def as_json(self) -> JsonObject:
        """`{code, message, hint?, execution?}`: the form kept in records and results."""
        found: dict[str, str] = {"code": self.code, "message": self.message}
        if self.hint:
            found["hint"] = self.hint
        if self.execution:
            found["execution"] = self.execution
        return found


class UsageError(AgentctlError):
    exit_code = 2
    code = "usage"


class TeamError(AgentctlError):
    exit_code = 2
    code = "team"

    def __init__(self, message: str, *, report: Report, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.report = report


class RunNotFound(AgentctlError):
    exit_code = 2
    code = "run-not-found"


class RunInUse(AgentctlError):
    exit_code = 5
    code = "run-in-use"


class JournalError(AgentctlError):
    code = "journal"


class OutputError(AgentctlError):
    code = "output"


class ResumeMismatch(AgentctlError):
    code = "resume-mismatch"


class ModelError(AgentctlError):
    """A model call failed and was not, or could not be, mended by trying again.

    `status` is the HTTP status where there was one; `retry_after` is in seconds, as the server gave it.
    `unpriced` counts the attempts that may have cost something that nobody told.
    """

    code = "model"

    def __init__(
        self,
        message: str,
        *,
        kind: ModelErrorKind,
        status: int | None = None,
        retry_after: float | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after
        answered = status is None and kind in ("timeout", "refused")
        self.unpriced = int(answered or kind == "unreadable")

    def worded(self, message: str, hint: str | None = None) -> ModelError:
        """The same failure in other words."""
        found = ModelError(
            message, kind=self.kind, status=self.status, retry_after=self.retry_after, hint=hint or self.hint
        )
        found.unpriced = self.unpriced
        return found

    def as_json(self) -> JsonObject:
        found = {**super().as_json(), "code": f"model-{self.kind.replace('_', '-')}"}
        return found if self.status is None else {**found, "status": self.status}


class ExecutionFailed(AgentctlError):
    """`code` names the rule, such as `empty-reply` or `repeated-call`."""

    def __init__(self, message: str, *, rule: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.rule = rule

    def as_json(self) -> JsonObject:
        return {**super().as_json(), "code": self.rule}


class LimitReached(AgentctlError):
    """`limit` is the key (`turns`, `cost_usd`, …); `answer` the last text there was, if any.

    `agent` is whose `limits` it stands in: those above it fail with it, whatever they would absorb. `more` is
    the option of `resume` that raises it far enough to go on; empty where only an edited team does.
    """

    exit_code = 4
    code = "limit"

    def __init__(
        self,
        message: str,
        *,
        limit: str,
        hint: str | None = None,
        answer: str | None = None,
        agent: str = "",
        more: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.limit = limit
        self.answer = answer
        self.agent = agent
        self.more = more

    def as_json(self) -> JsonObject:
        found = {**super().as_json(), "limit": self.limit}
        return {**found, "agent": self.agent} if self.agent else found


class FatalToolError(AgentctlError):
    """Raised by a tool to end the run; its message is the run's error."""

    code = "fatal-tool"

    def __init__(self, message: str = "a tool ended the run", *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)


class RunEnded(AgentctlError):
    """A run ended without an answer; `run_id` is the one to resume, `run_code` what its error was."""

    code = "run-failed"

    def __init__(self, message: str, *, run_id: str, run_code: str = "", hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.run_id = run_id
        self.run_code = run_code


class RunWaits(RunEnded):
    exit_code = 3
    code = "run-waits"


class RunLimited(RunEnded):
    exit_code = 4
    code = "run-limited"


class RunInterrupted(RunEnded):
    exit_code = 130
    code = "run-interrupted"


class ToolError(Exception):
    """Raised by a tool to choose the words of the error that the model is shown."""
