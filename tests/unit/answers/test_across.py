"""Systems and metrics across datasets: what is compared, what is left out, and what is said."""

import re

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from settings_of import settings_of

from rankassay.answers import across, figures, tables
from rankassay.artifacts.tables import read_table, write_table
from rankassay.drawing.table import printed
from rankassay.drawing.text import latex, markdown
from rankassay.statistics.across_datasets import mixed_model

SYSTEMS = ["1", "01", "c", "d"]
PANELS = [{"dataset": "across", "title": "Across datasets", "cutoff": 10}]
HOW = {"alpha": 0.05, "equivalence": "1%", "samples": 300}
RUNS = {
    name: {"source": name.capitalize()} for name in ["topics", *(f"data{d}" for d in range(12))]
}


def systems_of(means, runs=RUNS):
    """Compare systems, each dataset a source of its own if nothing else is said."""
    return across.systems_across(means, runs, 0, **HOW)


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


def metrics_of(summary=None, powers=None, runs=RUNS):
    """Compare metrics by a summary, and by the power that its datasets have."""
    powers = powers_of(summary["dataset"].nunique()) if powers is None else powers
    return across.metrics_across(powers, runs, summary=summary, alpha=0.05)


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
    assert own.set_index("metric")["rank"].to_dict() == {"P": 1, "R": 2, "nDCG": 3}
    others = table[table["criterion"] != "selection"]
    pd.testing.assert_frame_equal(others, metrics_of(summary_of(6)), check_dtype=False)
    figure = figures.metrics_across(table, PANELS)
    assert "Robustness to selection (6 sources)" in [axes.get_title() for axes in figure.axes]


@pytest.fixture(scope="module")
def systems():
    return systems_of(means_of(8))


def test_the_settings_are_those_of_the_functions():
    assert {*settings_of("reliability/systems-across")} == {*HOW}
    assert {*settings_of("reliability/metrics-across")} == {"alpha"}
    assert {*settings_of("atlas/metrics-across")} == set()  # ALPHA holds


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
    table = systems_of(means)
    assert {*table["system_a"], *table["system_b"]} == {"1", "01", "d"}
    assert (table["left_out"] == "c").all()
    said = tables.sentence(table, "nDCG@10")
    assert said.endswith("Not compared, for lack of results on some datasets: c.")
    # A dataset without a measure does not count for it.
    fewer = means_of(8)
    fewer = fewer[(fewer["metric"] == "nDCG") | (fewer["dataset"] != "data0")]
    found = systems_of(fewer)
    assert found.groupby("metric")["datasets"].first().to_dict() == {"nDCG": 8, "RMSE": 7}
    nothing = systems_of(means_of(1))
    assert nothing.empty
    assert [*nothing] == [*table]


def test_metrics_are_compared_by_each_criterion():
    table = metrics_of(summary_of(9))
    assert table["criterion"].unique().tolist() == ["sparsity", "power"]
    for _, own in table.groupby("criterion"):
        assert own["metric"].to_list() == ["P", "nDCG", "RR"]
        assert own["rank"].to_list() == [1, 2, 3]
    assert [*metrics_of(summary_of(1))] == [*table]
    lacking = summary_of(9)
    lacking.loc[(lacking["metric"] == "P") & (lacking["dataset"] == "data1"), "value"] = np.nan
    robust = metrics_of(lacking)[lambda table: table["criterion"] == "sparsity"]
    assert (robust["left_out"] == "P").all()


