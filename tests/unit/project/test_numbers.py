"""Measured numbers in pages come from committed tables of one run, and words that rest on them."""

import doctest
import importlib
import json
import re
import sys
from pathlib import Path

import pandas as pd
import pytest

from rankassay.errors import RankassayError

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
MOST = 100_000  # bytes of a committed table
WHY = " <!-- typed: a convention -->"


@pytest.fixture(scope="module")
def docs():
    """Return what imports a module of the folder docs."""
    sys.path.insert(0, str(DOCS))
    yield importlib.import_module
    sys.path.remove(str(DOCS))


@pytest.fixture(scope="module")
def render(docs):
    return docs("render")


@pytest.fixture(scope="module")
def measured(docs):
    return docs("measured")


@pytest.fixture(scope="module")
def tables(measured):
    """Return the committed tables, each read once."""
    return measured.Tables()


@pytest.fixture
def page(tmp_path, render, measured):
    """Return a function that fills in a mark on a table of three rows."""

    def written(source):
        table = "metric,cutoff,tau,low,high\nP,10,0.84,0.8,0.9\nR,10,-0.5,,\nP,100,0.84,0.7,0.9\n"
        (tmp_path / "taus.csv").write_text(table)
        (tmp_path / "page.md").write_text(f"<!--{source}-->\n<!--/-->\n")
        text = render.render(tmp_path / "page.md", measured.Tables(tmp_path))
        return text.partition("-->\n")[2].partition("\n<!--/-->")[0]

    return written


def test_a_page_is_what_its_marks_and_the_tables_give(render, tables):
    """It fails where a number of the page, or of a table that it names, is changed alone."""
    assert len(render.marked()) > 20
    for name, path in render.marked().items():
        text = path.read_text(encoding="utf-8")
        assert render.pages([name], tables) == {path: text}, f"./run python docs/render.py {name}"


def test_the_committed_tables_are_the_listed_ones_small_and_of_no_user(measured):
    specs = measured.kept()["tables"]
    found = {
        str(path.relative_to(measured.FOLDER).with_suffix("")): path
        for path in measured.FOLDER.rglob("*.csv")
    }
    optional = {name for name, spec in specs.items() if spec and spec.get("optional")}
    assert {*specs, measured.SETTINGS} - optional <= {*found} <= {*specs, measured.SETTINGS}
    for path in (DOCS / "measured").rglob("*.csv"):
        assert path.stat().st_size < MOST, path
    for name, path in found.items():
        columns = [*pd.read_csv(path, nrows=0)]
        assert {"item", "rating", "timestamp"}.isdisjoint(columns)
        # The post's invented example has users, with their values.
        assert "user" not in columns or name == "constructed/definitions/examples"
        wanted = (specs.get(name) or {}).get("columns", columns)
        assert columns == [own for c in wanted if (own := c.removesuffix("?")) in columns]


@pytest.mark.parametrize("module", ["formats", "render", "measured"])
def test_examples_of_the_helpers_are_true(module, docs):
    assert doctest.testmod(docs(module)).failed == 0


def test_a_lookup_is_a_number_as_pages_write_it(page):
    assert page("{{ row('taus', metric='P', cutoff=10).tau | num(2) }}\n") == ".84"
    assert page(
        "{{ rows('taus').each('tau', cutoff=10, metric=['R', 'P']) | nums(1) | line }}"
    ) == ("| −.5 | .8 |")
    assert page("{{ interval(row('taus', metric='P', cutoff=100), 1) }}") == ".7 to .9"
    assert page("{{ rows('taus').lowest('tau').metric | metric_name }}") == "Recall"
    assert page("{{ rows('taus').known('low').without(cutoff=10) | length }}") == "1"
    assert page("{{ rows('taus').row(low=None).metric }}") == "R"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("\n{{ row('taus', metric='AP').tau }}", "page.md:2: taus: no row has metric='AP'."),
        ("{{ row('taus', cutoff=10).tau }}", "page.md:1: taus: 2 rows have cutoff=10; name one."),
        ("{{ row('taus', cut=10).tau }}", "unknown column in taus 'cut'"),
        ("{{ row('taus', metric='R').tua }}", "unknown column in taus 'tua'; did you mean 'tau'?"),
        ("{{ row('tau', metric='R').tau }}", "'tau'; did you mean 'taus'?"),
        ("{{ row('taus', metric='R').low | num(2) }}", "page.md:1: expected a number, found nan."),
        ("{{ rows('taus').highest('tau').metric }}", "page.md:1: taus: 2 rows of those with"),
        ("{{ rows('taus').each('tau', metric='R') }}", "expected one key with a list"),
        ("{{ row('taus', metric='R').tau | num }}", "-0.5 is no whole number"),
        ("{{ missing }}", "page.md:1: 'missing' is undefined"),
        ("\n{{ 1 / 0 }}", "page.md:2: division by zero"),
        ("{% if %}", "page.md:1: "),
        ("{{ '' }}Tau is .84.", "page.md:1: '.84' is typed; take it from a table"),
    ],
)
def test_errors_name_the_template_the_table_and_the_keys(page, source, message):
    with pytest.raises(RankassayError, match=re.escape(message)) as error:
        page(source)
    assert "\n" not in str(error.value)


