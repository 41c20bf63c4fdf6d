"""The report: what the page holds, that nothing in it can do harm, and that it fetches nothing."""

import base64
import functools
import html
import itertools
import json
import re
import xml.etree.ElementTree as ET
import zlib
from html.parser import HTMLParser
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from advice_made_up import example
from each import each

from rankassay.advice import words as advised
from rankassay.answers import criteria as summary
from rankassay.answers import words
from rankassay.artifacts import manifest
from rankassay.artifacts.tables import write_table
from rankassay.claims.conditions import NOT_TESTABLE, WORDS
from rankassay.claims.totals import COLUMNS, sentences
from rankassay.drawing import style
from rankassay.drawing.text import Printed, markdown
from rankassay.errors import RankassayError
from rankassay.jobs import report
from rankassay.metrics.catalogue import KNOWN
from rankassay.report import advice_page, charts, verdicts
from rankassay.report.page import html_of, render, table_of
from rankassay.report.shelf import HEAD, WHOLE, Album, Shelf
from rankassay.report.tables import UNKNOWN, by_criterion, of_jobs
from rankassay.report.templating import environment, packed, unpacked
from rankassay.statistics.replicated import Replicated
from rankassay.studies import FIGURES, TABLES
from rankassay.studies.entries import Table

pytestmark = pytest.mark.slow

HOSTILE = '</script><script>alert("1 & 2")</script><!-- \'|* `_'
METRICS = ["P", "nDCG", "infAP"]
CUTOFFS = [5, 10]
NAMES = {"one": "Data one", "two": f"Data two (synthetic) {HOSTILE}"}
SVG = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" width="90pt" height="45.2pt" viewBox="0 0 90 45.2">
 <!-- a comment -->
 <defs><path id="p" d="M 0 0
L 9 9"/></defs>
 <use href="#p" style="fill: #ff0000"/>
