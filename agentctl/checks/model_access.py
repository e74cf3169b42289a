"""Models that cannot be asked. A missing key is a warning here: the file is right without it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from agentctl.checks.asked_models import asked_models
from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report
from agentctl.spec.read import told_environ
from agentctl.spec.settings import ModelSettings

if TYPE_CHECKING:
    from agentctl.models.problems import ModelProblem

_NOTHING_TO_SAY: Final = ("", "offline")


def model_access(checked: Checked, report: Report) -> None:
    asked = {
        each.span: each for each in asked_models(checked.team.agents()) if each.id not in _NOTHING_TO_SAY
    }
    _tell_all(asked.values(), checked, report, are_asked=True)


def unused_models(checked: Checked, report: Report) -> None:
    """Of models that are declared and never asked: a key is no matter then, and none blocks a run."""
    asked = {each.span for each in asked_models(checked.team.agents())}
    unused = [
        each for each in checked.team.models if each.span not in asked and each.id not in _NOTHING_TO_SAY
    ]
    _tell_all(unused, checked, report, are_asked=False)


def _tell_all(
    models: Collection[ModelSettings], checked: Checked, report: Report, *, are_asked: bool
) -> None:
    if not models:
        return
    from agentctl.models.problems import model_problems

    environ = told_environ(checked.team.folder, checked.environ, checked.team.path, report)
    for settings in models:
        if any(found.code.startswith("yaml-") and found.span in settings.span for found in report.found):
            continue  # what stands there is not what was meant
        for problem in model_problems(settings, environ):
            if problem.code != "model-key" or (are_asked and not _key_is_told(settings, report)):
                _tell(problem, settings, checked, report, blocks=are_asked)


def _tell(
    problem: ModelProblem, settings: ModelSettings, checked: Checked, report: Report, *, blocks: bool
) -> None:
    is_error = blocks and problem.severity == "error" and problem.code != "model-key"
    tell = report.error if is_error else report.warning
    hint = _taken_over(problem.code, settings, report) or problem.hint
    place = checked.team.place(settings.span, f"{settings.pointer}/{problem.at}")
    tell(problem.code, problem.message, place, hint=hint, pointer=settings.pointer)


def _key_is_told(settings: ModelSettings, report: Report) -> bool:
    """Whether how the key is named is wrong, so that which variable is meant is not known."""
    places = {f"{settings.pointer}/{key}" for key in ("api_key_env", "api_key")}
    return any(found.pointer in places and found.span.path == settings.span.path for found in report.found)


def _taken_over(code: str, settings: ModelSettings, report: Report) -> str | None:
    """The hint of the warning that the id may be a name from `models`: one cause is told once."""
    for found in report.found if code == "model-unknown" else ():
        if found.code == "unknown-model" and found.span == settings.span:
            report.found.remove(found)
            return found.hint
    return None