def test_power_is_compared_on_datasets_that_have_nothing_else():
    """TREC's tracks have no ratings whose sparsity could be changed."""
    powers = powers_of(4).set_axis([0] * 16)  # tables of datasets are stacked as they are
    table = metrics_of(powers=powers)
    assert table["criterion"].unique().tolist() == ["power"]
    assert table["metric"].to_list() == ["P", "nDCG", "RR"]
    assert (table[["sources", "datasets"]] == 4).all(axis=None)
    both = metrics_of(summary_of(3), powers_of(9))
    assert both.groupby("criterion")["datasets"].first().to_dict() == {"power": 9, "sparsity": 3}
    # With few systems metrics have no rank: their datasets do not count.
    few = pd.concat([powers_of(8), powers_of(9, pairs=6)[lambda t: t["dataset"] == "data8"]])
    assert (metrics_of(powers=few)["datasets"] == 8).all()
    assert metrics_of(powers=powers_of(9, pairs=6)).empty


def test_metrics_of_whole_lists_alone_are_compared_too(tmp_path):
    found = metrics_of(powers=powers_of(7, cutoff=None))
    assert len(found) == 3
    write_table(found, tmp_path / "table.csv")
    table = tables.metrics_across(read_table(tmp_path / "table.csv"), 10)
    assert table.frame["Metric"].to_list() == ["P", "nDCG", "MRR"]
    assert table.caption == "Average ranks across datasets of the metrics; 1 is the best."
    assert "Discriminative power: P has the best average rank (1.0)." in table.note
    figure = figures.metrics_across(found, PANELS)
    assert figure.axes[0].get_title() == "Discriminative power (7 sources)"


def test_systems_of_another_dataset_alone_take_none_away():
    own = means_of(8, [("nDCG", 10)])
    other = own[own["dataset"] == "data0"].assign(dataset="topics")
    other["system"] = other["system"].map(lambda name: f"run {name}")
    one_in_common = other.assign(system=other["system"].str.replace("run 1", "1"))
    for beside in (other, one_in_common):
        pd.testing.assert_frame_equal(systems_of(pd.concat([beside, own])), systems_of(own))


def test_a_winner_is_named_with_the_sources_that_it_wins():
    means = means_of(9, [("P", 10)])
    turned = means["dataset"] == "data4"
    means.loc[turned, "mean"] = -means.loc[turned, "mean"]
    table = systems_of(means)
    assert tables.sentence(table, "P@10") == (
        "On 9 datasets of 9 sources, d has the best average rank (1.3). d is significantly better "
        "under P@10 than 1 (Nemenyi, p < 0.05). It beats it on 8 of 9 sources. It is not "
        "significantly better than c and 01."
    )
    first = table[(table["system_a"] == "d") & (table["system_b"] == "1")].iloc[0]
    assert (first["wins"], first["losses"]) == (8, 1)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_of_few_sources_nobody_is_named(n):
    systems = systems_of(means_of(n, [("P", 10)]))
    assert not systems["apart"].any()
    said = f"{n} sources are too few for significant differences: it takes 6 or more."
    assert tables.sentence(systems, "P@10") == said
    assert tables.sentence(metrics_of(powers=powers_of(n))) == said


def family(n_others, seed=0):
    """Return power of five metrics on three datasets of one source, and others of their own."""
    rng = np.random.default_rng(seed)
    names = ["P", "R", "AP", "nDCG", "RR"]
    own = [5 * np.arange(5) + rng.random(5) for _ in range(3)]
    own += [*rng.random((n_others, 5))]
    powers = pd.DataFrame(
        {"dataset": f"data{d}", "metric": metric, "cutoff": 10, "pairs": 10, "identical": 0}
        | {"dp": value}
        for d, values in enumerate(own)
        for metric, value in zip(names, values, strict=True)
    )
    return powers, RUNS | {f"data{d}": {"source": "One"} for d in range(3)}


