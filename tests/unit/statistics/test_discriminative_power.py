"""Discriminative power and its uncertainty, by definition and by simulation; Table 3 as run."""

import itertools

import made_up
import numpy as np
import pytest
import scipy.sparse as sp
import scipy.stats
from settings_of import settings_of

from rankassay.artifacts.arrays import Scores
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.recommenders.rank import rank
from rankassay.statistics import discriminative_power, significance
from rankassay.statistics.bootstrap import BLOCK
from rankassay.statistics.corrections import benjamini_hochberg, holm
from rankassay.statistics.draws import Draws
from rankassay.statistics.replicated import centred, interval
from rankassay.studies.robustness import as_run

MEASURES = np.array(["P@5", "P@10", "nDCG@5", "nDCG@10"])


@pytest.fixture(scope="module")
def scores():
    """Return the scores of six systems, of which two are alike; P@10 is a noisy P@5."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(150, 6, 4)) + np.linspace(0, 1.5, 6)[:, None]
    values[:, :, 1] += 12 * rng.normal(size=(150, 6))
    values[:, 1] = values[:, 0]
    users = np.arange(150, dtype=np.int32)
    return Scores(values, users, np.array(list("abcdef")), MEASURES)


def p_values_of(scores, **changes):
    settings = settings_of("robustness/p-values", **changes)
    return significance.p_values(scores, seed=1, **settings)


def summed(scores, p_values, **changes):
    settings = settings_of("robustness/discriminative-power", **changes)
    return discriminative_power.run(scores, p_values, 1, **settings)


def compared(scores, p_values, **changes):
    settings = settings_of("robustness/power-differences", **changes)
    return discriminative_power.power_differences(scores, p_values, 1, **settings)


def run_as_run(*given, replicates=0, **changes):
    settings = settings_of("robustness/as-run-p-values", **changes)
    p_values = as_run.as_run_p_values(*given, seed=1, **settings)
    return as_run.as_run(*given, p_values, 1, replicates)


@pytest.fixture(scope="module")
def p_values(scores):
    return p_values_of(scores, samples=2000)


@pytest.fixture(scope="module")
def replicated(scores, p_values):
    return summed(scores, p_values, replicates=300)


@pytest.fixture(scope="module")
def power(replicated):
    return replicated.table.set_index(["metric", "cutoff"])


def normal_p(d):
    return 2 * scipy.stats.norm.cdf(-abs(d.sum()) / np.sqrt((d**2).sum())) if d.any() else 1.0


def test_the_sum_and_the_counts_are_of_the_p_values(p_values, power):
    for key, every in p_values.groupby(["metric", "cutoff"]):
        rows = every[~every.identical]
        p, found = rows.p_value.to_numpy(), power.loc[key]
        assert found.pairs == 14
        assert found.identical == 1
        assert found.dp == pytest.approx(p.sum())
        assert found.dp_all == pytest.approx(every.p_value.sum())
        assert found.median_p == np.median(p)
        for name, level in (("05", 0.05), ("01", 0.01)):
            assert found[f"significant_{name}"] == (p < level).sum()
            assert found[f"significant_{name}_holm"] == (holm(p) < level).sum()
            assert found[f"significant_{name}_bh"] == (benjamini_hochberg(p) < level).sum()
            assert found[f"significant_{name}_max_t"] == (rows.adjusted < level).sum()


@pytest.mark.slow
def test_the_interval_is_of_users_drawn_again(scores, p_values, replicated, power):
    """The matrix products equal resampling the rows, and testing each pair.

    Replicates are more or less by what the measured sum is more or less than the approximation.
    """
    pairs = [*itertools.combinations(range(6), 2)]
    drawn = made_up.times_of_users(Draws.of(150, 300, seed=1))
    assert (drawn[0] == 1).all()
    assert replicated.column == "dp"
    for m, measure in enumerate(MEASURES):
        sums = []
        for times in drawn:
            x = np.repeat(scores.values[:, :, m], times.astype(int), axis=0)
            sums.append(sum(normal_p(x[:, i] - x[:, j]) for i, j in pairs if (i, j) != (0, 1)))
        name, _, cutoff = measure.partition("@")
        found = power.loc[(name, int(cutoff))]
        assert found.dp_normal == pytest.approx(sums[0], rel=1e-9)
        expected = np.array(sums[1:]) + (found.dp - sums[0])
        np.testing.assert_allclose(replicated.replicates[m], expected, rtol=1e-9)
        ends = [float(end) for end in interval(np.array(found.dp), expected, bounds=(0, 14))]
        assert found[["low", "high"]].to_list() == pytest.approx(ends, rel=1e-9)
        assert found.low < found.dp < found.high
    # Another level has an interval of its own.
    wide = summed(scores, p_values, replicates=300, level=0.99).table
    assert (wide["low"].to_numpy() <= power["low"]).all()
    assert (wide["high"].to_numpy() > power["high"]).all()


def test_no_interval_reaches_below_zero():
    """Where almost all pairs differ for sure, the replicates are shifted below what DP can be."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(100, 3, 1)) + np.array([0, 0.35, 0.8])[:, None]
    own = Scores(values, np.arange(100, dtype=np.int32), np.array([*"abc"]), np.array(["P@5"]))
    p_values = p_values_of(own, samples=5000)
    found = summed(own, p_values, replicates=200)
    assert centred(found.table["dp"].to_numpy(), found.replicates).min() < 0
    assert found.table["low"].to_list() == [0.0]
    assert 0 < found.table["dp"].item() < found.table["high"].item()


