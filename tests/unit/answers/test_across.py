"""Systems and metrics across datasets: what is compared, what is left out, and what is said."""

import re

import numpy as np
import pandas as pd
import pytest
from settings_of import settings_of

from rankassay.answers import across, figures_across, tables_across, words_across
from rankassay.artifacts.tables import read_table, write_table
from rankassay.drawing.table import printed
from rankassay.drawing.text import latex, markdown

SYSTEMS = ["1", "01", "c", "d"]
PANELS = [{"dataset": "across", "title": "Across datasets", "cutoff": 10}]
HOW = {"alpha": 0.05, "equivalence": "1%", "samples": 300}


def means_of(n_datasets, measures=(("nDCG", 10), ("RMSE", None)), clear=True):
    """Return means in which "d" is clearly the largest, then "c", "01" and "1"; or luck alone."""
    rng = np.random.default_rng(7)
    rows = [
        {"dataset": f"data{d}", "system": system, "metric": metric, "cutoff": cutoff}
        | {"mean": (i if clear else 0) + 0.1 * rng.random()}
        for d in range(n_datasets)
        for metric, cutoff in measures
        for i, system in enumerate(SYSTEMS)
    ]
    return pd.DataFrame(rows)


def summary_of(n_datasets):
    """Return a summary in which P is the most robust, RR is less, and by DP likewise."""
    rows = [
        {
            "dataset": f"data{d}",
            "metric": metric,
            "cutoff": 10,
            "criterion": criterion,
            "rank": i + 1,
        }
        | {"value": 30.0 + i if criterion == "power" else 0.9 - 0.1 * i}
        for d in range(n_datasets)
        for criterion in ("sparsity", "power", "overall")
        for i, metric in enumerate(["P", "nDCG", "RR", "AUC"])
    ]
    table = pd.DataFrame(rows)
    table["rank"] = table["rank"].where(table["metric"] != "AUC")  # reads no judgements
    return table


def powers_of(n_datasets, cutoff=10, pairs=10):
    """Return discriminative power, the lower the better: P's is the best.

    That of S_Recall is lower, but it reads no judgements.
    """
    rows = [
        {
            "dataset": f"data{d}",
            "metric": metric,
            "cutoff": cutoff,
            "pairs": pairs,
            "identical": 0,
            "dp": 30.0 + i,
        }
        for d in range(n_datasets)
        for i, metric in enumerate(["P", "nDCG", "RR"])
    ]
    rows += [{**row, "metric": "S_Recall", "dp": 1.0} for row in rows if row["metric"] == "P"]
    return pd.DataFrame(rows)


def metrics_of(summary, powers=None):
    """Compare metrics by a summary, and by the power that its datasets have."""
    powers = powers_of(summary["dataset"].nunique()) if powers is None else powers
    return across.metrics_across(powers, 0, summary=summary, **HOW)


def test_where_there_is_no_truth_metrics_are_compared_by_the_selection_that_changes_the_winner():
    """P takes the most of it; RR has no Γ of its own, and must not be compared by that of P."""
    gammas = {"P": np.inf, "R": 1.5, "nDCG": 1.2, "RR": np.inf}
    rows = [
        {"dataset": f"data{d}", "metric": metric, "cutoff": 10, "criterion": "validity"}
        | {"sensitivity_gamma": gamma, "rank": None, "value": None}
        | {"sensitivity_measure": "P@10" if metric == "RR" else f"{metric}@10"}
        for d in range(6)
        for metric, gamma in gammas.items()
    ]
    summary = pd.concat([summary_of(6), pd.DataFrame(rows)], ignore_index=True)
    table = metrics_of(summary)
    own = table[table["criterion"] == "selection"]
    assert {*own["metric_a"], *own["metric_b"]} == {"P", "R", "nDCG"}
    ranks = dict(zip(own["metric_a"], own["rank_a"], strict=True))
    assert (ranks["P"], ranks["R"]) == (1, 2)
    assert (own["wins"] == 6).all()
    others = table[table["criterion"] != "selection"]
    pd.testing.assert_frame_equal(others, metrics_of(summary_of(6)), check_dtype=False)
    figure = figures_across.metrics_across(table, PANELS)
    assert "Robustness to selection (6 datasets)" in [axes.get_title() for axes in figure.axes]


@pytest.fixture(scope="module")
def systems():
    return across.systems_across(means_of(8), 0, **HOW)


def test_the_settings_are_those_of_the_functions():
    assert {*settings_of("reliability/systems-across")} == {*HOW}
    assert {*settings_of("reliability/metrics-across")} == {*HOW}


def test_systems_are_compared_by_each_measure(systems, tmp_path):
    assert len(systems) == 12
    good, errors = (systems[systems["metric"] == name] for name in ("nDCG", "RMSE"))
    assert (good["system_a"].iloc[0], good["system_b"].iloc[-1]) == ("d", "1")
    assert (errors["system_a"].iloc[0], errors["system_b"].iloc[-1]) == (
        "1",
        "d",
    )
    assert (systems[["wins", "losses", "ties", "datasets"]] == [8, 0, 0, 8]).all(axis=None)
    assert good["probably_a"].min() > 0.95
    write_table(systems, tmp_path / "table.csv")
    again = read_table(tmp_path / "table.csv").fillna({"left_out": ""})
    pd.testing.assert_frame_equal(again, systems, check_dtype=False)


