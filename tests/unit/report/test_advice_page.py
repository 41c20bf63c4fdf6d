"""Advice as a page, a card and a cell of a notebook: whole, harmless, in words of the screen."""

import html
import itertools
import re
import subprocess
import sys
from dataclasses import astuple

import numpy as np
import pytest
from advice_made_up import MEASURES, NAMES, cannot, example, recommendation, reference
from markupsafe import escape
from unit.report.test_report import HOSTILE, Page

from rankassay.advice import advise, words
from rankassay.advice.words_evidence import numbers, shown
from rankassay.api.judge import judge
from rankassay.report import advice_page, advice_tables

pytestmark = pytest.mark.slow

LONG = [
    f"experiment-2024-with-a-long-name/seed={i}/variant_{i % 3}/{HOSTILE[:9]}" for i in range(40)
]
VALUES = re.compile(r"tau_|outcomes|truth_|alike|reversed")


def advised(**changes):
    """Return the example with what to do next."""
    found = example(**changes)
    return found | {"next": advise.steps(found)}


def by_two_yardsticks():
    """Return advice on liked items, and none on new ones, with a truth that excludes a measure."""
    rows = [
        row
        | {"truth_liked": 0.6 - 0.04 * i, "truth_liked_low": 0.4 - 0.04 * i}
        | {"truth_liked_high": 0.8 - 0.04 * i, "truth_new": -0.3, "truth_new_low": -0.7}
        | {"truth_new_high": 0.1, "excluded": "liked, outcomes" if i > 5 else None}
        for i, row in enumerate(MEASURES)
    ]
    avoid = {"measure": "P@10", "by": "liked", "tau": 0.36, "best": 0.6, "best_low": 0.4}
    avoid |= {"best_high": 0.8, "best_measure": MEASURES[0]["measure"]}
    liked = recommendation(yardstick="liked", avoid=[avoid])
    both = [liked, cannot("no-agreement", yardstick="new")]
    return advised(recommendation=both, measures=rows)


def unknown():
    """Return advice in which every number that can be missing is."""
    found = example(data={"synthetic": True, "dataset": "Made up"})
    rows = [
        {key: None if VALUES.match(key) else value for key, value in row.items()}
        for row in found["measures"]
    ]
    none = dict.fromkeys(["difference", "low", "high", "p", "gamma", "stands_to"])
    none |= dict.fromkeys(["conventional_difference", "conventional_p"])
    no = {"written": False, "significant": False, "signs": {}}
    pairs = [own | none | no for own in found["pairs"]]
    empty = ["mean", "low", "high", "place", "conventional", "conventional_place", "liked"]
    systems = [own | dict.fromkeys(empty) | {"beats": []} for own in found["systems"]]
    advice = [cannot("no-relevant")]
    parts = {"measures": rows, "pairs": pairs, "systems": systems, "recommendation": advice}
    nothing = {"trust": [], "notes": [], "simulated": {}, "because": {}}
    return found | parts | nothing | {"checks": {"warnings": []}}


def few():
    """Return advice on three runs, of which nothing can be told."""
    found = advised(names=NAMES[:3], recommendation=[cannot("few-informative")])
    for own in found["pairs"]:
        own |= {"written": False, "signs": {}}
    return found


VARIANTS = {
    "example": advised,
    "two": lambda: advised(names=NAMES[:2]),
    "forty": lambda: advised(names=LONG),
    "few": few,
    "yardsticks": by_two_yardsticks,
    "unknown": unknown,
    "hostile": lambda: advised(names=[HOSTILE, *NAMES], data={"dataset": HOSTILE}, notes=[HOSTILE]),
}


@pytest.fixture(scope="module", params=VARIANTS)
def found(request):
    return VARIANTS[request.param]()


@pytest.fixture(scope="module")
def page(found):
    return advice_page.page(found)


def test_the_page_is_whole_small_and_fetches_nothing(page):
    parsed = Page(page)  # which asserts that elements are nested
    assert len(page.encode()) < 2_000_000
    [(policy, _)] = parsed.all("meta", **{"http-equiv": "Content-Security-Policy"})
    assert policy["content"].startswith("default-src 'none'; img-src data: blob:;")
    for tag, attributes in parsed.elements:
        for name in ("src", "href", "action", "srcset"):
            assert attributes.get(name, "#").startswith(("#", "data:")), (tag, attributes)
    assert "@import" not in page
    assert "url(" not in page


