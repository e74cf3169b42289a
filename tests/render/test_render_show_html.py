"""A run as one page: everything in it is data, and the page needs nothing but itself."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from typing import Final

from render_events import BILLING, ROOT, reply, support_run
from test_render_show import odd_run, view

from agentctl.jsontypes import Json, JsonObject, as_list, as_object
from agentctl.render.show_html import show_html

EVIL: Final = "</script><script>alert(1)</script><!--data--><img src=x onerror=alert(2)>\x1b[2J\u202e"


def data(page: str) -> JsonObject:
    (text,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    found: Json = json.loads(text)
    return as_object(found)


def between(page: str, start: str, end: str) -> str:
    return page.partition(start)[2].partition(end)[0]


def test_executions_stand_in_it_with_all_that_happened_in_them() -> None:
    found = data(show_html(view(support_run())))
    assert (found["id"], found["status"], found["roots"]) == ("r-1", "completed", [ROOT])
    root, billing = (as_object(each) for each in as_list(found["executions"]))
    assert root["children"] == [BILLING]
    assert [as_object(part)["kind"] for part in as_list(root["parts"])] == ["model", "decision", "delegation"]
    assert billing["spent"] == "70 ms, 230 tokens, $0.00"
    call = as_object(as_list(billing["parts"])[1])
    assert call["texts"] == [
        ["arguments", '{\n  "account_id": "ACC-123"\n}'],
        ["text", '{"balance": 5432.10}'],
    ]
    assert (billing["at"], call["ms"]) == (60.0, 3.1)


def test_text_of_models_is_never_markup() -> None:
    events = support_run()
    events[11] = {**events[11], "out": reply(EVIL)}
    events[-1] = {**events[-1], "answer": EVIL}
    page = show_html(view(events))
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert data(page)["answer"] == EVIL.replace("\x1b", "\\x1b").replace("\u202e", "\\u202e")


def test_its_policy_allows_its_own_script_and_style_and_nothing_of_the_network() -> None:
    page = show_html(view(odd_run()))
    policy = between(page, 'http-equiv="Content-Security-Policy" content="', '"')
    for kind, text in (
        ("style", between(page, "<style>", "</style>")),
        ("script", page.rpartition("<script>")[2].partition("</script>")[0]),
    ):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert not re.search(r"https?:|src=|@import|url\(", page)


def test_a_run_without_executions_is_a_page_too() -> None:
    assert data(show_html(view([])))["executions"] == []
