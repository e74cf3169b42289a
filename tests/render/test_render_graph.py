from pathlib import Path

from agentctl.diagnostics import Span
from agentctl.render.graph_mermaid import graph_mermaid
from agentctl.render.graph_tree import graph_tree
from agentctl.spec.settings import FunctionRef, ModelSettings, ToolEntry
from agentctl.spec.strategies import (
    Handoff,
    HandoffRule,
    Manual,
    Parallel,
    PlanExecute,
    Planner,
    PlanStep,
    Random,
    RoundRobin,
    Router,
    Sequential,
    StopIf,
    Strategy,
    Swarm,
)
from agentctl.spec.team import Agent, Team

SPAN = Span(path="t", line=1, column=1, end_line=1, end_column=1)
HERE = Path("/srv")
OFFLINE = ModelSettings(id="offline", folder=HERE, span=SPAN)


def function(target: str) -> FunctionRef:
    return FunctionRef(target=target, folder=HERE, span=SPAN)


def tool(target: str, **more: object) -> ToolEntry:
    name = more.get("name")
    return ToolEntry(
        function=function(target),
        name=name if isinstance(name, str) else None,
        idempotent=more.get("idempotent") is True,
        approve="always" if more.get("approve") else "never",
        span=SPAN,
    )


def team(strategy: Strategy, names: tuple[str, ...] = ("first", "second", "end")) -> Team:
    members = tuple(Agent(name=name, model=OFFLINE) for name in names)
    root = Agent(name="root", strategy=strategy, agents=members, model=OFFLINE)
    return Team(root=root, path="t", folder=HERE)


def support() -> Team:
    billing = Agent(
        name="billing",
        description="Balances [/x] and invoices",
        model=ModelSettings(id="openai/gpt-4o", folder=HERE, span=SPAN),
        tools=(tool("tools:check_balance", idempotent=True), tool("tools:pay", name="refund", approve=True)),
    )
    inner = Agent(name="inner", agents=(Agent(name="deep"),), strategy=Parallel(on_error="continue"))
    root = Agent(
        name="desk",
        description="Front desk",
        model=OFFLINE,
        strategy=Handoff(final="supervisor"),
        agents=(billing, inner),
    )
    return Team(root=root, path="t", folder=HERE)


def tree(shown: Team, width: int = 160) -> list[str]:
    return [line.plain for line in graph_tree(shown, width=width)]


def test_the_tree_shows_strategies_models_purposes_and_tools() -> None:
    assert tree(support()) == [
        "desk  (handoff, final: supervisor; model offline)  Front desk",
        "├─ billing  (model openai/gpt-4o)  Balances [/x] and invoices",
        "│    tools: check_balance (idempotent), refund (needs approval)",
        "└─ inner  (parallel, on_error: continue)",
        "   └─ deep",
    ]


def test_the_tree_is_broken_at_the_width_of_the_terminal_and_loses_no_word() -> None:
    assert tree(support(), width=40) == [
        "desk  (handoff, final: supervisor;",
        "│   model offline)  Front desk",
        "├─ billing  (model openai/gpt-4o)",
        "│      Balances [/x] and invoices",
        "│    tools: check_balance",
        "│      (idempotent), refund (needs",
        "│      approval)",
        "└─ inner  (parallel, on_error:",
        "   │   continue)",
        "   └─ deep",
    ]


def test_every_strategy_shows_its_options() -> None:
    heads: dict[str, Strategy] = {
        "router, by: m:pick, fallback: first": Router(by=function("m:pick"), fallback="first"),
        "sequential, pass: all, stop_if: DONE": Sequential(pass_="all", stop_if=StopIf(text="DONE")),
        "round_robin, turns: 4, stop_if: m:stop": RoundRobin(
            turns=4, stop_if=StopIf(function=function("m:stop"))
        ),
        "random, seed: 7": Random(weights={"first": 9, "second": 1}, seed=7),
        "plan_execute, planner: offline, synthesize: false": PlanExecute(
            planner=Planner(model=OFFLINE), synthesize=False
        ),
        "manual, turns: 3": Manual(turns=3),
        "swarm, max_handoffs: 5": Swarm(max_handoffs=5),
    }
    for words, strategy in heads.items():
        assert tree(team(strategy))[0] == f"root  ({words}; model offline)"