def test_links_lead_somewhere_ids_are_unique_and_headings_come_in_order(page):
    parsed = Page(page)
    ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all(link["href"].lstrip("#") in ids for link, _ in parsed.all("a"))
    levels = [int(tag[1]) for tag, _ in parsed.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_all_that_the_card_says_is_what_the_screen_says(found, page):
    """But for the runs, which have a table on the page, and an option of the command."""
    card = advice_page.card(found)
    parts = words.passages(found, advice_page.LONGEST, advice_page.LISTED)
    parts = [own for own in parts if own.kind != "runs"]
    said = [text for own in parts for text in (own.head, own.text, *own.sentences)]
    said += [text for own in parts for entry in own.entries for text in astuple(entry)]
    said = [text.replace(": --pairs", "") for text in said if text]
    assert len(said) > 2
    assert all(str(escape(text)) in card for text in said)
    left = html.unescape(re.sub(r"<[^>]*>", " ", str(card)))
    left = re.sub("Grey bars: .*", "", left)  # what the figure's bars mean
    for text in sorted(said, key=len, reverse=True):
        left = left.replace(text, "", 1)
    assert left.split() == []
    assert str(advice_page.card(found, advice_page.PAGE_LEVEL)) in page


def test_names_of_others_stay_text():
    page = advice_page.page(VARIANTS["hostile"]())
    parsed = Page(page)
    assert len(parsed.all("script")) == 1
    assert HOSTILE not in page
    [(_, title)] = parsed.all("title")
    assert title.startswith(HOSTILE)
    assert any(HOSTILE in text for _, text in parsed.all("th", scope="row"))


def test_the_same_advice_makes_the_same_page(found, page):
    assert advice_page.page(found) == page
    assert advice_page.notebook(found) == advice_page.notebook(found)


def test_synthetic_data_are_called_so():
    assert "Synthetic data" in advice_page.card(VARIANTS["unknown"]())
    assert "Synthetic data" not in advice_page.card(VARIANTS["example"]())


def test_a_notebook_gets_styles_that_touch_nothing_else():
    cell = advice_page.notebook(VARIANTS["example"]())
    style = re.search(r"<style>(.*?)</style>", cell, re.DOTALL)[1]
    plain = re.sub(r"/\*.*?\*/|@media[^{]*\{", "", style, flags=re.DOTALL)
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", plain)
    assert len(selectors) > 15
    for selector in selectors:
        assert all(one.strip().startswith(".advice") for one in selector.split(",")), selector


def test_the_table_of_runs_says_whom_each_one_beats(found):
    table = advice_tables.systems(found)
    number = numbers(found)
    assert [row.name for row in table.rows] == [own["system"] for own in found["systems"]]
    heads = [column.head for column in table.columns]
    assert heads[-3:] == ["Found", "Liked", "You may write it beats"]
    for row, own in zip(table.rows, found["systems"], strict=True):
        text = row.cells[-1].text
        if len(number) <= advice_tables.FEW:
            assert text == (", ".join(own["beats"]) or "none")
        else:
            expanded = set()
            for part in text.removeprefix("none").split(", ") if own["beats"] else ():
                first, _, last = part.partition("–")
                expanded |= set(range(int(first), int(last or first) + 1))
            assert expanded == {number[name] for name in own["beats"]}
        assert row.cells[0].text == shown(own["mean"], 3)


def test_tags_say_what_the_recommendation_says():
    found = VARIANTS["yardsticks"]()
    said = {row.name: [tag.text for tag in row.tags] for row in advice_tables.measures(found).rows}
    assert said["CDCG@50 by 1/√popularity"] == ["report for liked items"]
    assert said["nDCG@10 (binary)"] == ["conventional"]
    assert said["P@50 of judged items"] == ["for writing"]
    assert said["Recall@100"] == []
    assert said["P@10"] == [
        *("avoid for liked items", "excluded by your truth of liked items and your outcomes"),
    ]
    none = advice_tables.measures(VARIANTS["unknown"]())
    assert [column.head for column in none.columns] == ["Measure"]


def test_long_tables_are_cut_and_say_so():
    found = VARIANTS["forty"]()
    table = advice_tables.pairs(found)
    assert len(table.rows) == advice_tables.MOST["pairs"] < table.total == 40 * 39 // 2
    assert f"The first {len(table.rows)} of {table.total} rows" in advice_page.page(found)


def test_dots_stand_where_their_values_are():
    on = advice_tables.scale([0.2, 0.6, None])
    ends = [on.place(0.2), on.place(0.6)]
    assert ends == [advice_tables.EDGE, advice_tables.WIDTH - advice_tables.EDGE]
    assert on.place(0.4) == pytest.approx(50)
    plot = advice_tables.dot(on, 0.4, (0.3, 0.6), rule=0.2)
    places = {name: float(x) for name, x in re.findall(r'(c?x\d?)="([\d.]+)" (?:x2|cy|y1)', plot)}
    assert places["cx"] == 50
    assert plot.count("<line") == 2
    assert advice_tables.dot(on, None) == ""


def test_nothing_known_and_one_value_have_a_scale():
    assert advice_tables.scale([None]).place(0.5) == pytest.approx(50)
    assert advice_tables.scale([0.3]).place(0.3) == pytest.approx(50)


def test_reference_systems_are_named_as_such():
    found = example()
    found["systems"].append(reference("EASE, 50"))
    rows = advice_tables.systems(found).rows
    assert [[tag.text for tag in row.tags] for row in rows] == [[]] * 6 + [["reference system"]]
    assert "reference system" in advice_page.page(found)


def test_the_figure_opens_the_page_and_the_report_and_no_cell_of_a_notebook(found, page):
    drawn = len(found["systems"]) > 1 and found["systems"][1]["mean"] is not None
    [*images] = Page(page).all("img")
    assert len(images) == drawn
    if drawn:
        [(own, _)] = images
        assert own["src"].startswith("data:image/svg+xml;base64,")
        assert "joined to that of " in own["alt"]
        assert page.index("<img") < page.index('class="part ')
    assert ("<img" in advice_page.card(found)) == drawn
    assert "<img" not in advice_page.notebook(found)


def test_what_simulations_say_is_on_the_page():
    found = VARIANTS["example"]()
    table = advice_tables.simulated(found)
    assert [row.name for row in table.rows][:2] == ["mixed, P@10", "mixed, nDCG@10"]
    cells = [(cell.text, cell.small) for cell in table.rows[0].cells]
    assert cells == [(".73", ".63 to .83"), (".68", ""), (".50", ".40 to .60"), (".45", "")]
    rows = {
        row.name: [cell.text for cell in row.cells] for row in advice_tables.writing(found).rows
    }
    assert rows["personalised, written"] == ["31%", "1.2%", "3%"]
    assert rows["baseline, by the conventional measure"] == ["70%", "18%", "30%"]
    page = advice_page.page(found)
    assert "greatest t over Random" in page
    assert "greatest t over Random" not in advice_page.page(VARIANTS["unknown"]())


def test_pairs_have_why_one_may_not_write_them():
    found = example(names=["a: b", "c"], stands=lambda better, worse: False)
    [row] = advice_tables.pairs(found).rows
    assert row.name == "a: b > c"
    assert row.cells[-1].text == "not significant"
    found["pairs"][0]["identical"] = True
    [row] = advice_tables.pairs(found).rows
    assert row.cells[-1].text == "the same hits"
    assert [tag.text for tag in row.tags] == ["the same judged items"]


def test_without_what_makes_the_page_one_line_says_so():
    script = """if True:
        import sys
        sys.modules |= dict.fromkeys(["jinja2", "markupsafe", "matplotlib"])
        from rankassay.errors import RankassayError
        from rankassay.lookup import load
        try:
            load("rankassay.report.advice_page:page")
        except RankassayError as error:
            print(error)
    """
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert re.fullmatch(
        r"expected the package \w+, found none; .*pip install '\.\[report\]'\n", said.stdout
    )


def test_a_real_answer_has_all_that_the_page_shows():
    rng = np.random.default_rng(1)
    users, items = [f"u{n}" for n in range(30)], [f"i{n}" for n in range(20)]
    qrels = {user: dict(zip(items, rng.integers(1, 6, 20).tolist(), strict=True)) for user in users}
    runs = {
        name: {user: rng.permutation(items)[:10].tolist() for user in users}
        for name in ("a<b", "b&c")
    }
    found = judge(qrels, runs, metrics=["P@5", "nDCG@10"]).to_dict()
    page = Page(advice_page.page(found))
    names = [text for _, text in page.all("th", scope="row")]
    assert {"P@5", "nDCG@10"} <= {re.sub(" .*", "", name) for name in names}
    assert any(re.fullmatch("(a<b > b&c|b&c > a<b)( .*)?", name) for name in names)
    assert sum("τ" in text for _, text in page.all("small")) > 0
