"""The summary of the study: its analysis by hand, its figure and its table."""

import doctest
import functools
import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

from rankassay.answers import criteria as summary
from rankassay.answers import figures, findings, validity, words
from rankassay.answers.tables import summary as table_of
from rankassay.artifacts.tables import read_table, write_table
from rankassay.drawing import style
from rankassay.drawing.table import MISSING, printed
from rankassay.errors import RankassayError, listed
from rankassay.metrics.catalogue import label
from rankassay.report.tables import by_criterion
from rankassay.statistics.replicated import Replicated, interval

pytestmark = pytest.mark.slow

METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"]
CUTOFFS = [5, 10, 50, 100]
SUFFIX = {2: " (synthetic)"}
TITLES = {f"d{i}": f"Dataset {i}{SUFFIX.get(i, '')}" for i in range(3)}


# As many on either side, 95 % of them between -0.095 and 0.095.
NOISE = np.linspace(-0.1, 0.1, 201)


SPLIT = pd.DataFrame(
    {"part": ["train", "test"], "users": [1300, 1227], "ratings_median": [16.0, 4.0]}
)


def replicated(table, column, noise=()):
    """Return a table whose replicates are its numbers with the noise of each row, or of all."""
    return Replicated(table, column, table[[column]].to_numpy() + np.atleast_2d(noise))


def by_hand(noise=()):
    """Return two metrics at two cut-offs; all numbers move together with the noise."""
    measures = pd.DataFrame(itertools.product(["P", "RR"], [5, 10]), columns=["metric", "cutoff"])
    levels = measures.merge(pd.DataFrame({"level": [100, 50, 20]}), how="cross")
    levels["tau"] = [1, 0.9, 0.7, 1, 0.8, 0.8, 1, 0.5, np.nan, 1, 0.9, 0.9]
    levels["low"], levels["high"] = levels["tau"] - 0.1, levels["tau"]  # over samples
    shares = measures.merge(pd.DataFrame({"percentage": [100, 90]}), how="cross")
    shares["tau"] = [1, 0.2, 1, 0.3, 1, 0.6, 1, 0.4]
    power = measures.assign(dp=[4.0, 3.0, 5.0, 2.0], low=1.0, high=6.0, pairs=10, identical=0)
    return (
        replicated(levels.assign(correlation="tau_b"), "tau", noise),
        replicated(shares.assign(correlation="tau_b"), "tau", noise),
        replicated(power, "dp", noise),
        SPLIT,
    )


def made_up(seed=1):
    """Return a summary of random results on the three datasets, each made once."""
    return _made_up(seed).copy()


@functools.cache
def _made_up(seed):
    rng = np.random.default_rng(seed)
    measures = pd.DataFrame(itertools.product(METRICS, CUTOFFS), columns=["metric", "cutoff"])
    parts = []
    for name in TITLES:
        tau = rng.uniform(0.5, 0.9, len(measures))
        dp = rng.uniform(1, 9, len(measures))
        noise = rng.normal(size=(len(measures), 60))
        sparse = measures.assign(level=50, tau=tau, correlation="tau_b")
        popular = measures.assign(percentage=90, tau=tau - 0.6, correlation="tau_b")
        made = summary.summary(
            replicated(sparse, "tau", 0.05 * noise),
            replicated(popular, "tau", 0.05 * noise[::-1]),
            replicated(measures.assign(dp=dp, pairs=210, identical=0), "dp", 0.5 * noise),
            SPLIT,
        )
        parts.append(made.assign(dataset=name))
    return pd.concat(parts)


def panels(n):
    return [{"dataset": d, "title": t, "cutoff": 100} for d, t in list(TITLES.items())[:n]]


@functools.cache
def figure(n):
    """Return the figure of some datasets, which tests look at and leave as it is."""
    return figures.summary(made_up(), panels(n))


def test_summary_by_hand():
    table = summary.summary(*by_hand()).set_index(["criterion", "metric", "cutoff"])
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


def test_the_summary_is_of_the_first_correlation():
    sparsity, *others = by_hand()
    again = [sparsity.table, sparsity.table.assign(correlation="spearman", tau=0.1)]
    numbers = [sparsity.replicates, sparsity.replicates]
    both = Replicated(pd.concat(again, ignore_index=True), "tau", np.concatenate(numbers))
    expected = summary.summary(sparsity, *others)
    pd.testing.assert_frame_equal(summary.summary(both, *others), expected)


def test_how_far_metrics_are_behind_the_best_by_hand():
    """Than the best metric at the cut-off, and than the best cut-off of the metric."""
    table = summary.summary(*by_hand()).set_index(["criterion", "metric", "cutoff"])
    expected = {
        "sparsity": ([0, 0.1, 0.55, 0], [0, 0, 0.65, 0]),
        "popularity": ([0.4, 0.1, 0, 0], [0.1, 0, 0, 0.2]),
        "power": ([0, 1, 1, 0], [1, 0, 3, 0]),
        # Of the mean of three ranks; and of three cut-off ranks: 5/3 and 1, 5/3 and 4/3.
        "overall": ([0, 1, 1 / 3, 0], [2 / 3, 0, 1 / 3, 0]),
    }
    for criterion, (behind, cutoff_behind) in expected.items():
        rows = table.loc[criterion]
        np.testing.assert_allclose(rows["behind"], behind, atol=1e-12)
        np.testing.assert_allclose(rows["cutoff_behind"], cutoff_behind, atol=1e-12)
    # Without replicates nothing is known of what is behind, nor of any interval.
    unknown = ["low", "high", "behind_low", "behind_high", "apart"]
    assert table[[*unknown, *(f"cutoff_{name}" for name in unknown[2:])]].isna().all(axis=None)


def test_intervals_and_gaps_of_the_summary():
    table = summary.summary(*by_hand(NOISE)).set_index(["criterion", "metric", "cutoff"])
    at = np.array([-0.095, 0.095])
    # The level without a value counts as 0, in every replicate; so RR@5 varies half as much.
    for place, (value, scale) in enumerate([(0.8, 1), (0.8, 1), (0.25, 0.5), (0.9, 1)]):
        ends = table.loc["sparsity"].iloc[place][["low", "high"]].to_numpy(float)
        np.testing.assert_allclose(ends, value + scale * at, atol=0.003)
    for place, value in enumerate([4, 3, 5, 2]):
        ends = table.loc["power"].iloc[place][["low", "high"]].to_numpy(float)
        np.testing.assert_allclose(ends, value + at, atol=0.003)
    # Samples and files have intervals of their own, which say nothing of the mean over levels.
    assert list(table.loc["sparsity"]["undefined"]) == [0, 0, 1, 0]
    assert set(table.loc["popularity"]["correlation"]) == {"tau_b"}
    # A correlation is at most 1, and DP at least 0.
    wide = summary.summary(*by_hand(40 * NOISE)).set_index(["criterion", "metric", "cutoff"])
    assert set(wide.loc["sparsity"]["high"]) == {1.0}
    assert set(wide.loc["popularity"]["low"]) == {-1.0}
    assert list(wide.loc["power"]["low"]) == pytest.approx([0.2, 0, 1.2, 0], abs=0.12)


