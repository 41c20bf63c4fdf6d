"""The report in a real browser, headless: `python -m pytest -n 0 tests/browser/check_report.py`.

It needs playwright and a Chromium (`CHROMIUM`, or /usr/bin/chromium), and a page: `REPORT`, or
results/report.html of this folder. Screenshots go to the folder `SCREENSHOTS`, if it is given.
No paper is about the demo's data, so the claims are those of the unit tests' page.
"""

import io
import json
import os
import re
from pathlib import Path

import pandas as pd
import pytest
from matplotlib import image as plt_image
from unit.report.test_report import written

from rankassay.report.templating import unpacked

ROOT = Path(__file__).parents[2]
REPORT = Path(os.environ.get("REPORT", ROOT / "results/report.html")).resolve()
SCREENSHOTS = os.environ.get("SCREENSHOTS")
WIDTHS = {1920: "light", 1280: "dark", 1024: "light", 400: "dark"}  # and the scheme of each
FOLDED = {1920: 160, 1280: 160, 1024: 160, 400: 230}  # pixels of a study, however many there are
# Of all else, for each dataset: its card opens with the order of its runs, here of 21.
OTHERS = {1920: 3450, 1280: 3450, 1024: 4050, 400: 5800}
OFFLINE = ("file:", "data:", "blob:", "about:")
# The titles of axes that do not fit in their plot.
CUT = """[...document.querySelectorAll(".plot")].flatMap((plot) => {
    const box = plot.getBoundingClientRect();
    const isCut = (r) => r.left < box.left - 1 || r.right > box.right + 1;
    return [...plot.querySelectorAll(".xtitle")]
        .filter((title) => isCut(title.getBoundingClientRect())).map((title) => title.textContent);
})"""


@pytest.fixture
def visit(opened):
    """Return a function that opens the report."""
    assert REPORT.is_file(), f"no page at {REPORT}; make one, or name it in REPORT"

    def open_page(width=1280, scheme="light", fragment=""):
        page = opened(width, scheme)
        page.goto(REPORT.as_uri() + fragment)
        when(page, "ready")
        return page

    return open_page


@pytest.fixture
def page(visit):
    return visit()


@pytest.fixture
def claimed(opened, tmp_path):
    """Return a function that opens a page with claims."""
    path = tmp_path / "report.html"
    path.write_text(written(), encoding="utf-8")

    def open_page(fragment=""):
        page = opened(1280, "light")
        page.goto(path.as_uri() + fragment)
        when(page, "ready")
        return page

    return open_page


def when(page, mark):
    """Wait until the page has said that it is so far; return when, in ms since it was asked for."""
    # The page's policy forbids what playwright's own way of waiting for an expression does.
    return page.evaluate(
        """mark => new Promise((done, fail) => {
            const look = (times) => {
                const [found] = performance.getEntriesByName(mark);
                if (found) done(found.startTime);
                else if (times === 0) fail(new Error(`the page is not ${mark}`));
                else setTimeout(look, 20, times - 1);
            };
            look(3000);
        })""",
        mark,
    )


def unfold(page):
    """Open all that is folded in the page."""
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")


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


@pytest.mark.parametrize(("width", "scheme"), [*WIDTHS.items()])
def test_it_loads_and_draws_without_a_complaint_or_a_request(visit, width, scheme):
    page = visit(width, scheme)
    studies = page.locator("main > section:has(> details.study)").all()
    folded = [study.bounding_box()["height"] for study in studies]
    assert len(folded) == 1 or max(folded) < FOLDED[width]
    others = page.evaluate("document.documentElement.scrollHeight") - sum(folded)
    assert others < OTHERS[width] * page.locator("section.dataset").count()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    unfold(page)
    charts = page.locator("article.chart").all()
    assert len(charts) == len(json.loads(page.locator("#charts").text_content())) > 0
    assert all(drawn(chart) for chart in charts)
    assert page.evaluate(CUT) == []
    assert page.said == []
    assert all(url.startswith(OFFLINE) for url in page.asked)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    for i, section in enumerate(page.locator("main > section").all() if SCREENSHOTS else ()):
        section.evaluate("section => section.scrollIntoView()")
        page.wait_for_timeout(100)
        shoot(page, f"{scheme}-{width}-{i}-{section.get_attribute('id')}")


def test_a_study_is_folded_until_it_is_asked_for(visit):
    page = visit(1280)
    study = page.locator("main > section:has(> details.study)").last
    name = study.get_attribute("id")
    assert not study.locator("details.study").evaluate("e => e.open")
    page.locator(f"nav a[href='#{name}']").click()
    study.locator("article, .gallery, .item").first.wait_for(timeout=5000)
    assert study.locator("details.study").evaluate("e => e.open")
    within = page.locator("nav .within > a").last
    assert within.inner_text() == study.locator("h2").inner_text()
    page = visit(1280, fragment=f"#{name}-tables")  # a part of a study that is folded
    assert page.locator(f"#{name} > details.study").evaluate("e => e.open")


