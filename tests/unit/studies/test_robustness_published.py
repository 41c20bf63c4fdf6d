"""Published numbers next to measured ones: by hand, complete, and empty where there are none."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankassay.artifacts.tables import read_table, write_table
from rankassay.drawing.table import write
from rankassay.metrics.evaluate import Measure
from rankassay.studies.robustness.published import CUTOFFS, METRICS, run
from rankassay.studies.robustness.views import published

FOLDER = Path(__file__).parents[3] / "src/rankassay/studies/robustness/published"
MEANS = FOLDER.parents[1] / "fidelity/published/system-means.csv"
TITLES = {"ml-1m": "MovieLens 1M", "made-up": "Made up (synthetic)"}
# Of three systems: published a < b < c by all measures, ours b < a < c by nDCG@5 alone.
PUBLISHED = {"A": 0.1, "B": 0.2, "C": 0.3}
TURNED = {"A": 0.25, "B": 0.2, "C": 0.35}


def fidelity():
    measures = dict.fromkeys([*(f"nDCG@{cutoff}" for cutoff in CUTOFFS), *METRICS.values()])
    rows = [
        (system, m, TURNED[system] if m == "nDCG@5" else mean, mean)
        for m in measures
        for system, mean in PUBLISHED.items()
    ]
    return pd.DataFrame(rows, columns=["system", "metric", "ours", "published"])


def tables(dataset, **changed):
    """Return what the analysis reads, of two metrics."""
    percentages = [100, 90, 80]
    popularity = pd.DataFrame({"metric": "P", "cutoff": 100, "percentage": percentages})
    popularity = popularity.assign(tau=[1, 0.6, 0.4], correlation="tau_b")
    power = pd.DataFrame({"metric": ["P", "R", "P"], "cutoff": [100, 100, 5]})
    return {
        "statistics": pd.DataFrame({"dataset": [dataset]}),
        "popularity": popularity,
        "discriminative_power": power.assign(dp=[2.0, 1.0, 9.0], identical=0),
        "as_run": power.assign(dp=[3.0, 6.0, 9.0], identical=0),
        "figure_7": read_table(FOLDER / "figure-7.csv"),
        "table_3": read_table(FOLDER / "table-3.csv"),
    } | changed


@pytest.fixture
def compared():
    return run(**tables("ml-1m", fidelity=fidelity()))


def of(table, what):
    return table[table.what == what].set_index("a")


@pytest.mark.parametrize("turned", ["nDCG@100", METRICS["nDCG"]])
def test_figure_5_is_of_ndcg_whose_ideal_list_is_not_cut(turned):
    table = fidelity()
    of_turned = table["metric"] == turned
    table.loc[of_turned, "ours"] = table.loc[of_turned, "system"].map(TURNED)
    found = of(run(**tables("ml-1m", fidelity=table)), "figure 5")
    changed = found[found["difference"] != 0]
    assert METRICS["nDCG"] == "nDCG(truncate_ideal=False)@100"
    assert len(changed) == (0 if turned == "nDCG@100" else 6)
    assert (changed["b"].eq("nDCG") | (changed.index == "nDCG")).all()


def test_a_hand_case(compared):
    figure_1 = compared[compared.what == "figure 1"].set_index(["a", "b"])
    assert len(figure_1) == 11 * 10 / 2
    assert (figure_1.published == 1).all()
    assert list(figure_1.measured["5"]) == pytest.approx([1 / 3] * 10)
    assert figure_1.measured["10", "100"] == 1
    assert len(of(compared, "figure 5")) == 7 * 6 / 2
    assert (of(compared, "figure 5").difference == 0).all()
    figure_7 = of(compared, "figure 7")
    assert list(figure_7.b) == [90, 80]
    assert list(figure_7.difference) == pytest.approx([0.6 - 0.6361, 0.4 - 0.4695])
    assert list(of(compared, "table 3, as run").difference) == pytest.approx([3 - 2.6, 6 - 7])
    assert of(compared, "table 3, as written").measured.to_dict() == {"P": 2, "R": 1}
    assert of(compared, "systems by nDCG").published.to_dict() == PUBLISHED


def test_figure_5_is_of_measures_whose_ideal_is_not_cut():
    """The published figure is trec_eval's: by nDCG with the whole ideal, not by that of figure 1.

    nDCG(truncate_ideal=False)@100 alone has another order of our systems, and nDCG@100 yet another.
    """
    given = fidelity()
    for measure, values in {
        "nDCG(truncate_ideal=False)@100": [0.3, 0.2, 0.1],
        "nDCG@100": [0.2, 0.1, 0.3],
    }.items():
        given.loc[given["metric"] == measure, "ours"] = values
    compared = run(**tables("ml-1m", fidelity=given))
    figure_5 = compared[compared.what == "figure 5"].set_index(["a", "b"])
    with_ndcg = ["nDCG" in pair for pair in figure_5.index]
    assert (figure_5.measured[with_ndcg] == -1).all()
    assert (figure_5.measured[~np.array(with_ndcg)] == 1).all()
    assert of(compared, "systems by nDCG").measured.to_dict() == {"A": 0.3, "B": 0.2, "C": 0.1}
    figure_1 = compared[compared.what == "figure 1"].set_index(["a", "b"])
    assert figure_1.measured["90", "100"] == pytest.approx(1 / 3)


def test_the_means_that_are_compared_are_the_authors_own(compared):
    """Also by name: each series of figure 5 is the companion data's of this metric at 100."""
    assert {
        **{name: f"{name}@100" for name in ("P", "R", "AP", "RR", "Bpref", "infAP")},
        "nDCG": "nDCG(truncate_ideal=False)@100",
    } == METRICS
    assert (5, *range(10, 101, 10)) == CUTOFFS


