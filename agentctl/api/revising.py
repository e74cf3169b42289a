"""What a person wants changed about a run before it goes on: an edited team, a call or a delegation again.

Everything is read, checked, listed and agreed to before anything of it is put on record.
"""

from __future__ import annotations

import os
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agentctl.api.answers import Reply
from agentctl.api.equip import Equipment, team_secrets
from agentctl.api.literals import KeptText, kept_text, typed_secrets
from agentctl.api.own_team import edits
from agentctl.api.running import Manners, order_of, world_of
from agentctl.api.teams import read
from agentctl.diagnostics import Report, nearest
from agentctl.engine.paths import base_path
from agentctl.engine.preview import Preview, preview
from agentctl.errors import UsageError
from agentctl.journal.disk import SystemDisk, disk_failure
from agentctl.journal.header import keep_team
from agentctl.journal.journal import Journal
from agentctl.journal.redact import Redactor
from agentctl.journal.summary import ExecutionView, RunView
from agentctl.jsontypes import JsonObject, as_object, as_text, digest
from agentctl.spec.read import team_environ
from agentctl.spec.resolve import dump_team, resolve_inputs, with_inputs
from agentctl.spec.team import Team

Revision = tuple[str, JsonObject]
"""Step and data of a `revision.recorded`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A team to go on with; `whole` has its `inputs` filled in, `report` is that of reading it."""

    team: Team
    whole: Team
    report: Report
    inputs: JsonObject

    def kept(self) -> KeptText:
        environ = team_environ(self.team.folder, os.environ)
        return kept_text(self.team, team_secrets(self.team, environ))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """`team` is an edited team's path, `models` its models by agent, `inputs` those that it is given beside
    the run's own; `agree`: what it changes needs no yes.

    `retry` is an execution, or an agent; `rerun` are steps of finished tool calls.
    """

    team: str | Path | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    agree: bool = False
    retry: str | None = None
    rerun: Sequence[str] = ()

    @property
    def anything(self) -> bool:
        return self.team is not None or self.retry is not None or bool(self.rerun)

    def edited(self, before: JsonObject) -> Edited | None:
        """`before` are the run's inputs until now; those that the edited team does not declare are dropped.

        Raises TeamError and UsageError for what is wrong with the edited team; nothing is touched then.
        """
        if self.team is None:
            return None
        report = Report()
        team = read(self.team, report, models=self.models or None)
        known = {name: value for name, value in before.items() if name in team.inputs}
        values = resolve_inputs(team, {**known, **self.inputs})
        secrets = team_secrets(team, team_environ(team.folder, os.environ))
        given = as_object(Redactor([*secrets.values(), *typed_secrets(team)]).redact(values))
        return Edited(team=team, whole=with_inputs(team, given), report=report, inputs=given)

    def steps(self, view: RunView) -> list[Revision]:
        """What is to be done again. Raises UsageError for what the run has not."""
        found: list[Revision] = [(_finished_call(view, step), {"kind": "rerun"}) for step in self.rerun]
        if self.retry is not None:
            found.append((_execution(view, self.retry).id, {"kind": "retry"}))
        return found


def with_reruns(wish: Wish, view: RunView, replies: Sequence[Reply]) -> tuple[Wish, list[Reply]]:
    """`--rerun` answers a question where there is one; of a finished call it asks to have it made again."""
    finished = {
        step.step
        for execution in view.executions
        for step in execution.steps
        if step.kind == "tool" and step.status != "started"
    }
    asked = {as_text(question.get("step")) for question in view.waiting_for}
    again = [
        reply.step
        for reply in replies
        if reply.kind == "rerun" and reply.step is not None and reply.step in finished - asked
    ]
    answers = [reply for reply in replies if not (reply.kind == "rerun" and reply.step in again)]
    return replace(wish, rerun=[*wish.rerun, *again]), answers


