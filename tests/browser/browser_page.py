"""The page of a run whose models wrote all kinds of text, and that page opened in a browser."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Browser, Dialog, Page

import agentctl
from agentctl.jsontypes import JsonObject
from agentctl.render.show_html import show_html

EVIL: Final = "</script><script>alert(1)</script><img src='http://127.0.0.1:9/x' onerror='alert(2)'>"
TEAM: Final[JsonObject] = {
    "name": "desk",
    "model": "script:script.yaml",
    "instructions": "Pass it on.",
    "agents": [
        {"name": "billing", "description": "Balances", "instructions": "Look.", "tools": ["tools:look"]},
        {
            "name": "panel",
            "description": "Opinions",
            "strategy": {"type": "parallel"},
            "agents": [
                {"name": "hopeful", "description": "For it", "instructions": "Praise."},
                {"name": "careful", "description": "Against it", "instructions": "Doubt."},
            ],
        },
    ],
}
SCRIPT: Final[JsonObject] = {
    "agents": {
        "desk": [
            {
                "calls": [
                    {"name": f"transfer_to_{name}", "arguments": {"reason": "asked"}}
                    for name in ("billing", "panel")
                ]
            },
            "It is 12, and fine.",
        ],
        "billing": [
            {"calls": [{"name": "look", "arguments": {"what": EVIL}}]},
            "The balance is 12. " + "word " * 300,
        ],
        "hopeful": [f"**Fine** {EVIL} العربية 広い " + "x" * 500],
        "careful": ["The balance may be wrong."],
    }
}
TOOLS: Final = 'def look(what: str) -> str:\n    """Looks."""\n    return "seen: " + what\n'


@dataclass(slots=True, kw_only=True)
class Opened:
    """A page, with whatever it complained of and asked for."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def refuse(self, dialog: Dialog) -> None:
        self.complaints.append(dialog.message)
        dialog.dismiss()


class Opener:
    def __init__(self, browser: Browser, file: Path) -> None:
        self._browser = browser
        self.file = file

    def __call__(self, *, width: int = 1280, scheme: Literal["light", "dark"] = "light") -> Opened:
        page = self._browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        opened = Opened(page=page)
        page.on("console", lambda message: opened.complaints.append(message.text))
        page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        page.on("dialog", lambda dialog: opened.refuse(dialog))
        page.on("request", lambda request: opened.requests.append(request.url))
        page.goto(self.file.as_uri())
        return opened


def write_page(folder: Path) -> Path:
    """Runs the team, and gives the file that its run is written to."""
    for name, text in (
        ("team.yaml", json.dumps(TEAM)),
        ("script.yaml", json.dumps(SCRIPT)),
        ("tools.py", TOOLS),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    view = asyncio.run(agentctl.run(folder, f"Is it fine? {EVIL}", runs_dir=folder / "runs"))
    assert view.status == "completed", view.error
    file = folder / "run.html"
    file.write_text(show_html(view), encoding="utf-8")
    return file