</svg>
"""
LIBRARY = "package_data/plotly.min.js"
VERSIONS = {"rankassay": "1", "python": "3", "platform": "Linux", "packages": {"numpy": "2.0"}}
BENCHMARK = {"s": 1.5, "max_rss": float("nan")}
VOID = {"meta", "link", "img", "input", "br"}


SPLIT = pd.DataFrame({"part": ["test"], "users": 9, "ratings_median": 4.0})


@pytest.fixture(scope="module", autouse=True)
def library_packed_once():
    """Have the library of charts, most of a page, compressed for the first page alone."""
    shared = environment().globals
    shared["packed"] = functools.cache(packed)
    yield
    shared["packed"] = packed


def measures():
    return pd.DataFrame(itertools.product(METRICS, CUTOFFS), columns=["metric", "cutoff"])


@functools.cache
def tables(seed=0):
    """Return random results of the analyses of one dataset that charts are drawn from."""
    rng = np.random.default_rng(seed)
    rows = measures()
    levels = rows.merge(pd.DataFrame({"level": [100, 50, 20]}), how="cross")
    tau = rng.uniform(0.5, 0.9, len(levels))
    levels = levels.assign(tau=tau, low=tau - 0.1, high=tau + 0.1, correlation="tau_b")
    shares = rows.merge(pd.DataFrame({"percentage": [100, 90]}), how="cross")
    shares = shares.assign(tau=rng.uniform(0, 1, len(shares)), correlation="tau_b")
    dp = rng.uniform(1, 9, len(rows))
    power = rows.assign(dp=dp, low=dp - 1, high=dp + 1, pairs=210, identical=0)
    compared = [
        Replicated(table, column, table[[column]].to_numpy() + rng.normal(size=(len(table), 40)))
        for table, column in ((levels, "tau"), (shares, "tau"), (power, "dp"))
    ]
    pairs = rows.merge(rows, on="metric", suffixes=("_a", "_b")).assign(tau=1.0)
    other = rows.merge(rows, on="cutoff", suffixes=("_a", "_b")).assign(tau=1.0)
    return {
        "robustness/sparsity": levels,
        "robustness/popularity": shares,
        "robustness/discriminative-power": power,
        "robustness/summary": summary.summary(*compared, SPLIT),
        "robustness/cutoff-correlation": pairs.assign(correlation="tau_b"),
        "robustness/metric-correlation": other.assign(correlation="tau_b"),
    }


def contents(datasets=("one", "two"), studies=("robustness",)):
    """Return what a page shows: a figure and a table of each study."""
    figures = {"robustness": "robustness/figure-6", "goals": "goals/figure-5"}
    return {
        "datasets": [
            {
                "name": name,
                "title": NAMES[name],
                "synthetic": name == "two",
                "advice": f"results/{name}/advice.json",
            }
            for name in datasets
        ],
        "titles": NAMES | {"constructed": "Constructed rankings"},
        "studies": [
            {
                "name": study,
                "cutoff": 10,
                "figures": [{"svg": f"figures/{figures[study]}.svg", "datasets": list(datasets)}],
                "tables": [f"results/tables/{study}/summary.md"],
                "answers": None,
            }
            for study in studies
        ],
        "data": {name: list(datasets) for name in tables() if studies[0] in name},
        "claims": [],
        "variants": {},
        "fidelity": [],
        "settings": {"seed": 1, "note": HOSTILE},
    }


def shelf(datasets=("one", "two")):
    """Return what reads the files of such a page."""
    return Shelf(shelved(tuple(datasets)).__getitem__)


@functools.cache
def shelved(datasets):
    """Return the files of a page, by path."""
    quoted = HOSTILE.replace('"', '""')
    names = ["a", HOSTILE]
    cells = [[("1", False), (HOSTILE, True)]]
    table = markdown(Printed(names, cells, [True, False], HOSTILE, HOSTILE))
    found = {
        f"results/{dataset}/{name}.csv": frame.to_csv(index=False, lineterminator="\n")
        for seed, dataset in enumerate(datasets)
        for name, frame in tables(seed).items()
    }
    for study, figure in (("robustness", "figure-6"), ("goals", "figure-5")):
        found |= {
            f"figures/{study}/{figure}.svg": SVG,
            f"results/tables/{study}/summary.md": table,
            f"results/tables/{study}/summary.csv": f'a,b\n1,"{quoted}"\n',
        }
        for dataset in datasets:
            found[f"results/{dataset}/goals/roc.csv"] = "x,y\n1,2\n"
    for dataset in datasets:
        found[f"results/{dataset}/advice.json"] = json.dumps(example(names=["slim", HOSTILE]))
    return found


def claims():
    """Return a row for each verdict, about two datasets of which one has no title."""
    about = ["study", "id", "where", "claim", "dataset", "published", "mean", "low", "high"]
    about += ["expected", "kind", "calibrated", "general", "reason"]
    none = (np.nan, np.nan, np.nan)
    another = ("robustness", "b", "table 2", "Another.", "one", 6040, 3, 2, 7000, "6040")
    third, plain = ("goals", "c", "table 2", "A third."), ("finding", False, "")
    first = ("robustness", "a", "section 1", f"Claim {HOSTILE}", "one", 0.5, 0.6, 0.5, 0.7)
    rows = [
        (*first, "above 0.5", "finding", False, "inconclusive", ""),
        (*another, "fact", False, np.nan, ""),
        (*third, "one", None, -0.25, -1, -0.1, "above 0", "finding", False, "does not hold", ""),
        ("goals", "d", "table 2", "A fourth.", "one", None, *none, "above 0", *plain, HOSTILE),
        ("goals", "e", "table 2", "A fifth.", "one", None, *none, "above 0", *plain, "no row"),
        (*third, "far", 1, *none, "1", *plain, ""),
    ]
    table = pd.DataFrame(rows, columns=about).assign(reproduced=WORDS, decides=True, exact=False)
    table = table.assign(measured=table["mean"], general_low=-0.5, general_high=0.75, splits=1)
    holds = pd.array([True, True, False, None, None, None], dtype="boolean")
    table = table.assign(sentence=table["id"], source="Author, 2018, table 1", holds=holds)
    return table.reindex(columns=COLUMNS).iloc[[3, 4, 5, 0, 1, 2]]


def said(table):
    """Return the sentences of claims, each of one row."""
    return sentences(table.assign(says=table["claim"], said_in="table 1"))


def written(**given):
    defaults = {"contents": contents(), "shelf": shelf(), "claims": claims()}
    defaults["sentences"] = said(given.get("claims", claims()))
    defaults |= {"times": {"score/one": BENCHMARK}, "versions": VERSIONS}
    return render(**defaults | given)


class Page(HTMLParser):
    """The elements of a page, checked to be nested, and the texts of its scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.texts.append("")
        if tag not in VOID:
            self.open.append((tag, len(self.elements) - 1))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for _, place in self.open:
            self.texts[place] += data

    def all(self, tag, **wanted):
        """Return the attributes and texts of elements."""
        return [
            (attributes, text)
            for (name, attributes), text in zip(self.elements, self.texts, strict=True)
            if name == tag and wanted.items() <= attributes.items()
        ]

    def json(self, name):
        return json.loads(self.all("script", id=name)[0][1])

    def unpacked(self, name):
        return unpacked(self.all("script", id=name)[0][1])

    @property
    def tables(self):
        return json.loads(self.unpacked("tables"))


@pytest.fixture(scope="module")
def page():
    return Page(written())


def test_it_fetches_nothing(page):
    addresses = [
        value
        for _, attributes in page.elements
        for name, value in attributes.items()
        if name in ("src", "href", "srcset", "action", "data", "poster", "background")
    ]
    assert len(addresses) > 10
    assert all(address.startswith(("#", "data:")) for address in addresses)
    (policy, _) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})[0]
    assert "default-src 'none'" in policy["content"]
    assert "http" not in policy["content"]
    own = page.all("style")[0][1] + page.all("script", type="module")[0][1]
    assert not re.search(r"https?:|url\(|@import|fetch\(|XMLHttpRequest", own)


