"""When advice is given, and above all when it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.api.teams import validate

TOOLS = '''
def open_case(topic: str) -> str:
    """Open a case."""
    return topic


def look_up(topic: str) -> str:
    """Look a topic up."""
    return topic
'''
HEAD = "name: desk\nmodel: offline\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.py").write_text(TOOLS, encoding="utf-8")


def codes(text: str) -> list[str]:
    Path("team.yaml").write_text(text, encoding="utf-8")
    return [found.code for found in validate(["team.yaml"], environ={"MISTRAL_API_KEY": "set"})]


def routed(*descriptions: str, strategy: str = "router", instructions: str = "Route.") -> str:
    agents = "".join(
        f"  - {{name: agent{number}, description: '{description}', instructions: Answer.}}\n"
        for number, description in enumerate(descriptions)
    )
    asked = f"instructions: {instructions}\n" if instructions else ""
    return f"{HEAD}{asked}strategy: {strategy}\nagents:\n{agents}"


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("Account balances, payments and invoices", "Invoices, payments and balances of accounts", True),
        ("Refunds of orders", "Returned orders and their refunds", True),
        ("Helps customers", "Helps the customer with everything", True),
        ("Account balances, payments and invoices", "Order status, shipping and returns", False),
        ("Order status, shipping and returns", "Order returns and refunds", False),
        ("Customer billing support", "Customer technical support", False),
        ("Writes Python code", "Reviews Python code", False),
        ("Sales in the United States", "Sales in Europe", False),
        ("Flight status, delays and cancelled flights", "Rooms for a night near an airport", False),
        ("The one", "The other", False),
    ],
)
def test_descriptions_overlap_by_their_words(one: str, other: str, told: bool) -> None:
    assert codes(routed(one, other)) == (["overlap"] if told else [])
    assert codes(routed(other, one)) == (["overlap"] if told else [])


def test_words_that_all_siblings_share_tell_nothing_apart_and_nothing_alike() -> None:
    support = "Customer support for {} in the shop"
    assert (
        codes(routed(*(support.format(word) for word in ("billing", "repairs", "deliveries", "gifts")))) == []
    )
    assert codes(routed(*(support.format(word) for word in ("gifts", "repairs", "gift", "tea")))) == [
        "overlap"
    ]


def test_an_agent_is_told_of_its_nearest_sibling_alone() -> None:
    assert codes(routed(*["Invoices and payments"] * 4)) == ["overlap"] * 3


def test_many_siblings_are_compared_too() -> None:
    told = codes(routed(*(f"Questions on topic{n} and subject{n}" for n in range(60)), "Topic7 and subject7"))
    assert told == ["overlap"]


@pytest.mark.parametrize("strategy", ["parallel", "sequential", "random", "round_robin", "manual"])
def test_where_no_model_chooses_descriptions_may_be_alike(strategy: str) -> None:
    assert codes(routed("Invoices", "Invoices", strategy=strategy, instructions="")) == []


def test_a_router_by_function_and_a_plan_that_stands_choose_by_no_description() -> None:
    Path("choose.py").write_text("def choose(request, agents): return 'agent0'\n", encoding="utf-8")
    by = "{type: router, by: 'choose:choose'}"
    assert codes(routed("Invoices", "Invoices", strategy=by, instructions="")) == []
    steps = "{id: a, agent: agent0, task: Look}, {id: b, agent: agent1, task: Look}"
    plan = f"{{type: plan_execute, max_replans: 0, plan: [{steps}]}}"
    assert codes(routed("Invoices", "Invoices", strategy=plan)) == []
    replanned = plan.replace("max_replans: 0", "max_replans: 1")
    assert codes(routed("Invoices", "Invoices", strategy=replanned)) == ["overlap"]


def shared(first: str, second: str, strategy: str = "router") -> str:
    return (
        f"{HEAD}{'instructions: Route.' if strategy == 'router' else ''}\nstrategy: {strategy}\nagents:\n"
        f"  - {{name: a, description: Invoices, instructions: Answer., tools: [{first}]}}\n"
        f"  - {{name: b, description: Parcels, instructions: Answer., tools: [{second}]}}\n"
    )


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("'tools:open_case'", "'tools:open_case'", True),
        ("'tools:open_case'", "{function: 'tools:open_case', name: report}", True),
        ("'tools:open_case'", "'tools:look_up'", False),
        ("{function: 'tools:open_case', idempotent: true}", "'tools:open_case'", False),
        ("'tools:open_case'", "{function: 'tools:open_case', approve: always}", False),
        ("'tools:open_case'", "{function: 'tools:open_case', approve: never}", False),
    ],
)
def test_a_tool_with_effects_in_two_hands(first: str, second: str, told: bool) -> None:
    assert codes(shared(first, second)) == (["shared-tool"] if told else [])


def test_where_no_model_chooses_a_tool_may_be_shared() -> None:
    assert codes(shared("'tools:open_case'", "'tools:open_case'", strategy="parallel")) == []


@pytest.mark.parametrize(
    ("limits", "own", "told"),
    [
        ("{cost_usd: 1}", "", True),
        ("{tokens: 1000}", "", True),
        ("{cost_usd: unlimited}", "", False),
        ("{time: 5m}", "", False),
        ("{cost_usd: 1}", ", limits: {tokens: 500}", False),
        ("{cost_usd: 1}", ", limits: {turns: 5}", False),
    ],
)
def test_a_wallet_that_one_alone_could_empty(limits: str, own: str, told: bool) -> None:
    agents = "".join(
        f"  - {{name: {name}, description: {what}, instructions: Answer.{own}}}\n"
        for name, what in (("a", "Invoices"), ("b", "Parcels"))
    )
    text = f"{HEAD}instructions: Route.\nlimits: {limits}\nstrategy: router\nagents:\n{agents}"
    assert [code for code in codes(text) if code != "unknown-price"] == (["one-wallet"] if told else [])


@pytest.mark.parametrize(
    ("strategy", "told"),
    [
        ("handoff", False),
        ("{type: handoff, required: true}", True),
        ("{type: handoff, required: true, final: supervisor}", False),
        ("{type: handoff, required: true, synthesize: true}", False),
    ],
)
def test_a_hand_off_that_only_chooses(strategy: str, told: bool) -> None:
    text = routed("Invoices", "Parcels", strategy=strategy)
    assert codes(text) == (["handoff-as-router"] if told else [])
    assert codes(f"{text}tools: ['tools:look_up']\n") == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("", []),
        ("transitions: {agent0: [agent1], agent1: [agent0]}", []),
        ("transitions: {agent0: [agent1], agent1: []}", []),
        ("transitions: {agent0: [agent1]}", ["stuck-agent"]),
        ("transitions: {agent0: [agent1]}, handoff_when: [{from: agent1, text: x, to: agent0}]", []),
        ("transitions: {agent0: [agent1]}, handoff_when: [{text: x, to: agent0}]", []),
        ("transitions: {}", ["stuck-agent", "unreachable-agent"]),
    ],
)
def test_a_member_that_can_never_pass_control_on(options: str, told: list[str]) -> None:
    strategy = f"{{type: swarm{', ' + options if options else ''}}}"
    assert codes(routed("Invoices", "Parcels", strategy=strategy, instructions="")) == told


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("mistral/mistral-tiny", True),
        (
            "{id: mistral/mistral-tiny, base_url: 'http://localhost:1/v1', price: {input: 0, output: 0}}",
            False,
        ),
        ("mistral/mistral-large-latest", False),
        ("offline", False),
    ],
)
def test_models_that_do_not_call_tools(model: str, told: bool) -> None:
    text = f"name: desk\nmodel: {model}\ninstructions: Answer.\n"
    assert codes(text) == []
    assert codes(f"{text}tools: ['tools:look_up']\n") == (["model-tools"] if told else [])
    agents = "agents:\n  - {name: a, description: A, model: offline, instructions: Answer.}\n"
    assert codes(text + agents) == (["model-tools"] if told else [])
