"""The summary of the study: its analysis by hand, its figure and its table."""

import itertools

import numpy as np
import pandas as pd
import pytest

from assayer.analysis import summary
from assayer.errors import AssayerError
from assayer.figures import style
from assayer.figures import summary as figure
from assayer.tables.summary import summary as table_of

METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"]
CUTOFFS = [5, 10, 50, 100]
SUFFIX = {2: " (synthetic)"}
TITLES = {f"d{i}": f"Dataset {i}{SUFFIX.get(i, '')}" for i in range(3)}


def by_hand():
    """Return two metrics at two cut-offs."""
    measures = pd.DataFrame(itertools.product(["P", "RR"], [5, 10]), columns=["metric", "cutoff"])
    levels = measures.merge(pd.DataFrame({"level": [100, 50, 20]}), how="cross")
    levels["tau"] = [1, 0.9, 0.7, 1, 0.8, 0.8, 1, 0.5, np.nan, 1, 0.9, 0.9]
    levels["low"], levels["high"] = levels["tau"] - 0.1, levels["tau"]
    shares = measures.merge(pd.DataFrame({"percentage": [100, 90]}), how="cross")
    shares["tau"] = [1, 0.2, 1, 0.3, 1, 0.6, 1, 0.4]
    power = measures.assign(dp=[4.0, 3.0, 5.0, 2.0], low=1.0, high=6.0)
    return levels.assign(correlation="tau_b"), shares.assign(correlation="tau_b"), power


def made_up(seed=1):
    """Return a summary of random results on the three datasets."""
    rng = np.random.default_rng(seed)
    measures = pd.DataFrame(itertools.product(METRICS, CUTOFFS), columns=["metric", "cutoff"])
    parts = []
    for name in TITLES:
        tau = rng.uniform(0.5, 0.9, len(measures))
        bands = {"tau": tau, "low": tau - 0.1, "high": tau + 0.1, "correlation": "tau_b"}
        dp = rng.uniform(1, 9, len(measures))
        made = summary.run(
            measures.assign(level=50, **bands),
            measures.assign(percentage=90, tau=tau - 0.6, correlation="tau_b"),
            measures.assign(dp=dp, low=dp - 1, high=dp + 1),
        )
        parts.append(made.assign(dataset=name))
    return pd.concat(parts)


def panels(n):
    return [{"dataset": d, "title": t, "cutoff": 100} for d, t in list(TITLES.items())[:n]]


def test_summary_by_hand():
    table = summary.run(*by_hand()).set_index(["criterion", "metric", "cutoff"])
    expected = {
        "sparsity": ([0.8, 0.8, 0.25, 0.9], [1, 2, 2, 1], [1, 1, 2, 1]),
        "popularity": ([0.2, 0.3, 0.6, 0.4], [2, 2, 1, 1], [2, 1, 1, 2]),
        "power": ([4, 3, 5, 2], [1, 2, 2, 1], [2, 1, 2, 1]),
        "overall": ([4 / 3, 2, 5 / 3, 1], [1, 2, 2, 1], [2, 1, 2, 1]),
    }
    for criterion, (values, ranks, cutoff_ranks) in expected.items():
        rows = table.loc[criterion]
        assert list(rows.index) == [("P", 5), ("P", 10), ("RR", 5), ("RR", 10)]
        np.testing.assert_allclose(rows["value"], values)
        assert list(rows["rank"]) == ranks
        assert list(rows["cutoff_rank"]) == cutoff_ranks


def test_bands_intervals_and_gaps_of_the_summary():
    table = summary.run(*by_hand()).set_index(["criterion", "metric", "cutoff"])
    np.testing.assert_allclose(table.loc["sparsity"]["low"], [0.7, 0.7, 0.2, 0.8])
    np.testing.assert_allclose(table.loc["sparsity"]["high"], [0.8, 0.8, 0.25, 0.9])
    assert table.loc["popularity"]["low"].isna().all()
    assert list(table.loc["power"]["high"]) == [6.0] * 4
    # The level without a value counts as 0, and is counted.
    assert list(table.loc["sparsity"]["undefined"]) == [0, 0, 1, 0]
    assert set(table.loc["popularity"]["correlation"]) == {"tau_b"}


def test_the_whole_test_set_counts_only_where_there_is_nothing_else():
    sparsity, popularity, power = by_hand()
    whole = summary.run(sparsity[sparsity.level == 100], popularity, power)
    assert set(whole.loc[whole.criterion == "sparsity", "value"]) == {1.0}
    assert set(whole.loc[whole.criterion == "sparsity", "rank"]) == {1}


