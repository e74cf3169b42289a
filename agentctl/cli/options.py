"""Options that several commands share, spelt and explained once, and the reading of their values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from agentctl.errors import UsageError

RunsDir = Annotated[
    str | None,
    typer.Option(
        "--runs-dir",
        metavar="DIR",
        help="Where runs are kept: else AGENTCTL_RUNS_DIR, else `.agentctl/runs` here or above.",
    ),
]
TeamPath = Annotated[
    str, typer.Argument(metavar="TEAM", help="A team file, or a folder that holds team.yaml.")
]
Inputs = Annotated[
    list[str] | None, typer.Option("--input", metavar="NAME=VALUE", help="An input of the team.")
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", metavar="[AGENT=]ID", help="The model of every agent, or of one."),
]
RunId = Annotated[
    str | None, typer.Argument(metavar="RUN", help="The run's id, or an unambiguous beginning of it.")
]
Last = Annotated[bool, typer.Option("--last", help="The newest run.")]
Yes = Annotated[bool, typer.Option("--yes", help="Approve every tool call that needs it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")]
Events = Annotated[
    bool, typer.Option("--events", help="Print one JSON object a line on stdout as things happen.")
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write the answer, or the JSON, to FILE; `-` is stdout."
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost", metavar="USD", envvar="AGENTCTL_MAX_COST", help="The most that the run may cost."
    ),
]
MaxTime = Annotated[
    str | None,
    typer.Option(
        "--max-time",
        metavar="TIME",
        envvar="AGENTCTL_MAX_TIME",
        help="The longest that the run may work, such as 90s, 5m or 2h.",
    ),
]

MaxTokens = Annotated[
    int | None,
    typer.Option("--max-tokens", metavar="N", min=1, help="The most tokens that the run may use."),
]
MaxTurns = Annotated[
    int | None,
    typer.Option("--max-turns", metavar="N", min=1, help="The most model turns of an agent's delegation."),
]
MaxToolCalls = Annotated[
    int | None,
    typer.Option(
        "--max-tool-calls", metavar="N", min=1, help="The most tool calls of an agent's delegation."
    ),
]
MaxHandoffs = Annotated[
    int | None,
    typer.Option("--max-handoffs", metavar="N", min=1, help="The most hand-offs of a handoff or swarm."),
]
MaxSteps = Annotated[
    int | None,
    typer.Option("--max-steps", metavar="N", min=1, help="The most steps of a plan_execute."),
]

_AGENT_MODEL: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_-]{0,47})=(.+)", re.DOTALL)
_TIME: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?")
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, None: 1.0}


def which_run(run: str | None, *, last: bool) -> str | None:
    """The id, or None for the newest run, which has to be asked for."""
    if run is None and not last:
        raise UsageError("which run?", hint="name its id (see `agentctl runs`), or use --last")
    if run is not None and last:
        raise UsageError(f"run '{run}' and --last exclude each other", hint="give one of the two")
    return run


def read_inputs(stated: Sequence[str]) -> dict[str, str]:
    """`["customer=Ann"]` → `{"customer": "Ann"}`."""
    found: dict[str, str] = {}
    for item in stated:
        name, equals, value = item.partition("=")
        if not equals or not name:
            raise UsageError(f"--input '{item}' is not NAME=VALUE", hint="write it as --input customer=Ann")
        if name in found:
            raise UsageError(f"--input '{name}' is given twice", hint="give every input once")
        found[name] = value
    return found


def read_models(stated: Sequence[str]) -> dict[str, str]:
    """`["offline", "billing=openai/gpt-4o"]` → `{"": "offline", "billing": "openai/gpt-4o"}`."""
    found: dict[str, str] = {}
    for item in stated:
        match = _AGENT_MODEL.fullmatch(item)
        agent, model = (match[1], match[2]) if match else ("", item)
        if not model.strip():
            raise UsageError(
                "--model is empty", hint="write it as --model offline or --model billing=offline"
            )
        if agent in found:
            whom = f"for agent '{agent}'" if agent else "for every agent"
            raise UsageError(f"--model is given twice {whom}", hint="give it once")
        found[agent] = model
    return found


def read_time(stated: str, option: str) -> float:
    """Seconds, from `500ms`, `30s`, `5m`, `2h`, `30d` or a number of seconds."""
    match = _TIME.fullmatch(stated.strip())
    if match is None:
        raise UsageError(f"{option} '{stated}' is not a time", hint="write it as 90s, 5m, 2h or 30d")
    return float(match[1]) * _SECONDS[match[2]]


def max_cost(usd: float | None) -> float | None:
    if usd is not None and not usd > 0:
        raise UsageError(f"--max-cost {usd:g} is not more than nothing", hint="give an amount in USD")
    return usd


def max_time(stated: str | None) -> float | None:
    if stated is None:
        return None
    seconds = read_time(stated, "--max-time")
    if not seconds > 0:
        raise UsageError(f"--max-time '{stated}' is no time at all", hint="write it as 90s, 5m or 2h")
    return seconds
