"""Names, contents and variables of servers, without any server."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from agentctl.diagnostics import Span
from agentctl.jsontypes import Json
from agentctl.spec.settings import McpServer
from agentctl.tools.mcp_content import result_parts
from agentctl.tools.mcp_names import offered_name
from agentctl.tools.mcp_variables import secret_variables
from agentctl.tools.results import NO_VALUE

SPAN = Span(path="team.yaml", line=1, column=1, end_line=1, end_column=1)
PNG = base64.b64encode(b"\x89PNG").decode("ascii")


def gave(*content: ContentBlock, structured: Json = None) -> str:
    return result_parts(CallToolResult(content=list(content), structured_content=structured))[0]


def test_a_name_that_fits_and_is_free_stays_as_it_is() -> None:
    assert offered_name("search_issues", "github", ()) == "search_issues"
    assert offered_name("get-sum", "everything", ("get_sum",)) == "get-sum"


def test_a_name_that_is_taken_gets_the_servers_before_it_and_then_a_mark() -> None:
    assert offered_name("search", "github", ("search",)) == "github_search"
    both = offered_name("search", "github", ("search", "github_search"))
    assert re.fullmatch(r"github_search_[0-9a-f]{8}", both)


def test_a_name_like_a_transfer_is_told_apart_from_transfers() -> None:
    assert offered_name("transfer_to_billing", "bank", ()) == "bank_transfer_to_billing"


@given(st.text(min_size=1, max_size=200), st.text("ab_-.", min_size=1, max_size=60))
@example("transfer:to:", "_")
def test_whatever_a_server_calls_its_tools_providers_take_the_name(tool: str, server: str) -> None:
    first = offered_name(tool, server, ())
    second = offered_name(tool, server, (first,))
    third = offered_name(tool, server, (first, second))
    assert len({first, second, third}) == 3
    for name in (first, second, third):
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name)
    assert first == offered_name(tool, server, ()), "the same name every time"


def test_long_names_that_begin_alike_are_told_apart() -> None:
    one, other = (offered_name("a" * 80 + end, "server", ()) for end in ("x", "y"))
    assert one != other


def test_texts_and_files_are_told_in_order() -> None:
    text, files = result_parts(
        CallToolResult(
            content=[
                TextContent(text="Look:"),
                ImageContent(data=PNG, mime_type="image/png"),
                AudioContent(data=PNG, mime_type="audio/wav"),
                EmbeddedResource(resource=TextResourceContents(uri="note://1", text="A note.")),
                EmbeddedResource(resource=BlobResourceContents(uri="blob://1", blob=PNG)),
                ResourceLink(name="manual", uri="file:///manual.txt", description="How to"),
                ResourceLink(name="other", uri="file:///other.txt"),
            ]
        )
    )
    assert text.splitlines() == [
        "Look:",
        "[image 1: image/png, 4 bytes]",
        "[audio 2: audio/wav, 4 bytes]",
        "[resource note://1]",
        "A note.",
        "[resource blob://1]",
        "[file 3: application/octet-stream, 4 bytes]",
        "[resource manual: file:///manual.txt (How to)]",
        "[resource other: file:///other.txt]",
    ]
    assert [(file.label, file.suffix, file.data) for file in files] == [
        ("image 1", ".png", b"\x89PNG"),
        ("audio 2", ".wav", b"\x89PNG"),
        ("file 3", ".bin", b"\x89PNG"),
    ]


def test_a_file_that_is_no_base64_is_said_to_be_unreadable() -> None:
    text, files = result_parts(CallToolResult(content=[ImageContent(data="%%%", mime_type="image/png")]))
    assert text == "[image: image/png, not readable: it is no base64]"
    assert files == ()


@pytest.mark.parametrize(
    ("content", "structured", "expected"),
    [
        ([TextContent(text='{"a": 1}')], {"a": 1}, '{"a": 1}'),
        ([TextContent(text="word")], {"result": "word"}, "word"),
        ([TextContent(text="1"), TextContent(text='{"b":2}')], {"result": [1, {"b": 2}]}, '1\n{"b":2}'),
        ([TextContent(text="A note.")], {"content": "A note."}, "A note."),
        ([TextContent(text="It is warm.")], {"celsius": 21}, 'It is warm.\n{"celsius":21}'),
        ([], {"celsius": 21}, '{"celsius":21}'),
        ([], None, NO_VALUE),
    ],
)
def test_structured_content_is_told_where_no_text_says_it(
    content: list[ContentBlock], structured: Json, expected: str
) -> None:
    assert gave(*content, structured=structured) == expected


def server(env: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None) -> McpServer:
    return McpServer(name="x", cwd=Path("/"), command="x", env=env or {}, headers=headers or {}, span=SPAN)


@pytest.mark.parametrize(
    ("env", "value", "is_secret"),
    [
        ({"GITHUB_TOKEN": "${GH}"}, "plain", True),
        ({"X": "${MY_PASSWORD}"}, "plain", True),
        ({"GITHUB_PAT": "${GH}"}, "plain", True),
        ({"X": "${GH}"}, "ghp_0123456789abcdef", True),
        ({"DATABASE": "${GH}"}, "postgres://me:word@db/x", True),
        ({"DATABASE": "${GH}"}, "postgres://db/x", False),
        ({"ORG": "${GH}"}, "my-company", False),
        ({"REGION": "${GH}"}, "us-east-1", False),
        ({"FOLDER": "${GH}"}, "/home/me/stuff", False),
        ({"WHERE": "${PWD}"}, "/home/me/stuff", False),
        ({"PORT": "${GH:-8080}"}, "8080", False),
        ({"X": "$${GH}"}, "ghp_0123456789abcdef", False),
        ({"X": "text"}, "ghp_0123456789abcdef", False),
    ],
)
def test_which_variables_of_env_are_secrets(env: Mapping[str, str], value: str, is_secret: bool) -> None:
    environ = dict.fromkeys(("GH", "MY_PASSWORD", "PWD"), value)
    assert bool(list(secret_variables(server(env=env), environ))) is is_secret


def test_every_variable_of_headers_is_a_secret() -> None:
    headers = {"Authorization": "Bearer ${A}", "X-Org": "${B:-${C}}"}
    assert list(secret_variables(server(headers=headers), {})) == ["A", "B", "C"]
