"""How each key of a file is written, for hints: a value that fits, and what is made of one that does not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from agentctl.jsonschemas import Path, Problem
from agentctl.jsontypes import Json

_SHORT: Final = 40
_SAMPLES: Final[Mapping[str, str]] = {
    "action": "fail",
    "agent": "billing",
    "agents": "[{name: billing, instructions: Answer on bills.}]",
    "among": "[billing, sales]",
    "answer": "{contains: shipped}",
    "answers": "[{approve: true}]",
    "approve": "always",
    "args": "{currency: USD}",
    "arguments": "{account: ACC-123}",
    "attempts": "3",
    "backoff": "fixed",
    "builtin": "ask_person",
    "by": "tools:choose",
    "calls": "[{name: lookup, arguments: {}}]",
    "choose": "person",
    "chosen": "billing",
    "command": "npx",
    "contains": "shipped",
    "context": "task",
    "cost_usd": "0.50",
    "decisions": "[{chosen: billing}]",
    "default": "text",
    "delay": "2s",
    "depends_on": "[first]",
    "description": "Bills, payments and refunds",
    "each": "[{question: Hello?}]",
    "env": "{TOKEN: '${TOKEN}'}",
    "error": "{status: 500}",
    "examples": "[Where is my order?]",
    "exclude": "[delete_*]",
    "expect": "{agent: billing}",
    "fallback": "billing",
    "fallbacks": "[openai/gpt-4o-mini]",
    "file": "other.yaml",
    "final": "supervisor",
    "function": "tools:lookup",
    "guardrails": "[{on: output, regex: secret}]",
    "handoff_when": "[{tool: lookup, to: billing}]",
    "headers": "{Authorization: 'Bearer ${TOKEN}'}",
    "id": "first",
    "include": "[read_*]",
    "input": "0.15",
    "inputs": "{customer: {type: string}}",
    "instructions": "Answer questions.",
    "limits": "{turns: 10}",
    "max_delay": "60s",
    "mcp": "files",
    "mcp_servers": "{files: {command: npx}}",
    "max": "{model_calls: 4}",
    "max_concurrency": "4",
    "max_handoffs": "10",
    "max_output": "50000",
    "max_replans": "3",
    "max_steps": "20",
    "max_tokens": "1000",
    "message": "Say no account numbers.",
    "model": "offline",
    "models": "{fast: {id: openai/gpt-4o-mini}}",
    "name": "billing",
    "not_called": "[refund]",
    "on": "output",
    "on_error": "continue",
    "output": "0.60",
    "params": "{top_k: 40}",
    "pass": "all",
    "path": "[desk, billing]",
    "plan": "[{id: first, agent: billing, task: Look up the balance}]",
    "planner": "{instructions: Plan in few steps.}",
    "price": "{input: 0.15, output: 0.60}",
    "question": "Where is my order?",
    "recording": "1",
    "regex": "'[0-9]+'",
    "reply": "{text: Hello}",
    "retry": "{attempts: 3}",
    "seed": "7",
    "sent": "[{role: user, text: Hello}]",
    "start": "billing",
    "stop_if": "{text: DONE}",
    "strategy": "handoff",
    "tags": "[slow]",
    "task": "Look up the balance",
    "temperature": "0.2",
    "tests": "[{name: greets, question: Hello?, expect: {agent: desk}}]",
    "text": "DONE",
    "time": "60s",
    "timeout": "30s",
    "to": "billing",
    "tokens": "100000",
    "tool": "lookup",
    "tools": "['tools:lookup']",
    "transitions": "{triage: [billing]}",
    "url": "https://example.com/mcp",
    "tool_calls": "50",
    "turns": "10",
    "usage": "{input_tokens: 10, output_tokens: 5}",
    "weights": "{billing: 9, sales: 1}",
    "when": "tools:is_dear",
}
_MEMBERS: Final[Mapping[str, str]] = {
    "inputs": "{type: string}",
    "models": "{id: openai/gpt-4o-mini}",
    "mcp_servers": "{command: npx}",
    "weights": "1",
}
"""What stands under the names that people choose themselves."""
_WORD: Final = re.compile(r"[\w./@=:-]+")
_PLAIN_WORD: Final = re.compile(r"-{0,2}[\w./][\w./@=-]*")
_PLAIN: Final = re.compile(r"[\w./][^:#\[\]]*|[\w./]+:[\w./]+")
_NEEDED: Final = ("name", "expect", "question", "file", "type", "id")
_BOUND: Final = re.compile(r"at (?:most|least) ([0-9.]+)")
_WORDS: Final = (
    ("text", "…"),
    ("whole number", "3"),
    ("number", "0.5"),
    ("true or false", "true"),
    ("duration", "30s"),
    ("list", "[…]"),
    ("mapping", "{…}"),
)


def sample(key: str, asked: str = "") -> str:
    """A value for `key`; `asked` are the words for what belongs there, for keys that are not known."""
    if key == "output" and "JSON Schema" in asked:
        return "{type: object, properties: {total: {type: number}}}"
    bound = _BOUND.search(asked)
    if bound is not None:
        return bound[1]
    by_words = next((written for words, written in _WORDS if words in asked), "…")
    return _SAMPLES.get(key, by_words)


def for_missing(problem: Problem) -> str:
    if problem.known:
        first = problem.known[0]
        return f"add one of them, such as `{first}: {sample(first)}`"
    return f"add `{problem.key}: {sample(problem.key)}`"


def for_any_value(problem: Problem, value: Json, *, secret: bool) -> str:
    """What to write, told from the words for what belongs there."""
    key, asked = _key(problem.path), problem.message.partition(", not ")[0]
    if "only one may be given" in asked:
        return "keep one of them, and take the others out"
    if "is read only beside" in asked:
        return f"add {asked.rpartition('beside ')[2]}, or take `{key}` out"
    if value in ([], {}, ""):
        return f"write it as `{key}: {sample(key, asked)}`{_or_out(key)}"
    if value is None:
        return f"give it a value, such as `{key}: {sample(key, asked)}`{_or_out(key)}"
    is_item = bool(problem.path) and isinstance(problem.path[-1], int)
    if "must be a list" in asked and not is_item:
        return _as_list(key, value, secret=secret)
    if problem.kind == "unknown-value" and 0 < len(problem.known) <= 4 and not is_item:
        numbers = [sample(key, asked)] if "number" in asked else []
        return "write " + " or ".join(f"`{key}: {word}`" for word in (*numbers, *problem.known))
    written = _MEMBERS.get(_key(problem.path[:-1]), sample(key, asked))
    if _key(problem.path[:-1]) == "mcp_servers" and isinstance(value, str):
        written = _server(value) or written
    if is_item:
        written = written.removeprefix("[").removesuffix("]")
        return f"write the item as `- {written}`"
    return f"write it as `{key}: {written}`"


def _words(written: str) -> list[str]:
    """The words of a command line as the items of a list; none where a shell would read more into it."""
    words = written.split()
    if not all(map(_WORD.fullmatch, words)):
        return []
    return [word if _PLAIN_WORD.fullmatch(word) else f"'{word}'" for word in words]


def _server(written: str) -> str | None:
    """A server that is written as its command line or its address."""
    if re.fullmatch(r"https?://[^\s,{}]+", written):
        return f"{{url: {written}}}"
    command, *args = _words(written) or [""]
    listed = f", args: [{', '.join(args)}]" if args else ""
    return f"{{command: {command}{listed}}}" if command else None


def _or_out(key: str) -> str:
    return "" if key in _NEEDED else f", or take `{key}` out"


def _as_list(key: str, value: Json, *, secret: bool) -> str:
    if isinstance(value, Mapping):
        return 'write a list: begin each item with "- "'
    written = str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    if secret or not written or len(written) > _SHORT or any(sign in written for sign in "\n,{}'"):
        return f"write a list, such as `{key}: {sample(key, 'list')}`"
    words = _words(written)
    if key == "args" and len(words) > 1:
        return f"write a list: `{key}: [{', '.join(words)}]`"
    quoted = written if _PLAIN.fullmatch(written) else f"'{written}'"
    return f"write a list: `{key}: [{quoted}]`"


def _key(path: Path) -> str:
    return next((part for part in reversed(path) if isinstance(part, str)), "")