def test_intervals_can_be_left_out_but_few_resamples_are_refused(scores, p_values):
    none = summed(scores, p_values, replicates=0)
    assert none.replicates.shape == (4, 0)
    assert none.table[["low", "high"]].isna().all(axis=None)
    assert none.table["dp"].notna().all()
    differences = compared(scores, p_values, replicates=0)
    assert differences[["low", "high", "p_value", "p_holm"]].isna().all(axis=None)
    with pytest.raises(RankassayError, match="at least 40, found 39"):
        discriminative_power.run(scores, p_values, 1, replicates=39, level=0.95)


def test_the_normal_approximation_is_near_the_permutation_test(scores, p_values, power):
    for (metric, cutoff), rows in p_values.groupby(["metric", "cutoff"]):
        x = scores.values[:, :, [*MEASURES].index(f"{metric}@{cutoff}")]
        rows = rows[~rows.identical]
        pairs = [*itertools.combinations(range(6), 2)][1:]  # the first is of the two that are alike
        normal = [normal_p(x[:, i] - x[:, j]) for i, j in pairs]
        found = power.loc[(metric, cutoff)]
        assert found.dp_normal == pytest.approx(sum(normal))
        assert found.normal_error == pytest.approx(np.abs(normal - rows.p_value).max())
    assert power.normal_error.max() < 0.05  # 2,000 permutations: a standard error of 0.011


def test_a_pair_is_significant_if_it_differs_by_what_is_required(scores, power):
    x = scores.values[:, :, 0]
    required = []
    for i, j in [*itertools.combinations(range(6), 2)][1:]:
        d = x[:, i] - x[:, j]
        required.append(scipy.stats.norm.ppf(0.975) * np.sqrt((d**2).sum()) / len(d))
        assert (normal_p(d) < 0.05) == (abs(d.mean()) > required[-1])
    assert power.loc[("P", 5)].required_largest == pytest.approx(max(required))
    assert power.loc[("P", 5)].required_median == pytest.approx(np.median(required))


def test_without_a_joint_distribution_max_t_is_unknown(scores):
    table = p_values_of(scores, test="t")
    power = summed(scores, table, replicates=40).table
    assert power.significant_05_max_t.isna().all()
    assert (power.significant_05_holm > 0).any()


def test_differences_are_of_metrics_at_the_same_cutoff(scores, p_values, power):
    table = compared(scores, p_values, replicates=300)
    assert [*zip(table.metric_a, table.metric_b, table.cutoff, strict=True)] == [
        ("P", "nDCG", 5),
        ("P", "nDCG", 10),
    ]
    five, ten = table.itertuples()
    assert ten.difference == pytest.approx(power.loc[("P", 10)].dp - power.loc[("nDCG", 10)].dp)
    assert ten.low > 0  # P@10 was made noisy
    drawn = discriminative_power.resampled_power(scores.values, 300, seed=1)
    for row, a, b in ((five, 0, 2), (ten, 1, 3)):
        # What both sums are shifted by falls out: centred replicates are those of the difference.
        moved = centred(np.array(row.difference), drawn[:, a] - drawn[:, b])
        ends = [float(end) for end in interval(np.array(row.difference), moved)]
        assert [row.low, row.high] == pytest.approx(ends, rel=1e-9)
        less = min(np.sum(moved <= 0), np.sum(moved >= 0))
        assert row.p_value == pytest.approx(2 * (less + 1) / 301)
    assert ten.p_value < 0.05
    assert five.low < 0 < five.high
    assert five.p_value > 0.05
    # The only pair at its cut-off is a family of its own.
    assert table.p_holm.to_list() == table.p_value.to_list()


def test_one_metric_differs_from_none():
    values = np.random.default_rng(5).normal(size=(20, 3, 2))
    alone = Scores(values, np.arange(20, dtype=np.int32), np.array(list("abc")), ["P@5", "P@10"])
    table = compared(alone, p_values_of(alone, samples=50), replicates=40)
    assert len(table) == 0
    assert {"cutoff", "metric_a", "metric_b", "difference", "low", "high", "p_holm"} <= {*table}


