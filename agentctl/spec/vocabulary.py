"""What other tools call the things of a team file: read by the did-you-mean alone, never accepted.

A meaning is a key, or a key and the key below it (`limits.turns`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from agentctl.diagnostics import nearest

_AGENT_KEYS: Final = {
    "name": "agent agent_name id key title label",
    "description": "desc summary about when_to_use handoff_description purpose",
    "instructions": "instruction prompt prompts system system_prompt system_message system_instruction "
    "backstory role goal persona",
    "model": "llm llms llm_config model_name model_id model_client engine provider",
    "model.temperature": "temperature temp",
    "model.max_tokens": "max_tokens max_output_tokens",
    "model.base_url": "base_url api_base endpoint",
    "model.api_key_env": "api_key api_key_env",
    "tools": "functions tool actions skills toolset toolsets capabilities plugins",
    "agents": "sub_agents subagents sub_agent handoffs members children team participants nodes workers "
    "delegates specialists crew sub_recipes",
    "strategy": "type kind mode process pattern workflow orchestration topology routing flow",
    "limits.turns": "turns max_turns max_iterations max_iter max_iters max_steps recursion_limit "
    "max_consecutive_auto_reply",
    "limits.tool_calls": "tool_calls max_tool_calls",
    "limits.tokens": "tokens token_limit",
    "limits.cost_usd": "cost_usd max_cost max_cost_usd max_budget budget cost",
    "limits.time": "time timeout max_time max_seconds max_execution_time deadline",
    "retry": "retries retry_policy max_retries max_retry_limit attempts",
    "context": "history",
    "output": "output_schema output_type output_pydantic output_json response_format response_schema "
    "result_type",
    "output_retries": "validation_retries max_output_retries",
    "guardrails": "guards guard input_guardrails output_guardrails tool_guardrails validators moderation",
    "mcp_servers": "mcpServers mcp servers",
    "inputs": "input variables vars parameters params args arguments",
    "models": "llm_configs providers model_configs",
    "version": "schema schema_version api_version format_version",
    "strategy.synthesize": "synthesize",
    "strategy.stop_if": "stop_if termination stop_when",
    "strategy.turns": "max_round max_rounds rounds",
    "strategy.max_handoffs": "max_handoffs",
    "strategy.transitions": "transitions edges",
}
_GUARDRAIL_KEYS: Final = {
    "on": "type where stage target at",
    "regex": "pattern match forbid block",
    "function": "func fn callable by validator",
    "action": "then on_fail on_failure do",
    "message": "reason error text",
    "attempts": "retries max_retries max_attempts",
    "replacement": "replace with substitute",
    "tools": "tool",
}
_TOOL_KEYS: Final = {
    "function": "func fn callable path import module entrypoint python ref tool",
    "name": "id alias",
    "description": "desc doc",
    "approve": "approval require_approval requires_approval requires_confirmation confirm human_in_the_loop",
    "idempotent": "safe retryable repeatable",
    "timeout": "time max_time",
    "retry": "retries max_retries attempts",
    "max_output": "max_output_chars max_chars max_length",
    "args": "arguments kwargs parameters params defaults inputs",
}
_LIMIT_KEYS: Final = {
    "turns": "max_turns max_iterations max_iter max_steps steps iterations",
    "tool_calls": "max_tool_calls calls",
    "tokens": "max_tokens",
    "cost_usd": "cost max_cost max_cost_usd usd budget max_budget",
    "time": "max_time seconds max_seconds timeout duration",
}
_MODEL_KEYS: Final = {
    "id": "model name model_name model_id",
    "temperature": "temp",
    "max_tokens": "max_output_tokens max_completion_tokens tokens",
    "api_key_env": "api_key key apikey api_key_var",
    "base_url": "api_base base endpoint url host",
    "retries": "max_retries num_retries attempts",
    "fallbacks": "fallback",
    "reasoning_effort": "reasoning effort thinking",
    "params": "extra options kwargs extra_body",
    "price": "cost pricing",
}
_RETRY_KEYS: Final = {
    "attempts": "max_attempts max_retries retries count times",
    "delay": "wait interval initial_delay backoff_seconds",
    "backoff": "strategy policy type",
    "max_delay": "cap",
}
_INPUT_KEYS: Final = {"default": "value", "description": "desc prompt help", "required": "optional"}
_SERVER_KEYS: Final = {
    "command": "cmd program executable run",
    "args": "arguments argv params",
    "env": "environment variables env_vars",
    "cwd": "workdir working_dir working_directory directory dir",
    "url": "endpoint address uri base_url server_url",
    "headers": "http_headers header",
    "start_timeout": "timeout startup_timeout startup_timeout_sec connect_timeout",
}
_STRATEGY_KEYS: Final = {
    "type": "name kind strategy mode",
    "turns": "max_turns max_round max_rounds rounds max_iterations",
    "stop_if": "stop_when until termination stop",
    "by": "function router selector",
    "choose": "by selector function",
    "transitions": "edges allowed handoffs",
    "max_concurrency": "concurrency max_workers max_parallel limit",
    "fallback": "default default_agent",
    "start": "entry entry_point initial first default_active_agent",
    "plan": "steps",
    "synthesize": "summarize summarise combine",
    "max_replans": "max_retries replans",
}
_FILE_KEYS: Final = {"file": "path filename file_name source from url include import ref $ref use extends"}
_PLANNER_KEYS: Final = {"instructions": "prompt system_prompt instruction", "model": "llm model_name"}
_STEP_KEYS: Final = {
    "id": "name key",
    "agent": "assignee executor who member",
    "task": "description instruction instructions prompt input",
    "depends_on": "needs after requires dependencies",
}
_STRATEGIES: Final = {
    "handoff": "supervisor transfer delegate coordinator hierarchical hierarchy manager orchestrator",
    "router": "route routing classifier classify dispatch selector",
    "sequential": "sequence chain pipeline linear serial workflow",
    "parallel": "concurrent fan_out fanout map broadcast ensemble",
    "swarm": "network mesh collaborate peer peers",
    "round_robin": "group_chat debate rotation turn_taking",
    "random": "ab_test lottery weighted",
    "plan_execute": "planner plan plan_and_execute magentic planning",
    "manual": "human person human_in_the_loop interactive user",
}
_CASE_KEYS: Final = {
    "question": "prompt input query message request ask",
    "expect": "assert asserts assertions expected expectations checks should",
    "answers": "replies responses people person",
    "each": "parametrize parameters params cases rows matrix examples data",
    "tags": "labels markers marks groups",
    "inputs": "variables vars",
    "timeout": "time max_time",
}
_EXPECT_KEYS: Final = {
    "tools": "tool_calls calls called tool",
    "answer": "output response text result final",
    "not_called": "never_called not_called_tools forbidden no_calls",
    "max": "limits at_most budget",
    "agent": "answered_by by",
    "path": "route handoffs trajectory",
    "waiting_for": "waits questions",
}
_ANSWER_KEYS: Final = {
    "contains": "include includes icontains contain has",
    "lacks": "excludes not_contains not-contains without",
    "regex": "matches match pattern re",
    "equals": "equal exact is exactly",
    "json_schema": "schema is_json",
    "function": "python javascript check by",
}


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: meaning for meaning, words in table.items() for word in words.split()}


KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "agent": _by_word(_AGENT_KEYS),
    "tools": _by_word(_TOOL_KEYS),
    "limits": _by_word(_LIMIT_KEYS),
    "model": _by_word(_MODEL_KEYS),
    "retry": _by_word(_RETRY_KEYS),
    "guardrails": _by_word(_GUARDRAIL_KEYS),
    "inputs": _by_word(_INPUT_KEYS),
    "mcp_servers": _by_word(_SERVER_KEYS),
    "strategy": _by_word(_STRATEGY_KEYS),
    "planner": _by_word(_PLANNER_KEYS),
    "instructions": _by_word(_FILE_KEYS),
    "include": _by_word({**_AGENT_KEYS, **_FILE_KEYS}),
    "plan": _by_word(_STEP_KEYS),
    "tests": _by_word(_CASE_KEYS),
    "each": _by_word(_CASE_KEYS),
    "expect": _by_word(_EXPECT_KEYS),
    "answer": _by_word(_ANSWER_KEYS),
}
ACTIONS: Final[Mapping[str, str]] = _by_word(
    {
        "fail": "block reject deny refuse stop raise error exception abort halt",
        "retry": "reask repeat revise again",
        "fix": "redact mask replace filter anonymize sanitize",
        "ask": "approve approval human escalate review confirm",
    }
)
"""What other tools call what a guardrail does."""
FILE_WORDS: Final = frozenset(_FILE_KEYS["file"].split())
"""What other tools write where `file` names another team file."""
STRATEGY_NAMES: Final[Mapping[str, str]] = _by_word(_STRATEGIES)


def meant(word: str, known: Iterable[str], synonyms: Mapping[str, str]) -> str | None:
    """The known word that `word` most likely stands for: another tool's name for it, or a near spelling.

    The answer may be a key below a known one, as `limits.turns`.
    """
    known = list(known)
    folded = _snake(word)
    if folded in known:
        return folded
    meaning = synonyms.get(folded)
    if meaning is not None and meaning.split(".")[0] in known:
        return meaning
    return nearest(folded, known)


def _snake(word: str) -> str:
    """`maxTurns`, `max-turns` and `Max Turns` as `max_turns`."""
    plain = word.replace("-", "_").replace(" ", "_")
    parts = ["_" + letter.lower() if letter.isupper() else letter for letter in plain]
    spelt = "".join(parts).replace("__", "_").lstrip("_")
    return spelt if "_" in spelt and not word.isupper() else word.casefold()
