"""The events of a run of the support team, as its journal records them, for the tests of what shows them."""

from agentctl.jsontypes import Json, JsonObject

ROOT = "support_supervisor"
BILLING = "support_supervisor/billing.1"


def reply(text: str, *, calls: int = 0, cost: float | None = 0.0, model: str = "offline") -> JsonObject:
    made: list[Json] = [{"id": f"c{number}", "name": "t", "arguments": "{}"} for number in range(calls)]
    return {
        "text": text,
        "finish": "calls" if calls else "stop",
        "model": model,
        "calls": made,
        "usage": {"input_tokens": 100, "output_tokens": 15, "cached_tokens": 0, "reasoning_tokens": 0},
        "cost_usd": cost,
    }


def support_run() -> list[JsonObject]:
    call = f"{BILLING}/turn-1/call-1.check_balance"
    return [
        {"ev": "run.started", "step": "", "agentctl": "0.1.0", "format": 1},
        {
            "ev": "execution.started",
            "step": ROOT,
            "agent": ROOT,
            "parent": "",
            "attempt": 1,
            "request": "What's the balance on account ACC-123?",
            "seen": 0,
        },
        {"ev": "model.started", "step": f"{ROOT}/turn-1", "agent": ROOT, "model": "offline", "messages": 2},
        {"ev": "model.completed", "step": f"{ROOT}/turn-1", "out": reply("", calls=1), "ms": 1.2},
        {
            "ev": "decision.completed",
            "step": f"{ROOT}/turn-1/call-1.transfer_to_billing",
            "chosen": ["billing"],
            "among": ["billing", "technical", "sales"],
            "by": "model",
            "reason": "shares 'balance', 'account' with billing",
        },
        {
            "ev": "execution.started",
            "step": BILLING,
            "agent": "billing",
            "parent": ROOT,
            "attempt": 1,
            "seen": 0,
        },
        {"ev": "model.started", "step": f"{BILLING}/turn-1", "agent": "billing", "model": "offline"},
        {"ev": "model.completed", "step": f"{BILLING}/turn-1", "out": reply("", calls=1), "ms": 0.8},
        {
            "ev": "tool.started",
            "step": call,
            "agent": "billing",
            "tool": "check_balance",
            "arguments": {"account_id": "ACC-123"},
        },
        {"ev": "tool.completed", "step": call, "out": {"text": '{"balance": 5432.10}'}, "ms": 3.1},
        {"ev": "model.started", "step": f"{BILLING}/turn-2", "agent": "billing", "model": "offline"},
        {
            "ev": "model.completed",
            "step": f"{BILLING}/turn-2",
            "out": reply("The balance is 5432.10."),
            "ms": 0.7,
        },
        {
            "ev": "execution.completed",
            "step": BILLING,
            "answer": "The balance is 5432.10.",
            "agent": "billing",
            "path": ["billing"],
        },
        {
            "ev": "execution.completed",
            "step": ROOT,
            "answer": "The balance is 5432.10.",
            "agent": "billing",
            "path": [ROOT, "billing"],
        },
        {"ev": "run.completed", "step": "", "answer": "The balance is 5432.10.", "agent": "billing"},
    ]


def begun() -> list[JsonObject]:
    """Until billing is at work."""
    return support_run()[:6]