def test_differences_are_corrected_within_each_cutoff():
    """Three metrics are three pairs at a cut-off; those of the other cut-off do not count."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(150, 5, 4)) + np.linspace(0, 1.5, 5)[:, None]
    values[:, :, 1] += 3 * rng.normal(size=(150, 5))
    values[:, :, 2] += 6 * rng.normal(size=(150, 5))
    measures = np.array(["P@5", "nDCG@5", "RR@5", "P@10"])
    own = Scores(values, np.arange(150, dtype=np.int32), np.array([*"abcde"]), measures)
    p_values = p_values_of(own, samples=500)
    table = compared(own, p_values, replicates=200)
    assert table.cutoff.to_list() == [5, 5, 5]
    first, second, third = np.sort(table.p_value)
    expected = [min(3 * first, 1), max(3 * first, 2 * second), max(3 * first, 2 * second, third)]
    assert np.sort(table.p_holm) == pytest.approx(np.minimum(expected, 1))
    assert (table.p_holm > table.p_value).any()


@pytest.mark.slow
def test_the_interval_holds_the_expected_power():
    """What as many other users give on average in 95 % of the cases; a new sum in 85 %."""
    rng = np.random.default_rng(4)
    n, n_systems, trials = 100, 6, 150
    skill = np.linspace(0, 0.8, n_systems)
    pairs = [*zip(*np.triu_indices(n_systems, k=1), strict=True)]

    def power_of(x):
        return sum(normal_p(x[:, i] - x[:, j]) for i, j in pairs)

    def sample():
        return skill + rng.normal(size=(n, n_systems))

    new = np.array([power_of(sample()) for _ in range(600)])
    values = np.stack([sample() for _ in range(trials)], axis=2)
    dp = np.array([power_of(values[:, :, t]) for t in range(trials)])
    drawn = discriminative_power.replicated_power(values, dp, 200, seed=0)
    # All pairs are tested by the approximation itself, so that nothing is shifted.
    np.testing.assert_allclose(
        drawn, discriminative_power.resampled_power(values, 200, seed=0), rtol=1e-9
    )
    low, high = interval(dp, drawn.T)
    assert 0.88 < np.mean((low <= new.mean()) & (new.mean() <= high)) <= 1
    assert 0.8 < np.mean((low[:, None] <= new) & (new <= high[:, None])) < 0.97


def test_p_values_of_other_scores_are_refused(scores, p_values):
    renamed = p_values.replace({"system_a": {"a": "z"}})
    with pytest.raises(RankassayError, match="of the scores, found others"):
        summed(scores, renamed)
    # As read from a file: names that look like numbers.
    numbers = Scores(scores.values, scores.users, np.array([*"123456"]), MEASURES)
    table = p_values_of(numbers, samples=10)
    table = table.astype({"system_a": int, "system_b": int})
    assert len(summed(numbers, table, replicates=40).table) == 4


class Fixed:
    def __init__(self, scores):
        self.scores = scores

    def score(self, users):
        return self.scores[users].copy()


def test_as_run_sums_both_orders_of_whole_lists():
    rng = np.random.default_rng(7)
    truth = rng.normal(size=(50, 40))
    state = rng.random(truth.shape)
    rating = np.clip(np.round(3 + truth), 1, 5).astype(np.float32)
    train, test = (sp.csr_matrix(np.where(w, rating, 0)) for w in (state < 0.2, state > 0.6))
    rankings = {
        f"system-{n}": rank(Fixed(truth + n * rng.normal(size=truth.shape)), train, test, depth=20)
        for n in range(4)
    }
    evaluation = {"threshold": 4, "metrics": ["P", "nDCG"], "without_relevant": None}
    found = run_as_run(test, rankings, evaluation, samples=5000, replicates=60)
    table = found.table.set_index("metric")
    assert table.index.to_list() == ["P", "nDCG"]
    assert (table.cutoff == 20).all()
    assert (table.pairs == 12).all()
    judgements = Judgements.of(test, 4)
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    values = evaluate(judgements, lists, ["P@20", "nDCG(truncate_ideal=False)@20"], depth=20)
    p, _ = significance.permutation(values, 20_000, seed=9, add_one=False)
    once = p[:, *np.triu_indices(4, k=1)].sum(axis=1)
    # Each of the 12 p-values has a standard error of at most 0.007.
    assert table.dp.to_numpy() == pytest.approx(2 * once, abs=4 * 0.007 * np.sqrt(12))
    # The two orders are drawn apart: their sums are not twice one of them in whole numbers.
    counts = table.dp.to_numpy() * 5000
    assert counts == pytest.approx(np.round(counts), abs=1e-6)
    assert (np.round(counts) % 2 == 1).any()
    # A replicate is of both orders: twice what the approximation makes of the resample more.
    times, drawn = made_up.times_of_users(Draws.of(50, 60, seed=1))[7], found.replicates[:, 6]
    pairs = [*itertools.combinations(range(4), 2)]
    for m in range(2):
        y = values[:, :, m]
        normal = sum(normal_p(y[:, i] - y[:, j]) for i, j in pairs)
        x = np.repeat(y, times.astype(int), axis=0)
        again = sum(normal_p(x[:, i] - x[:, j]) for i, j in pairs)
        assert drawn[m] == pytest.approx(table.dp.iloc[m] + 2 * (again - normal), rel=1e-9)
    assert (table.low < table.dp).all()
    assert (table.dp < table.high).all()


def test_results_are_the_same_whatever_the_number_of_resamples_before(scores):
    few = discriminative_power.resampled_power(scores.values, BLOCK + 7, seed=2)
    many = discriminative_power.resampled_power(scores.values, 2 * BLOCK, seed=2)
    np.testing.assert_array_equal(few, many[: len(few)])
