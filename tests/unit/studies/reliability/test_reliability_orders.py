"""Figures and tables of how far orders can be relied on: they show what the analyses say."""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from rankassay.artifacts.arrays import Scores
from rankassay.drawing.table import MISSING, printed, shown
from rankassay.errors import RankassayError
from rankassay.statistics import generalizability, power_analysis, split_half
from rankassay.studies.reliability import differences, figures, tables
from rankassay.studies.reliability.settings import RequiredUsers, Section

TITLES = {"made-up": "Made up"}
PANEL = [{"dataset": "made-up", "title": "Made up", "cutoff": 10}]
HOW = {"alpha": 0.05, "power": 0.8, "pair": "median", "samples": 200, "most_users": 5000}


@pytest.fixture(scope="module")
def results():
    """Return the results of the analyses of simulated scores, by name."""
    rng = np.random.default_rng(0)
    skill = np.linspace(0.2, 0.6, 5)[:, None]
    values = rng.random((90, 5, 4)) * [1, 0.5, 1, 0.2] + skill + rng.random((90, 1, 1))
    measures = np.array(["P@10", "nDCG@10", "nDCG@20", "AP"])
    scores = Scores(values, np.arange(90, dtype=np.int32), np.array([*"abcde"]), measures)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(differences, "EDGES", (0, 5, 20))
        swapped = differences.swap_rates(scores, 1, 10)
    found = {
        "generalizability": generalizability.run(scores, [0.9, 0.95]),
        "split_half": split_half.run(scores, 1, 10),
        "required_users": power_analysis.required_users(
            scores, 1, [5, 10], [0.1], resampled_cutoffs=[10], **HOW
        ),
        "swap_rates": swapped,
        "power": power_analysis.power(scores, [2, 5, 10], 0.05, "median"),
    }
    return {name: table.assign(dataset="made-up") for name, table in found.items()}


def test_measures_without_a_cut_off_are_at_every_one(results):
    rows = shown(results["generalizability"], 10)
    assert rows["metric"].unique().tolist() == ["P", "AP", "nDCG"]
    assert len(shown(results["generalizability"], 20)) == 4
    both = results["generalizability"].replace({"metric": {"AP": "P"}})
    assert shown(both, 10)["cutoff"].tolist() == [10] * 4  # P of whole lists is another P
    assert shown(both, 20)["metric"].tolist() == ["P"] * 2 + ["nDCG"] * 2


@pytest.mark.parametrize("name", ["generalizability", "split_half", "swap_rates", "required_users"])
def test_a_table_of_nothing_is_an_error(results, name):
    rows = results[name].dropna(subset="cutoff")
    with pytest.raises(RankassayError, match="expected rows at cut-off 5, found none"):
        getattr(tables, name)(rows, 5, TITLES)


def test_the_table_of_generalizability(results):
    table = tables.generalizability(results["generalizability"], 10, TITLES)
    row = table.frame.iloc[0]
    own = results["generalizability"].iloc[0]
    assert row["Metric"] == "P@10"
    total = own["variance_systems"] + own["variance_users"] + own["variance_residual"]
    assert row["Users (%)"] == pytest.approx(100 * own["variance_users"] / total)
    assert row[["Systems (%)", "Users (%)", "Residual (%)"]].sum() == pytest.approx(100)
    assert row["Users for E ρ²"] == own["needed_e_rho2"]
    low, high = own["needed_phi_low"], own["needed_phi_high"]
    assert row["Users for Φ, interval"] == f"{low:,.0f} to {high:,.0f}"
    assert table.frame["Metric"].tolist() == ["P@10"] * 2 + ["MAP"] * 2 + ["nDCG@10"] * 2


def test_what_no_number_of_users_reaches_is_endless(results):
    table = results["generalizability"].assign(needed_phi=np.inf, needed_phi_high=np.inf)
    text = printed(tables.generalizability(table, 10, TITLES))
    place = text.names.index("Users for Φ")
    assert text.cells[0][place][0] == "∞"
    assert text.cells[0][-1][0].endswith(" to ∞")


def test_the_table_of_split_halves_marks_what_is_off(results):
    rows = results["split_half"]
    table = tables.split_half(rows, 10, TITLES)
    assert table.frame["Users"].tolist() == [5, 20, 45] * 3
    for i, own in table.frame.iterrows():
        metric = {"P@10": "P", "MAP": "AP", "nDCG@10": "nDCG"}[own["Metric"]]
        cut = rows["cutoff"].isna() if metric == "AP" else rows["cutoff"] == 10
        mine = rows[(rows.metric == metric) & cut & (rows.users == own["Users"])]
        mine = mine[mine.against == "half"].set_index("coefficient")
        assert own["τ"] == mine.loc["tau_b", "mean"]
        assert own["τ_AP, mapped"] == mine.loc["tau_ap", "mapped"]
        low, high = mine.loc["tau_b", ["low", "high"]]
        far = not low <= mine.loc["tau_b", "theory"] <= high
        assert table.marked["τ, theory"][i] == far
    moved = rows.assign(theory=rows["high"] + 0.1)
    assert tables.split_half(moved, 10, TITLES).marked["τ, theory"].all()
    inside = rows.assign(theory=rows["low"])
    assert not tables.split_half(inside, 10, TITLES).marked["r, theory"].any()


def test_the_table_of_split_halves_has_the_largest_of_each_metric(results):
    """Users without a value by one metric make its sets smaller than those of the others."""
    rows = results["split_half"]
    fewer = (rows["metric"] == "AP") & (rows["users"] == 45)
    table = tables.split_half(rows.assign(users=rows["users"].mask(fewer, 43)), 10, TITLES)
    sizes = table.frame.groupby("Metric")["Users"].agg(list)
    assert sizes["MAP"] == [5, 20, 43]
    assert sizes["P@10"] == sizes["nDCG@10"] == [5, 20, 45]