def test_datasets_of_one_source_count_once():
    """The ranks and the test are those of the means over the source, in one dataset."""
    powers, runs = family(8)
    table = metrics_of(powers=powers, runs=runs)
    assert table[["datasets", "sources"]].drop_duplicates().to_numpy().tolist() == [[11, 9]]
    values = -powers.pivot(index="dataset", columns="metric", values="dp")
    one = [f"data{d}" for d in range(3)]
    blocks = pd.concat([values.loc[one].mean().to_frame().T, values.drop(one)])
    ranks = blocks.rank(axis=1, ascending=False).mean()
    assert table.set_index("metric")["rank"].to_dict() == pytest.approx(ranks.to_dict())
    assert table["rank"].is_monotonic_increasing
    chi2 = scipy.stats.friedmanchisquare(*blocks.to_numpy().T).statistic
    f = 8 * chi2 / (9 * 4 - chi2)
    assert table["p_friedman"].unique() == pytest.approx(scipy.stats.f.sf(f, 4, 32))
    sources = [runs[dataset]["source"] for dataset in values.index]
    mixed = mixed_model(values.to_numpy(), pd.factorize(pd.Series(sources))[0])
    assert table["p_mixed"].unique() == pytest.approx(mixed.p)
    # So are systems.
    means = means_of(8, [("P", 10)])
    several = systems_of(means, runs)
    same = means["dataset"].isin(one)
    merged = means[same].groupby(["system", "metric", "cutoff"])["mean"].mean().reset_index()
    merged = pd.concat([merged.assign(dataset="data0"), means[~same]])
    expected = systems_of(merged).assign(datasets=8)
    expected = expected.sort_values(["system_a", "system_b"], ignore_index=True)
    several = several.sort_values(["system_a", "system_b"], ignore_index=True)
    pd.testing.assert_frame_equal(several, expected)
    assert several["sources"].unique().tolist() == [6]
    assert systems_of(means_of(3), runs).empty


def test_the_highest_p_without_one_source_stands_next_to_that_of_all():
    powers, runs = family(6)
    table = metrics_of(powers=powers, runs=runs)
    source = powers["dataset"].map(lambda name: runs[name]["source"])
    without = {
        each: metrics_of(powers=powers[source != each], runs=runs)["p_friedman"].iloc[0]
        for each in source.unique()
    }
    assert table["p_without"].unique() == pytest.approx(max(without.values()))
    assert table["without"].unique().tolist() == [max(without, key=without.get)]


def said_of(**numbers):
    """Return what is said of metrics that have these numbers, by an otherwise clear table."""
    return tables.sentence(metrics_of(powers=powers_of(7)).assign(**numbers))


def test_what_is_said_of_metrics_names_the_cutoff_the_sources_and_what_a_source_decides():
    head = "At cut-off 10, P has the best average rank (1.0). Ranks are means over 7 sources with "
    clear = {"datasets": 9, "p_friedman": 0.029, "p_without": 0.03, "p_mixed": 0.012}
    assert said_of(**clear) == (
        f"{head}9 datasets. The metrics differ significantly (p = .029), also without any one "
        "source (p at most .03). A mixed model of all datasets agrees (p = .012)."
    )
    assert said_of(**clear | {"p_without": 0.143, "without": "MovieLens", "p_mixed": 0.2}) == (
        f"{head}9 datasets. The metrics differ significantly (p = .029), but not without MovieLens "
        "(p = .143). A mixed model of all datasets finds no significant difference (p = .2)."
    )
    assert said_of(**clear | {"p_friedman": 0.05, "left_out": "AP"}) == (
        f"{head}9 datasets. No significant difference among the metrics (p = .05); a mixed model "
        "of all datasets finds one (p = .012). Not compared, for lack of results on some datasets: "
        "MAP."
    )
    below = said_of(p_friedman=0.04962, p_without=1.0, p_mixed=0.0123456)
    assert all(f"p = {p})" in below for p in (".0496", "1", ".012"))
    assert "differ significantly (p < .001), also without any one source (p < .001)" in said_of()
    assert "too few" in said_of(sources=5)


