def judge(*, text: str) -> bool:
    """Judge a text."""
    return bool(text)


def judge_more(text: str, *, limit: int) -> bool:
    """Judge a text."""
    return len(text) < limit
