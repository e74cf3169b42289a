"""A plan written in a team file: its steps, and whether they can be done in some order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from agentctl.diagnostics import Related, nearest
from agentctl.document.nodes import Array, Node, Object
from agentctl.spec.references import Members
from agentctl.spec.strategies import PlanStep
from agentctl.spec.values import items, text, texts


def read_plan(node: Node | None, members: Members, most: int) -> tuple[PlanStep, ...] | None:
    """The steps; what is wrong with one is reported and leaves it out."""
    if not isinstance(node, Array) or not node.items:
        return None
    file = members.file
    if len(node.items) > most:
        message = f"the plan has {len(node.items)} steps, more than `max_steps` ({most}) allows"
        file.error("wrong-value", message, node.items[most], hint="raise `max_steps`, or write fewer steps")
    places = _places(node, members)
    steps = [step for item in node.items if (step := _step(item, members, places)) is not None]
    _refuse_cycle(steps, places, members)
    return tuple(steps)


def _places(node: Array, members: Members) -> dict[str, Node]:
    """Where each id stands first; a second one is reported."""
    places: dict[str, Node] = {}
    for item in node.items:
        place = item.get("id") if isinstance(item, Object) else None
        name = text(place)
        if place is None or not name:
            continue
        if name in places:
            related = (Related(span=places[name].span, message="the first one"),)
            members.file.report.error(
                "duplicate-step",
                f'two steps have the id "{name}"',
                place.span,
                hint="give each step an id of its own",
                pointer=place.pointer,
                related=related,
            )
        places.setdefault(name, place)
    return places


def _step(item: Node, members: Members, places: Mapping[str, Node]) -> PlanStep | None:
    if not isinstance(item, Object):
        return None
    agent = members.read(item.get("agent"))
    name, task = text(item.get("id")), text(item.get("task"))
    depends_on = item.get("depends_on")
    for needed in items(depends_on):
        _check_known(needed, places, members)
    if not (agent and name and task) or places.get(name) is not item.get("id"):
        return None
    known = tuple(dict.fromkeys(step for step in texts(depends_on) if step in places))
    return PlanStep(id=name, agent=agent, task=task, depends_on=known)


def _check_known(needed: Node, places: Mapping[str, Node], members: Members) -> None:
    name = text(needed)
    if not name or name in places:
        return
    near = nearest(name, places)
    hint = f'did you mean "{near}"?' if near else f"the steps here: {', '.join(places) or 'none with an id'}"
    members.file.error("unknown-step", f'unknown step "{name}"', needed, hint=hint)


def _refuse_cycle(steps: Sequence[PlanStep], places: Mapping[str, Node], members: Members) -> None:
    try:
        TopologicalSorter({step.id: step.depends_on for step in steps}).prepare()
    except CycleError as error:
        circle = [str(name) for name in error.args[1]][::-1]
        first = min(places[name].span for name in circle)
        start = next(index for index, name in enumerate(circle) if places[name].span == first)
        turned = [*circle[start:-1], *circle[: start + 1]] if start else circle
        message = f"these steps wait for each other: {' -> '.join(turned)}"
        hint = "take one of these out of `depends_on`"
        members.file.error("plan-cycle", message, places[turned[0]], hint=hint)