def test_an_order_is_numbered_and_a_swarm_says_who_may_pass_to_whom() -> None:
    assert tree(team(Sequential()))[1:] == ["├─ 1. first", "├─ 2. second", "└─ 3. end"]
    swarm = Swarm(start="second", transitions={"first": ("second", "end")})
    assert tree(team(swarm))[1:] == [
        "├─ first",
        "│    may pass to second, end",
        "├─ second  (starts)",
        "│    may pass to nobody",
        "└─ end",
        "     may pass to nobody",
    ]


def test_weights_stand_beside_the_members_that_they_are_of() -> None:
    shown = team(Random(weights={"first": 9, "end": 1}))
    assert tree(shown)[1:] == ["├─ first  (9 of 10)", "├─ second  (0 of 10)", "└─ end  (1 of 10)"]
    assert '  a1 -->|"9 of 10"| a2' in graph_mermaid(shown)
    assert "  a1 --> a2" in graph_mermaid(team(Random()))
    assert '  a1 -->|"fallback"| a3' in graph_mermaid(team(Router(fallback="second")))


def test_a_swarm_says_by_which_rules_control_is_passed() -> None:
    rules = (
        HandoffRule(to="end", from_="first", tool="look", contains="fine"),
        HandoffRule(to="end", tool="look"),
        HandoffRule(to="first", text="HELP"),
        HandoffRule(to="first", from_="end", regex="^no"),
    )
    shown = team(Swarm(handoff_when=rules))
    assert tree(shown)[1:6] == [
        "│ each may pass to every other",
        "│ after first, if look gave 'fine': end is next",
        "│ after anybody, if look was called: end is next",
        "│ after anybody, if the answer contains 'HELP': first is next",
        "│ after end, if the answer matches '^no': first is next",
    ]
    drawn = graph_mermaid(shown)
    assert "  a2 -->|\"if look gave 'fine'\"| a4" in drawn
    assert '  a3 -->|"if look was called"| a4' in drawn


def test_what_an_agent_is_shown_is_told_where_the_file_says_it() -> None:
    member = Agent(name="first", model=OFFLINE, context="task")
    root = Agent(name="root", strategy=Handoff(), agents=(member,), model=OFFLINE)
    assert tree(Team(root=root, path="t", folder=HERE))[1] == "└─ first  (context: task)"


def test_a_written_plan_is_shown() -> None:
    steps = (
        PlanStep(id="look", agent="first", task="look"),
        PlanStep(id="tell", agent="second", task="tell it", depends_on=("look",)),
    )
    shown = team(PlanExecute(plan=steps))
    assert tree(shown)[1:3] == ["│ step look by first: look", "│ step tell by second, after look: tell it"]
    assert '  a1 -->|"look"| a2' in graph_mermaid(shown)


def test_mermaid_shows_agents_tools_and_escapes_labels() -> None:
    assert (
        graph_mermaid(support())
        == """\
flowchart TD
  a1["desk<br/>handoff, final: supervisor"]
  a2["billing"]
  a2 --- a2t(["check_balance (idempotent)<br/>refund (needs approval)"])
  a3["inner<br/>parallel, on_error: continue"]
  a4["deep"]
  a1 --> a2
  a1 --> a3
  a3 -->|"all at once"| a4
"""
    )
    odd = team(Sequential(stop_if=StopIf(text='"<#>&')), names=("end",))
    assert "stop_if: #quot;#lt;#35;#gt;#amp;" in graph_mermaid(odd)


def test_mermaid_draws_orders_rings_and_passes() -> None:
    def edges(strategy: Strategy) -> list[str]:
        return [line.strip() for line in graph_mermaid(team(strategy)).splitlines() if "-->" in line]

    assert edges(Sequential()) == ["a1 --> a2", 'a2 -->|"then"| a3', 'a3 -->|"then"| a4']
    assert edges(RoundRobin())[-1] == 'a4 -->|"again"| a2'
    assert edges(Swarm(transitions={"first": ("end",)})) == ['a1 -->|"starts"| a2', 'a2 -->|"may pass"| a4']
    assert len(edges(Swarm())) == 7
    assert edges(Manual()) == ["a1 --> a2", "a1 --> a3", "a1 --> a4"]
