"""Nodes of `strategy` into the options of one strategy: a table of nine readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from agentctl.document.nodes import Node, Object
from agentctl.regexes import regex_hint, regex_problem
from agentctl.spec.functions import read_function
from agentctl.spec.instructions import read_instructions
from agentctl.spec.models import read_model
from agentctl.spec.plans import read_plan
from agentctl.spec.reading import TeamFile
from agentctl.spec.references import Members, read_transitions, read_weights
from agentctl.spec.strategies import (
    Handoff,
    HandoffRule,
    Manual,
    Parallel,
    PlanExecute,
    Planner,
    Random,
    RoundRobin,
    Router,
    Sequential,
    StopIf,
    Strategy,
    StrategyName,
    Swarm,
)
from agentctl.spec.values import Get, choice, count, flag, getter, items, text, whole

_FINALS: Final[tuple[Literal["specialist", "supervisor"], ...]] = ("specialist", "supervisor")
_PASSES: Final[tuple[Literal["previous", "output", "all"], ...]] = ("previous", "output", "all")
_ON_ERRORS: Final[tuple[Literal["fail", "continue"], ...]] = ("fail", "continue")
_HANDOFF: Final = Handoff()
_SWARM: Final = Swarm()
_RANDOM: Final = Random()
_PLAN: Final = PlanExecute()
_MANUAL: Final = Manual()


def read_strategy(node: Node | None, members: Members) -> Strategy | None:
    """The strategy that `strategy` names, `handoff` where it is absent; None where it names none."""
    if node is None:
        return _HANDOFF
    name = text(node.get("type") if isinstance(node, Object) else node)
    reader = next((reader for known, reader in _READERS.items() if known == name), None)
    if reader is None:
        return None
    return reader(getter(node), members)


def _handoff(get: Get, _members: Members) -> Strategy:
    return Handoff(
        final=choice(get("final"), _FINALS, _HANDOFF.final),
        required=flag(get("required"), _HANDOFF.required),
        max_handoffs=count(get("max_handoffs"), _HANDOFF.max_handoffs),
        synthesize=_synthesize(get),
    )


def _router(get: Get, members: Members) -> Strategy:
    return Router(
        by=read_function(get("by"), members.file),
        fallback=members.read(get("fallback")),
        synthesize=_synthesize(get),
    )


def _sequential(get: Get, members: Members) -> Strategy:
    return Sequential(
        pass_=choice(get("pass"), _PASSES, "previous"),
        stop_if=_stop_if(get("stop_if"), members.file),
        synthesize=_synthesize(get),
    )


def _parallel(get: Get, _members: Members) -> Strategy:
    return Parallel(
        max_concurrency=_bound(get("max_concurrency")),
        on_error=choice(get("on_error"), _ON_ERRORS, "fail"),
        synthesize=_synthesize(get),
    )


def _swarm(get: Get, members: Members) -> Strategy:
    rules = [_rule(item, members) for item in items(get("handoff_when"))]
    return Swarm(
        start=members.read(get("start")),
        transitions=read_transitions(get("transitions"), members),
        handoff_when=tuple(rule for rule in rules if rule is not None),
        max_handoffs=count(get("max_handoffs"), _SWARM.max_handoffs),
        synthesize=_synthesize(get),
    )


def _round_robin(get: Get, members: Members) -> Strategy:
    return RoundRobin(
        turns=_bound(get("turns")),
        stop_if=_stop_if(get("stop_if"), members.file),
        synthesize=_synthesize(get),
    )


def _random(get: Get, members: Members) -> Strategy:
    return Random(
        weights=read_weights(get("weights"), members),
        seed=whole(get("seed")),
        turns=count(get("turns"), _RANDOM.turns),
        synthesize=_synthesize(get),
    )


def _plan_execute(get: Get, members: Members) -> Strategy:
    replans = whole(get("max_replans"))
    max_steps = count(get("max_steps"), _PLAN.max_steps)
    return PlanExecute(
        planner=_planner(get("planner"), members.file),
        plan=read_plan(get("plan"), members, max_steps),
        max_concurrency=_bound(get("max_concurrency")),
        max_replans=_PLAN.max_replans if replans is None or replans < 0 else replans,
        max_steps=max_steps,
        synthesize=flag(get("synthesize"), _PLAN.synthesize),
    )


def _manual(get: Get, members: Members) -> Strategy:
    return Manual(
        choose=read_function(get("choose"), members.file),
        turns=count(get("turns"), _MANUAL.turns),
        synthesize=_synthesize(get),
    )


def _synthesize(get: Get) -> bool:
    return flag(get("synthesize"), False)


def _bound(node: Node | None) -> int | None:
    value = whole(node)
    return value if value is not None and value > 0 else None


def _stop_if(node: Node | None, file: TeamFile) -> StopIf | None:
    if not isinstance(node, Object):
        return None
    wanted, regex = text(node.get("text")), read_regex(node.get("regex"), file)
    function = read_function(node.get("function"), file)
    if len(node.entries) != 1:
        return None
    return StopIf(text=wanted, regex=regex, function=function) if wanted or regex or function else None


def _rule(node: Node, members: Members) -> HandoffRule | None:
    if not isinstance(node, Object):
        return None
    to, from_ = members.read(node.get("to")), members.read(node.get("from"))
    tests = {key: text(node.get(key)) for key in ("text", "tool")}
    regex = read_regex(node.get("regex"), members.file)
    if to is not None and to == from_:
        members.file.warning(
            "self-transition", f'"{to}" cannot pass to itself', node, hint="take the rule out"
        )
    if to is None or sum(test is not None for test in (*tests.values(), regex)) != 1:
        return None
    if node.get("from") is not None and from_ is None:
        return None
    contains = text(node.get("contains"))
    place = node.get("tool") or node
    return HandoffRule(to=to, from_=from_, regex=regex, contains=contains, span=place.span, **tests)


def read_regex(node: Node | None, file: TeamFile) -> str | None:
    """A regular expression that compiles; another one is reported and left out."""
    pattern = text(node)
    if node is None or not pattern:
        return None
    wrong = regex_problem(pattern)
    if wrong is not None:
        file.error("wrong-regex", f'"{pattern}" {wrong}', node, hint=regex_hint(pattern))
        return None
    return pattern


def _planner(node: Node | None, file: TeamFile) -> Planner | None:
    if not isinstance(node, Object):
        return None
    return Planner(
        model=read_model(node.get("model"), file),
        instructions=read_instructions(node.get("instructions"), file),
    )


_READERS: Final[Mapping[StrategyName, Callable[[Get, Members], Strategy]]] = {
    "handoff": _handoff,
    "router": _router,
    "sequential": _sequential,
    "parallel": _parallel,
    "swarm": _swarm,
    "round_robin": _round_robin,
    "random": _random,
    "plan_execute": _plan_execute,
    "manual": _manual,
}
