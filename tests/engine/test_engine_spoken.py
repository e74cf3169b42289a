"""A conversation worked out only where it is new is the one that is worked out whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentctl.engine.spoken import Spoken
from agentctl.jsontypes import Grown, Json, digest
from agentctl.models.messages import Message
from agentctl.tools.excerpts import cut, output_id, outputs_in

TEXTS = st.text(max_size=8) | st.sampled_from([cut("x" * 50, 10, output_id("a")), cut("y" * 50, 10, "out-b")])
MESSAGES = st.builds(Message, role=st.sampled_from(["user", "assistant", "tool"]), text=TEXTS)
GROWTH = st.lists(st.tuples(st.integers(0, 2), st.lists(MESSAGES, max_size=4)), max_size=8)
"""Turn after turn: how many messages go from the end, and which come in their place."""


@given(GROWTH)
def test_it_is_the_same_as_worked_out_whole(growth: list[tuple[int, list[Message]]]) -> None:
    spoken, messages = Spoken(), list[Message]()
    for fewer, more in growth:
        while fewer and messages and messages[-1].role != "tool":  # results stay
            messages.pop()
            fewer -= 1
        messages += more
        whole: list[Json] = [message.as_json() for message in messages]
        shown = spoken.as_json(messages)
        assert list(shown) == whole
        after: dict[str, Json] = {"tools": ["look"], "schema": None}
        assert digest({"messages": shown, **after}) == digest({"messages": whole, **after})
        assert digest({"messages": shown}) == digest({"messages": whole})
        results = [message.text for message in messages if message.role == "tool"]
        assert set(spoken.outputs(messages)) == set(outputs_in(results))


def test_a_copy_is_its_own() -> None:
    first = Grown(["a"])
    second = first.copy()
    second.append("b")
    longer = digest({"messages": second})
    assert digest({"messages": first}) == digest({"messages": ["a"]}), "although more of the copy was hashed"
    assert longer == digest({"messages": ["a", "b"]})
    assert digest([first]) == digest([["a"]])