def three(noise):
    """Return the summary of three metrics of DP 1, 1.05 and 2, each with noise of its own."""
    measures = pd.DataFrame({"metric": ["P", "RR", "AP"], "cutoff": 10})
    given = [
        Replicated.of(
            measures.assign(correlation="tau_b", **{x: 50}), "tau", np.full((3, 202), 0.5)
        )
        for x in ("level", "percentage")
    ]
    power = replicated(measures.assign(dp=[1, 1.05, 2], pairs=10, identical=0), "dp", noise)
    table = summary.summary(*given, power, SPLIT)
    return table[table["criterion"] == "power"].set_index("metric")


def only(result, metric):
    """Return the rows of one metric of a result."""
    keep = (result.table["metric"] == metric).to_numpy()
    return Replicated(result.table[keep], result.column, result.replicates[keep])


@pytest.mark.parametrize("narrowed", [0, 1, 2])
def test_the_summary_is_of_the_measures_that_all_criteria_have(narrowed):
    criteria = [*by_hand(NOISE)]
    alone = [only(result, "P") for result in criteria[:3]]
    found = [alone[n] if n == narrowed else result for n, result in enumerate(criteria[:3])]
    expected = summary.summary(*alone, *criteria[3:])
    pd.testing.assert_frame_equal(summary.summary(*found, *criteria[3:]), expected)
    found = [only(result, "RR" if n == narrowed else "P") for n, result in enumerate(criteria[:3])]
    with pytest.raises(RankassayError, match=r"metrics and cut-offs that .* have in common"):
        summary.summary(*found, *criteria[3:])


def test_metrics_are_told_apart_by_what_resampled_users_make_of_their_difference():
    """Not by whether intervals overlap: those of P and RR do, and move together."""
    together = three(NOISE)
    assert together.loc["RR", "low"] < together.loc["P", "high"]
    np.testing.assert_allclose(together["behind_low"], [0, 0.05, 1], atol=1e-12)
    np.testing.assert_allclose(together["behind_high"], [0, 0.05, 1], atol=1e-12)
    assert list(together["apart"]) == [False, True, True]  # the best is not behind itself
    against = three(np.array([NOISE, -NOISE, NOISE]))
    # 1.05 - x - (1 + x): 0.05 with an interval that is 0.19 wide on either side.
    ends = against.loc["RR", ["behind_low", "behind_high"]].to_numpy(float)
    np.testing.assert_allclose(ends, [-0.14, 0.24], atol=0.004)
    assert list(against["apart"]) == [False, False, True]


@pytest.mark.parametrize("seed", range(5))
def test_equal_values_share_the_lowest_rank_as_in_scipy(seed):
    x = np.random.default_rng(seed).random((9, 40)).round(1)
    x[seed, : 5 * seed] = np.nan
    expected = rankdata(x, method="min", axis=0)
    np.testing.assert_array_equal(summary._lowest_ranks(x), expected)


def test_ranks_are_compared_in_the_replicates_that_all_criteria_have():
    """In half of the replicates P and RR change places by DP; there are 60 of it, of others 201."""
    sparsity, popularity, power, _ = by_hand(NOISE)
    sign = np.tile([-1, 1], 30)
    power = replicated(power.table, "dp", np.array([[0], [1], [0], [-1]]) * 0.6 * sign)
    rows = summary.summary(sparsity, popularity, power, SPLIT)
    overall = rows[(rows["criterion"] == "overall") & (rows["cutoff"] == 10)].set_index("metric")
    # DP of P@10 is 3 -+ 0.6 and of RR@10 2 +- 0.6: ranks 2 and 1, or 1 and 2, and P is behind
    # by (2 + 2 + 2) / 3 - 1 = 1, or by (2 + 2 + 1) / 3 - (1 + 1 + 2) / 3 = 1/3, on average 2/3.
    assert list(overall["value"]) == [2, 1]
    assert overall.loc["P", "behind"] == 1
    drawn = np.where(sign > 0, 1, 1 / 3)
    ends = [float(end) for end in interval(np.array(1.0), drawn)]
    found = overall.loc["P", ["behind_low", "behind_high"]].to_list()
    assert found == pytest.approx(ends)
    assert overall.loc["P", "apart"]
    # Without replicates of DP nothing is known of DP and of the ranks, but of correlations.
    unknown = replicated(power.table, "dp")
    none = summary.summary(sparsity, popularity, unknown, SPLIT).set_index("criterion")
    assert none.loc[["power", "overall"], ["apart", "low"]].isna().all(axis=None)
    assert none.loc[["sparsity", "popularity"], ["apart", "low"]].notna().all(axis=None)


def test_the_whole_test_set_counts_only_where_there_is_nothing_else():
    sparsity, popularity, power, _ = by_hand(NOISE)
    own = (sparsity.table.level == 100).to_numpy()
    only = Replicated(sparsity.table[own], "tau", sparsity.replicates[own])
    whole = summary.summary(only, popularity, power, SPLIT)
    assert set(whole.loc[whole.criterion == "sparsity", "value"]) == {1.0}
    assert set(whole.loc[whole.criterion == "sparsity", "rank"]) == {1}


@pytest.mark.parametrize("n", [1, 3])
def test_the_figure_shows_every_metric_and_says_what_is_best(n):
    table = made_up()
    drawn = figure(n)
    assert len(drawn.axes) == 3 * n
    for i, panel in enumerate(panels(n)):
        first, *_, last = drawn.axes[3 * i : 3 * i + 3]
        labels = [text.get_text() for text in first.get_yticklabels()]
        assert sorted(labels) == sorted(map(label, METRICS))
        assert first.get_title(loc="left") == panel["title"]
        rows = table[table.dataset == panel["dataset"]]
        best = rows[(rows.criterion == "overall") & (rows["rank"] == 1) & (rows.cutoff == 100)]
        best = best["metric"].iloc[0]
        assert labels[0] == label(best)
        said = " ".join(text.get_text() for text in first.texts)
        assert words.answer(rows, 100) in " ".join(said.split())
        assert last.get_xlim()[0] > last.get_xlim()[1]  # further right is better


