"""Results that were cut, and how a model reads on in them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest

from agentctl.jsontypes import JsonObject
from agentctl.tools.excerpts import (
    PART,
    cut,
    excerpt,
    output_id,
    outputs_in,
    read_output_tool,
    reader_name,
)
from agentctl.tools.tool import ToolContext, ToolResult

FULL = "".join(f"line {number}\n" for number in range(10_000))
CONTEXT = ToolContext(run_id="r", execution_id="e", agent="a", idempotency_key="k")


def test_what_is_left_out_begins_at_the_offset_that_is_told() -> None:
    told = cut(FULL, 1_000, "out-0123456789")
    shown, _, mark = told.rpartition("\n[Cut: ")
    assert len(shown) == 1_000
    offset = int(mark.rpartition("offset ")[2].rstrip(".]"))
    assert FULL.startswith(shown[:offset])
    assert FULL[: offset + 1] != shown[: offset + 1]


def test_the_ids_are_found_again_in_what_the_model_was_told() -> None:
    one, other = output_id("a/turn-1/call-1.x"), output_id("a/turn-1/call-2.x")
    assert one != other
    texts = [
        cut(FULL, 100, one),
        "plain",
        cut(FULL, 100, other) + "\n[image 1 is kept in x]",
        cut(FULL, 99, one),
    ]
    assert outputs_in(texts) == (one, other)


def test_an_id_is_the_same_whenever_the_step_is_made() -> None:
    assert output_id("a/turn-1/call-1.x") == output_id("a/turn-1/call-1.x")


def test_the_parts_put_together_are_the_whole() -> None:
    offset, parts = 0, []
    while not (text := excerpt(FULL, offset)).startswith("[There is nothing"):
        part, _, _ = text.rpartition("\n[Characters ")
        parts.append(part)
        offset += len(part)
    assert "".join(parts) == FULL
    assert all(len(part) <= PART for part in parts)


def test_it_is_named_beside_tools_that_have_its_name() -> None:
    assert reader_name(()) == "read_output"
    assert reader_name(("read_output", "read_output_2")) == "read_output_3"


def call(arguments: JsonObject) -> ToolResult:
    tool = read_output_tool("read_output", ["out-1"], {"out-1": FULL}.get)
    assert tool.check(arguments) is None
    return asyncio.run(awaited(tool.call(arguments, CONTEXT)))


async def awaited(result: Awaitable[ToolResult]) -> ToolResult:
    return await result


def test_it_gives_the_part_from_the_offset_on() -> None:
    assert call({"id": "out-1"}).text.startswith("line 0\n")
    assert call({"id": "out-1", "offset": 7}).text.startswith("line 1\n")
    assert "This is its end." in call({"id": "out-1", "offset": len(FULL) - 5}).text


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "there are: out-1"),
        ({"id": "out-2"}, "there are: out-1"),
        ({"id": "out-1", "offset": -1}, "whole number"),
        ({"id": "out-1", "offset": "0"}, "whole number"),
        ({"id": "out-1", "offset": True}, "whole number"),
    ],
)
def test_only_the_results_that_were_shown_can_be_read(arguments: JsonObject, problem: str) -> None:
    told = read_output_tool("read_output", ["out-1"], {"out-1": FULL}.get).check(arguments)
    assert told is not None
    assert problem in told


def test_a_result_that_is_gone_is_an_error() -> None:
    tool = read_output_tool("read_output", ["out-1"], lambda _output: None)
    result = asyncio.run(awaited(tool.call({"id": "out-1"}, CONTEXT)))
    assert result.error