def test_of_luck_nobody_is_named_and_ties_are_shared():
    table = systems_of(means_of(8, [("P", 10)], clear=False))
    assert not table["apart"].any()
    said = tables.sentence(table, "P@10")
    assert "No system is significantly better under P@10 than another" in said
    same = systems_of(means_of(8, [("P", 10)]).assign(mean=1.0))
    said = tables.sentence(same, "P@10")
    assert "1, 01, c and d have the best average rank (2.5). No system" in said
    # Friedman's test guards Nemenyi's: no pair differs significantly where it does not reject.
    assert not table.assign(p_friedman=0.2)["apart"].any()


def test_the_table_has_ranks_letters_and_sentences(systems):
    table = tables.systems_across(systems, 10)
    text = markdown(printed(table))
    assert table.frame["nDCG@10"].tolist() == pytest.approx([1, 2, 3, 4])
    assert table.frame["System"].to_list() == ["d", "c", "01", "1"]
    assert "**1.00**<sup>cd</sup>" in text
    assert (
        "nDCG@10: On 8 datasets of 8 sources, d has the best average rank (1.0). d is significantly"
        in table.note
    )
    assert "RMSE: On 8 datasets of 8 sources, 1 has the best average rank" in table.note
    tex = latex(printed(table), "systems-across")
    assert tex.count("{") == tex.count("}")
    few = tables.systems_across(systems_of(means_of(3)), 10)
    assert few.note.count("too few for significant differences") == 1
    assert not any(map(any, few.raised.values()))
    none = tables.metrics_across(metrics_of(summary_of(1)), 10)
    assert "No two can be compared" in none.note
    markdown(printed(none))
    metrics = tables.metrics_across(metrics_of(summary_of(9)), 10)
    assert metrics.frame["Metric"].to_list() == ["P", "nDCG", "MRR"]
    assert [*metrics.frame][1:] == ["Robustness to sparsity", "Discriminative power"]
    assert not metrics.raised
    assert "Raised letters" not in metrics.note
    said = "Robustness to sparsity and Discriminative power: At cut-off 10, P has the best average"
    assert said in metrics.note


def test_of_datasets_with_nothing_in_common_it_is_said(tmp_path):
    """As of one with recommenders, and one with values of other systems."""
    two = means_of(2)
    two["system"] = two["dataset"] + two["system"]
    write_table(systems_of(two), tmp_path / "table.csv")
    none = read_table(tmp_path / "table.csv")
    table = tables.systems_across(none, 10)
    assert "No two can be compared on two sources of data or more." in table.note
    markdown(printed(table))
    figure = figures.systems_across(none, PANELS)
    assert "No two systems can be compared" in " ".join(figure.texts[0].get_text().split())


def test_the_figure_has_a_diagram_for_each(systems):
    figure = figures.systems_across(systems, PANELS)
    assert [axes.get_title() for axes in figure.axes] == [
        "nDCG@10 (8 sources)",
        "RMSE (8 sources)",
    ]
    for axes, best in zip(figure.axes, ("d", "1"), strict=True):
        texts = [text.get_text() for text in axes.texts]
        assert f"{best}  1.00" in texts
        critical = systems["critical_difference"].iloc[0]
        assert f"critical difference {critical:.2f}" in texts
        bars = [line for line in axes.lines if line.get_linewidth() > 2]
        # Ranks are 1 to 4: as far apart as the critical difference reaches.
        assert len(bars) == 4 - int(critical)
    figure = figures.metrics_across(metrics_of(summary_of(3)), PANELS)
    assert [re.sub(" .*", "", axes.get_title()) for axes in figure.axes] == [
        "Robustness",
        "Discriminative",
    ]
    # Their ranks describe: nothing says which metrics differ.
    for axes in figure.axes:
        assert "P  1.00" in [text.get_text() for text in axes.texts]
        assert not any("critical" in text.get_text() for text in axes.texts)
        assert not any(line.get_linewidth() > 2 for line in axes.lines)
    none = figures.metrics_across(metrics_of(summary_of(1)), PANELS)
    assert "No two metrics can be compared" in " ".join(none.texts[0].get_text().split())