def test_no_point_of_the_figure_is_hidden():
    for axes in figure(3).axes:
        low, high = sorted(axes.get_xlim())
        for line in axes.lines:
            if line.get_transform() == axes.transData:
                x = np.asarray(line.get_xdata(), dtype=float)
                assert ((low < x) & (x < high) | np.isnan(x)).all()


@pytest.mark.parametrize("n", [1, 3])
def test_nothing_of_the_figure_is_cut_off(n):
    drawn = figure(n)
    width, height = drawn.get_size_inches() * drawn.dpi
    drawn.draw_without_rendering()
    texts = [text for axes in drawn.axes for text in [*axes.texts, axes._left_title]]
    boxes = [text.get_window_extent() for text in texts] + [drawn.legends[0].get_window_extent()]
    assert min(min(box.x0, box.y0) for box in boxes) >= 0
    assert max(box.x1 for box in boxes) <= width
    assert max(box.y1 for box in boxes) <= height


def compared(sparsity, popularity, power, overall, cutoffs=(False, None), **data):
    """Return a summary of P, RR and AP at 10: of each criterion values, and who is apart.

    P is best, and the others are so much behind; at 5, P is a rank behind.
    """
    rows = []
    criteria = {"sparsity": sparsity, "popularity": popularity, "power": power, "overall": overall}
    for criterion, (value, apart) in criteria.items():
        for rank, (metric, own) in enumerate(zip(("P", "RR", "AP"), (False, *apart), strict=True)):
            number = value + rank * (1 if criterion in ("power", "overall") else -0.25)
            rows.append((metric, 10, criterion, number, rank + 1, own, 1, cutoffs[0]))
            rows.append((metric, 5, criterion, number, rank + 1, own, 2, cutoffs[1]))
    names = ["metric", "cutoff", "criterion", "value", "rank", "apart"]
    table = pd.DataFrame(rows, columns=[*names, "cutoff_rank", "cutoff_apart"])
    apart = dict.fromkeys(["apart", "cutoff_apart"], "boolean")
    table = table.assign(correlation="tau_b", low=np.nan, high=np.nan, undefined=0).astype(apart)
    data = {"systems": 21, "test_users": 1227, "ratings_median": 4.0} | data
    ranks = ["rank", "cutoff_rank", "apart", "cutoff_apart"]
    if data["systems"] < findings.ENOUGH:  # as in `test_few_systems_give_no_ranks`
        table[ranks] = np.nan
    return table.assign(**data)


APART, TIED, UNKNOWN = [True, True], [False, False], [None, None]
HEAD = "The metrics are compared on 21 systems and 1,227 test users."
UNMEASURED = (
    "The validity of the ranking was not measured here: it takes judgements of random items, and "
    "the study validity."
)
UNMEASURABLE = (
    "The validity of the ranking cannot be measured on these data: they have no judgements of "
    "random items."
)


def test_sentences_name_a_winner_only_where_all_others_are_told_apart():
    table = compared((0.9, [False, True]), (0.85, APART), (1.5, TIED), (1, UNKNOWN))
    assert words.sentences(table, 10) == [
        "P@10 is the most robust to sparsity (mean τ = .900), tied with MRR@10 (95%).",
        "P@10 is the most robust to popularity bias (mean τ = .850), significantly better than all "
        "others.",
        "P@10 has the best discriminative power (DP 1.5), but all other metrics are tied with "
        "it (95%).",
        "P@10 ranks best over the three criteria (average rank 1.0); without "
        "replicates, no difference can be tested.",
        "The best cut-off for P by average rank is @10. P@10 reaches mean τ = .900 with missing "
        "ratings and .850 without popular items. Its DP is 1.5. Half of the 1,227 test users have "
        "at most 4 test ratings, too few to fill a list of 10.",
        HEAD,
        UNMEASURED,
    ]
    sparse = findings.finding(table, "sparsity", 10)
    assert (sparse.best, sparse.others, sparse.rivals) == (["P"], ["RR", "AP"], ["RR"])
    assert (sparse.value, sparse.unknown, sparse.winner) == (0.9, [], False)
    assert findings.finding(table, "popularity", 10).winner
    # Of what is not known nothing is said.
    overall = findings.finding(table, "overall", 10)
    assert (overall.rivals, overall.unknown, overall.winner) == ([], ["RR", "AP"], False)
    assert findings.finding(table, "power", 10).rivals == ["RR", "AP"]


@pytest.mark.parametrize("n_rivals", range(6))
def test_every_rival_is_named_however_many_there_are(n_rivals):
    """Of five others, those tied with the best are named, never the rest."""
    others = ["RR", "AP", "nDCG", "R", "Bpref"]
    rows = pd.DataFrame({"metric": ["P", *others], "cutoff": 10, "criterion": "sparsity"})
    rows = rows.assign(value=[0.95, 0.9, 0.89, 0.88, 0.87, 0.86], rank=range(1, 7))
    apart = pd.Series([False, *(k >= n_rivals for k in range(5))], dtype="boolean")
    rows = rows.assign(apart=apart, low=np.nan, high=np.nan, undefined=0, correlation="tau_b")
    rows = rows.assign(systems=21, test_users=1227, ratings_median=40.0)
    said = words.sentences(rows, 10)[0]
    rivals = others[:n_rivals]
    assert findings.finding(rows, "sparsity", 10).rivals == rivals
    assert findings.finding(rows, "sparsity", 10).apart == others[n_rivals:]
    named = listed(findings.labels(rivals, 10))
    if n_rivals == 0:
        assert said.endswith(", significantly better than all others.")
    elif n_rivals == 5:
        assert said.endswith(", but all other metrics are tied with it (95%).")
    else:
        assert said.endswith(f", tied with {named} (95%).")
    assert ("all others" in said) == (n_rivals == 0)
    assert [label(name, 10) in said.partition("tied")[2] for name in others] == [
        0 < n_rivals < 5 and name in rivals for name in others
    ]


