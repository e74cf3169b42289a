"""One `ModelRequest` into the body of a chat-completions request, in the dialect of the server it goes to.

Only what the request asks for and the file states is in it; `params` of the file win over everything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from agentctl.jsontypes import Json, JsonObject, canonical
from agentctl.models.messages import ModelRequest, ToolSpec
from agentctl.models.strict import is_strict
from agentctl.models.wire import called_names, chat_messages, wire_name
from agentctl.spec.settings import ModelSettings

_ANY_OBJECT: Final[JsonObject] = {"type": "object", "properties": {}}
_MUST_CALL: Final = "Answer by calling one of the tools you are offered; text alone is not accepted."
_MUST_FIT: Final = (
    "Answer with one JSON value and nothing else: no other text, no code fence. "
    "It must fit this JSON Schema:\n"
)
_MUST_FIT_IN_THE_END: Final = (
    "When you answer instead of calling a tool, answer with one JSON value and nothing else: no other text, "
    "no code fence. It must fit this JSON Schema:\n"
)
_GONE: Final = "No longer available. Do not call it."


@dataclass(slots=True, kw_only=True)
class Dialect:
    """What a server is thought to understand; corrected by what it refuses."""

    own: bool
    completion_tokens: bool
    native_schema: bool
    stream: bool = True
    usage_option: bool = True
    forced: bool = True
    strict: bool = True
    refused: set[str] = field(default_factory=set)

    def learn(self, complaint: str) -> bool:
        """Takes a server's complaint ; True when something can be said otherwise."""
        for words, key, other in _COMPLAINTS:
            if key not in self.refused and any(word in complaint for word in words):
                self.refused.add(key)
                setattr(self, key, other)
                return True
        return False


_COMPLAINTS: Final[tuple[tuple[tuple[str, ...], str, bool], ...]] = (
    (("stream_options", "include_usage"), "usage_option", False),
    (("max_completion_tokens' instead", 'max_completion_tokens" instead'), "completion_tokens", True),
    (("max_completion_tokens",), "completion_tokens", False),
    (("response_format", "json_schema", "output_config", "output_format"), "native_schema", False),
    (("tool_choice",), "forced", False),
    (("strict",), "strict", False),
    (("streaming is not", "'stream'", '"stream"', "unsupported_value: stream"), "stream", False),
)


def request_body(
    request: ModelRequest, settings: ModelSettings, *, model: str, dialect: Dialect
) -> dict[str, Json]:
    """The body for `model`, the name the server knows it by."""
    tools = request.tools or _former_tools(request)
    body: dict[str, Json] = {"model": model}
    said = _tool_keys(body, request, tools, settings, dialect)
    if request.schema is not None:
        said += _schema_keys(body, request, request.schema, dialect)
    messages: list[Json] = [*chat_messages(request.messages, model=settings.id, also="\n\n".join(said))]
    return _streaming({**body, "messages": messages, **_stated(settings, dialect)}, request, dialect)


def _tool_keys(
    body: dict[str, Json],
    request: ModelRequest,
    tools: tuple[ToolSpec, ...],
    settings: ModelSettings,
    dialect: Dialect,
) -> list[str]:
    """Puts the tools into the body; gives what has to be said in words instead."""
    if not tools:
        return []
    body["tools"] = [_tool(tool, strict=dialect.own and dialect.strict) for tool in tools]
    if not request.tools and dialect.forced:
        body["tool_choice"] = "none"
    if not request.required or not request.tools:
        return []
    if not dialect.forced or _reasons(settings):
        return [_MUST_CALL]
    body["tool_choice"] = "required"
    return []


def _schema_keys(
    body: dict[str, Json], request: ModelRequest, schema: JsonObject, dialect: Dialect
) -> list[str]:
    """No response format stands beside tools: there the shape is said in words."""
    native = dialect.native_schema and "tools" not in body and schema.get("type") == "object"
    if not native:
        return [(_MUST_FIT_IN_THE_END if request.tools else _MUST_FIT) + canonical(schema)]
    strict = dialect.strict and is_strict(schema)
    shape: dict[str, Json] = {"name": "answer", "schema": schema, **({"strict": True} if strict else {})}
    body["response_format"] = {"type": "json_schema", "json_schema": shape}
    return []


def _tool(tool: ToolSpec, *, strict: bool) -> JsonObject:
    parameters = tool.parameters or _ANY_OBJECT
    function: dict[str, Json] = {"name": wire_name(tool.name), "parameters": parameters}
    if tool.description.strip():
        function["description"] = tool.description
    if strict and is_strict(parameters):
        function["strict"] = True
    return {"type": "function", "function": function}


def _former_tools(request: ModelRequest) -> tuple[ToolSpec, ...]:
    """A history that holds calls must offer tools: those it names, described as gone."""
    names = called_names(request.messages)
    return tuple(ToolSpec(name=name, description=_GONE, parameters=_ANY_OBJECT) for name in names)


def _reasons(settings: ModelSettings) -> bool:
    """Whether the file asks for extended reasoning, with which a forced tool choice is refused."""
    effort = settings.reasoning_effort or settings.params.get("reasoning_effort")
    return effort not in (None, "none", "disable") or "thinking" in settings.params


def _stated(settings: ModelSettings, dialect: Dialect) -> dict[str, Json]:
    most = "max_completion_tokens" if dialect.completion_tokens else "max_tokens"
    stated: dict[str, Json] = {
        "temperature": settings.temperature,
        most: settings.max_tokens,
        "top_p": settings.top_p,
        "reasoning_effort": settings.reasoning_effort,
    }
    return {**{key: value for key, value in stated.items() if value is not None}, **settings.params}


def _streaming(body: dict[str, Json], request: ModelRequest, dialect: Dialect) -> dict[str, Json]:
    """Asks for a stream that counts its tokens, as far as somebody listens, the file and the server allow."""
    if not body.setdefault("stream", dialect.stream and request.streamed):
        del body["stream"]
    elif dialect.usage_option:
        body.setdefault("stream_options", {"include_usage": True})
    return body