def test_what_others_wrote_stays_text(page):
    kinds = [attributes.get("type") for attributes, _ in page.all("script")]
    assert kinds == ["application/json", *["application/octet-stream"] * 4, "module"]
    packed = page.all("script", type="application/octet-stream")
    assert [attributes["id"] for attributes, _ in packed] == [
        "tables",
        "letters",
        "picture-1",
        "plotly",
    ]
    assert all(re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", text) for _, text in packed)
    assert "alert" not in "".join(text for _, text in page.all("script", type="module"))
    assert HOSTILE in page.all("h3")[1][1]  # a title
    assert HOSTILE in page.all("pre")[0][1]  # a setting
    assert any(HOSTILE in text for _, text in page.all("td"))  # a claim, and a cell of a table
    held = [table["text"] for table in page.tables.values()]
    assert any("alert" in text for text in held)
    assert NAMES["two"] in page.json("charts")["chart-robustness-sparsity"]["tables"]


def test_links_lead_somewhere_and_ids_are_unique(page):
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"][1:] for attributes, _ in page.all("a")]
    assert len(links) > 8
    assert set(links) <= set(ids)


def test_headings_come_in_order_and_images_have_size_and_words(page):
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    images = page.all("img")
    slopes = [own for own, _ in images if own["alt"].startswith("The runs in the order of")]
    assert len(slopes) == len(contents()["datasets"])
    assert all(own["width"] and own["src"].startswith("data:image/svg+xml;") for own in slopes)
    images = [own for own in images if own[0] not in slopes]
    assert len(images) == 1
    for attributes, _ in images:
        assert (attributes["width"], attributes["height"]) == ("120", "60")
        assert attributes["alt"].startswith("Figure 6. Robustness of the metrics, at the ")
        assert page.unpacked(attributes["data-picture"]).startswith("<svg")


def test_synthetic_data_says_so(page):
    notices = [text for a, text in page.all("p") if a.get("class") == "notice"]
    assert "Data two (synthetic)" in notices[0]
    assert "Data one" not in notices[0]
    alone = Page(written(contents=contents(["one"]), shelf=shelf(["one"])))
    assert not any("ynthetic data:" in text for _, text in alone.all("strong"))


def test_all_claims_are_there_with_what_filters_and_orders_them(page):
    rows = [attributes for attributes, _ in page.all("tr") if "data-verdict" in attributes]
    tested = [verdict for verdict in WORDS if verdict != NOT_TESTABLE]
    assert [row["data-verdict"] for row in rows] == tested
    assert any(text.startswith("1 claims about data that was not") for _, text in page.all("p"))
    assert [float(row["data-measured"]) for row in rows[:3]] == [0.6, 3, -0.25]
    offered = {a["value"] for a, _ in page.all("option")} | {
        attributes["value"] for attributes, _ in page.all("input", name="verdict")
    }
    for name in ("study", "dataset", "verdict"):
        assert {row[f"data-{name}"] for row in rows} <= offered
    words = [" ".join(text.split()) for a, text in page.all("td") if a.get("data-label") == "Claim"]
    assert words[1] == "Another. Author, 2018, table 1 · b · expected 6040 · decides its sentence"
    shown = [(a, text) for a, text in page.all("span") if "verdict" in a.get("class", "")]
    assert [text.strip().partition(" ")[2] for _, text in shown] == tested
    assert len({text.strip()[0] for _, text in shown}) == len(tested)
    assert [a["class"].split()[1:] for a, _ in shown] == [
        *(["holds"], ["inconclusive"], ["does-not-hold"], ["undefined"], ["not-asked"]),
    ]
    styles = page.all("style")[0][1]
    assert all(f".verdict.{name} " in styles for name in ("holds", "inconclusive", "does-not-hold"))
    cells = [text for a, text in page.all("td") if a.get("data-label") == "Verdict"]
    assert [HOSTILE in text for text in cells] == [verdict == "undefined" for verdict in tested]
    assert "no row" in cells[-1]
    general = [" ".join(text.split()).partition("general: ")[2] for text in cells]
    assert general == ["inconclusive (−0.5 to 0.75)", "", "does not hold (−0.5 to 0.75)", "", ""]


def test_a_row_that_decides_nothing_is_a_detail():
    found = verdicts.rows(claims().assign(decides=[False] * 3 + [True] * 3), NAMES)
    kinds = {row.id: row.kind for row in found}
    assert kinds == dict.fromkeys("de", "a detail") | dict.fromkeys("abc", "decides its sentence")


def test_sentences_are_added_up_by_both_questions(page):
    titles = NAMES | {"two": "Data two"}
    table = verdicts.printed_totals(said(claims()), titles, {})
    answers = ["Holds", "Inconclusive", "Does not hold", "Undefined", "Not asked"]
    assert table.names == [
        *("Study", "Dataset", "Settings", "Sentences", "Question", "Number", *answers),
    ]
    # Studies keep their order in the file; facts, and what was not studied, add nothing up.
    found = [[text for text, _ in row] for row in table.cells]
    paper = "of a paper"
    assert found == [
        ["goals", "Data one", "–", paper, "reproduced?", "3", "0", "0", "1", "1", "1"],
        ["goals", "Data one", "–", paper, "general?", "1", "0", "0", "1", "0", "0"],
        ["robustness", "Data one", "–", paper, "reproduced?", "1", "1", "0", "0", "0", "0"],
        ["robustness", "Data one", "–", paper, "general?", "1", "0", "1", "0", "0", "0"],
    ]
    texts = [" ".join(text.split()) for _, text in page.all("td")]
    assert "reproduced?" in texts
    assert verdicts.printed_totals(said(claims())[:0], NAMES, {}).cells == []


def several():
    """Return verdicts on two sentences about a dataset, with its own and with other settings."""
    own = claims()[claims()["id"].isin(["a", "c"]) & (claims()["dataset"] == "one")]
    frames = [
        own.assign(dataset=name, calibrated=calibrated, reproduced=reproduced, general=general)
        for name, calibrated, reproduced, general in (
            ("one", True, "holds", ["holds", "inconclusive"]),
            ("tuned", False, ["holds", "does not hold"], ["inconclusive", ""]),
        )
    ]
    return pd.concat(frames, ignore_index=True).assign(study="goals")


VARIANTS = {
    "split": {"of": "one", "label": "split", "settings": "one", "split": True},
    "tuned": {"of": "one", "label": "tuned", "settings": "tuned", "split": False},
}


def texts_of(printed):
    return [[text for text, _ in row] for row in printed.cells]


def test_other_settings_come_before_the_runs_own():
    table = several()
    cells = texts_of(verdicts.printed_totals(said(table), NAMES, VARIANTS))
    assert [row[1:] for row in cells] == [
        ["Data one", "tuned", "of a paper", "reproduced?", "2", "1", "0", "1", "0", "0"],
        ["Data one", "tuned", "of a paper", "general?", "1", "0", "1", "0", "0", "0"],
        ["Data one", "calibrated", "of a paper", "reproduced?", "2", "2", "0", "0", "0", "0"],
        ["Data one", "calibrated", "of a paper", "general?", "2", "1", "1", "0", "0", "0"],
    ]
    printed = verdicts.printed_sentences(said(table), NAMES, VARIANTS)
    assert printed.names[1:3] == ["Reproduced?", "General?"]
    assert printed.names[3:] == ["Dataset", "Settings", "Rows that hold", "Where"]
    cells = texts_of(printed)
    assert [row[1:6] for row in cells] == [
        ["holds", "inconclusive", "Data one", "tuned", "1 of 1"],
        ["does not hold", "–", "Data one", "tuned", "0 of 1"],
        ["holds", "holds", "Data one", "calibrated", "1 of 1"],
        ["holds", "inconclusive", "Data one", "calibrated", "0 of 1"],
    ]
    assert (cells[1][0], cells[1][6]) == ("A third.", "table 1")
    bold = [[mark for _, mark in row] for row in printed.cells]
    assert [row[1:3] for row in bold] == [[False, False], [True, False], *[[False, False]] * 2]
    assert not any(mark for row in bold for mark in (row[0], *row[3:]))
    rows = verdicts.rows(table, NAMES)
    assert rows[0].where == "Author, 2018, table 1"


def test_sentences_of_ours_are_counted_apart():
    table = several()
    ours = pd.concat([table, table.assign(source="ours", id=table["id"] + "2", sentence="own")])
    ours = ours[~ours["id"].eq("c2")]
    cells = texts_of(verdicts.printed_totals(said(ours), NAMES, VARIANTS))
    asked = [row[3:6] for row in cells if row[4] == "reproduced?"]
    assert asked == [
        *([["of a paper", "reproduced?", "2"]] * 2),
        *([["our own", "reproduced?", "1"]] * 2),
    ]
    shown = texts_of(verdicts.printed_sentences(said(ours), NAMES, VARIANTS))
    assert [row[6] for row in shown[:3]] == ["table 1", "table 1", "ours (table 1)"]
    assert verdicts.rows(ours[ours["source"] == "ours"], NAMES)[0].where == "section 1"


def test_it_is_said_how_many_intervals_would_miss_by_chance():
    assert verdicts.chance(claims()[:0]) == ""
    found = claims()
    assert verdicts.chance(found).startswith("2 rows about papers are decided by an interval")
    assert "at a level of 95%, at most about 0 of them" in verdicts.chance(found)
    # Numbers that depend on no sample, and rows of ours, miss nothing.
    assert verdicts.chance(found.assign(low=1.0, high=1.0)) == ""
    assert verdicts.chance(found.assign(source="ours")) == ""
    many = verdicts.chance(pd.concat([found] * 60))
    assert many.startswith("120 rows")
    assert "at most about 3 of them" in many


def test_the_claims_are_those_of_the_studies_of_the_page_in_their_order(tmp_path):
    path = tmp_path / "claims.csv"
    write_table(claims(), path)
    found = report._of(["robustness", "goals"], path, COLUMNS)
    assert list(found["study"]) == ["robustness"] * 2 + ["goals"] * 4
    assert list(report._of(["goals"], path, COLUMNS)["id"]) == ["d", "e", "c", "c"]
    assert list(report._of([], path, COLUMNS).columns) == COLUMNS


def test_charts_find_their_columns_in_the_tables_of_the_page(page):
    held, drawn = page.tables, page.json("charts")
    assert len(drawn) == 7  # two overviews and five analyses
    for place, chart in drawn.items():
        assert any(a.get("id") == place for a, _ in page.all("article"))
        for key in chart["tables"].values():
            assert held[key]["whole"]
            columns = held[key]["text"].partition("\n")[0].split(",")
            wanted = [chart["series"], *(control["column"] for control in chart["controls"])]
            for panel in chart["panels"]:
                wanted += [panel["x"], panel["y"], *panel["by"], *(panel["keep"] or {})]
            assert set(wanted) <= set(columns)
        assert list(chart["looks"]) == METRICS


def test_the_data_behind_figures_is_in_the_page(page):
    held = page.tables
    behind = [a["data-table"] for a, _ in page.all("details") if a.get("class") == "data"]
    assert {held[key]["path"] for key in behind} == {
        "results/one/robustness/sparsity.csv",
        "results/two/robustness/sparsity.csv",
        "results/tables/robustness/summary.csv",
    }
    assert held[behind[0]]["text"] == shelf().read(held[behind[0]]["path"])


def test_figures_of_what_can_be_explored_are_folded_below_it(page):
    inside = written().split('id="chart-robustness-sparsity"')[1].split('id="chart-')[0]
    assert "The same as a figure for print" in inside
    assert 'id="robustness-figure-6"' in inside
    links = [attributes["href"] for attributes, _ in page.all("a")]
    assert "#robustness-figures" not in links  # there are no others
    assert "#chart-robustness-sparsity" in links


def test_tables_without_rows_are_not_there():
    full = shelf()
    empty = Shelf(full.read)
    table = markdown(Printed(["a", "b"], [], [True, False], "Nothing."))
    empty.read = lambda path: table if path.endswith(".md") else full.read(path)
    some = Page(written(shelf=empty))
    assert [a for a, _ in some.all("details") if a.get("id", "").startswith("table-")] == []
    assert "#robustness-tables" not in [attributes["href"] for attributes, _ in some.all("a")]


def test_a_table_that_shares_its_name_with_a_figure_has_its_own_caption(page):
    captions = [text for a, text in page.all("div") if a.get("class") == "caption"]
    assert "robustness/summary" in FIGURES
    assert HOSTILE in captions[-1]  # what stands above the table
    assert not any(FIGURES["robustness/summary"].caption[:40] in text for text in captions)


def test_what_was_not_made_has_no_section():
    some = Page(written(contents=contents(studies=["goals"]), claims=claims()[:0], times={}))
    names = [text for _, text in some.all("h2")]
    assert names == ["Overview", "Goals", "How it was run"]
    assert some.json("charts") == {}
    assert some.all("script", id="plotly") == []


def test_the_same_results_make_the_same_page():
    first = written()
    assert first == written()
    assert written(claims=claims().assign(mean=1.0)) != first


def test_the_page_is_no_artifact_because_it_tells_times(tmp_path):
    for name in ("report.html", "claims.csv"):
        (tmp_path / "results").mkdir(exist_ok=True)
        (tmp_path / "results" / name).touch()
    assert list(manifest.artifacts(tmp_path)) == ["results/claims.csv"]


def test_the_page_holds_the_library_as_it_is(page):
    assert page.unpacked("plotly") == files("plotly").joinpath(LIBRARY).read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["", "a" * 100_000, HOSTILE, "τ ≥ 0,9 – \U0001d70f\n\x00"])