def test_of_two_metrics_neither_stands_out_if_the_other_is_not_told_apart():
    table = compared((0.9, TIED), (0.85, UNKNOWN), (1.5, TIED), (1, TIED))
    two = table[table["metric"] != "AP"]
    said = words.sentences(two, 10)
    assert said[0] == (
        "P@10 is the most robust to sparsity (mean τ = .900), but the other metric is tied with it "
        "(95%)."
    )
    assert said[1].endswith("; without replicates, no difference can be tested.")
    both = table.copy()
    both.loc[both["metric"] == "RR", "rank"] = 1
    assert words.sentences(both, 10)[0].endswith(
        "P@10 and MRR@10 are the most robust to sparsity (mean τ = .900), but the other metric is "
        "tied with P@10 (95%)."
    )


@pytest.mark.parametrize(
    ("dp", "shown"),
    [(1.53, "1.5"), (0.016, "0.016"), (0.5, "0.50"), (2e-7, "below 0.0001"), (0.0, "0.0")],
)
def test_a_small_sum_of_p_values_does_not_look_as_if_there_were_none(dp, shown):
    table = compared((0.9, APART), (0.85, APART), (1.5, APART), (1, APART))
    table.loc[table["criterion"] == "power", "value"] = dp
    assert f"(DP {shown})" in words.sentences(table, 10)[2]


def test_one_test_user_is_one():
    table = compared((0.9, APART), (0.85, APART), (1.5, APART), (1, APART))
    alone = table.assign(test_users=1, ratings_median=0.5)
    said = words.sentences(alone, 10)
    assert "The metrics are compared on 21 systems and 1 test user." in said
    assert "The one test user has at most 0 test ratings, too few to fill a list of 10." in said[4]
    at_5 = words.sentences(alone.assign(ratings_median=0.4), 5)
    assert (
        "Prefer a smaller cut-off: for the one test user, at most 0 of the 5 listed items can be "
        "hits."
    ) in at_5


def test_what_is_not_known_of_some_is_not_said_of_them():
    """MRR differs significantly or not; MAP has no replicates."""
    known = compared((0.9, [True, None]), (0.85, [False, None]), (1.5, APART), (1, APART))
    unknown = "Without replicates, the difference between P@10 and MAP@10 cannot be tested."
    said = words.sentences(known, 10)
    assert said[0].endswith(f"(mean τ = .900), significantly better than MRR@10. {unknown}")
    assert said[1].endswith(f"(mean τ = .850), tied with MRR@10 (95%). {unknown}")
    assert not findings.finding(known, "sparsity", 10).winner
    cells = by_criterion(known, "d", "D", 10).evidence.cells
    assert [row[-1][0] for row in cells[:2]] == [
        "none; without replicates, unknown for MAP",
        "MRR; without replicates, unknown for MAP",
    ]
    of_cutoffs = compared(*[(1.0, APART)] * 4)
    of_cutoffs = pd.concat([of_cutoffs, of_cutoffs[of_cutoffs["cutoff"] == 5].assign(cutoff=20)])
    of_cutoffs.loc[of_cutoffs["cutoff"] == 5, "cutoff_apart"] = True
    said = words.sentences(of_cutoffs, 10)
    assert "The best cut-off for P by average rank is @10." in " ".join(said)


def test_correlations_that_are_not_defined_are_said_to_count_as_0():
    table = compared((0.0, APART), (0.9, APART), (1.5, APART), (1, APART))
    table["undefined"] = (table["criterion"] == "sparsity").astype(int)
    said = words.sentences(table, 10)
    zero = "An undefined correlation (all systems tie) counts as 0."
    assert [zero in sentence for sentence in said[:2]] == [True, False]


def test_what_is_said_to_be_below_looks_so():
    table = compared((0.7996, APART), *[(0.9, APART)] * 3)
    said = words.sentences(table, 10)[0]
    assert "the best, P@10, reaches mean τ = .7996 (we call .80 robust)." in said


def test_a_metric_alone_is_not_said_to_be_equal_to_others():
    table = compared(*[(0.9, APART)] * 4)
    table = table[table["metric"] == "P"]
    assert words.sentences(table, 10)[0] == "P@10 is the only metric compared (mean τ = .900)."
    cells = by_criterion(table, "d", "D", 10).evidence.cells
    assert {row[-1][0] for row in cells} == {"no other is compared"}


def test_no_metric_is_called_robust_whose_correlation_is_low():
    table = compared((0.45, APART), (-0.25, APART), (1.5, APART), (1, APART))
    said = words.sentences(table, 10)
    assert (
        "No metric is robust to sparsity: the best, P@10, reaches mean τ = .450 (we call .80 "
        "robust)." in said
    )
    assert "mean τ = −.250" in said[1]
    assert not findings.finding(table, "sparsity", 10).winner
    at_least = compared((findings.ROBUST, APART), *[(1, APART)] * 3)
    assert findings.finding(at_least, "sparsity", 10).winner


@pytest.mark.parametrize(("systems", "judged"), [(1, False), (2, False), (4, False), (5, True)])
def test_few_systems_are_no_evidence(systems, judged):
    table = compared(*[(1.0, APART)] * 4, systems=systems)
    said = words.sentences(table, 10)
    count = {1: "one system", 2: "two systems", 4: "four systems"}.get(systems)
    few = [
        f"With {count}, metrics cannot be judged: it takes at least 5, for fewer often agree by "
        "chance."
    ]
    assert (said == few) == (not judged)
    assert (findings.best_cutoff(table, "P") is None) == (not judged)
    drawn = table_of(table.assign(dataset="d"), 10, {"d": "D"})
    assert any(map(any, drawn.marked.to_numpy())) == judged


@pytest.mark.parametrize(("pairs", "ranked"), [(1, False), (6, False), (10, True)])
def test_few_systems_give_no_ranks(pairs, ranked):
    *given, power, split = by_hand(NOISE)
    power.table["pairs"] = pairs
    table = summary.summary(*given, power, split)
    for column in ("rank", "cutoff_rank", "apart", "cutoff_apart"):
        known = table[column].notna()
        assert known.all() if ranked else not known.any()
    overall = table["criterion"] == "overall"
    assert table.loc[~overall, "value"].notna().all()
    assert table.loc[overall, "value"].notna().all() == ranked
    drawn = table_of(table.assign(dataset="d"), 10, {"d": "D"})
    assert drawn.frame["Average rank"].notna().all() == ranked
    assert (set(drawn.frame["Best cut-off"]) == {"–"}) == (not ranked)
    assert len(figures.summary(table.assign(dataset="d0"), [panels(1)[0] | {"cutoff": 10}]).axes)


