"""The report in a real browser, headless: `python -m pytest -n 0 tests/browser/check_report.py`.

It needs playwright and a Chromium (`CHROMIUM`, or /usr/bin/chromium), and a page: `REPORT`, or
results/report.html of this folder. Screenshots go to the folder `SCREENSHOTS`, if it is given.
"""

import json
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REPORT = Path(os.environ.get("REPORT", ROOT / "results/report.html")).resolve()
SCREENSHOTS = os.environ.get("SCREENSHOTS")
WIDTHS = (1280, 400)
SCHEMES = ("light", "dark")
OFFLINE = ("file:", "data:", "blob:", "about:")


@pytest.fixture(scope="module")
def visit(opened):
    """Return a function that opens the report."""
    assert REPORT.is_file(), f"no page at {REPORT}; make one, or name it in REPORT"

    def open_page(width=1280, scheme="light", fragment=""):
        page = opened(width, scheme)
        page.goto(REPORT.as_uri() + fragment)
        return page

    return open_page


@pytest.fixture(scope="module")
def page(visit):
    return visit()


def drawn(chart):
    """Bring a chart in sight, which draws it; return its plots."""
    chart.scroll_into_view_if_needed()
    plots = chart.locator(".plot").all()
    for plot in plots:
        plot.locator(".main-svg").first.wait_for(state="attached", timeout=10_000)
    return plots


def shoot(page, name):
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_it_loads_and_draws_without_a_complaint_or_a_request(visit, width, scheme):
    page = visit(width, scheme)
    charts = page.locator("article.chart").all()
    assert len(charts) == len(json.loads(page.locator("#charts").text_content())) > 0
    assert all(drawn(chart) for chart in charts)
    assert page.said == []
    assert all(url.startswith(OFFLINE) for url in page.asked)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    for i, section in enumerate(page.locator("main > section").all()):
        section.evaluate("section => section.scrollIntoView()")
        page.wait_for_timeout(100)
        shoot(page, f"{scheme}-{width}-{i}-{section.get_attribute('id')}")


def test_every_image_has_a_size_and_is_shown(page):
    images = page.locator("main img")
    assert images.count() > 0
    for image in images.all():
        image.scroll_into_view_if_needed()
        assert image.evaluate("e => e.decode().then(() => e.naturalWidth)") > 0
        box = image.bounding_box()
        assert min(box["width"], box["height"]) > 40
        assert int(image.get_attribute("width")) > 0
        assert int(image.get_attribute("height")) > 0
        assert image.get_attribute("alt")


def test_the_navigation_leads_to_each_section(page):
    links = page.locator("nav li a")
    assert links.count() >= 3
    for link in links.all():
        link.click()
        page.wait_for_timeout(100)
        place = page.locator(link.get_attribute("href"))
        at_end = page.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
        assert abs(place.bounding_box()["y"]) < 120 or at_end
    assert page.url.endswith("#run")


def rows(page):
    """Return the texts of the claims that are shown, cell by cell."""
    return page.locator("#verdicts tbody").evaluate(
        "body => [...body.rows].filter(row => row.checkVisibility())"
        ".map(row => [...row.cells].map(cell => cell.innerText))"
    )


def test_claims_are_filtered_and_the_address_keeps_it(visit):
    page = visit()
    total = page.locator("#verdicts tbody tr").count()
    assert re.match(rf"{total} of {total} rows", page.locator("#found").inner_text())
    assert len(rows(page)) == min(total, 40)
    page.locator("input[name=verdict][value=reproduced]").focus()
    page.keyboard.press("Space")  # without a mouse
    study = page.locator("select[name=study] option").nth(1).get_attribute("value")
    page.locator("select[name=study]").select_option(study)
    expected = page.locator(
        f'#verdicts tr[data-verdict="reproduced"][data-study="{study}"]'
    ).count()
    assert page.locator("#found").inner_text().startswith(f"{expected} of {total} rows")
    if page.locator("#more").is_visible():
        page.locator("#more").click()
    assert len(rows(page)) == expected
    assert all("reproduced" in row[6] and row[1] == study for row in rows(page))
    assert f"#claims&verdict=reproduced&study={study}" in page.url
    again = visit(fragment=page.url[page.url.index("#") :])
    assert again.locator("#found").inner_text().startswith(f"{expected} of {total} rows")
    again.get_by_role("button", name="Show all", exact=True).click()
    again.wait_for_timeout(100)
    assert again.locator("#found").inner_text().startswith(f"{total} of {total} rows")
    again.locator("input[name=words]").fill("no such words")
    assert rows(again) == []
    assert again.locator("#found").inner_text().startswith("0 of")
    shoot(again, "claims-none")