def test_counts_of_verdicts_and_systems_that_are_the_same_are_words(docs):
    formats, rows = docs("formats"), docs("measured").Rows
    found = ["inconclusive", "holds", "inconclusive", "does not hold", "holds", "not asked"]
    claims = rows("claims", pd.DataFrame({"reproduced": found, "general": ["does not hold"] * 6}))
    said = "2 hold, 2 are inconclusive, 1 does not hold and 1 is not asked"
    assert formats.verdicts(claims) == said
    assert formats.verdicts(claims, "general") == "6 do not hold"
    pairs = pd.DataFrame({"system_a": ["A", "C"], "system_b": ["B", "D"]})
    said = "A and B make identical lists; C and D make identical lists"
    assert formats.identical(rows("identical", pairs)) == said
    assert formats.identical(rows("identical", pairs[:0])) == "no two make identical lists"


def test_words_that_the_tables_do_not_say_are_an_error(page):
    lowest = "rows('taus').lowest('tau').metric"
    ask = "{%% do assert_that(" + lowest + " == '%s', 'it is the lowest') %%}\nIt is."
    assert page(ask % "R") == "It is."
    with pytest.raises(RankassayError, match="the tables do not say that it is the lowest"):
        page(ask % "P")
    with pytest.raises(RankassayError, match="expected yes or no"):
        page("{{ assert_that(" + lowest + ", 'it is the lowest') }}")


@pytest.mark.parametrize(
    "source",
    [
        "tau is .84",
        "tau is 0.84,",
        "it is −1.5 lower",
        "in 62% of them",
        "in 62 % of them",
        "turns 18 pairs",
        "of 6,040 users",
        "the 21 systems",
        "turns 18 wrong pairs",
        "66 of the 73 claims",
        "ten of eleven",
        "Six of\nseven",
        "{{ .84 }}",
        "tau is <!--{{ .84 }}-->.84<!--/-->",
        "tau is <!--{{ x }}-->.84<!--/--> or .85",
        "{{ 0.84 | num(2) }}",
        "{{ '.84' }}",
        '{{ "18 pairs" }}',
        "{% set tau = .84 %}",
        "| P | {{ x }} | .84 |",
        "tau is .84 {# typed: #}",
        "tau is .84 {# as above #}",
        f"nothing{WHY}\ntau is .84",
    ],
)
def test_a_typed_number_is_found(render, source):
    assert len(render.typed(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        f"p < .05 counts{WHY}",
        f"| at .05 | 5% |{WHY}",
        "tau is {{ row('taus', metric='P').tau | num(2) }} of 1",
        "tau is <!--{{ x }}-->.84<!--/--> <!-- all -->",
        "<!--\n| {{ x }} | at .05 | {# typed: a convention #}\n-->\n| .84 | at .05 |\n<!--/-->",
        "{% if row('taus').tau > 0.9 %}",
        "`alpha_nDCG(alpha=0.5)` and `20 users`",
        "```\n./run x --share 0.5\n```",
        "sections 1.4, 2.4 and 5.4, section 6.3",
        "[Python 3.11](https://docs.python.org/3.11)",
        "nDCG@10 on 100 samples, figure 3, in 2018",
        "{{ metric_name('AP') }}@100, two papers with the same lists",
    ],
)
def test_other_numbers_may_be_typed(render, source):
    assert render.typed(source) == []


def test_the_command_says_which_page_differs(render, monkeypatch, tmp_path, capsys):
    page = tmp_path / "docs/settings.md"
    page.parent.mkdir()
    page.write_text("Seed <!--{{ setting('seed') }}--><!--/-->, one of <!-- all -->.\n")
    monkeypatch.setattr(render, "ROOT", tmp_path)
    monkeypatch.setattr(render, "HERE", tmp_path / "docs")
    monkeypatch.setattr(render.pictures, "stale", list)
    with pytest.raises(SystemExit, match=r"as marks and tables give them: docs/settings\.md"):
        render.main(["--check", "settings.md"])
    render.main(["settings.md"])
    assert ">2018<!--/-->, one of <!-- all -->." in page.read_text()
    render.main(["--check", "settings.md"])
    page.write_text(page.read_text().replace("2018", "2019"))
    with pytest.raises(SystemExit, match=r"docs/settings\.md; run docs/render\.py"):
        render.main(["--check", "settings.md"])
    with pytest.raises(SystemExit, match=r"unknown page with marks 'setting\.md'; did you mean"):
        render.main(["setting.md"])
    assert capsys.readouterr().out == ""
    render.main(["--words"])
    assert capsys.readouterr().out.split() == ["4", "settings.md", "4"]