def test_what_is_not_on_all_datasets_is_left_out_and_said():
    means = means_of(8, [("nDCG", 10)])
    means = means[(means["system"] != "c") | (means["dataset"] != "data3")]
    table = across.systems_across(means, 0, **HOW)
    assert {*table["system_a"], *table["system_b"]} == {"1", "01", "d"}
    assert (table["left_out"] == "c").all()
    said = words_across.sentence(table, "system", "better under nDCG@10")
    assert said.endswith("Not compared, for lack of results on some datasets: c.")
    # A dataset without a measure does not count for it.
    fewer = means_of(8)
    fewer = fewer[(fewer["metric"] == "nDCG") | (fewer["dataset"] != "data0")]
    found = across.systems_across(fewer, 0, **HOW)
    assert found.groupby("metric")["datasets"].first().to_dict() == {"nDCG": 8, "RMSE": 7}
    nothing = across.systems_across(means_of(1), 0, **HOW)
    assert nothing.empty
    assert {*nothing} == {*table}


def test_metrics_are_compared_by_each_criterion():
    table = metrics_of(summary_of(9))
    assert table["criterion"].unique().tolist() == ["sparsity", "power"]
    for _, own in table.groupby("criterion"):
        assert own["metric_a"].to_list() == ["P", "P", "nDCG"]
        assert own["metric_b"].to_list() == ["nDCG", "RR", "RR"]
        assert (own["wins"] == 9).all()
    assert not {"AUC"} & {*table["metric_a"], *table["metric_b"]}
    lacking = summary_of(9)
    lacking.loc[(lacking["metric"] == "P") & (lacking["dataset"] == "data1"), "value"] = np.nan
    robust = metrics_of(lacking)[lambda table: table["criterion"] == "sparsity"]
    assert (robust["left_out"] == "P").all()


def test_power_is_compared_on_datasets_that_have_nothing_else():
    """TREC's tracks have no ratings whose sparsity could be changed."""
    powers = powers_of(4).set_axis([0] * 16)  # tables of datasets are stacked as they are
    table = across.metrics_across(powers, 0, **HOW)
    assert table["criterion"].unique().tolist() == ["power"]
    assert [*zip(table["metric_a"], table["metric_b"], strict=True)] == [
        ("P", "nDCG"),
        ("P", "RR"),
        ("nDCG", "RR"),
    ]
    assert (table[["wins", "datasets"]] == 4).all(axis=None)
    both = metrics_of(summary_of(3), powers_of(9))
    assert both.groupby("criterion")["datasets"].first().to_dict() == {"power": 9, "sparsity": 3}
    # With few systems metrics have no rank: their datasets do not count.
    few = pd.concat([powers_of(8), powers_of(9, pairs=6)[lambda t: t["dataset"] == "data8"]])
    assert (across.metrics_across(few, 0, **HOW)["datasets"] == 8).all()
    assert across.metrics_across(powers_of(9, pairs=6), 0, **HOW).empty


def test_metrics_of_whole_lists_alone_are_compared_too(tmp_path):
    found = across.metrics_across(powers_of(7, cutoff=None), 0, **HOW)
    assert len(found) == 3
    write_table(found, tmp_path / "table.csv")
    table = tables_across.metrics_across(read_table(tmp_path / "table.csv"), 10)
    assert table.frame["Metric"].to_list() == ["P", "nDCG", "MRR"]
    assert table.caption == "Average ranks across datasets of the metrics; 1 is the best."
    figure = figures_across.metrics_across(found, PANELS)
    assert figure.axes[0].get_title() == "Discriminative power (7 datasets)"


def test_systems_of_another_dataset_alone_take_none_away():
    own = means_of(8, [("nDCG", 10)])
    other = own[own["dataset"] == "data0"].assign(dataset="topics")
    other["system"] = other["system"].map(lambda name: f"run {name}")
    one_in_common = other.assign(system=other["system"].str.replace("run 1", "1"))
    for beside in (other, one_in_common):
        found = across.systems_across(pd.concat([beside, own]), 0, **HOW)
        pd.testing.assert_frame_equal(found, across.systems_across(own, 0, **HOW))


