"""What the offline model compares words by is the same in every thread."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from agentctl.models.offline.words import STOP_WORDS, stem

WORDS = [f"{word}{ending}" for word in sorted(STOP_WORDS) for ending in ("ingly", "ations")]


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns as often as the interpreter lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hurried")
def test_threads_that_stem_at_once_do_not_disturb_each_other() -> None:
    alone = [stem.__wrapped__(word) for word in WORDS]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda _: [stem.__wrapped__(word) for word in WORDS], range(4)))
    assert together == [alone] * 4
