"""How each place of a team file calls the function that it names: with what, and for what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from agentctl.spec.functions import FunctionPlace
from agentctl.tools.signatures import Given, Usage

_AGENTS: Final = Given(name="agents", words="the agents as `{name: description}`", kind=dict)
_CONVERSATION: Final = Given(name="conversation", words="the conversation", kind=list)
_TOOL: Final = Given(name="tool", words="the tool's name", kind=str)
_ARGUMENTS: Final = Given(name="arguments", words="the tool's arguments", kind=dict)
_VERDICT: Final = "True, False or the reason to reject"

USAGES: Final[Mapping[FunctionPlace, Usage]] = {
    "by": Usage(
        where="`by`",
        given=(Given(name="request", words="the request", kind=str), _AGENTS),
        returns="the name of an agent",
        unfit=(bool, int, float, list, dict, tuple, set, bytes, type(None)),
    ),
    "choose": Usage(
        where="`choose`",
        given=(_CONVERSATION, _AGENTS),
        returns="the name of an agent, or None to finish",
        unfit=(bool, int, float, list, dict, tuple, set, bytes),
    ),
    "stop_if": Usage(
        where="`stop_if`",
        given=(_CONVERSATION,),
        returns="True to stop or False to go on",
        unfit=(type(None),),
    ),
    "when": Usage(
        where="`when`",
        given=(_TOOL, _ARGUMENTS),
        returns="True if a person must agree or False if not",
        unfit=(type(None),),
    ),
    "guardrail": Usage(
        where="the guardrail",
        given=(Given(name="text", words="the text", kind=str),),
        returns=_VERDICT,
        unfit=(int, float, list, tuple, set, bytes, type(None)),
    ),
    "tool guardrail": Usage(
        where="the guardrail on tools",
        given=(_TOOL, _ARGUMENTS),
        returns=_VERDICT,
        unfit=(int, float, list, tuple, set, bytes, type(None)),
    ),
}
JUDGE: Final = Usage(
    where="the test",
    given=(
        Given(name="answer", words="the answer", kind=str),
        Given(name="run", words="the run's result", kind=dict),
    ),
    returns="True, False or what is wrong",
    unfit=(int, float, list, dict, tuple, set, bytes, type(None)),
    optional=1,
)
"""How `answer.function` of a test is called."""