def test_a_block_is_a_zlib_stream_in_base64_of_the_same_text(text):
    block = packed(text)
    assert zlib.decompress(base64.b64decode(block, validate=True)) == text.encode()
    assert unpacked(block) == text
    assert packed(text) == block
    assert len(packed("a" * 100_000)) < 200


def test_figures_and_the_library_take_a_fraction_of_their_bytes(page):
    paths = "".join(f'<path d="M {i}.25 {i * 7 % 64}.5 L {i}.5 9"/>' for i in range(20_000))
    svg = SVG.replace("</svg>", f"{paths}</svg>")
    one, read = shelf(), shelf().read
    one.read = lambda path: svg if path.endswith(".svg") else read(path)
    more = len(written(shelf=one)) - len(written())
    assert len(svg) / 50 < more < len(svg) / 4
    library = page.all("script", id="plotly")[0][1]
    assert len(library) < len(page.unpacked("plotly")) / 2


def test_the_same_picture_is_held_once():
    album = Album()
    first, other = album.picture(SVG, "a.svg"), album.picture(SVG.replace("L 9", "L 8"), "b.svg")
    assert album.picture(SVG.replace("a comment", "another"), "c.svg") == first
    assert [first.key, other.key] == list(album.keys.values()) == ["picture-1", "picture-2"]