def test_it_answers_the_reader_before_it_draws(visit):
    page = visit(1280)
    page.locator("article.chart").first.scroll_into_view_if_needed()  # below the card
    known = "performance.getEntriesByType('navigation')[0].loadEventEnd"
    times = {"loaded": page.evaluate(known)}
    times |= {mark: when(page, mark) for mark in ("ready", "first-panel", "drawn", "printable")}
    rounded = {mark: round(time) for mark, time in times.items()}
    print(f"\n{REPORT.stat().st_size} bytes; milliseconds since the page was asked for: {rounded}")
    # How long that takes (benchmarks/README.md) depends on what else the machine does.
    assert times["loaded"] > 0, rounded
    assert 0 < times["ready"] < min(times["first-panel"], times["printable"]), rounded
    assert times["first-panel"] < times["drawn"], rounded


def test_what_was_not_looked_at_is_ready_for_the_printer(visit):
    page = visit(1280)
    when(page, "printable")
    images = page.locator("main img")
    held = "e.src.startsWith('blob:') || e.closest('.slopes') !== null"
    known = f"e => [e.complete, e.naturalWidth > 0, {held}]"
    assert images.count() > 0
    assert all(image.evaluate(known) == [True] * 3 for image in images.all())
    assert len(page.pdf()) > 10_000  # which unfolds and draws all
    assert page.locator("article.chart .plot:not(:has(.main-svg))").count() == 0
    assert page.said == []