def test_tables_are_taken_from_a_run(measured, monkeypatch, tmp_path):
    run, folder = tmp_path / "run", tmp_path / "ml-1m"
    (run / "results/ml-1m/study").mkdir(parents=True)
    (run / "results/ml-1m/study/taus.csv").write_text("metric,tau,n\nP,0.9,1\nR,0.8,2\n")
    folder.mkdir()
    for name in ("old", "other"):
        (folder / f"{name}.csv").write_text("a\n1\n")
    (tmp_path / "tables.yaml").write_text(
        "settings: [seed, recommenders, 'none?']\n"
        "tables:\n"
        "  study/taus: {where: {metric: P}, columns: [metric, tau, 'low?']}\n"
        "  absent: {optional: true}\n"
        "  other: {made_by: another command}\n"
        "splits:\n"
        "  claims: {from: claims.csv, where: {dataset: c}}\n"
    )
    monkeypatch.setattr(measured, "KEPT", tmp_path / "tables.yaml")
    with pytest.raises(
        RankassayError, match=r"expected a finished run, with results/manifest\.json"
    ):
        measured.refresh(run, folder)
    content = {"config": {"seed": 7, "recommenders": [1, 2]}, "artifacts": {}}
    (run / "results/manifest.json").write_text(json.dumps(content))
    measured.refresh(run, folder)
    assert (folder / "study/taus.csv").read_text() == "metric,tau\nP,0.9\n"
    assert {path.name for path in folder.rglob("*.csv")} == {
        "taus.csv",
        "settings.csv",
        "other.csv",
    }
    tables = measured.Tables(folder)
    assert (tables.setting("seed"), tables.setting("recommenders")) == (7, 2)
    (run / "results/ml-1m/study/taus.csv").write_text("metric,tau\nR,0.8\n")
    with pytest.raises(RankassayError, match="study/taus: no row has metric='P'"):
        measured.refresh(run, folder)
    splits = tmp_path / "splits"
    (run / "results/claims.csv").write_text("dataset,general\na,holds\nb,inconclusive\n")
    with pytest.raises(RankassayError, match="claims: no row has dataset='c'"):
        measured.refresh_splits(run, splits)
    assert not splits.exists()
    (run / "results/claims.csv").write_text("dataset,general\na,holds\nc,inconclusive\n")
    measured.refresh_splits(run, splits)
    assert (splits / "claims.csv").read_text() == "dataset,general\nc,inconclusive\n"
    (run / "results/ml-1m/study/taus.csv").unlink()
    with pytest.raises(RankassayError, match="study/taus: the run has no table"):
        measured.refresh(run, folder)


def test_of_an_answer_what_its_picture_shows_is_kept(tmp_path, measured):
    run, folder = tmp_path / "run", tmp_path / "ml-1m"
    own = {name: dict.fromkeys(columns, 1) for name, columns in measured.ANSWERED.items()}
    found = {name: [row | {"rows": [2]}] for name, row in own.items()}
    found |= {"data": {"users": 3}, "recommendation": [], "notes": ["x"], "measures": []}
    truth = {"truth_liked": 0.5, "truth_liked_low": 0.1, "truth_liked_high": 0.9}
    real = [{"measure": "P@10", **truth}, {"measure": "R@10", **dict.fromkeys(truth)}]
    for name, answer in (("ml-1m", found), ("coat", {"measures": real})):
        (run / f"results/{name}").mkdir(parents=True)
        (run / f"results/{name}/advice.json").write_text(json.dumps(answer))
    folder.mkdir()
    measured.refresh_advice(run, folder / "advice.json")
    kept = json.loads((folder / "advice.json").read_text())
    assert kept == {"data": {"users": 3}, "recommendation": []} | {n: [r] for n, r in own.items()}
    assert (folder / "coat/answer.csv").read_text() == "measure,tau,low,high\nP@10,0.5,0.1,0.9\n"


def test_a_measure_is_found_however_it_is_written(docs):
    formats, rows = docs("formats"), docs("measured").Rows
    table = pd.DataFrame({"measure": ["IPS(gain='DCG', power=0)@20", "P@10"], "tau": [0.5, 0.4]})
    name = formats.reported("positive", 0.0)
    assert formats.of_measure(rows("taus", table), name).row().tau == 0.5
    with pytest.raises(RankassayError, match="no row has measure"):
        formats.of_measure(rows("taus", table), "R@10")