def test_outlines_of_letters_are_held_once_for_all_figures():
    shape = '<path id="Sans-{0}" d="M {0} 9 z" transform="scale(0.015625)"/>'
    a, b, c = (shape.format(i) for i in (1, 2, 3))
    whole = [SVG.replace("<use", f"{first}{second}<use") for first, second in ((a, b), (c, a))]
    album = Album()
    for svg in whole:
        album.picture(svg, "a.svg")
    outlines = list(album.letters)
    assert outlines == [a, b, c]
    filled = [re.sub(r"<letter-(\d+)/>", lambda m: outlines[int(m[1])], t) for t in album.keys]
    plain = Album()
    plain.picture(SVG, "a.svg")
    (other,) = plain.keys
    assert filled == [other.replace("<use", f"{p}<use") for p in (a + b, c + a)]
    assert all("Sans" not in text for text in album.keys)


def test_a_picture_is_the_whole_svg():
    album = Album()
    picture = album.picture(SVG, "a.svg")
    assert (picture.width, picture.height) == (120, 60)
    (body,) = album.keys
    shapes = [
        (e.tag, e.attrib | {"d": " ".join(e.get("d", "").split())})
        for e in ET.fromstring(SVG).iter()
    ]
    assert shapes == [(e.tag, e.attrib | {"d": e.get("d", "")}) for e in ET.fromstring(body).iter()]