def test_a_winner_is_named_with_the_datasets_that_it_wins():
    summary = summary_of(9)
    turned = (summary["dataset"] == "data4") & (summary["criterion"] == "sparsity")
    summary.loc[turned, "value"] = -summary.loc[turned, "value"]
    table = metrics_of(summary)
    rows = table[table["criterion"] == "sparsity"]
    said = words_across.sentence(
        rows, "metric", words_across.BY["sparsity"], {"P": "P", "nDCG": "nDCG", "RR": "MRR"}.get
    )
    assert said == (
        "On 9 datasets, P has the best average rank (1.2). P is significantly more robust to "
        "sparsity than MRR (Nemenyi, p < 0.05). It beats it on 8 of 9 datasets. It is not "
        "significantly better than nDCG."
    )
    first = rows[(rows["metric_a"] == "P") & (rows["metric_b"] == "RR")].iloc[0]
    assert (first["wins"], first["losses"]) == (8, 1)


@pytest.mark.parametrize("n_datasets", [2, 3, 5])
def test_of_few_datasets_nobody_is_named(n_datasets):
    for own, what in (
        (across.systems_across(means_of(n_datasets, [("P", 10)]), 0, **HOW), "system"),
        (across.metrics_across(powers_of(n_datasets), 0, **HOW), "metric"),
    ):
        assert not own["apart"].any()
        said = words_across.sentence(own, what, "better")
        assert said == (
            f"{n_datasets} datasets are too few for significant differences: it takes 6 or more."
        )


def test_of_luck_nobody_is_named_and_ties_are_shared():
    table = across.systems_across(means_of(8, [("P", 10)], clear=False), 0, **HOW)
    assert not table["apart"].any()
    said = words_across.sentence(table, "system", "better under P@10")
    assert "No system is significantly better under P@10 than another" in said
    same = across.systems_across(means_of(8, [("P", 10)]).assign(mean=1.0), 0, **HOW)
    assert "1, 01, c and d have the best average rank (2.5). No system" in words_across.sentence(
        same, "system", "better"
    )
    # Friedman's test guards Nemenyi's: no pair differs significantly where it does not reject.
    assert not table.assign(p_friedman=0.2)["apart"].any()


def test_the_table_has_ranks_letters_and_sentences(systems):
    table = tables_across.systems_across(systems, 10)
    text = markdown(printed(table))
    assert table.frame["nDCG@10"].tolist() == pytest.approx([1, 2, 3, 4])
    assert table.frame["System"].to_list() == ["d", "c", "01", "1"]
    assert "**1.00**<sup>cd</sup>" in text
    assert (
        "nDCG@10: On 8 datasets, d has the best average rank (1.0). d is significantly better under"
        in table.note
    )
    assert "RMSE: On 8 datasets, 1 has the best average rank" in table.note
    tex = latex(printed(table), "systems-across")
    assert tex.count("{") == tex.count("}")
    few = tables_across.systems_across(across.systems_across(means_of(3), 0, **HOW), 10)
    assert few.note.count("too few for significant differences") == 1
    assert not any(map(any, few.raised.values()))
    none = tables_across.metrics_across(metrics_of(summary_of(1)), 10)
    assert "No two can be compared" in none.note
    markdown(printed(none))
    metrics = tables_across.metrics_across(metrics_of(summary_of(9)), 10)
    assert metrics.frame["Metric"].to_list() == ["P", "nDCG", "MRR"]
    assert [*metrics.frame][2:] == ["Robustness to sparsity", "Discriminative power"]
    said = (
        "P is significantly more discriminative than MRR (Nemenyi, p < 0.05). It beats it on 9 of 9"
    )
    assert said in metrics.note


def test_of_datasets_with_nothing_in_common_it_is_said(tmp_path):
    """As of one with recommenders, and one with values of other systems."""
    two = means_of(2)
    two["system"] = two["dataset"] + two["system"]
    write_table(across.systems_across(two, 0, **HOW), tmp_path / "table.csv")
    none = read_table(tmp_path / "table.csv")
    table = tables_across.systems_across(none, 10)
    assert "No two can be compared on two datasets or more." in table.note
    markdown(printed(table))
    figure = figures_across.systems_across(none, PANELS)
    assert "No two systems can be compared" in " ".join(figure.texts[0].get_text().split())


def test_the_figure_has_a_diagram_for_each(systems):
    figure = figures_across.systems_across(systems, PANELS)
    assert [axes.get_title() for axes in figure.axes] == [
        "nDCG@10 (8 datasets)",
        "RMSE (8 datasets)",
    ]
    for axes, best in zip(figure.axes, ("d", "1"), strict=True):
        texts = [text.get_text() for text in axes.texts]
        assert f"{best}  1.00" in texts
        critical = systems["critical_difference"].iloc[0]
        assert f"critical difference {critical:.2f}" in texts
        bars = [line for line in axes.lines if line.get_linewidth() > 2]
        # Ranks are 1 to 4: as far apart as the critical difference reaches.
        assert len(bars) == 4 - int(critical)
    figure = figures_across.metrics_across(metrics_of(summary_of(3)), PANELS)
    assert [re.sub(" .*", "", axes.get_title()) for axes in figure.axes] == [
        "Robustness",
        "Discriminative",
    ]
    none = figures_across.metrics_across(metrics_of(summary_of(1)), PANELS)
    assert "No two metrics can be compared" in " ".join(none.texts[0].get_text().split())
