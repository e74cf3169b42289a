from __future__ import annotations

from agentctl.tools.wording import preview


def test_a_preview_is_short_and_never_raises() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise ValueError

    assert preview("x" * 200) == "'" + "x" * 78 + "…"
    assert preview(Bad()) == "<Bad>"
    assert preview("\ud800") == "'\\ud800'"
