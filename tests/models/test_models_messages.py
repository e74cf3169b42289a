"""Messages, replies and tools survive their JSON form unchanged."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from agentctl.models.messages import Message, Reply, ToolCall, ToolSpec, Usage

words = st.text(max_size=12)
things = st.dictionaries(words, st.one_of(words, st.integers(), st.booleans()), max_size=3)
calls = st.builds(ToolCall, id=words, name=words, arguments=words)
counts = st.integers(min_value=0, max_value=10**9)
usages = st.builds(Usage, input=counts, output=counts, cached=counts, reasoning=counts)
messages = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    text=words,
    calls=st.lists(calls, max_size=2).map(tuple),
    call_id=words,
    error=st.booleans(),
    opaque=things,
)
replies = st.builds(
    Reply,
    text=words,
    calls=st.lists(calls, max_size=2).map(tuple),
    finish=st.sampled_from(["stop", "calls", "length", "refused"]),
    model=words,
    usage=usages,
    cost_usd=st.one_of(st.none(), st.floats(min_value=0, max_value=1e6)),
    opaque=things,
)
specs = st.builds(
    ToolSpec, name=words, description=words, parameters=things, search_text=words, transfer=st.booleans()
)


@given(messages, replies, specs)
def test_round_trip(message: Message, reply: Reply, spec: ToolSpec) -> None:
    assert Message.from_json(json.loads(json.dumps(message.as_json()))) == message
    assert Reply.from_json(json.loads(json.dumps(reply.as_json()))) == reply
    assert ToolSpec.from_json(json.loads(json.dumps(spec.as_json()))) == spec


def test_counts_that_are_none_are_nothing() -> None:
    assert Usage.from_json({"input_tokens": None, "output_tokens": 2}) == Usage(output=2)
    assert Usage(input=3, output=4).total == 7
