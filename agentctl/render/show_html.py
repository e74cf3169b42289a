"""A run as one page for a browser that needs nothing else: no network, no other file.

All that it shows is data, which the page's own script puts in as text; nothing of it is ever markup.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from agentctl.journal.summary import DecisionView, ExecutionView, RunView, StepView, run_json
from agentctl.jsontypes import Json, JsonObject, as_text
from agentctl.render.ending import totals
from agentctl.render.run_tree import Part, RunTree
from agentctl.render.sent import Sent, newly_sent
from agentctl.render.show_lines import decides, decision_line, execution_line, is_draw
from agentctl.render.spending import lasted, spent_by, spent_within
from agentctl.render.step_line import step_line
from agentctl.render.step_texts import Named, step_texts
from agentctl.render.story import error_text
from agentctl.render.visible import visible

_PAGE: Final = Path(__file__).parent / "page"


def show_html(view: RunView, sent: Sent | None = None) -> str:
    """The whole page. Its policy lets only the script and the style run that stand in it.

    `sent` are the messages of the run's model calls, as far as they are known.
    """
    style, script = _part("page.css"), _part("page.js")
    policy = (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    page = _part("page.html")
    for name, text in (
        ("policy", policy),
        ("style", style),
        ("script", script),
        ("data", _data(view, sent or {})),
    ):
        before, _, after = page.partition(f"<!--{name}-->")
        page = f"{before}{text}{after}"
    return page


def _part(name: str) -> str:
    return (_PAGE / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _data(view: RunView, sent: Sent) -> str:
    """JSON that cannot end the element which it stands in."""
    return json.dumps(_run(view, sent)).replace("<", "\\u003c")


def _run(view: RunView, sent: Sent) -> JsonObject:
    tree = RunTree(view)
    executions = [_execution(tree, execution, sent) for execution in view.executions]
    return {
        "id": view.run_id,
        "team": visible(view.team),
        "status": view.status,
        "began": datetime.fromtimestamp(view.started, UTC).isoformat(timespec="seconds"),
        "totals": totals(run_json(view)),
        "request": visible(view.request),
        "answer": visible(view.answer or ""),
        "error": visible(error_text(view.error)),
        "ms": max((execution.at + execution.ms for execution in view.executions), default=0.0),
        "roots": [execution.id for execution in tree.roots],
        "executions": executions,
    }


def _execution(tree: RunTree, execution: ExecutionView, sent: Sent) -> JsonObject:
    parts = [part for part in tree.parts(execution) if not is_draw(part)]
    told = newly_sent(execution, sent)
    return {
        "id": execution.id,
        "title": execution_line(execution).plain.partition(" ")[2],
        "status": execution.status,
        "spent": spent_within(tree.within(execution), execution.ms).words(),
        "at": execution.at,
        "ms": execution.ms,
        "request": visible(execution.request),
        "told": visible(as_text((execution.note or {}).get("text"))),
        "answer": visible(execution.answer or ""),
        "error": visible(error_text(execution.error)),
        "children": [part.id for part in parts if isinstance(part, ExecutionView)],
        "parts": [
            _told(part, execution, parts[:place], parts[place + 1 :], told)
            for place, part in enumerate(parts)
        ],
    }


def _told(
    part: Part,
    execution: ExecutionView,
    before: Sequence[Part],
    after: Sequence[Part],
    sent: Mapping[str, Sequence[Named]],
) -> JsonObject:
    if isinstance(part, ExecutionView):
        return {"kind": "delegation", "id": part.id, "title": f"delegated to {part.agent}"}
    if isinstance(part, DecisionView):
        return {"kind": "decision", "title": decision_line(part, execution, before).plain, "at": part.at}
    return _step(part, execution, after, sent.get(part.step, ()))


def _step(
    step: StepView, execution: ExecutionView, after: Sequence[Part], sent: Sequence[Named]
) -> JsonObject:
    texts: list[Json] = [[name, visible(text)] for name, text in (*sent, *step_texts(step))]
    return {
        "kind": step.kind,
        "step": step.step,
        "status": step.status,
        "title": step_line(step, decides=decides(after)).plain,
        "spent": spent_by(step).words(),
        "at": step.at,
        "ms": lasted(step, execution),
        "texts": texts,
    }