@pytest.mark.parametrize("n", [1, 3])
def test_the_figure_shows_every_metric_and_says_what_is_best(n):
    table = made_up()
    drawn = figure.draw(table, panels(n))
    assert len(drawn.axes) == 3 * n
    for i, panel in enumerate(panels(n)):
        first, *_, last = drawn.axes[3 * i : 3 * i + 3]
        labels = [text.get_text() for text in first.get_yticklabels()]
        assert sorted(labels) == sorted(style.metric(m).label for m in METRICS)
        assert first.get_title(loc="left") == panel["title"]
        rows = table[(table.dataset == panel["dataset"]) & (table.cutoff == 100)]
        best = rows[(rows.criterion == "overall") & (rows["rank"] == 1)]["metric"].iloc[0]
        assert labels[0] == style.metric(best).label
        assert any(text.get_text().startswith("At @100: most robust") for text in first.texts)
        assert last.get_xlim()[0] > last.get_xlim()[1]  # further right is better


def test_no_point_of_the_figure_is_hidden():
    for axes in figure.draw(made_up(), panels(3)).axes:
        low, high = sorted(axes.get_xlim())
        for line in axes.lines:
            if line.get_transform() == axes.transData:
                x = np.asarray(line.get_xdata(), dtype=float)
                assert ((low < x) & (x < high) | np.isnan(x)).all()


@pytest.mark.parametrize("n", [1, 3])
def test_nothing_of_the_figure_is_cut_off(n):
    drawn = figure.draw(made_up(), panels(n))
    width, height = drawn.get_size_inches() * drawn.dpi
    drawn.draw_without_rendering()
    texts = [text for axes in drawn.axes for text in [*axes.texts, axes._left_title]]
    boxes = [text.get_window_extent() for text in texts] + [drawn.legends[0].get_window_extent()]
    assert min(min(box.x0, box.y0) for box in boxes) >= 0
    assert max(box.x1 for box in boxes) <= width
    assert max(box.y1 for box in boxes) <= height


def test_the_verdict_names_the_best_and_what_it_cannot_be_told_from():
    levels, shares, power = by_hand()
    table = summary.run(levels, shares, power)
    assert figure.verdict(table, 10) == (
        "At @10: most robust to sparsity MRR (mean τ 0.900), to popularity MRR (mean τ 0.400). "
        "Tells systems apart best: MRR (DP 2.0; intervals overlap: P). "
        "Best mean rank (1.0): MRR, best at @10."
    )
    apart = summary.run(levels, shares, power.assign(low=power.dp, high=power.dp))
    assert "(DP 2.0). Best" in figure.verdict(apart, 10)


def test_equal_metrics_share_the_verdict():
    levels, shares, power = by_hand()
    equal = (levels.assign(tau=-0.5), shares.assign(tau=0.5), power.assign(dp=1.0))
    words = figure.verdict(summary.run(*equal), 10)
    assert "to sparsity P and MRR (mean τ −0.500)" in words
    assert words.endswith("Best mean rank (1.0): P, best at @5 @10; MRR, best at @5 @10.")


def test_one_cutoff_and_two_metrics_can_be_drawn_and_a_missing_dataset_is_an_error():
    one = [part[part.cutoff == 10] for part in by_hand()]
    table = summary.run(*one).assign(dataset="d0")
    assert len(figure.draw(table, [panels(1)[0] | {"cutoff": 10}]).axes) == 3
    with pytest.raises(AssayerError, match="dataset nowhere"):
        figure.draw(table, [{"dataset": "nowhere", "title": "", "cutoff": 100}])


def test_the_same_summary_gives_the_same_bytes(tmp_path):
    for stem in ("a", "b"):
        style.save(figure.draw(made_up(), panels(1)), tmp_path / stem)
    for kind in ("pdf", "svg", "png"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_the_table_has_a_row_for_each_metric_the_best_first_and_marked():
    table = summary.run(*by_hand()).assign(dataset="d0")
    made = table_of(table, 10, {"d0": "Made up (synthetic)"})
    assert list(made.frame["Metric"]) == ["MRR", "P"]
    np.testing.assert_allclose(made.frame["Sparsity"], [0.9, 0.8])
    np.testing.assert_allclose(made.frame[["DP", "Low", "High"]], [[2, 1, 6], [3, 1, 6]])
    assert list(made.frame["Best cut-off"]) == ["10", "10"]
    assert list(made.marked["DP"]) == [True, False]