def test_a_picture_has_no_more_digits_than_can_be_seen():
    path = '<svg width="9pt" height="9pt"><path d="M 1.23456 -0.98765e1"/></svg>'
    use = path.replace("<path", '<use x="7.654321" transform="scale(0.015625)"/><path')
    album = Album()
    album.picture(use, "a.svg")
    (body,) = album.keys
    assert "M 1.23 -0.98e1" in body
    assert 'x="7.65"' in body
    assert "0.015625" in body  # a factor, which is no place


@pytest.mark.parametrize("svg", ["", "<p/>", '<svg width="90px" height="40px">'])
def test_a_picture_without_a_size_is_an_error(svg):
    with pytest.raises(RankassayError, match=r"a\.svg: expected an SVG"):
        Album().picture(svg, "a.svg")


def test_a_printed_table_is_read_back():
    names = ["plain", HOSTILE, "a|b"]
    cells = [
        [("1.0", True), (HOSTILE, False), ("–", False)],
        [("", False), ("**", False), ("\\", True)],
    ]
    printed = Printed(names, cells, [True, False, False], HOSTILE, "A_note.")
    assert table_of(markdown(printed)) == printed


def test_metrics_at_cut_offs_are_no_addresses():
    said = html.unescape(html_of("Of P@10 and nDCG@100."))
    assert said == "<p>Of P@10 and nDCG@100.</p>\n"


def test_captions_bring_no_html_and_no_files():
    said = html_of("*Words* and ``code``.\n\n.. raw:: html\n\n   <b>bold</b>\n\n<i>x</i>")
    assert "<em>Words</em>" in said
    assert "<b>" not in said
    assert "&lt;i&gt;" in said


@each("metric", KNOWN)
def test_colours_are_those_of_the_figures_and_can_be_read_in_the_dark(metric):
    look = charts.looks([metric])[metric]
    assert look["colour"] == style.metric(metric).colour
    ratio = charts._contrast(*(charts.mpl.colors.to_rgb(c) for c in (look["dark"], charts.DARK)))
    assert ratio >= charts.READABLE
    assert look["label"] == style.metric(metric).label


def test_every_marker_and_dash_has_a_name_in_the_script():
    for look in map(style.metric, [*KNOWN, *(f"metric {i}" for i in range(50))]):
        assert charts.looks([look.label])
        assert look.marker in charts.SYMBOLS
    assert charts.looks(["R"])["R"]["dash"] == "8px,2px"
    assert charts.looks(["P"])["P"]["dash"] == "solid"


def test_the_style_sheet_has_the_dark_of_the_colours(page):
    assert f"--page: {charts.DARK};" in page.all("style")[0][1]


def test_the_comparison_says_what_the_evidence_does_not_separate():
    rows = []
    for criterion, values, apart in (
        ("sparsity", [(0.9, 0.85, 0.95), (0.8, 0.7, 0.86), (0.5, 0.4, 0.6)], [False, True]),
        ("popularity", [(0.7, None, None), (0.6, None, None), (0.5, None, None)], [None, None]),
        # Intervals that overlap are no matter: apart says what their difference does.
        ("power", [(1.0, 0.5, 1.5), (2.0, 1.2, 2.5), (3.0, 2.5, 3.5)], [True, True]),
        ("overall", [(1, None, None), (2, None, None), (3, None, None)], [None, None]),
    ):
        for rank, (metric, value) in enumerate(zip(METRICS, values, strict=True), start=1):
            own = [False, *apart][rank - 1]
            rows.append((metric, 10, criterion, *value, rank, own, 1, False, "tau_b"))
    names = ["metric", "cutoff", "criterion", "value", "low", "high", "rank", "apart"]
    table = pd.DataFrame(rows, columns=[*names, "cutoff_rank", "cutoff_apart", "correlation"])
    table = table.astype({"apart": "boolean", "cutoff_apart": "boolean"})
    table = table.assign(systems=21, test_users=943, ratings_median=12.0, undefined=0)
    found = by_criterion(table, "one", "One", 10)
    assert [[text for text, _ in row] for row in found.evidence.cells] == [
        ["Robustness to sparsity", "P", "0.900 (0.850 to 0.950)", "nDCG"],
        ["Robustness to popularity", "P, not robust (below 0.8)", "0.700", UNKNOWN],
        [
            "Discriminative power",
            "P",
            "1.00 (0.50 to 1.50)",
            "none: all others are significantly worse",
        ],
    ]
    assert found.evidence.names[-1] == "Tied with it (95%)"
    equal = by_criterion(table.assign(rank=1), "one", "One", 10).evidence.cells
    assert [row[-1][0] for row in equal] == ["all are equal"] * 3
    assert found.caveat == ""
    few = by_criterion(table.assign(systems=2, rank=np.nan), "one", "One", 10)
    assert few.evidence.cells == []
    assert few.caveat.startswith("With two systems, metrics cannot be judged")
    assert [row[0] for row in found.metrics.cells] == [
        ("P", False),
        ("nDCG", False),
        ("infAP", False),
    ]