def test_without_javascript_the_page_says_where_figures_are(chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(REPORT.as_uri())
    said = page.locator("noscript").text_content()
    assert "files in the folder figures/" in " ".join(re.sub("<.*?>", "", said).split())
    assert page.locator("#overview .advice").first.is_visible()
    assert not page.locator("#old").is_visible()
    context.close()


def test_a_browser_that_cannot_unpack_says_so(opened):
    page = opened(1280, "light")
    page.add_init_script("delete window.DecompressionStream")
    page.goto(REPORT.as_uri())
    assert "cannot unpack" in page.locator("#old:visible").inner_text()


def test_on_paper_all_is_unfolded_and_charts_are_as_wide_as_their_place(visit):
    page = visit(1280)
    when(page, "printable")
    # At once, as a browser prints what is there when all listeners have been told.
    widths = page.evaluate("""() => {
        dispatchEvent(new Event("beforeprint"));
        const plots = [...document.querySelectorAll("article.chart .plot")];
        return plots.map((plot) => [plot.clientWidth, plot.querySelector(".main-svg").clientWidth]);
    }""")
    assert page.locator("details.study:not([open])").count() == 0
    assert widths
    assert all(abs(place - chart) < 2 for place, chart in widths), widths


def test_every_image_has_a_size_and_is_shown(page):
    unfold(page)
    # Within the page, as to ask for each of them from here takes a second.
    images = page.evaluate("""async () => {
        const found = [];
        for (const image of document.querySelectorAll("main img")) {
            image.scrollIntoView();  // after which it gets its source
            for (let times = 0; !image.src && times < 500; times++) {
                await new Promise((done) => setTimeout(done, 10));
            }
            await image.decode();  // which fails without one
            const box = image.getBoundingClientRect();
            const given = ["width", "height", "alt"].map((name) => image.getAttribute(name));
            found.push([given, image.naturalWidth, box.width, box.height]);
        }
        return found;
    }""")
    assert images
    for (width, height, words), pixels, *box in images:
        assert min(int(width), int(height), pixels) > 0
        assert words
        assert min(box) > 40


def test_the_navigation_leads_to_each_section(page):
    links = page.locator("nav li a")
    assert links.count() >= 3
    for link in links.all():
        link.evaluate("link => link.click()")  # of a part, which is shown once it is come to
        link.and_(page.locator("[aria-current]")).wait_for(timeout=5000)
        assert link.is_visible()
        place = page.locator(link.get_attribute("href"))
        at_end = page.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
        assert abs(place.bounding_box()["y"]) < 120 or at_end
    assert page.url.endswith("#run")


def test_the_navigation_follows_the_reader_also_on_a_phone(visit):
    page = visit(400)
    opener, places = page.locator("#contents"), page.locator("#sections")
    assert opener.inner_text().startswith("Overview")
    assert not places.is_visible()
    unfold(page)  # studies that are folded may all stand at the end of the page
    second = page.locator("main > section").nth(1)
    second.evaluate("section => section.scrollIntoView()")
    name = second.locator("h2").inner_text()
    within = places.locator(":scope > .within > a", has_text=name)
    within.wait_for(state="attached", timeout=5000)
    opener.evaluate("button => button.click()")  # a click of playwright's scrolls to what is sticky
    within.wait_for(timeout=5000)
    assert places.locator("[aria-current]").inner_text() == opener.inner_text().strip(" ▾")
    shoot(page, "contents-400")
    places.get_by_text("How it was run").click()
    opener.filter(has_text="How it was run").wait_for(timeout=5000)
    assert not places.is_visible()


def test_a_link_opens_what_it_leads_to(visit, page):
    name = page.locator("details.figure").first.get_attribute("id")
    again = visit(fragment=f"#{name}")
    again.wait_for_timeout(200)
    figure = again.locator(f"#{name}")
    assert figure.locator(".caption").is_visible()
    assert figure.locator("img").bounding_box()["width"] > 400
    assert 0 <= figure.bounding_box()["y"] < 120
    shoot(again, "figure-open")


def test_figures_are_dark_in_the_dark(visit):
    page = visit(scheme="dark")
    unfold(page)
    picture = page.locator("details.figure .paper").first
    picture.evaluate("e => e.scrollIntoView({block: 'center'})")
    page.wait_for_timeout(300)
    shown = pd.Series(image_of(picture.screenshot()).reshape(-1, 3).mean(axis=1))
    assert shown.median() < 60  # of 255, the ground
    assert shown.max() > 150  # lines and letters


def image_of(png):
    """Return the pixels of a picture, without what is transparent."""
    return (255 * plt_image.imread(io.BytesIO(png))[..., :3]).round()


def rows(page):
    """Return the texts of the claims that are shown, cell by cell."""
    return page.locator("#verdicts tbody").evaluate(
        "body => [...body.rows].filter(row => row.checkVisibility())"
        ".map(row => [...row.cells].map(cell => cell.innerText))"
    )


def test_claims_are_filtered_and_the_address_keeps_it(claimed):
    page = claimed()
    total = page.locator("#verdicts tbody tr").count()
    assert re.match(rf"{total} of {total} rows", page.locator("#found").inner_text())
    assert len(rows(page)) == min(total, 12)
    page.locator("input[name=verdict][value=holds]").focus()
    page.keyboard.press("Space")  # without a mouse
    study = page.locator("select[name=study] option").nth(1).get_attribute("value")
    page.locator("select[name=study]").select_option(study)
    expected = page.locator(f'#verdicts tr[data-verdict="holds"][data-study="{study}"]').count()
    assert page.locator("#found").inner_text().startswith(f"{expected} of {total} rows")
    if page.locator("#more").is_visible():
        page.locator("#more").click()
    assert len(rows(page)) == expected
    assert all("✓ holds" in row[6] and row[1] == study for row in rows(page))
    assert f"#claims&verdict=holds&study={study}" in page.url
    again = claimed(fragment=page.url[page.url.index("#") :])
    assert again.locator("#found").inner_text().startswith(f"{expected} of {total} rows")
    again.get_by_role("button", name="Show all", exact=True).click()
    again.wait_for_timeout(100)
    assert again.locator("#found").inner_text().startswith(f"{total} of {total} rows")
    again.locator("input[name=words]").fill("no such words")
    assert rows(again) == []
    assert again.locator("#found").inner_text().startswith("0 of")
    shoot(again, "claims-none")


def test_claims_are_sorted_by_a_column(claimed):
    page = claimed()
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
        assert len(found) > 2
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
    told = chart.locator(".told:visible")
    told.wait_for(timeout=3000)
    words = told.inner_text()
    shown = chart.locator(".metrics button[aria-pressed=true]")
    assert len(re.findall(r"\d\.\d{2,4}", words)) >= shown.count()
    (top, height), covered = (told.bounding_box()[k] for k in ("y", "height")), box
    assert top >= covered["y"] + covered["height"] or top + height <= covered["y"]
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
    chosen, options = choice.input_value(), choice.locator("option")
    others = [option.get_attribute("value") for option in options.all()]
    choice.select_option(next(option for option in others if option != chosen))
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
    unfold(page)
    figure = page.locator(".study > .gallery > details.figure").first
    details = figure.locator("details.data").first
    details.evaluate("details => { details.open = false; }")
    details.locator("summary").click()
    table = details.locator("table")
    table.wait_for(timeout=3000)
    assert table.locator("tbody tr").count() > 0
    path = details.locator("code").inner_text()
    with page.expect_download() as download:
        details.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == path.removeprefix("results/").replace("/", "-")
    taken = Path(download.value.path()).read_text(encoding="utf-8")
    held = json.loads(unpacked(page.locator("#tables").text_content()))
    assert taken == next(table["text"] for table in held.values() if table["path"] == path)
    shoot(page, "data")
