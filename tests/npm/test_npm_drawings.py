"""What `graph` and `show` print as Mermaid and as DOT, read by Mermaid and by Graphviz themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias
from xml.etree import ElementTree

import pytest

from agentctl.api.team import load_team
from agentctl.journal.records import Record
from agentctl.journal.summary import summarise
from agentctl.jsontypes import Json, as_list, as_object
from agentctl.render.graph_dot import graph_dot
from agentctl.render.graph_mermaid import graph_mermaid
from agentctl.render.show_mermaid import show_mermaid
from agentctl.spec.strategies import Sequential, StopIf
from agentctl.spec.team import Agent, Team

pytestmark = pytest.mark.npm
HERE: Final = Path(__file__).parent
TEAMS: Final = sorted((HERE.parents[1] / "teams").iterdir())
ODD: Final = 'end "quoted" `ticks` #35; [x](y) {z} <b>&amp;</b> %% --> | \\N \\ ; 広い \u202e style e1'
Read: TypeAlias = Callable[[str, list[str]], list[Json]]


@pytest.fixture(scope="session")
def read(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """What each drawing is, by the program that the ending of its file belongs to."""
    script = shutil.copy(HERE / "read_drawings.mjs", packages.parent)

    def reading(ending: str, texts: list[str]) -> list[Json]:
        folder = tmp_path_factory.mktemp("drawings")
        files = [folder / f"{number}.{ending}" for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text, encoding="utf-8")
        ran = subprocess.run(["node", script, *files], check=True, capture_output=True, timeout=120)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    return reading


def odd_team() -> Team:
    """Of an agent whose options are told with everything that a format may take for its own."""
    end = Agent(name="end", description=ODD)
    root = Agent(name="graph", strategy=Sequential(stop_if=StopIf(text=ODD)), agents=(end,))
    return Team(root=root, path="t", folder=Path("/srv"))


def test_every_team_is_a_flowchart_of_mermaid(read: Read) -> None:
    drawn = [graph_mermaid(load_team(folder).spec) for folder in TEAMS]
    assert read("mmd", [*drawn, graph_mermaid(odd_team())]) == ["flowchart-v2"] * (len(TEAMS) + 1)


def test_a_run_is_a_flowchart_whatever_its_models_wrote(read: Read) -> None:
    told: list[tuple[str, str, dict[str, Json]]] = [
        ("execution.started", "desk", {"agent": "desk", "parent": ""}),
        ("decision.completed", "desk/choice", {"chosen": ["end"], "by": "model", "reason": ODD}),
        ("execution.started", "desk/end.1", {"agent": "end", "parent": "desk"}),
        ("execution.failed", "desk/end.1", {"error": {"message": ODD}}),
    ]
    records = [
        Record(seq=seq, batch=seq, ts=seq, t=seq, ev=ev, step=step, data=data)
        for seq, (ev, step, data) in enumerate(told, start=1)
    ]
    drawn = show_mermaid(summarise({"request": ODD}, records, live=False))
    assert '  e1 -->|"end #quot;quoted#quot;' in drawn
    assert read("mmd", [drawn]) == ["flowchart-v2"]


def test_every_team_is_a_graph_of_graphviz(read: Read) -> None:
    teams = [load_team(folder).spec for folder in TEAMS]
    for team, graph in zip(teams, read("dot", [graph_dot(team) for team in teams]), strict=True):
        names = [as_object(node)["name"] for node in as_list(as_object(graph).get("objects"))]
        tools = sum(agent.has_tools for agent in team.agents())
        assert len(names) == len(list(team.agents())) + tools
        assert len(as_list(as_object(graph).get("edges"))) >= len(names) - 1


def test_graphviz_shows_the_text_of_a_label_as_it_was(read: Read) -> None:
    (graph,) = read("dot", [graph_dot(odd_team())])
    svg = ElementTree.fromstring(str(as_object(graph)["svg"]))
    drawn = [element.text or "" for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    (told,) = [text.replace("\xa0", " ") for text in drawn if text.startswith("sequential")]
    assert told == f"sequential, stop_if: {ODD}".replace("\u202e", "\\u202e")


def test_what_is_no_drawing_is_found_out(read: Read) -> None:
    assert str(*read("mmd", ['flowchart TD\n  a["x" "y"'])).startswith("Error: ")
    assert str(*read("dot", ["digraph { a -> "])).startswith("Error: ")