def test_long_tables_are_shortened_unless_a_chart_needs_them():
    text = "a,b\n" + "1,2\n" * WHOLE
    cases = Shelf({"long.csv": text, "short.csv": "a\n1\n"}.__getitem__)
    key = cases.key("long.csv")
    assert cases.held[key].text == "a,b\n" + "1,2\n" * HEAD
    assert (cases.held[key].rows, cases.held[key].whole) == (WHOLE, False)
    assert cases.key("long.csv", whole=True) == key
    assert cases.held[key].text == text
    assert cases.held[cases.key("short.csv")].whole
    assert cases.key("long.csv") == key
    assert cases.held[key].whole
    assert len(cases.held) == 2


def test_jobs_are_summed_by_stage_and_dataset():
    def job(seconds, memory):
        return {"s": seconds, "max_rss": memory}

    table = of_jobs(
        {
            "analyse/one/robustness/summary": job(2.0, 100.0),
            "analyse/one/robustness/sparsity": job(3.0, np.nan),
            "claims": job(1.0, 50.0),
        }
    )
    assert [[text for text, _ in row] for row in table.cells] == [
        ["analyse", "one", "2", "5.0", "robustness/sparsity (3.0 s)", "100"],
        ["claims", "–", "1", "1.0", "claims (1.0 s)", "50"],
        ["all", "", "3", "6.0", "", "100"],
    ]


def test_jobs_of_other_datasets_are_left_out_and_shared_ones_kept(tmp_path):
    paths = ["score/one-1", "score/one-2", "score/gone", "analyse/two/robustness/summary", "claims"]
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{path}.tsv").write_text("s\tmax_rss\n1\t2\n")
    assert list(report._measured(tmp_path, contents())) == [
        *("analyse/two/robustness/summary", "claims", "score/one/one-1", "score/one/one-2"),
    ]


def test_verdicts_keep_the_order_of_the_papers_and_count():
    found = verdicts.rows(claims(), NAMES)
    assert [row.id for row in found] == ["a", "b", "c", "d", "e"]
    assert [row.dataset for row in found] == ["Data one"] * 5
    assert verdicts.counts(found, "study") == {"robustness": 2, "goals": 3}
    assert verdicts.untested(claims()) == 1
    assert (found[0].interval, found[2].measured) == ("0.5 to 0.7", "−0.25")
    assert [row.reason != "" for row in found] == [False] * 3 + [True] * 2


def test_of_all_datasets_the_sentences_with_each_verdict_are_said():
    rows = [("a", "A.", "holds"), ("b", "B.", "does not hold"), ("c", "C.", "holds")]
    rows += [("a", "A.", "inconclusive")]  # with other settings, which come second
    table = pd.DataFrame(rows, columns=["sentence", "says", "general"])
    assert verdicts.over_all(table) == ["Holds: A. C.", "Does not hold: B."]
    assert verdicts.over_all(table[:0]) == []


def overviews(text):
    """Return the part of the overview on each dataset."""
    return [part.split("</section>")[0] for part in text.split('id="overview-')[1:]]


def test_it_begins_with_the_card_of_each_dataset_and_the_comparison_follows():
    first, second = overviews(written())
    for part in (first, second):
        shown = html.unescape(part)
        found = example(names=["slim", HOSTILE])
        for passage in advised.passages(found, advice_page.LONGEST, advice_page.LISTED):
            assert passage.text in shown
        assert shown.index('class="advice"') < shown.index("Metrics under each criterion")
        assert shown.index("Metrics under each criterion") < shown.index('class="chart"')
        assert "The metrics are compared" not in shown
    given = contents()
    given["datasets"][1]["advice"] = None
    first, second = overviews(written(contents=given))
    assert 'class="advice"' in first
    assert 'class="advice"' not in second
    assert "There is no recommendation for this dataset" in second


