"""The page of advice in a real browser: `python -m pytest -n 0 tests/browser/check_advice.py`.

It needs playwright and a Chromium (`CHROMIUM`, or /usr/bin/chromium). Screenshots go to the folder
`SCREENSHOTS`, if it is given.
"""

import os
from pathlib import Path

import pytest
from unit.report.test_advice_page import VARIANTS

from rankassay.advice import words
from rankassay.report import advice_page

SCREENSHOTS = os.environ.get("SCREENSHOTS")
WIDTHS = {1440: "light", 1024: "dark", 390: "light", 391: "dark"}
OFFLINE = ("file:", "data:", "blob:", "about:")
# The contrast of a text with what it stands on (WCAG 2.2, section 1.4.3).
CONTRAST = """selector => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3)
        .reduce((sum, c, i) => sum + [0.2126, 0.7152, 0.0722][i] * linear(c / 255), 0);
    const ground = (e) => {
        const own = getComputedStyle(e).backgroundColor;
        return /, 0\\)$/.test(own) && e.parentElement ? ground(e.parentElement) : own;
    };
    return [...document.querySelectorAll(selector)].map((e) => {
        const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
    });
}"""

CUT = """selector => [...document.querySelectorAll(selector)]
    .filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1).length"""


@pytest.fixture
def visit(opened, tmp_path):
    """Return a function that opens the page of an advice."""

    def open_page(name="example", width=1440, scheme="light"):
        path = tmp_path / f"{name}.html"
        path.write_text(advice_page.page(VARIANTS[name]()), encoding="utf-8")
        page = opened(width, scheme)
        page.goto(path.as_uri())
        return page

    return open_page


def names(page, table="ranking"):
    """Return the first cells of the rows that are shown."""
    return page.locator(f"#{table} tbody").evaluate(
        "body => [...body.rows].filter(row => row.checkVisibility())"
        ".map(row => row.querySelector('th').firstChild.textContent.trim())"
    )


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize(("width", "scheme"), [*WIDTHS.items()])
def test_it_is_whole_offline_and_no_wider_than_the_window(visit, name, width, scheme):
    page = visit(name, width, scheme)
    shoot(page, f"advice-{name}-{width}-{scheme}")
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.said == []
    assert all(url.startswith(OFFLINE) for url in page.asked)
    broken = "[...document.images].filter(i => !(i.complete && i.naturalWidth)).length"
    assert page.evaluate(broken) == 0
    assert page.evaluate(CUT, ".advice, .advice *") == 0
    if width < 400:  # on which every row is a card
        assert page.evaluate(CUT, ".wide:has(> .stacked)") == 0


def shoot(page, name):
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png", full_page=True)


def test_what_to_report_is_in_sight_at_once(visit):
    for width in (1440, 390):
        page = visit(width=width)
        box = page.locator(".advice .report .what").bounding_box()
        assert box["y"] + box["height"] < 700
        figure = page.locator(".advice .slopes img").bounding_box()
        assert figure["y"] + figure["height"] < box["y"]
        assert figure["x"] >= 0
        assert figure["x"] + figure["width"] <= width
        assert page.locator(".advice .write").bounding_box()["y"] < 900


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_and_dots_can_be_read(visit, scheme):
    page = visit("yardsticks", scheme=scheme)
    for selector in (".advice *", "#criteria th, #criteria td, #criteria small", ".tag"):
        found = page.evaluate(CONTRAST, selector)
        assert len(found) > 5
        assert min(found) >= 4.5, selector
    circle = page.locator("#criteria circle").first
    assert circle.evaluate("e => getComputedStyle(e).fill") not in ("", "none", "rgb(0, 0, 0)")


def test_tables_are_put_in_order_by_keyboard(visit):
    page = visit("example")
    before = names(page, "criteria")
    values = "[...document.querySelectorAll('#criteria tbody tr')].map(e => e.dataset.reversed)"
    head = page.locator("#criteria th[data-sort=reversed]")
    for direction in ("ascending", "descending"):
        head.locator("button").press("Enter")
        assert head.get_attribute("aria-sort") == direction
        found = [*map(float, page.evaluate(values))]
        assert found == sorted(found, reverse=direction == "descending")
    head.locator("button").press("Enter")
    assert names(page, "criteria") == before
    page.locator("#ranking th[data-sort=text] button").press("Enter")
    assert names(page) == sorted(names(page))


def test_all_that_is_folded_opens_by_keyboard(visit):
    page = visit("example")
    summaries = page.locator("#evidence summary")
    assert summaries.count() >= 4
    for summary in summaries.all():
        summary.press("Enter")
        assert summary.evaluate("e => e.parentElement.open")
    assert page.get_by_role("rowheader", name="slim > rm2").is_visible()


def test_long_tables_are_folded_until_they_are_asked_for_or_printed(visit):
    page = visit("forty")
    assert len(names(page)) == 15
    page.locator("#systems button", has_text="Show all 40 rows").press("Enter")
    assert len(names(page)) == 40
    page = visit("forty")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(names(page)) == 40


def test_without_javascript_everything_is_there(chromium, tmp_path):
    found = VARIANTS["forty"]()
    path = tmp_path / "page.html"
    path.write_text(advice_page.page(found), encoding="utf-8")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator("#ranking tbody tr:visible").count() == 40
    assert page.locator("#criteria tbody tr:visible").count() == len(found["measures"])
    assert page.locator("nav").get_by_role("link", name="Measures").is_visible()
    shown = " ".join(page.locator(".advice").inner_text().split())
    for part in words.passages(found, advice_page.LONGEST, advice_page.LISTED):
        assert " ".join(part.text.replace(": --pairs", "").split()) in shown
    page.locator("#evidence summary").first.click()
    assert page.locator("#evidence details[open]").count() == 1
    context.close()


@pytest.mark.parametrize("ground", ["#ffffff", "#111111"])
def test_a_notebook_shows_the_card_in_its_own_colours(opened, tmp_path, ground):
    text = "#000000" if ground == "#ffffff" else "#dddddd"
    path = tmp_path / "cell.html"
    cell = advice_page.notebook(VARIANTS["example"]())
    body = f'<body style="background: {ground}; color: {text}"><h4 id="own">Own</h4>{cell}</body>'
    path.write_text(f"<!doctype html><meta charset='utf-8'>{body}", encoding="utf-8")
    page = opened(900, "light")
    page.goto(path.as_uri())
    shoot(page, f"notebook-{ground[1:]}")
    assert min(page.evaluate(CONTRAST, ".advice .what, .advice .says p")) > 12
    assert page.locator("#own").evaluate("e => getComputedStyle(e).display") == "block"
    assert page.evaluate("document.documentElement.scrollWidth") <= 900
