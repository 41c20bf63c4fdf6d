"""Split halves and swap rates: draws that are disjoint, and counts against loops and scipy."""

import numpy as np
import pytest
import scipy.stats

from rankassay.artifacts.arrays import Scores
from rankassay.seeds import generator
from rankassay.statistics import split_half
from rankassay.statistics.generalizability import Components
from rankassay.statistics.split_half import expected, halves, sizes
from rankassay.studies.reliability import differences


def scores_of(values, measures=("nDCG@10", "P@10")):
    names = np.array([f"s{n}" for n in range(values.shape[1])])
    return Scores(values, np.arange(len(values), dtype=np.int32), names, np.array(measures))


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(6)
    skill = np.linspace(0, 0.5, 6)[:, None] * [1.0, 0.3]
    return scores_of(rng.random((90, 6, 2)).round(1) + skill)


def drawn(n, repetitions, seed):
    """Return the orders of n users that are drawn."""
    rng = generator(seed, "split-half")
    return [rng.permutation(n) for _ in range(repetitions)]


def test_sizes_double_up_to_half():
    assert sizes(90) == [5, 10, 20, 40, 45]
    assert sizes(10) == [5]
    assert sizes(7) == [3]
    assert sizes(1) == []


def test_halves_are_means_of_disjoint_users(scores):
    """Sets that differ from each other in no user would have the same means, or overlap."""
    for half in halves(scores, 4, seed=2):
        for r, order in enumerate(drawn(90, 4, 2)):
            first, second = order[:45][: half.n], order[45:][: half.n]
            for users, means in ((first, half.first), (second, half.second)):
                expected_means = scores.values[users].mean(axis=0).T
                np.testing.assert_allclose(means[:, r], expected_means, rtol=1e-12)
        np.testing.assert_allclose(half.whole[:, 0], scores.values.mean(axis=0).T, rtol=1e-12)


def test_equal_systems_are_tied_in_every_set():
    rng = np.random.default_rng(3)
    x = rng.random((40, 3, 1))
    x[:, 2] = x[:, 0]
    for half in halves(scores_of(x, ["P@10"]), 20, seed=0):
        assert (half.first[..., 0] == half.first[..., 2]).all()


def test_the_table_holds_means_over_repetitions(scores):
    table = split_half.run(scores, seed=2, repetitions=4)
    row = table[(table.metric == "P") & (table.users == 20) & (table.against == "half")]
    row = row.set_index("coefficient")
    tau, r = [], []
    for order in drawn(90, 4, 2):
        a, b = (
            scores.values[own[:20], :, 1].mean(axis=0).round(12)  # rounding hides ties
            for own in (order[:45], order[45:])
        )
        tau.append(scipy.stats.kendalltau(a, b).statistic)
        r.append(scipy.stats.pearsonr(a, b).statistic)
    assert row.loc["tau_b", "mean"] == pytest.approx(np.mean(tau), rel=1e-12)
    assert row.loc["pearson", "mean"] == pytest.approx(np.mean(r), rel=1e-12)
    assert row.loc["tau_b", "low"] == pytest.approx(np.quantile(tau, 0.025), rel=1e-12)
    assert row.loc["tau_b", "high"] == pytest.approx(np.quantile(tau, 0.975), rel=1e-12)
    assert row.loc["tau_b", "low"] < row.loc["tau_b", "high"]
    assert (row["repetitions"] == 4).all()
    assert row.loc["rbo", ["theory", "mapped"]].isna().all()
    assert len(table) == 2 * 5 * 2 * 4


def test_lower_is_better_turns_the_order(scores):
    """RBO and tau_AP look at the top, which is at the other end of errors."""
    errors = scores_of(-scores.values[:, :, :1], ["RMSE"])
    gains = scores_of(scores.values[:, :, :1], ["P@10"])
    ours, theirs = (split_half.run(own, 1, 5)["mean"] for own in (errors, gains))
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_gt4ireval_s_mapping():
    """What its documentation prints of three values of E rho^2."""
    e_rho2 = np.array([0.93, 0.95, 0.98])
    mapped = e_rho2 ** split_half.EXPONENTS["tau_ap"]
    assert mapped.round(7).tolist() == [0.7487836, 0.8150692, 0.9226192]