async def revise(
    path: Path,
    header: JsonObject,
    journal: Journal,
    equipment: Equipment,
    manners: Manners,
    *,
    edited: Edited | None,
    again: Sequence[Revision],
    agree: bool,
) -> list[Revision]:
    """The revisions to record. With an edited team they are listed and agreed to first; else UsageError."""
    if edited is None:
        for revision in again:
            await _must_be_reached(revision, path.name, header, journal, equipment)
        return list(again)
    told: JsonObject = {"kind": "team", "hash": digest(dump_team(edited.team))}
    plan = await preview(
        order_of(header, journal.records),
        world_of(header, equipment, journal),
        journal.records,
        [("", told), *again],
    )
    await _agreed(plan, path.name, manners, agree)
    text = edited.kept()
    try:
        kept = keep_team(SystemDisk(), path, len(edits(journal.records)) + 1, text.text)
    except OSError as error:
        raise disk_failure(error, path, run=path.name) from error
    stands: JsonObject = {
        "path": edited.team.path,
        "folder": str(edited.team.folder),
        "inputs": edited.inputs,
    }
    if text.typed:
        stands = {**stands, "typed": True}
    return [("", {**told, **kept, **stands}), *again]


async def _must_be_reached(
    revision: Revision, run_id: str, header: JsonObject, journal: Journal, equipment: Equipment
) -> None:
    """A call that the work does not come to any more, as can be after a revision, cannot be made again."""
    step, data = revision
    if data.get("kind") != "rerun":
        return
    order, world = order_of(header, journal.records), world_of(header, equipment, journal)
    plan = await preview(order, world, journal.records, [revision])
    if step not in plan.again:
        raise UsageError(
            f'the run does not come to "{step}" any more, so it cannot be made again',
            hint=f"see which calls count: agentctl show {run_id}",
        )


async def _agreed(plan: Preview, run_id: str, manners: Manners, agree: bool) -> None:
    listed: JsonObject = {"ev": "revision.planned", **plan.as_json()}
    if manners.listen is not None:
        manners.listen(listed)
    if agree:
        return
    if manners.ask is None:
        raise UsageError(
            f'run "{run_id}" goes on with an edited team only when somebody agrees to what is done again',
            hint="agree with --yes; nothing was changed",
        )
    question = f"Go on with the edited team? {len(plan.kept)} finished steps are kept"
    answer = await manners.ask({"kind": "confirm", "question": question, "choices": ["yes", "no"]})
    if answer != "yes":
        raise UsageError(
            f'run "{run_id}" stays as it was: the edited team was not agreed to',
            hint=f"continue it with its own team: agentctl resume {run_id}",
        )


def _finished_call(view: RunView, wanted: str) -> str:
    made = {
        step.step: execution
        for execution in view.executions
        for step in execution.steps
        if step.kind == "tool"
    }
    if wanted in made:
        _refuse_replaced(view, made[wanted], wanted, made)
        return wanted
    near = nearest(wanted, list(made))
    hint = f'did you mean "{near}"?' if near else f"see its calls with: agentctl show {view.run_id}"
    raise UsageError(f'run "{view.run_id}" has no tool call "{wanted}"', hint=hint)


def _execution(view: RunView, wanted: str) -> ExecutionView:
    """By id, else the newest of that agent; one of an attempt that was given up is none."""
    found = _by_id(view, wanted) or next(
        (one for one in reversed(view.executions) if one.agent == wanted), None
    )
    if found is None:
        near = nearest(wanted, [name for one in view.executions for name in (one.id, one.agent)])
        hint = f'did you mean "{near}"?' if near else f"see them with: agentctl show {view.run_id}"
        raise UsageError(f'run "{view.run_id}" has no execution "{wanted}"', hint=hint)
    ids = [one.id for one in view.executions]
    _refuse_replaced(view, _by_id(view, found.parent), found.id, ids)
    return found


def _refuse_replaced(view: RunView, part: ExecutionView | None, wanted: str, known: Container[str]) -> None:
    """`wanted` is in the execution `part`; it must not be in an attempt, there or above, that another one
    has replaced. `known` are those that could be meant instead."""
    while part is not None:
        newest = _newest_attempt(view, part)
        if newest.id != part.id:
            counts = newest.id + wanted.removeprefix(part.id)
            other = f'"{counts}"' if counts in known else "one that counts"
            raise UsageError(
                f'"{wanted}" is part of attempt {part.attempt} of "{base_path(part.id)}", '
                f"which attempt {newest.attempt} has replaced",
                hint=f"name {other} (see: agentctl show {view.run_id}), "
                f"or try the delegation again: --retry {newest.id}",
            )
        part = _by_id(view, part.parent)


def _by_id(view: RunView, wanted: str) -> ExecutionView | None:
    return next((one for one in view.executions if one.id == wanted), None)


def _newest_attempt(view: RunView, execution: ExecutionView) -> ExecutionView:
    base = base_path(execution.id)
    return max((one for one in view.executions if base_path(one.id) == base), key=lambda one: one.attempt)
