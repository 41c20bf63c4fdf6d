"""The tables: their content, and the three files that are written."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay.artifacts.tables import quoted, read_table, unquoted
from rankassay.drawing.table import Table, at_cutoff, shown, spread, write
from rankassay.drawing.text import escape_latex, escape_markdown
from rankassay.errors import NothingToShowError, RankassayError
from rankassay.metrics.catalogue import ordered
from rankassay.studies.robustness import views as robustness

PUBLISHED = Path(__file__).parents[3] / "src/rankassay/studies/robustness/published/table-3.csv"
TITLES = {"ml-1m": "MovieLens 1M", "made-up": "Made up (synthetic)"}


@pytest.fixture
def small():
    frame = pd.DataFrame({"Name": ["a_b | c", "50 %"], "Value": [1.25, np.nan]})
    marked = pd.DataFrame({"Name": [False, False], "Value": [True, False]})
    return Table(frame, "P & R: τ_b", {"Value": "{:.1f}".format}, marked, "#1 ~ x^2")


def test_csv_has_the_raw_values(small, tmp_path):
    write(small, tmp_path / "t")
    assert (tmp_path / "t.csv").read_text() == "Name,Value\na_b | c,1.25\n50 %,\n"


FORMULAS = ["=1+1", "+A1", "-cmd", "@SUM(1)", "\tx", "\r=x", "'=x", "''-y", "＝1", "-inf", "@3"]
HARMLESS = ["-0.5", "+1e-3", "-5 %", "-", "=", "'", "a=b", "–", "−3", "it's", "'a'"]


def test_no_text_of_the_csv_is_a_formula_in_a_spreadsheet(tmp_path):
    texts = [*FORMULAS, *HARMLESS]
    frame = pd.DataFrame({"=System": texts, "Value": -np.arange(len(texts)) / 2})
    write(Table(frame, ""), tmp_path / "t")
    with open(tmp_path / "t.csv", encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["'=System", "Value"]
    assert [text for text, _ in rows] == [f"'{text}" for text in FORMULAS] + HARMLESS
    assert [float(value) for _, value in rows] == frame["Value"].tolist()
    pd.testing.assert_frame_equal(
        unquoted(read_table(tmp_path / "t.csv")), frame, check_dtype=False
    )
    assert "=1+1" in (tmp_path / "t.tex").read_text("utf-8")


def test_quoting_leaves_missing_values_and_numbers_alone():
    frame = pd.DataFrame({"a": ["x", None, "=y"], "b": [1, 2, 3], "c": pd.Series([-1, "@z", True])})
    found = quoted(frame)
    assert found["a"].tolist()[::2] == ["x", "'=y"]
    assert pd.isna(found["a"][1])
    assert found["c"].tolist() == [-1, "'@z", True]
    assert found["b"].dtype == frame["b"].dtype
    pd.testing.assert_frame_equal(unquoted(found), frame)


def test_markdown(small, tmp_path):
    write(small, tmp_path / "t")
    assert (tmp_path / "t.md").read_text(encoding="utf-8") == (
        "P & R: τ\\_b\n"
        "\n"
        "| Name      |   Value |\n"
        "| --------- | ------: |\n"
        "| a\\_b \\| c | **1.2** |\n"
        "| 50 %      |       – |\n"
        "\n"
        "#1 ~ x^2\n"
    )


def test_latex(small, tmp_path):
    write(small, tmp_path / "t")
    assert (tmp_path / "t.tex").read_text() == (
        "\\begin{table}\n"
        "\\centering\n"
        "\\small\n"
        "\\caption{P \\& R: $\\tau$\\_b}\n"
        "\\label{tab:t}\n"
        "\\begin{tabular}{lr}\n"
        "\\toprule\n"
        "Name & Value \\\\\n"
        "\\midrule\n"
        "a\\_b | c & \\textbf{1.2} \\\\\n"
        "50 \\% & -- \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\par\\smallskip\\footnotesize \\#1 \\textasciitilde{} x\\textasciicircum{}2\n"
        "\\end{table}\n"
    )


def test_writing_twice_gives_the_same_bytes_and_no_other_files(small, tmp_path):
    write(small, tmp_path / "t")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    write(small, tmp_path / "t")
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    tables = ["t.csv", "t.md", "t.tex"]
    assert sorted(before) == sorted(f".{name}.sha256" for name in tables) + tables


def test_escaping():
    assert escape_latex("a\\b {c} $5 & 6\n7") == r"a\textbackslash{}b \{c\} \$5 \& 6 7"
    assert escape_markdown("a*b `c` <d> [e] \\") == r"a\*b \`c\` \<d\> \[e\] \\"


def test_signs_that_tables_have_are_ones_that_latex_has():
    """LaTeX stops at a Greek letter outside of formulas."""
    assert escape_latex("E ρ², Φ ±1 × τ") == r"E $\rho$$^2$, $\Phi$ $\pm$1 $\times$ $\tau$"
    package = Path(rankassay.__file__).parent
    files = [*package.glob("studies/*/*.py"), *package.glob("answers/*.py")]
    for text in (path.read_text("utf-8") for path in files):
        # What is left are letters with accents, of names.
        assert not [
            each
            for each in {*text}
            if not escape_latex(each).isascii() and not each.isalpha() and each not in "“”’…"
        ]


def test_long_cells_become_paragraphs_and_many_columns_a_wide_table(tmp_path):
    write(Table(pd.DataFrame({"A": ["word " * 20], "B": [1]}), ""), tmp_path / "long")
    assert r"{table*}" in (tmp_path / "long.tex").read_text()
    assert r"{p{0.42\linewidth}r}" in (tmp_path / "long.tex").read_text()
    write(Table(pd.DataFrame({str(i): [i] for i in range(9)}), ""), tmp_path / "wide")
    assert r"\begin{table*}" in (tmp_path / "wide.tex").read_text()


def test_assumptions_show_what_was_measured():
    judgements = pd.DataFrame(
        [
            ("ml-1m", "judged", 0.00912),
            ("ml-1m", "disputed", 0.874),
            ("made-up", "judged", 0.5),
            ("made-up", "disputed", 1.0),
        ],
        columns=["dataset", "fact", "value"],
    )
    frame = robustness.judgements(judgements, TITLES, 9).frame
    assert list(frame["Measured here"]) == [
        "–",
        "Disputed items: MovieLens 1M 87.4 %; Made up (synthetic) 100 %",
        "Judged pairs: MovieLens 1M 0.912 %; Made up (synthetic) 50 %",
        "9 systems",
    ]
    row = {"system_a": "RSV", "system_b": "RW", "lists": True}
    both = pd.DataFrame([row | {"dataset": dataset} for dataset in TITLES])
    for identical, said in (
        (both.iloc[:0], "9 systems"),
        (both, "9 systems, of which RSV and RW are identical"),
        (both.iloc[:1], "9 systems; MovieLens 1M: RSV and RW are identical"),
    ):
        frame = robustness.judgements(judgements, TITLES, 9, identical).frame
        assert frame["Measured here"].iloc[-1] == said


@pytest.fixture
def statistics():
    measured = {"users": 6040, "items": 3706, "ratings": 1000209, "density": 0.0446836}
    published = {"users": 6040, "items": 3706, "ratings": 1000209, "density": 0.04468}
    rows = [("ml-1m", name, measured[name], published[name]) for name in measured]
    rows += [("ml-1m", "gini", 0.63361, 0.634)]
    rows += [("made-up", name, 2.0, np.nan) for name in [*measured, "gini"]]
    return pd.DataFrame(rows, columns=["dataset", "statistic", "value", "published"])


QUARTILES = {"users": [1300, 1227], "ratings_q1": 2.5, "ratings_median": 4.0, "ratings_q3": 9.0}
SPLIT = pd.concat(
    [
        pd.DataFrame({"dataset": dataset, "part": ["train", "test"]} | QUARTILES)
        for dataset in ("ml-1m", "made-up")
    ]
)

NOTHING_REMOVED = pd.DataFrame({"dataset": [*TITLES], "step": 0, "ratings_removed": 0})


def test_statistics_stand_beside_the_published_ones(statistics, tmp_path):
    table = robustness.statistics(statistics, SPLIT, NOTHING_REMOVED, TITLES)
    assert list(table.frame["Equal"]) == ["yes", "–"]
    assert table.frame["Density (%)"][0] == pytest.approx(4.46836)
    write(table, tmp_path / "t")
    first = (tmp_path / "t.md").read_text().split("\n")[4]
    cells = [cell.strip() for cell in first.strip("|").split("|")]
    assert cells == [
        *("MovieLens 1M", "6,040", "6,040", "3,706", "3,706", "1,000,209", "1,000,209"),
        *("4.468", "4.468", "0.634", "0.634", "yes", "1,227", "2.5", "4", "9"),
    ]
    assert (tmp_path / "t.csv").read_text().split("\n")[2].startswith("Made up (synthetic),2,,2,,")


def test_statistics_name_what_differs(statistics):
    statistics.loc[statistics.statistic == "gini", "value"] = 0.64
    assert (
        robustness.statistics(statistics, SPLIT, NOTHING_REMOVED, TITLES).frame["Equal"][0]
        == "no: gini"
    )


def test_statistics_without_published_values_have_no_empty_columns(statistics):
    frame = robustness.statistics(statistics, SPLIT, NOTHING_REMOVED, {"made-up": "Made up"}).frame
    assert list(frame) == [
        *("Dataset", "Users", "Items", "Ratings", "Density (%)", "Gini", "Equal"),
        *("Test users", "Q1", "Median", "Q3"),
    ]


@pytest.fixture
def power():
    values = {"RR": 3.456, "P": 0.123, "nDCG": 0.123, "XYZ": 1.0}
    rows = [(d, m, c, 36, v * 100 / c) for d in TITLES for m, v in values.items() for c in (5, 100)]
    table = pd.DataFrame(rows, columns=["dataset", "metric", "cutoff", "pairs", "dp"])
    table["identical"] = [int(dataset == "ml-1m") for dataset, *_ in rows]
    return table.assign(low=table.dp / 2, high=table.dp * 2, dp_all=table.dp + table.identical)


@pytest.fixture
def as_run(power):
    table = power[power.cutoff == 100].drop(columns=["low", "high"])
    table = table.assign(pairs=72, identical=2 * table.identical, dp=[7.0, 0.3, 0.2, 2.0] * 2)
    return table.assign(dp_all=table.dp + table.identical)


@pytest.fixture
def identical():
    row = {"dataset": "ml-1m", "system_a": "RSV", "system_b": "RW", "lists": True}
    return pd.DataFrame([row])


def test_discriminative_power_as_published_as_run_and_as_written(
    power, as_run, identical, tmp_path
):
    given = (identical, 100, TITLES, read_table(PUBLISHED))
    table = robustness.discriminative_power(power, as_run, *given)
    sources = ["Published", "As run", "As written"]
    ranks = [f"Rank, {name.lower()}" for name in sources]
    both = ["As run", "As run, all pairs", "As written", "As written, all pairs"]
    assert list(table.frame) == ["Dataset", "Metric", "Published", *both, "Low", "High", *ranks]
    assert "the sum over 36 pairs, each once, with its bootstrap interval" in table.note
    assert "the sum over 72 ordered pairs, in both orders" in table.note
    without = power.assign(low=np.nan, high=np.nan)
    without = robustness.discriminative_power(without, as_run, *given)
    assert "Low" not in without.frame
    assert "the sum over 36 pairs, each once." in without.note
    assert "set of systems" in table.note
    named = "MovieLens 1M: RSV and RW recommend identical lists; their pair is excluded."
    assert named in table.note
    assert "adds 1 to the sum over all pairs" in table.note
    write(table, tmp_path / "t")
    lines = (tmp_path / "t.md").read_text().split("\n")[4:12]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    first, synthetic = "MovieLens 1M", "Made up (synthetic)"
    assert cells[:4] == [
        [first, "P", "2.6", "0.3", "2.3", "**0.12**", "1.12", "0.06", "0.25", "2", "2", "1"],
        [
            *(first, "nDCG", "**1.4**", "**0.2**", "2.2", "**0.12**", "1.12"),
            *("0.06", "0.25", "1", "1", "1"),
        ],
        [first, "MRR", "15.5", "7.0", "9.0", "3.46", "4.46", "1.73", "6.91", "3", "4", "4"],
        [first, "XYZ", "–", "2.0", "4.0", "1.0", "2.0", "0.5", "2.0", "–", "3", "3"],
    ]
    # Nothing was published on synthetic data.
    assert [row[:3] for row in cells[4:]] == [
        [synthetic, metric, "–"] for metric in ("P", "nDCG", "MRR", "XYZ")
    ]


def test_all_pairs_are_no_columns_where_no_systems_are_identical(power, as_run, identical):
    power, as_run = (own[own["dataset"] != "ml-1m"] for own in (power, as_run))
    title = {"made-up": TITLES["made-up"]}
    table = robustness.discriminative_power(power, as_run, identical.iloc[:0], 100, title)
    assert not [name for name in table.frame if "all pairs" in name]
    assert "identical" not in table.note


def test_discriminative_power_without_published_values(power, as_run, identical):
    # What was run on lists of 100 items is not shown at other cut-offs.
    frame = robustness.discriminative_power(power, as_run, identical, 5, TITLES).frame
    assert len(frame) == 8
    assert not {"Published", "As run"} & {*frame}
    note = robustness.discriminative_power(power, as_run, identical, 5, TITLES).note
    assert "Published" not in note
    assert "As run" not in note
    with pytest.raises(RankassayError, match="cut-off 7"):
        robustness.discriminative_power(power, as_run, identical, 7, TITLES)


def test_power_differences_are_marked_after_holms_correction(tmp_path):
    rows = [("P", "nDCG", -2.345, -3.0, -1.0, 0.01, 0.03)]
    rows.append(("P", "RR", 0.5, -1.0, 2.0, 0.03, 0.06))
    rows.append(("nDCG", "RR", 3.0, 1.0, 5.0, 0.04, 0.06))
    columns = ["metric_a", "metric_b", "difference", "low", "high", "p_value", "p_holm"]
    known = pd.DataFrame(rows, columns=columns).assign(dataset="ml-1m", cutoff=100)
    # What is corrected for the pairs of each cut-off is not corrected again for those of others.
    other = known.assign(cutoff=10, p_value=0.5, p_holm=1.0)
    table = robustness.power_differences(pd.concat([known, other]), 100, TITLES)
    assert table.frame["p, Holm"].to_list() == pytest.approx([0.03, 0.06, 0.06])
    write(table, tmp_path / "t")
    lines = (tmp_path / "t.md").read_text().split("\n")[4:6]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells == [
        ["MovieLens 1M", "P", "nDCG", "**-2.35**", "-3.00", "-1.00", "0.010", "0.030"],
        ["MovieLens 1M", "P", "MRR", "0.50", "-1.00", "2.00", "0.030", "0.060"],
    ]


def test_the_published_table_is_complete():
    table = read_table(PUBLISHED)
    assert table.groupby("dataset")["metric"].apply(list).map(ordered).map(len).eq(7).all()
    sums = table.groupby("dataset")["dp"].sum().round(1).to_dict()
    assert sums == {"ml-1m": 47.6, "librarything": 23.3, "beeradvocate": 48.6}


def test_what_whole_lists_say_stands_beside_the_cutoff_unless_it_has_the_same():
    rows = [("a", "AP", None), ("a", "P", 10), ("a", "P", 5), ("b", "AP", None), ("b", "AP", 10)]
    table = pd.DataFrame(rows, columns=["dataset", "metric", "cutoff"])
    assert at_cutoff(table, 10).index.tolist() == [0, 1, 4]
    assert at_cutoff(table, 5).index.tolist() == [0, 2, 3]
    pairs = pd.DataFrame({"metric_a": ["AP", "P"], "metric_b": ["P", "AP"], "cutoff": [None, 10.0]})
    assert at_cutoff(pairs, 10).index.tolist() == [1]


def test_the_table_of_power_shows_values_without_lists_and_says_what_has_no_cutoff():
    power = pd.DataFrame(
        {"dataset": "ml-1m", "metric": ["AP", "P", "P"], "cutoff": [None, 10.0, 5.0]}
        | {"pairs": 3, "identical": 0, "dp": [0.5, 1.25, 9.0], "low": 0.0, "high": 3.0}
    )
    none = pd.DataFrame(columns=["dataset", "system_a", "system_b", "lists"])
    table = robustness.discriminative_power(power, None, none, 10, {"ml-1m": TITLES["ml-1m"]})
    shown = table.frame.set_index("Metric")
    assert shown["As written"].to_dict() == {"P": 1.25, "MAP": 0.5}
    assert shown["Rank, as written"].to_dict() == {"P": 2, "MAP": 1}
    assert "As run" not in table.frame
    assert "MAP is that of whole lists." in table.note
    assert ". P is that" not in table.note


def test_spread_rows_stand_as_they_stand_first_and_no_value_is_shifted():
    keys = {"dataset": ["b", "b", "a", "b"], "measure": ["Y", "X", "X", "Y"]}
    rows = pd.DataFrame(keys | {"level": [10, 10, 20, 20], "tau": [0.1, 0.2, 0.3, 0.4]})
    found = spread(rows, ["measure"], "level", "tau")
    assert found[["dataset", "measure"]].to_numpy().tolist() == [["b", "Y"], ["b", "X"], ["a", "X"]]
    np.testing.assert_array_equal(found[[10, 20]], [[0.1, 0.4], [0.2, np.nan], [np.nan, 0.3]])


def test_rows_that_must_be_there_are_named_where_they_are_not():
    rows = pd.DataFrame({"metric": ["P"], "cutoff": [10]})
    assert shown(rows, 5).empty
    with pytest.raises(NothingToShowError, match="no power to show: expected rows at cut-off 5"):
        shown(rows, 5, "power")
