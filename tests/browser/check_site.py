"""The site in a real browser, headless: `python -m pytest -n 0 tests/browser/check_site.py`.

It needs playwright and a Chromium (`CHROMIUM`, or /usr/bin/chromium), and the built site: `SITE`,
or docs/_build/html of this folder. Screenshots go to the folder `SCREENSHOTS`, if it is given.
"""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SITE = Path(os.environ.get("SITE", ROOT / "docs/_build/html")).resolve()
SCREENSHOTS = os.environ.get("SCREENSHOTS")
OFFLINE = ("file:", "data:", "blob:", "about:")


@pytest.fixture
def visit(opened):
    """Return a function that opens an empty page for the site."""
    assert (SITE / "index.html").is_file(), f"no site at {SITE}; build it, or name it in SITE"

    def open_page(width=1280, scheme="light"):
        return opened(width, scheme)

    return open_page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_every_page_is_whole_offline_and_no_wider_than_the_window(visit, width, scheme):
    page = visit(width, scheme)
    names = sorted(path.relative_to(SITE) for path in SITE.rglob("*.html"))
    assert len(names) > 25
    for name in names:
        page.goto((SITE / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        broken = "[...document.images].filter(i => !(i.complete && i.naturalWidth)).map(i => i.src)"
        assert page.evaluate(broken) == [], name
        if SCREENSHOTS:
            stem = "-".join([*name.with_suffix("").parts, scheme, str(width)])
            page.screenshot(path=Path(SCREENSHOTS) / f"{stem}.png")
    assert page.said == []
    assert [url for url in page.asked if not url.startswith(OFFLINE)] == []


def test_search_finds_a_metric(visit):
    page = visit()
    page.goto((SITE / "index.html").as_uri())
    page.get_by_placeholder("Search").first.fill("bpref")
    page.keyboard.press("Enter")
    found = page.locator("#search-results li a")
    found.first.wait_for()
    assert "Metrics" in found.all_inner_texts()
    found.get_by_text("Metrics", exact=True).click()
    assert page.locator("h1").inner_text().startswith("Metrics")


def test_the_navigation_leads_to_every_page(visit):
    page = visit()
    page.goto((SITE / "index.html").as_uri())
    links = page.locator(".sidebar-tree a")
    places = {href for href in links.evaluate_all("all => all.map(a => a.href)") if href}
    reached = {Path(href.partition("#")[0].removeprefix("file://")) for href in places}
    own = {"genindex.html", "search.html", "index.html"}
    expected = {path for path in SITE.rglob("*.html") if path.name not in own}
    assert expected - reached == set()