def test_theory_holds_where_its_assumptions_do():
    """Of normal effects measured correlations and taus are what is expected, on average."""
    rng = np.random.default_rng(8)
    found = {}
    for _ in range(30):
        x = rng.normal(0, 1, (1, 20, 1)) + rng.normal(0, 4, (80, 20, 1))
        table = split_half.run(scores_of(x, ["P@10"]), 0, 10)
        for row in table.itertuples():
            found.setdefault((row.against, row.coefficient, row.users), []).append(row.mean)
    # The expectation is that of the true variances: 1 and 16.
    true = Components(np.array([80]), 20, *np.array([[96.0], [16.0], [16.0]]))
    assert true.variance_systems[0] == 1
    for (against, name, n), means in found.items():
        if name in ("pearson", "tau_b"):
            theory = expected(true, n)["theory", against, name][0]
            assert np.mean(means) == pytest.approx(theory, abs=0.05), (against, name, n)


@pytest.mark.parametrize("levels", [1, 100])
def test_swaps_are_counted_as_a_loop_counts_them(levels, monkeypatch):
    """Of few levels many sets tie two systems."""
    edges = [0, 5, 20]
    x = np.random.default_rng(levels).random((90, 6, 2)) + np.linspace(0, 0.3, 6)[:, None]
    scores = scores_of((x * levels).round() / levels)
    monkeypatch.setattr(differences, "EDGES", edges)
    table = differences.swap_rates(scores, seed=2, repetitions=4)
    row = table[(table.metric == "nDCG") & (table.users == 10)].set_index("low")
    pairs, ties, swaps = (dict.fromkeys(edges, 0) for _ in range(3))
    for order in drawn(90, 4, 2):
        a, b = (scores.values[own[:10], :, 0].mean(axis=0) for own in (order[:45], order[45:]))
        for own, other in ((a, b), (b, a)):
            for i in range(6):
                for j in range(i):
                    percent = 100 * abs(own[i] - own[j]) / max(own[i], own[j])
                    if percent < 1e-9:
                        continue
                    edge = max(edge for edge in edges if edge <= percent + 1e-9)
                    pairs[edge] += 1
                    opposite = (own[i] - own[j]) * (other[i] - other[j])
                    swaps[edge] += opposite < -1e-12
                    ties[edge] += abs(opposite) < 1e-12
    assert row["pairs"].to_dict() == pairs
    assert row["swaps"].to_dict() == swaps
    assert row["ties"].to_dict() == ties
    shares = [swaps[e] / pairs[e] if pairs[e] else np.nan for e in edges]
    np.testing.assert_array_equal(row["rate"], shares)
    assert row["high"].tolist() == [5, 20, np.inf]
    assert (sum(ties.values()) > 0) == (levels == 1)


def test_equal_systems_have_no_correlation():
    """The sums of a third differ by rounding with the order of the users."""
    x = np.random.default_rng(0).integers(0, 3, (30, 1, 1)) / 3
    table = split_half.run(scores_of(np.repeat(x, 5, axis=1), ["P@10"]), seed=0, repetitions=20)
    assert table["mean"].isna().all()
    assert np.isnan(split_half._pearson(np.array([0.3, 0.1 + 0.2, 0.3]), np.arange(3.0)))


def test_nobody_swaps_what_is_the_same_for_all():
    x = np.repeat([[[0.1], [0.5], [0.9]]], 30, axis=0)
    table = differences.swap_rates(scores_of(x, ["P@10"]), 0, 3)
    assert table["swaps"].sum() == table["ties"].sum() == 0
    assert table["pairs"].sum() > 0
    assert (table.loc[table["pairs"] > 0, "rate"] == 0).all()


def test_too_few_users_or_systems_make_no_rows():
    for shape in ((1, 3, 1), (20, 1, 1)):
        scores = scores_of(np.random.default_rng(0).random(shape), ["P@10"])
        assert split_half.run(scores, 0, 3).empty
        assert differences.swap_rates(scores, 0, 3).empty


def test_users_without_a_value_are_never_drawn():
    x = np.random.default_rng(1).random((30, 3, 2))
    x[:10, 0, 1] = np.nan
    table = split_half.run(scores_of(x), 0, 3)
    assert table.groupby("metric")["users"].max().to_dict() == {"P": 10, "nDCG": 15}
    assert table["mean"].notna().all()


def test_the_same_seed_gives_the_same_bytes(scores):
    first, second = (split_half.run(scores, 3, 5) for _ in range(2))
    assert first.equals(second)
    assert not first.equals(split_half.run(scores, 4, 5))