def test_the_caveat_of_few_systems_stands_where_few_were_judged():
    found = shelf()
    path = "results/two/robustness/summary.csv"
    few = tables(1)["robustness/summary"].assign(systems=3).to_csv(index=False)
    text = written(shelf=Shelf(lambda own: few if own == path else found.read(own)))
    first, second = overviews(text)
    assert "With three systems, metrics cannot be judged" in second
    assert "cannot be judged" not in first


def test_the_sentences_of_a_summary_stand_in_its_study():
    text = html.unescape(written())
    section = text[text.index('<section id="robustness">') :]
    for dataset, seed in (("one", 0), ("two", 1)):
        said = words.answer(tables(seed)["robustness/summary"], 10)
        assert f"<dd>{said}</dd>" in section
        assert f"<h3>{NAMES[dataset]}</h3>" in section


def test_sentences_of_a_study_stand_in_its_section_by_dataset(monkeypatch):
    given, found = contents(studies=("goals",)), shelf()
    given["data"] = {}
    read = found.read
    said = pd.DataFrame(
        [(NAMES["one"], "How many users?", f"Nine. {HOSTILE}")],
        columns=["Dataset", "Question", "Answer"],
    ).to_csv(index=False)
    table = markdown(Printed.plain(["a"], [["1"]], [True]))
    more = {"answers.csv": said, "answers.md": table, "answers.rst": "In short."}
    files = {f"results/tables/goals/{name}": text for name, text in more.items()}
    monkeypatch.setitem(TABLES, "goals/answers", Table("tables:answers", caption="In short."))
    given["studies"][0]["tables"].append("results/tables/goals/answers.md")
    given["studies"][0]["answers"] = "results/tables/goals/answers.csv"
    text = written(contents=given, shelf=Shelf(lambda path: files.get(path) or read(path)))
    assert not any("<dt>How many users?" in part for part in overviews(text))
    one = text[text.index('<section id="goals">') :]
    assert "<dt>How many users?</dt>" in one
    assert (
        f"<dd>Nine. {html.escape(HOSTILE, quote=True)}</dd>".replace("&#x27;", "&#39;").replace(
            "&quot;", "&#34;"
        )
        in one
    )
    assert one.count("<dt>") == 1


def atlas_of(datasets=("one", "two")):
    """Return what a page shows of datasets that are compared, and the shelf with its files."""
    own, files = contents(datasets), {}
    figures = ["findings", "metrics-across"]
    for study, names in (("reliability", figures[1:]), ("atlas", figures)):
        shown = [{"svg": f"figures/{study}/{name}.svg", "datasets": ["across"]} for name in names]
        own["studies"].append(
            {"name": study, "cutoff": 10, "figures": shown, "tables": [], "answers": None}
        )
        for name in names:
            files[f"figures/{study}/{name}.svg"] = SVG.replace("120", str(120 + len(files)))
    own["titles"] |= {"across": "Across datasets"}
    own["data"] |= {
        key: ["across"] for key in ["atlas/findings", "atlas/conclusions", "atlas/metrics-across"]
    }
    rows = [("a", HOSTILE, "holds"), ("b", "Another.", "inconclusive")]
    said = pd.DataFrame(rows, columns=["sentence", "says", "general"]).to_csv(index=False)
    files |= {
        f"results/across/{name}.csv": said
        for name in ("atlas/conclusions", "atlas/findings", "atlas/metrics-across")
    }
    files["results/across/reliability/metrics-across.csv"] = said
    known = shelf(datasets).read
    return own, Shelf(lambda path: files[path] if path in files else known(path))


def test_several_datasets_are_compared_first_and_each_is_folded():
    own, files = atlas_of()
    page = Page(written(contents=own, shelf=files))
    sections = [attributes["id"] for attributes, _ in page.all("section") if "id" in attributes]
    assert sections[:2] == ["comparison", "overview"]
    [(_, text)] = page.all("section", id="comparison")
    assert f"Holds: {HOSTILE}" in text
    assert text.index("Holds: ") < text.index("Inconclusive: Another.") < text.index("Findings")
    # One figure of a name, that of the study with conclusions, which is in no gallery below.
    ids = [attributes["id"] for attributes, _ in page.all("details") if "id" in attributes]
    assert ids.count("atlas-metrics-across") == 1
    assert ids.index("atlas-findings") < ids.index("reliability-metrics-across")
    assert len(ids) == len({*ids})
    opened = {a.get("id") for a, _ in page.all("details") if "open" in a}
    assert {"atlas-findings", "atlas-metrics-across"} <= opened
    assert "reliability-metrics-across" not in opened
    folded = [text for a, text in page.all("details") if a.get("class") == "study"]
    assert "Data one" in folded[0]
    assert all("open" not in a for a, _ in page.all("details") if a.get("class") == "study")
    links = [attributes["href"][1:] for attributes, _ in page.all("a")]
    assert links.index("comparison") < links.index("overview")
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h\d", tag)]
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_one_dataset_has_nothing_to_be_compared_with(page):
    assert page.all("section", id="comparison") == []
    own, files = atlas_of(["one"])
    alone = Page(written(contents=own, shelf=files))
    assert alone.all("section", id="comparison") == []
    assert "atlas-findings" in [a.get("id") for a, _ in alone.all("details")]
