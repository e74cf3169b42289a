"""What three reviewers measure of a change: security findings, a benchmark and test coverage."""

from agentctl import ToolError

CHANGES = {
    "CHG-7": {
        "findings": [{"file": "api/login.py", "problem": "the password is written to the log"}],
        "before_ms": 120,
        "after_ms": 118,
        "coverage_percent": 91,
        "uncovered": ["api/limits.py"],
    },
    "CHG-8": {
        "findings": [],
        "before_ms": 40,
        "after_ms": 95,
        "coverage_percent": 100,
        "uncovered": [],
    },
}


def security_findings(change_id: str) -> list[object]:
    """What the security scanner found in a change: file and problem of each finding.

    Args:
        change_id: The change's number, such as CHG-7.
    """
    return list(_change(change_id)["findings"])


def benchmark_change(change_id: str) -> dict[str, object]:
    """Time of the main benchmark in milliseconds before and after a change.

    Args:
        change_id: The change's number, such as CHG-7.
    """
    change = _change(change_id)
    return {"before_ms": change["before_ms"], "after_ms": change["after_ms"]}


def coverage_of_change(change_id: str) -> dict[str, object]:
    """How much of a change is run by tests, and which files are not.

    Args:
        change_id: The change's number, such as CHG-7.
    """
    change = _change(change_id)
    return {"coverage_percent": change["coverage_percent"], "uncovered": change["uncovered"]}


def _change(change_id: str) -> dict:
    change = CHANGES.get(change_id.upper())
    if change is None:
        raise ToolError(f"There is no change {change_id}.")
    return change