def test_so_many_systems_are_enough_that_they_hardly_agree_by_chance():
    """The chance of two random orders to agree wholly, by going through all of them."""
    orders = [*itertools.permutations(range(findings.ENOUGH))]
    assert sum(order == orders[7] for order in orders) / len(orders) < 0.01
    fewer = [*itertools.permutations(range(findings.ENOUGH - 1))]
    assert sum(order == fewer[7] for order in fewer) / len(fewer) > 0.01


@pytest.mark.parametrize(
    ("median", "warned"), [(0.4, True), (0.49, True), (0.5, False), (4.0, False), (30.0, False)]
)
def test_a_cutoff_far_above_the_test_ratings_is_warned_of(median, warned):
    table = compared(*[(1.0, APART)] * 4, ratings_median=median)
    said = words.sentences(table, 5)
    assert any(sentence.startswith("Prefer a smaller") for sentence in said) == warned
    # Where it is the one that is named as the best, that sentence says so.
    said = words.sentences(table, 10)
    assert not any(sentence.startswith("Prefer a smaller") for sentence in said)
    [best] = [sentence for sentence in said if "average rank is @10" in sentence]
    assert ("too few to fill a list" in best) == (median < 10)
    deep = words.sentences(made_up_at_100(), 100)
    assert (
        "Prefer a smaller cut-off: for half of the 1,227 test users, at most 4 of the 100 listed "
        "items can be hits."
    ) in deep


def made_up_at_100():
    table = made_up()
    return table[table["dataset"] == "d0"]


@pytest.mark.parametrize(
    ("apart", "said"),
    [
        (True, "The best cut-off for P by average rank is @10. P@10"),
        (None, "The best cut-off for P by average rank is @10. P@10"),
        (False, "The best cut-off for P by average rank is @5, tied with @10 (95%). P@5"),
    ],
)
def test_the_smallest_cut_off_is_named_that_is_tied_with_the_best(apart, said):
    table = compared(*[(1.0, APART)] * 4, cutoffs=(False, apart))
    assert words.sentences(table, 10)[-3].startswith(said)
    assert findings.best_cutoff(table, "P") == (5 if apart is False else 10)


def test_what_the_best_cut_off_is_bad_at_stands_in_its_sentence_with_the_numbers():
    """At 100, which wins by a popularity of .107, sparsity and power are worse than at 10."""
    table = made_up_at_100()
    table = table[(table["metric"] == "P") & table["cutoff"].isin([10, 100])].copy()
    first = {"popularity": 100, "overall": 100, "sparsity": 10, "power": 10}
    best = table["criterion"].map(first) == table["cutoff"]
    table["cutoff_rank"], table["cutoff_apart"] = np.where(best, 1, 2), ~best
    values = {("popularity", 100): 0.107, ("popularity", 10): 0.1, ("sparsity", 100): 0.95}
    values |= {("sparsity", 10): 0.99, ("power", 100): 4.5, ("power", 10): 3.06}
    for (criterion, cutoff), value in values.items():
        table.loc[(table["criterion"] == criterion) & (table["cutoff"] == cutoff), "value"] = value
    assert words.of_cutoffs(table, "P") == (
        "The best cut-off for P by average rank is @100. P@100 reaches mean τ = .950 with missing "
        "ratings and .107 without popular items. Its DP is 4.5. It is less robust to missing "
        "ratings than P@10 (.990). It is not robust to popularity bias (below .80). It has less "
        "discriminative power than P@10 (DP 3.1). Half of the 1,227 test users have at most 4 test "
        "ratings, too few to fill a list of 100."
    )
    # Where all is well, nothing is added.
    fine = table.assign(ratings_median=100.0, cutoff_apart=False)
    fine.loc[fine["criterion"] == "popularity", "value"] = 0.9
    assert words.of_cutoffs(fine, "P").endswith("Its DP is 3.1.")


def test_equal_metrics_share_the_sentences():
    levels, shares, power, _ = by_hand(NOISE)
    equal = (
        replicated(levels.table.assign(tau=0.9), "tau", NOISE),
        replicated(shares.table.assign(tau=0.5), "tau", NOISE),
        replicated(power.table.assign(dp=1.0), "dp", NOISE),
        SPLIT,
    )
    said = words.answer(summary.summary(*equal), 10)
    assert "P@10 and MRR@10 are equally robust to sparsity (mean τ = .900)." in said
    once = [replicated(part.table, part.column) for part in equal[:3]]
    said = words.answer(summary.summary(*once, SPLIT), 10)
    assert "The best cut-off for P by average rank is @5." in said


def test_cutoffs_with_equal_values_count_as_one():
    """The lists end at 5: at 10, all users' values are the same, and so are all resamples'."""
    levels, shares, power, _ = by_hand(NOISE)
    same = [
        replicated(part.table.assign(**{part.column: value}), part.column, NOISE)
        for part, value in ((levels, 0.9), (shares, 0.5), (power, 1.0))
    ]
    found = summary.summary(*same, SPLIT)
    deep = found[found["cutoff"] == 10]
    assert deep["cutoff_rank"].isna().all()
    assert deep["rank"].notna().all()  # metrics are still compared there
    assert (found.loc[found["cutoff"] == 5, "cutoff_rank"] == 1).all()
    assert findings.best_cutoff(found, "P") == 5
    assert "best cut-off" not in words.answer(found, 10)


def test_others_are_said_to_be_told_apart_from_the_one_that_they_were_compared_with():
    """Two are first; `behind` and `apart` of the third are relative to the first of them."""
    table = compared(*[(0.9, [False, True])] * 4)
    table.loc[table["metric"] == "RR", "rank"] = 1
    said = words.sentences(table, 10)[0]
    assert said.startswith("P@10 and MRR@10 are the most robust to sparsity")
    assert said.endswith("; P@10 is significantly better than MAP@10.")


def test_the_examples_hold():
    for module in (words, findings, validity):
        assert doctest.testmod(module).failed == 0
    assert doctest.testmod(findings).attempted >= 1