def test_sums_over_all_pairs_stand_beside_where_systems_are_identical():
    given = tables("ml-1m")
    as_run = given["as_run"]
    given["as_run"] = as_run.assign(identical=2, dp_all=as_run["dp"] + 2)
    found = run(**given)
    assert set(found.what[found.what.str.startswith("table 3")]) == {
        *("table 3, as run", "table 3, as run, all pairs", "table 3, as written")
    }
    assert of(found, "table 3, as run, all pairs").measured.to_dict() == {"P": 5, "R": 8}
    assert of(found, "table 3, as run").measured.to_dict() == {"P": 3, "R": 6}


def test_other_correlations_than_tau_are_not_compared():
    given = tables("ml-1m")
    given["popularity"] = given["popularity"].assign(correlation="rbo")
    assert set(run(**given).what) == {"table 3, as run", "table 3, as written"}


def test_the_summary_has_a_row_for_each_figure_and_order(compared):
    frame = published(compared.assign(dataset="ml-1m"), TITLES).frame.set_index("What")
    assert len(frame) == 5 + len(METRICS)
    row = frame.loc["figure 1"]
    assert (row["Cells"], row["Largest difference"]) == (55, pytest.approx(-2 / 3))
    assert row["Mean difference"] == pytest.approx(-10 / 55 * 2 / 3)
    assert frame.loc["table 3, as run", "τ of the orders"] == 1
    assert frame.loc["table 3, as written", "τ of the orders"] == -1


def test_data_without_published_numbers_gives_an_empty_table_that_says_so(tmp_path):
    write_table(run(**tables("made-up")), tmp_path / "published.csv")
    table = published(read_table(tmp_path / "published.csv").assign(dataset="made-up"), TITLES)
    assert table.frame.empty
    write(table, tmp_path / "t")
    for kind in ("md", "tex"):
        assert (
            "No dataset of this run has published numbers" in (tmp_path / f"t.{kind}").read_text()
        )
    assert (tmp_path / "t.csv").read_text().count("\n") == 1


def test_what_was_published_of_figure_7_is_complete():
    figure_7 = read_table(FOLDER / "figure-7.csv").set_index(["dataset", "metric", "percentage"])
    assert len(figure_7) == 7 * (4 + 2 + 2)
    assert not figure_7.index.duplicated().any()
    assert figure_7.tau["ml-1m", "P", 95] == 0.7229
    assert figure_7.tau["beeradvocate", "Bpref", 80] == pytest.approx(-0.15, abs=0.005)


def test_every_measure_of_the_figures_was_published():
    measures = set(read_table(MEANS).measure)
    wanted = {f"nDCG@{cutoff}" for cutoff in CUTOFFS} | set(METRICS.values())
    assert wanted <= measures
    assert {str(Measure.parse(measure)) for measure in wanted} == wanted
