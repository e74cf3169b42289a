"""A run as a flowchart: its executions, and why each was given its work."""

from render_events import support_run
from test_render_show import odd_run, view

from agentctl.render.show_mermaid import show_mermaid


def test_executions_are_nodes_and_reasons_stand_on_the_arrows() -> None:
    assert show_mermaid(view(support_run())).splitlines()[:4] == [
        "flowchart TD",
        '  e1["✓ support_supervisor<br/>1 model call, 0 tool calls<br/>120 ms, 345 tokens, $0.00"]:::done',
        '  e2["✓ billing<br/>2 model calls, 1 tool call<br/>70 ms, 230 tokens, $0.00"]:::done',
        "  e1 -->|\"shares 'balance', 'account' with billing\"| e2",
    ]


def test_failures_and_what_goes_on_look_different() -> None:
    drawn = show_mermaid(view(odd_run(), live=True)).splitlines()
    assert drawn[1].endswith(":::open")
    assert drawn[2].endswith('<br/>30 ms<br/>no [/x] key"]:::failed')