def test_a_metric_that_reads_no_test_ratings_has_no_rank():
    """S-Recall is as robust as can be, for it does not read what is missing."""
    *given, split = by_hand(NOISE)
    for part in given:
        part.table["metric"] = part.table["metric"].replace("RR", "S_Recall")
    table = summary.summary(*given, split)
    alone = table[table["metric"] == "S_Recall"]
    assert alone["value"][alone["criterion"] != "overall"].notna().all()
    assert alone["rank"].isna().all()
    assert alone["apart"].isna().all()
    assert set(table.loc[table["metric"] == "P", "rank"]) == {1}
    assert findings.finding(table, "sparsity", 10).best == ["P"]
    assert words.sentences(table, 10)[-1] == "S-Recall@10 reads no test ratings and takes no part."
    assert findings.order(table, 10) == ["P", "S_Recall"]
    assert len(figures.summary(table.assign(dataset="d0"), [panels(1)[0] | {"cutoff": 10}]).axes)


def test_a_metric_that_no_cutoff_changes_has_no_best_one():
    table = compared(*[(1.0, APART)] * 4)
    table["metric"] = table["metric"].replace("P", "AUC")
    assert findings.best_cutoff(table, "AUC") is None
    assert not any("best cut-off" in sentence for sentence in words.sentences(table, 10))


def test_systems_users_and_ratings_are_of_the_test_set():
    table = summary.summary(*by_hand())
    assert set(table["systems"]) == {5}  # ten pairs
    assert set(table["test_users"]) == {1227}
    assert set(table["ratings_median"]) == {4.0}


def test_one_cutoff_and_two_metrics_can_be_drawn_and_a_missing_dataset_is_an_error():
    one = []
    for part in by_hand(NOISE)[:3]:
        own = (part.table.cutoff == 10).to_numpy()
        one.append(Replicated(part.table[own], part.column, part.replicates[own]))
    table = summary.summary(*one, SPLIT).assign(dataset="d0")
    assert len(figures.summary(table, [panels(1)[0] | {"cutoff": 10}]).axes) == 3
    with pytest.raises(RankassayError, match="dataset nowhere"):
        figures.summary(table, [{"dataset": "nowhere", "title": "", "cutoff": 100}])