def test_the_table_of_swap_rates_has_the_largest_halves(results):
    table = tables.swap_rates(results["swap_rates"], 10, TITLES)
    assert [*table.frame] == ["Dataset", "Metric", "Users", "0–5%", "5–20%", "over 20%"]
    rows = results["swap_rates"]
    own = rows[(rows.metric == "nDCG") & (rows.cutoff == 10) & (rows.users == 45)]
    row = table.frame[table.frame.Metric == "nDCG@10"].iloc[0]
    np.testing.assert_allclose(row[["0–5%", "5–20%"]].astype(float), 100 * own["rate"][:2])
    assert row["Users"] == 45


def test_the_table_of_required_users_has_one_test_and_all_pairs(results):
    table = tables.required_users(results["required_users"], 10, TITLES)
    rows = results["required_users"]
    own = rows[(rows.metric == "P") & (rows.percent == 5)].set_index("tests")
    row = table.frame[(table.frame.Metric == "P@10") & (table.frame.Difference == "5%")].iloc[0]
    assert row["Users"] == own.loc[1, "required"]
    assert row["for 90% of pairs"] == own.loc[1, "required_90"]
    assert row["for every pair"] == own.loc[1, "required_worst"] > row["Users"]
    assert row["Users, all tested"] == own.loc[10, "required"]
    assert row["resampled, all tested"] == own.loc[10, "resampled"]
    assert set(table.frame["Difference"]) == {"5%", "10%", "0.1"}
    assert "with 80 % power by Student's paired t at 0.05" in table.caption
    assert table.note.startswith("Users: enough for half of the pairs of systems that vary.")


def test_resampling_that_was_not_made_is_missing(results):
    rows = results["required_users"].assign(resampled=np.nan)
    text = printed(tables.required_users(rows, 10, TITLES))
    assert text.cells[0][-1][0] == MISSING


def test_two_systems_are_one_pair():
    x = np.random.default_rng(1).random((40, 2, 1)) + np.array([[0.1], [0.0]])
    scores = Scores(x, np.arange(40, dtype=np.int32), np.array(["a", "b"]), np.array(["P@10"]))
    found = power_analysis.required_users(scores, 1, [5], [0.1], resampled_cutoffs=[10], **HOW)
    assert found["tests"].tolist() == [1, 1]
    frame = tables.required_users(found.assign(dataset="made-up"), 10, TITLES).frame
    assert (frame["Users"] == frame["Users, all tested"]).all()


def lines(axes):
    """Return the lines of a panel that show data, as x and y."""
    return [line.get_data() for line in axes.get_lines() if len(line.get_xdata()) > 2]


def test_the_figure_of_split_halves(results):
    figure = figures.split_half(results["split_half"], PANEL)
    upper, lower = figure.axes[:3], figure.axes[3:6]
    rows = results["split_half"]
    own = rows[(rows.metric == "P") & (rows.against == "half") & (rows.coefficient == "tau_b")]
    x, y = lines(upper[0])[0]
    np.testing.assert_array_equal(x, own["users"])
    np.testing.assert_array_equal(y, own["mean"])
    np.testing.assert_allclose(lines(lower[1])[0][1], own["mean"] - own["theory"])
    assert [len(lines(axes)) for axes in figure.axes[:6]] == [3] * 6


def test_the_figure_of_swap_rates(results):
    figure = figures.swap_rates(results["swap_rates"], PANEL)
    rows = results["swap_rates"]
    own = rows[(rows.metric == "P") & (rows.users == 45)]
    drawn = [y.tolist() for _, y in lines(figure.axes[0])]
    assert own["rate"].tolist() in drawn
    assert len(drawn) == 5
    labels = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert labels == ["0–5", "5–20", ">20"]


def test_metrics_with_fewer_users_have_the_line_of_their_largest_sets(results):
    rows = shown(results["swap_rates"], 10)
    rows = rows.assign(rate=np.arange(len(rows)) / len(rows))  # of which no two are equal
    fewer = rows["users"].where((rows["metric"] != "nDCG") | (rows["users"] < 45), 37)
    figure = figures.swap_rates(rows.assign(users=fewer), PANEL)
    drawn = [y.tolist() for axes in figure.axes[:3] for _, y in lines(axes)]
    largest = rows[rows["users"] == 45]
    for metric in ("P", "nDCG"):
        assert largest[largest["metric"] == metric]["rate"].tolist() in drawn


def test_the_figure_of_power_has_a_panel_for_each_difference(results):
    figure = figures.power(results["power"], PANEL)
    titles = [axes.get_title(loc="left") for axes in figure.axes[:3]]
    assert titles == [f"A difference of {percent}%" for percent in (2, 5, 10)]
    rows = results["power"]
    own = rows[(rows.metric == "P") & (rows.percent == 5)]
    x, y = lines(figure.axes[1])[0]
    np.testing.assert_array_equal(x, own["users"])
    np.testing.assert_array_equal(y, own["power"])


@pytest.mark.parametrize(
    ("settings", "values"),
    [
        (Section, {"repetitions": 0}),
        (Section, {"pair": "best"}),
        (Section, {"percentages": [0]}),
        (RequiredUsers, {"power": 1}),
    ],
)
def test_settings_out_of_range_are_refused(settings, values):
    with pytest.raises(ValidationError):
        settings(**values)


def test_absolute_differences_may_be_left_out(results):
    assert RequiredUsers(differences=[]).differences == []
    rows = results["required_users"]
    only = rows[rows["percent"].notna()]
    assert isinstance(tables.required_users(only, 10, TITLES).frame, pd.DataFrame)
