"""The page that `show --html` writes, opened from the disk in Chromium at two widths, light and dark."""

from __future__ import annotations

from typing import Final, Literal

import pytest
from playwright.sync_api import Page, expect

from browser.browser_page import EVIL, Opener

pytestmark = pytest.mark.browser
LOW_CONTRAST: Final = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const linear = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [r, g, b] = rgb(colour).map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((rgb(colour)[3] ?? 1) > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const says = (node) => node.nodeType === 3 && node.data.trim();
  const texts = [...document.querySelectorAll("body *")].filter(
    (element) => element.offsetParent && [...element.childNodes].some(says),
  );
  return texts
    .map((element) => {
      const [a, b] = [light(getComputedStyle(element).color), light(paper(element))].sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), element.tagName + "." + element.className];
    })
    .filter(([contrast]) => contrast < 4.5);
}"""


IN_SIGHT: Final = """(mark) => {
  const at = mark.getBoundingClientRect();
  return at.top >= 0 && at.bottom <= innerHeight;
}"""


def focused(page: Page) -> str:
    """What has the focus: the id of an element or of its execution, else its words."""
    found = page.evaluate(
        "() => { const at = document.activeElement; return at.dataset.id || at.id || at.textContent; }"
    )
    return str(found)


def rows(page: Page) -> list[str]:
    """The executions that can be seen, by id."""
    return [str(item.get_attribute("data-id")) for item in page.locator("#tree li:visible").all()]


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_opens_from_the_disk_and_fits(width: int, scheme: Literal["light", "dark"], opens: Opener) -> None:
    opened = opens(width=width, scheme=scheme)
    page = opened.page
    assert page.locator("#status").inner_text() == "completed"
    for item in page.locator("#tree .row").all():
        item.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(LOW_CONTRAST) == []
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(13, 17, 23)"
    assert dark == (scheme == "dark")
    assert opened.complaints == []
    assert opened.requests == [opens.file.as_uri()]


def test_a_name_stays_whole_beside_many_numbers(opens: Opener) -> None:
    page = opens(width=400, scheme="light").page
    name = page.locator("#tree .name").first
    name.evaluate("it => { it.lastChild.textContent = ' support_supervisor (handoff)' }")
    one = name.bounding_box()
    page.locator("#tree .row > .quiet").first.evaluate(
        "it => { it.textContent = '1m 05s, 12.3k tokens, at least $0.0123' }"
    )
    other = name.bounding_box()
    assert one is not None
    assert other is not None
    assert other["height"] == one["height"] < 30
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_text_of_models_is_shown_as_it_was_written(opens: Opener) -> None:
    opened = opens()
    page = opened.page
    page.locator('#tree li[data-id$="/hopeful.1"] .row').click()
    assert EVIL in page.locator("#detail").inner_text()
    assert EVIL in page.locator("#request").inner_text()
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    assert opened.complaints == []


def test_the_tree_is_walked_by_keys(opens: Opener) -> None:
    page = opens().page
    found = rows(page)
    assert [name.rpartition("/")[2] for name in found] == [
        "desk",
        "billing.1",
        "panel.1",
        "hopeful.1",
        "careful.1",
    ]
    desk, billing, panel, hopeful, careful = found
    page.locator("#after").focus()
    page.keyboard.press("Tab")
    assert focused(page) == desk
    for key, reached in (
        ("ArrowDown", billing),
        ("ArrowDown", panel),
        ("ArrowRight", hopeful),
        ("End", careful),
        ("ArrowDown", careful),
        ("ArrowLeft", panel),
        ("ArrowLeft", panel),
    ):
        page.keyboard.press(key)
        assert focused(page) == reached
        assert page.locator('#tree li[aria-selected="true"]').get_attribute("data-id") == reached
        assert page.locator('#tree li[tabindex="0"]').count() == 1
    assert rows(page) == [desk, billing, panel]
    page.keyboard.press("ArrowRight")
    assert rows(page) == found
    page.keyboard.press("Enter")
    assert focused(page) == "detail"
    assert page.locator("#detail h2").inner_text().startswith("panel (parallel")


def test_the_focus_goes_from_the_head_to_the_tree_to_the_conversation(opens: Opener) -> None:
    page = opens().page
    reached = []
    for _ in range(7):
        page.keyboard.press("Tab")
        reached.append(focused(page))
    assert reached == [
        "Skip to the conversation",
        "theme",
        "query",
        "before",
        "after",
        "desk",
        "Show it",
    ]


def test_search_finds_text_wherever_it_stands_and_goes_from_match_to_match(opens: Opener) -> None:
    page = opens().page
    page.keyboard.press("/")
    page.keyboard.type("The BALANCE")
    assert focused(page) == "query"
    found = page.locator("#found").inner_text()
    total = int(found.removesuffix(" found"))
    assert total >= 4
    beside = [int(count) for count in page.locator("#tree .hits").all_inner_texts()]
    assert (sum(beside), len(beside)) == (total, 3)
    seen = set()
    for number in range(1, total + 1):
        page.keyboard.press("Enter")
        assert page.locator("#found").inner_text() == f"{number} of {total} found"
        here = page.locator("mark.here")
        assert here.inner_text().lower() == "the balance"
        assert here.evaluate(IN_SIGHT)
        seen.add(page.locator('#tree li[aria-selected="true"]').get_attribute("data-id"))
    assert {str(name).rpartition("/")[2] for name in seen} >= {"billing.1", "careful.1"}
    page.keyboard.press("Shift+Enter")
    assert page.locator("#found").inner_text() == f"{total - 1} of {total} found"
    page.keyboard.press("Escape")
    assert page.locator("#found").inner_text() == ""
    assert page.locator("mark").count() == 0


def test_a_person_may_say_light_or_dark(opens: Opener) -> None:
    page = opens(scheme="dark").page
    theme = page.locator("#theme")
    themes = []
    for _ in range(3):
        themes.append((theme.inner_text(), page.locator("html").get_attribute("data-theme")))
        theme.press("Enter")
    assert themes == [("Theme: system", "dark"), ("Theme: light", "light"), ("Theme: dark", "dark")]
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_bars_stand_where_the_time_was(opens: Opener) -> None:
    page = opens().page
    whole = page.locator("#tree .time").first.bounding_box()
    assert whole is not None
    for bar in page.locator("#tree .time span").all():
        box = bar.bounding_box()
        assert box is not None
        assert box["x"] >= whole["x"] - 1
        assert box["x"] + box["width"] <= whole["x"] + whole["width"] + 3