def test_the_same_summary_gives_the_same_bytes(tmp_path):
    for stem in ("a", "b"):
        style.save(figures.summary(made_up(), panels(1)), tmp_path / stem)
    for kind in ("pdf", "svg", "png"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_the_table_has_a_row_for_each_metric_the_best_first_and_marked():
    table = summary.summary(*by_hand(NOISE)).assign(dataset="d0")
    made = table_of(table, 10, {"d0": "Made up (synthetic)"})
    assert list(made.frame["Metric"]) == ["MRR", "P"]
    np.testing.assert_allclose(made.frame["Sparsity"], [0.9, 0.8])
    np.testing.assert_allclose(made.frame["DP"], [2, 3])
    np.testing.assert_allclose(made.frame["Low"], [1.905, 2.905], atol=0.003)
    np.testing.assert_allclose(made.frame["High"], [2.095, 3.095], atol=0.003)
    assert list(made.frame["Best cut-off"]) == ["@10", "@10"]
    # All numbers move together: MRR is better in each replicate.
    assert list(made.marked["DP"]) == [True, False]
    # Its correlation without popular items is too low to be called robust.
    assert list(made.marked["Popularity"]) == [False, False]


def with_validity(taus, noise=NOISE, new=None, judged=4000, **more):
    """Return the summary by hand with validity: the taus of P@5, P@10, RR@5 and RR@10."""
    *given, split = by_hand(noise)
    table = given[2].table[["metric", "cutoff"]].assign(yardstick="liked", utility="P")
    table = table.assign(yardstick_cutoff=10, estimator="HT", truth_users=290, judged=judged)
    table = table.assign(candidates="all items", design="separate", tau=taus)
    others = [{"candidates": "test items"}, {"utility": "DCG"}, {"estimator": "plain"}]
    others += [{"yardstick_cutoff": 5}, {"yardstick": "own", "utility": "metric"}]
    parts = [table, *(table.assign(**own, tau=-1.0) for own in others)]
    if new is not None:
        parts.append(table.assign(yardstick="new", tau=new))
    every = pd.concat(parts, ignore_index=True)
    return summary.summary(*given, split, replicated(every, "tau", noise), **more)


def test_validity_is_a_criterion_of_lists_of_all_items_and_changes_no_overall_rank():
    table = with_validity([0.9, 0.85, 0.2, np.nan])
    rows = table[table["criterion"] == "validity"].set_index(["metric", "cutoff"])
    assert rows["value"].tolist() == [0.9, 0.85, 0.2, 0]
    assert rows["rank"].tolist() == [1, 1, 2, 2]
    assert rows["undefined"].tolist() == [0, 0, 0, 1]
    plain = summary.summary(*by_hand(NOISE))
    how = [
        "utility",
        "yardstick_cutoff",
        "estimator",
        "truth_users",
        "judged",
        "design",
        "warnings",
    ]
    both = table[table["criterion"] != "validity"].drop(columns=["correlation", *how])
    pd.testing.assert_frame_equal(both, plain.drop(columns="correlation"))
    said = words.sentences(table, 5)
    assert said[-2:] == [
        "P@5 agrees best with the true ranking under P@10 of liked items (τ = .90, 95%: .80 to "
        "1.00). It is significantly better than the others.",
        "The truth is estimated from 4,000 judgements of random items by 290 users (from a file of "
        "their own; Horvitz-Thompson weights). Its noise mostly attenuates τ towards 0.",
    ]
    drawn = table_of(table.assign(dataset="d"), 5, {"d": "D"})
    [name] = [column for column in drawn.frame if column.startswith("Validity")]
    assert drawn.formatters[name](drawn.frame[name].iloc[0]) == "0.900"
    shown = figures.summary(table.assign(dataset="d0"), [panels(1)[0] | {"cutoff": 5}])
    assert [a.get_xlabel().partition("\n")[0] for a in shown.axes[:4]] == [
        *findings.CRITERIA.values(),
        "Validity (liked)",
    ]
    dashed = [line.get_xdata()[0] for line in shown.axes[3].lines if line.get_linestyle() == "--"]
    assert 0.8 in dashed  # from where on the sentences speak of agreement
    assert 0.9 not in dashed


def test_each_yardstick_is_a_criterion_and_no_number_stands_for_both():
    table = with_validity([0.65, 0.6, 0.5, 0.4], new=[-0.73, -0.7, -0.6, -0.5])
    values = table.set_index(["criterion", "metric", "cutoff"])["value"]
    assert values["validity", "P", 5] == 0.65
    assert values["validity-new", "P", 5] == -0.73
    said = words.sentences(table, 5)
    assert said[-4].startswith(
        "P@5 agrees best with the true ranking under P@10 of liked items (τ = .65"
    )
    assert said[-3].startswith(
        "All metrics compared here tend to reverse the true ranking under P@10 of liked items that "
        "are new to the user. MRR@5 does least (τ = −.60"
    )
    assert said[-1] == (
        "Liked and new items give opposite answers under P@5 and MRR@5 (P@5: τ = .65 and τ = "
        "−.73). Decide which of the two your systems are for."
    )
    drawn = table_of(table.assign(dataset="d"), 5, {"d": "D"})
    assert drawn.frame[["Validity (liked)", "Validity (new)"]].notna().all(axis=None)
    shown = figures.summary(table.assign(dataset="d0"), [panels(1)[0] | {"cutoff": 5}])
    assert len(shown.axes) == 5
    shown.draw_without_rendering()  # five panels leave room for the columns between and behind them
    texts = [text.get_window_extent() for axes in shown.axes for text in axes.texts]
    labels = [axes.xaxis.label.get_window_extent() for axes in shown.axes]
    assert max(box.x1 for box in texts + labels) <= shown.bbox.x1
    assert all(a.x1 < b.x0 for a, b in itertools.pairwise(labels))


@pytest.mark.parametrize(
    ("apart", "said"),
    [
        ([True, True], " It is significantly better than the others."),
        ([False, False], " All metrics are tied (95%)."),
        ([False, True], " It is tied with MRR@10 (95%)."),
        ([None, None], " Without replicates, no difference can be tested."),
        (
            [False, None],
            " It is tied with MRR@10 (95%). Without replicates, the difference from MAP@10 cannot "
            "be tested.",
        ),
        ([True, None], " Without replicates, the difference from MAP@10 cannot be tested."),
    ],
)
def test_who_is_tied_with_the_most_valid_metric(apart, said):
    table = compared((0.9, apart), *[(0.9, APART)] * 3)
    own = table[table["criterion"] == "sparsity"].assign(
        **{"criterion": "validity", "yardstick_cutoff": 10, "judged": np.nan, "warnings": np.nan}
    )
    found = words.sentences(pd.concat([table, own]), 10)
    assert (
        f"P@10 agrees best with the true ranking under P@10 of liked items (τ = .90).{said}"
        in found
    )


@pytest.mark.parametrize(
    ("utilities", "by", "axis"),
    [
        (["DCG", "P"], ("P@10 of liked items", "P@10 of liked items that"), "P@10"),
        (["DCG"], ("DCG@10 of liked items", "DCG@10 of liked items that are new"), "DCG@10"),
        (["rating"], ("the mean rating of the first 10 items",) * 2, "rating@10"),
    ],
)
def test_the_true_ranking_is_called_by_its_utility(utilities, by, axis):
    *given, split = by_hand(NOISE)
    measures = given[2].table[["metric", "cutoff"]].assign(yardstick_cutoff=10, estimator="HT")
    measures = measures.assign(truth_users=9, judged=90, candidates="all items", design="separate")
    every = pd.concat(
        measures.assign(yardstick=name, utility=utility, tau=0.9 if utility == "P" else 0.5)
        for name in ("liked", "new")
        for utility in utilities
    ).reset_index(drop=True)
    table = summary.summary(*given, split, replicated(every, "tau", NOISE))
    own = table[table["criterion"].str.startswith("validity")]
    assert set(own["value"]) == {0.9 if "P" in utilities else 0.5}
    said = [text for text in words.sentences(table, 5) if "true ranking under" in text]
    assert all(f"true ranking under {what}" in text for what, text in zip(by, said, strict=True))
    shown = figures.summary(table.assign(dataset="d0"), [panels(1)[0] | {"cutoff": 5}])
    assert f"true {axis} of" in " ".join(axes.get_xlabel() for axes in shown.axes)


def test_where_all_was_judged_no_scatter_is_said_to_keep_tau_low():
    said = words.sentences(
        with_validity(
            [0.7, 0.7, 0.2, 0.1], judged=np.nan, diagnostics=pd.DataFrame({"warning": []})
        ),
        5,
    )
    assert "No metric compared here agrees with this ranking (τ of .80 or more)." in said
    assert not any("noise" in text for text in said)


def test_agreement_whose_interval_holds_0_is_no_agreement():
    said = words.sentences(with_validity([0.05, 0.05, 0.01, 0.01]), 5)
    assert (
        "P@5 agrees best, but not significantly, with the true ranking under P@10 of liked items "
        "(τ = .05, 95%: −.05 to .15)."
    ) in said
    said = words.sentences(with_validity([-0.05, -0.05, -0.1, -0.1]), 5)
    assert any(each.endswith("of liked items (τ = −.05, 95%: −.15 to .05).") for each in said)
    unknown = words.sentences(with_validity([-0.05, -0.05, -0.1, -0.1], noise=()), 5)
    assert any(each.startswith("All metrics compared here tend to reverse") for each in unknown)


def test_no_scatter_explains_metrics_that_all_reverse_the_truth():
    fine = pd.DataFrame({"warning": [np.nan]})
    said = words.sentences(with_validity([-0.65, -0.6, -0.5, -0.4], diagnostics=fine), 5)
    assert any(each.startswith("All metrics compared here tend to reverse") for each in said)
    assert NO_METRIC not in said


NO_METRIC = (
    "No metric compared here agrees with this ranking (τ of .80 or more). The noise of the "
    "judgements alone can keep τ below."
)


@pytest.mark.parametrize(
    ("warnings", "said"),
    [
        (None, None),
        ([np.nan, np.nan], "The diagnostics of the truth raise no warning."),
        (["A.", np.nan, "B.", "A."], "The truth is in doubt: A. B."),
    ],
)
def test_there_is_no_verdict_without_the_warnings_of_the_diagnostics(warnings, said, tmp_path):
    given = {} if warnings is None else {"diagnostics": pd.DataFrame({"warning": warnings})}
    new = [0.2, 0.2, 0.1, 0.1]
    for taus, low in (([0.7, 0.7, 0.2, 0.1], 2), ([0.9, 0.9, 0.2, 0.1], 1)):
        write_table(with_validity(taus, new=new, **given), tmp_path / "summary.csv")
        found = words.sentences(read_table(tmp_path / "summary.csv"), 5)  # as the report reads it
        assert found.count(NO_METRIC) == (low if said else 0)
        assert found[-1] == said or (said is None and "the truth" not in found[-1])


def test_that_data_have_no_truth_is_said_only_where_the_study_of_validity_looked(tmp_path):
    *given, split = by_hand(NOISE)
    columns = ["metric", "cutoff", "bias", "world_gini", "gini", "tau"]
    write_table(pd.DataFrame(columns=columns), tmp_path / "like.csv")
    none_alike = read_table(tmp_path / "like.csv")
    looked = summary.summary(*given, split, None, none_alike)
    assert words.sentences(looked, 5)[-1] == UNMEASURABLE
    assert words.sentences(summary.summary(*given, split), 5)[-1] == UNMEASURED


def test_a_truth_whose_agreement_nobody_asked_for_is_not_said_to_be_missing(tmp_path):
    *given, split = by_hand(NOISE)
    like = pd.DataFrame(columns=["metric", "cutoff", "bias", "world_gini", "gini", "tau"])
    looked = pd.DataFrame({"warning": ["", ""]})
    write_table(summary.summary(*given, split, None, like, looked), tmp_path / "summary.csv")
    table = read_table(tmp_path / "summary.csv")
    assert words.sentences(table, 5)[-1] == UNMEASURED


def test_without_a_truth_simulated_worlds_speak():
    *given, split = by_hand(NOISE)
    rows = [("P", 5, "mixed", 0.61, 0.3), ("P", 5, "relevance-driven", 0.65, 0.9)]
    rows += [("RR", 5, "mixed", 0.61, -0.1), ("RR", 5, "relevance-driven", 0.65, 0.8)]
    like = pd.DataFrame(rows, columns=["metric", "cutoff", "bias", "world_gini", "tau"])
    table = summary.summary(*given, split, None, like.assign(gini=0.63))
    rows = table[table["criterion"] == "validity"]
    assert rows["value"].isna().all()
    assert rows["rank"].isna().all()
    assert words.sentences(table, 5)[-2:] == [
        UNMEASURABLE,
        "Simulated worlds of similar popularity skew (Gini 0.63 here, within 0.1 there) stand in "
        "for a truth. Their mean τ with the true ranking ranges from −.10 (MRR@5, mixed bias) to "
        ".90 (P@5, relevance-driven bias).",
    ]
    # At a cut-off at which no world was made, nothing is said of worlds.
    assert words.sentences(table, 10)[-1] == UNMEASURABLE
    drawn = table_of(table.assign(dataset="d"), 5, {"d": "D"})
    place = [*drawn.frame].index("Validity (liked)")
    assert {row[place][0] for row in printed(drawn).cells} == {MISSING}
    shown = figures.summary(table.assign(dataset="d0"), [panels(1)[0] | {"cutoff": 5}])
    assert "Validity" not in " ".join(axes.get_xlabel() for axes in shown.axes)


def test_the_ends_of_simulated_worlds_are_named_by_metric_and_bias_of_their_own():
    """P has both ends at either cut-off: who has the least of the highest values has none."""
    *given, split = by_hand(NOISE)
    taus = {
        "P": {"uniform": -0.2, "mixed": 0.3, "popularity-driven": 0.95, "relevance-driven": 0.4},
        "RR": {"uniform": 0.5, "mixed": 0.45, "popularity-driven": 0.2, "relevance-driven": 0.35},
    }
    # The Gini falls where τ rises, so that no other column sorts the worlds as τ does.
    rows = [
        (metric, 5, bias, 0.6 - tau / 100, tau)
        for metric, own in taus.items()
        for bias, tau in own.items()
    ]
    rows += [("P", 10, "mixed", 0.6, 0.1), ("P", 10, "uniform", 0.61, 0.7)]
    rows += [("RR", 10, "popularity-driven", 0.62, 0.2), ("RR", 10, "relevance-driven", 0.6, 0.5)]
    like = pd.DataFrame(rows, columns=["metric", "cutoff", "bias", "world_gini", "tau"])
    table = summary.summary(*given, split, None, like.assign(gini=0.63))
    start = (
        "Simulated worlds of similar popularity skew (Gini 0.63 here, within 0.1 there) stand in "
        "for a truth. Their mean τ with the true ranking ranges from "
    )
    expected = {
        5: "−.20 (P@5, uniform bias) to .95 (P@5, popularity-driven bias).",
        10: ".10 (P@10, mixed bias) to .70 (P@10, uniform bias).",
    }
    for cutoff, said in expected.items():
        assert words.sentences(table, cutoff)[-1] == start + said
    own = table[table["criterion"] == "validity"].set_index(["metric", "cutoff"])
    assert own.loc[("RR", 5), ["like_low_bias", "like_high_bias"]].tolist() == [
        "popularity-driven",
        "uniform",
    ]
    ginis = own.loc[("RR", 5), ["like_low_gini", "like_high_gini"]].astype(float)
    assert ginis.tolist() == pytest.approx([0.598, 0.595])


def test_without_a_truth_the_selection_that_changes_the_winner_is_said():
    *given, split = by_hand(NOISE)
    winner = {"measure": "P@10", "leader": "WRMF", "gamma": 1.345, "rival": "PureSVD"}
    winner |= {"gamma_item": 1.6, "rival_item": "PureSVD", "hits": 90, "hits_rival": 50}
    winner |= {"same": 0, "pairs": 210, "standing": 82, "default": 3.0}
    winners = given[2].table[["metric", "cutoff"]].assign(**winner)
    table = summary.summary(*given, split, sensitivity=winners[winners["cutoff"] == 10])
    assert words.sentences(table, 10)[-4:] == [
        UNMEASURABLE,
        "Γ measures selection bias: the weight of every hit lies between 1/Γ and Γ.",
        "WRMF stays first under P@10, which stands in for MRR@10, up to Γ = 1.34. Beyond, PureSVD "
        "can overtake it.",
        "82 of 210 pairs of systems are significant up to Γ = 3.",
    ]
    # It takes two systems, where metrics cannot be judged.
    few = words.sentences(table.assign(systems=2), 10)
    assert few[0].startswith("With two systems, metrics cannot be judged")
    assert few[1:] == words.sentences(table, 10)[-3:]
    # At a cut-off without sensitivity nothing is said of it.
    assert words.sentences(table.assign(systems=2), 5) == few[:1]
    assert words.sentences(table, 5)[-1] == UNMEASURABLE
    truth = with_validity([0.9, 0.85, 0.2, 0.1], sensitivity=winners)
    assert not any("Γ" in sentence for sentence in words.sentences(truth, 10))
