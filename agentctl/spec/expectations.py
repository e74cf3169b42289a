"""The node of `expect` into an `Expect`; regular expressions and schemas that cannot be used are reported."""

from __future__ import annotations

from typing import Final, get_args

from agentctl.document.nodes import Node, Object, plain
from agentctl.jsontypes import Json
from agentctl.spec.cases import (
    Expect,
    ExpectedAnswer,
    ExpectedCall,
    ExpectedDecision,
    ExpectedError,
    ExpectedStatus,
    ExpectedWait,
    Most,
)
from agentctl.spec.embedded import read_schema
from agentctl.spec.functions import read_function
from agentctl.spec.options import read_regex
from agentctl.spec.reading import TeamFile
from agentctl.spec.values import choice, duration, getter, items, mapping, member, number, text, texts, whole

_STATUSES: Final[tuple[ExpectedStatus, ...]] = get_args(ExpectedStatus)
_ONLY: Final[tuple[tuple[str, tuple[ExpectedStatus, ...]], ...]] = (
    ("error", ("failed", "limit")),
    ("waiting_for", ("waiting",)),
)


def read_expect(node: Object, file: TeamFile) -> Expect:
    get = getter(node)
    status = choice(get("status"), _STATUSES, "completed")
    for key, fitting in _ONLY:
        stated = get(key)
        if stated is not None and status not in fitting:
            hint = f"add `status: {fitting[0]}`"
            message = f'"{key}" can only hold with `status: {" or ".join(fitting)}`'
            file.error("wrong-value", message, stated, hint=hint)
    return Expect(
        status=status,
        path=texts(get("path")),
        agent=text(get("agent")),
        decisions=tuple(_decision(item) for item in items(get("decisions"))),
        tools=tuple(_call(item, file) for item in items(get("tools"))),
        not_called=texts(get("not_called")),
        answer=_answer(get("answer"), file),
        error=_error(get("error")),
        waiting_for=tuple(_wait(item) for item in items(get("waiting_for"))),
        max=_most(get("max")),
    )


def _decision(node: Node) -> ExpectedDecision:
    get = getter(node)
    return ExpectedDecision(
        agent=text(get("agent")),
        by=text(get("by")),
        chosen=_several(get("chosen")),
        among=texts(get("among")),
        reason=_several(get("reason")),
    )


def _call(node: Node, file: TeamFile) -> ExpectedCall:
    name = text(node)
    if name is not None:
        return ExpectedCall(name=name)
    get = getter(node)
    error = get("error")
    patterns = get("args_match")
    entries = patterns.entries if isinstance(patterns, Object) else ()
    return ExpectedCall(
        name=text(get("name")) or "",
        agent=text(get("agent")),
        args=mapping(get("args")) if get("args") is not None else None,
        args_include=mapping(get("args_include")) if get("args_include") is not None else None,
        args_match={entry.key: found for entry in entries if (found := read_regex(entry.value, file))},
        result=_several(get("result")),
        error=None if error is None else plain(error) is True,
        times=whole(get("times")),
    )


def _answer(node: Node | None, file: TeamFile) -> ExpectedAnswer | None:
    if not isinstance(node, Object):
        return None
    get = getter(node)
    regex = get("regex")
    patterns = items(regex) or ((regex,) if regex is not None else ())
    return ExpectedAnswer(
        contains=_several(get("contains")),
        lacks=_several(get("lacks")),
        regex=tuple(found for each in patterns if (found := read_regex(each, file))),
        equals=text(get("equals")),
        json_schema=_schema(get("json_schema"), file),
        function=read_function(get("function"), file),
    )


def _schema(node: Node | None, file: TeamFile) -> Json:
    """True and false are schemas too; anything else is told by the schema of tests."""
    if isinstance(node, Object):
        return read_schema(node, "json_schema", file)
    value = plain(node) if node is not None else None
    return value if isinstance(value, bool) else None


def _error(node: Node | None) -> ExpectedError | None:
    if not isinstance(node, Object):
        return None
    return ExpectedError(code=text(node.get("code")), contains=_several(node.get("contains")))


def _wait(node: Node) -> ExpectedWait:
    return ExpectedWait(
        kind=text(member(node, "kind")),
        question=_several(member(node, "question")),
        choices=texts(member(node, "choices")),
    )


def _most(node: Node | None) -> Most:
    get = getter(node)
    return Most(
        model_calls=number(get("model_calls")),
        tool_calls=number(get("tool_calls")),
        executions=number(get("executions")),
        tokens=number(get("tokens")),
        cost_usd=number(get("cost_usd")),
        time=duration(get("time")),
        waiting=duration(get("waiting")),
    )


def _several(node: Node | None) -> tuple[str, ...]:
    """One text, or a list of them."""
    one = text(node)
    return texts(node) if one is None else (one,)