def test_claims_are_sorted_by_a_column(visit):
    page = visit()
    if page.locator("#more").is_visible():
        page.locator("#more").click()
    before = [row[0] for row in rows(page)]
    head = page.locator("#verdicts th").nth(4)
    values = (
        "r => [...document.querySelectorAll('#verdicts tbody tr')].map(e => e.dataset.measured)"
    )
    for direction in ("ascending", "descending"):
        head.locator("button").press("Enter")
        assert head.get_attribute("aria-sort") == direction
        found = [float(value) for value in page.evaluate(values) if value != "nan"]
        assert len(found) > 3
        assert found == sorted(found, reverse=direction == "descending")
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") is None
    page.wait_for_timeout(100)
    if page.locator("#more").is_visible():
        page.locator("#more").click()
    assert [row[0] for row in rows(page)] == before


def test_hovering_shows_a_number(page):
    chart = page.locator("article.chart").first
    panel, _, _, lines, *_ = drawn(chart)
    point = panel.locator(".points path").last.bounding_box()
    page.mouse.move(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2, steps=4)
    label = panel.locator(".hoverlayer .hovertext")
    label.first.wait_for(timeout=3000)
    assert re.search(r"@\d+: −?-?\d+\.\d+", label.first.text_content())
    shoot(page, "hover-dots")
    lines.scroll_into_view_if_needed()
    box = lines.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2, steps=4)
    lines.locator(".hoverlayer text").first.wait_for(timeout=3000)
    words = lines.locator(".hoverlayer").text_content()
    shown = chart.locator(".metrics button[aria-pressed=true]")
    assert len(re.findall(r"\d\.\d{2,4}", words)) >= shown.count()
    shoot(page, "hover-lines")


def test_a_metric_is_toggled_from_the_keyboard(page):
    chart = page.locator("article.chart").first
    lines = drawn(chart)[3]
    button = chart.locator(".metrics button").first
    traces = "plot => plot.data.length"
    before = lines.evaluate(traces)
    button.press("Enter")
    assert button.get_attribute("aria-pressed") == "false"
    assert lines.evaluate(traces) == before - 1
    shoot(page, "toggled")
    chart.get_by_role("button", name="all or none").click()
    assert lines.evaluate(traces) == before


def test_a_control_changes_the_chart(page):
    chart = page.locator("article.chart").first
    choice, plot = chart.get_by_label("Cut-off"), drawn(chart)[0]
    values = "plot => plot.data.filter(t => t.error_x).map(t => t.x[0])"
    before = plot.evaluate(values)
    first = choice.locator("option").first.get_attribute("value")
    choice.select_option(first)
    assert plot.evaluate(values) != before


def test_the_colours_change_with_the_scheme(visit):
    page = visit(scheme="light")
    plot = drawn(page.locator("article.chart").first)[0]
    colours = "plot => [plot.layout.font.color, ...plot.data.map(trace => trace.marker.color)]"
    light = plot.evaluate(colours)
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(300)
    assert plot.evaluate(colours) != light


def test_data_is_one_click_away_and_can_be_taken(page):
    article = page.locator("article", has=page.locator("figure")).first
    details = article.locator("details.data").first
    details.locator("summary").click()
    table = details.locator("table")
    table.wait_for(timeout=3000)
    assert table.locator("tbody tr").count() > 0
    path = details.locator("code").inner_text()
    with page.expect_download() as download:
        details.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == path.removeprefix("results/").replace("/", "-")
    taken = Path(download.value.path()).read_text(encoding="utf-8")
    held = json.loads(page.locator("#tables").text_content())
    assert taken == next(table["text"] for table in held.values() if table["path"] == path)
    shoot(page, "data")
