"""The analyses against scipy, exact enumeration and evaluation from scratch."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats

from assayer.analysis import discriminative_power, judgements, permutation, popularity, sparsity
from assayer.analysis.correlation import cutoffs, metrics
from assayer.analysis.kendall import system_values, tau_b
from assayer.analysis.permutation import p_values
from assayer.artifacts import Scores
from assayer.metrics.evaluate import evaluate, grid, measure_values
from assayer.metrics.judged import judge
from assayer.metrics.judgements import Judgements, Lists
from assayer.rankings import rank

MEASURES = grid(["P", "nDCG", "Bpref"], [5, 10])
EVALUATION = {
    "threshold": 4,
    "measures": MEASURES,
    "profile": "paper",
    "without_relevant": None,
    "aggregate": "mean",
}


class Fixed:
    def __init__(self, scores):
        self.scores = scores

    def score(self, users):
        return self.scores[users].copy()


@pytest.fixture(scope="module")
def study():
    """Return train, test and the rankings of five systems that are noisier and noisier."""
    rng = np.random.default_rng(7)
    truth = rng.normal(size=(60, 40)) + rng.normal(size=40)
    state = rng.random(truth.shape)
    rating = np.clip(np.round(3 + truth), 1, 5).astype(np.float32)
    train = sp.csr_matrix(np.where(state < 0.3, rating, 0))
    test = sp.csr_matrix(np.where(state > 0.7, rating, 0))
    rankings = {
        f"system-{n}": rank(Fixed(truth + n * rng.normal(size=truth.shape)), train, test, depth=20)
        for n in range(5)
    }
    return train, test, rankings


@pytest.fixture(scope="module")
def scores(study):
    _, test, rankings = study
    j = Judgements.of(test, 4)
    values = evaluate(j, [Lists.of(r, j) for r in rankings.values()], MEASURES, depth=20)
    return Scores(values, j.users, np.array([*rankings]), np.array(MEASURES))


@pytest.mark.parametrize("seed", range(20))
def test_tau_b_equals_scipys_with_ties(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(6, size=(2, 12)).astype(float)
    assert tau_b(x, y) == pytest.approx(scipy.stats.kendalltau(x, y, variant="b").statistic)


def test_tau_b_broadcasts_and_is_undefined_when_one_side_ties_all():
    x = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
    tau = tau_b(x[:, None], x[None, :])
    np.testing.assert_array_equal(tau, [[1, np.nan], [np.nan, np.nan]])


def test_correlations_equal_scipys_on_the_means(scores):
    means = system_values(scores.values)
    column = {measure: m for m, measure in enumerate(MEASURES)}

    def expected(a, b):
        return scipy.stats.kendalltau(means[column[a]], means[column[b]]).statistic

    by_cutoff, by_metric = cutoffs(scores, EVALUATION), metrics(scores, EVALUATION)
    assert len(by_cutoff) == 3 * 2 * 2
    assert len(by_metric) == 2 * 3 * 3
    for row in by_cutoff.itertuples():
        a, b = f"{row.metric}@{row.cutoff_a}", f"{row.metric}@{row.cutoff_b}"
        assert row.tau == pytest.approx(expected(a, b))
    for row in by_metric.itertuples():
        a, b = f"{row.metric_a}@{row.cutoff}", f"{row.metric_b}@{row.cutoff}"
        assert row.tau == pytest.approx(expected(a, b))


def test_rounding_means_makes_near_ties_ties():
    values = np.array([[[0.12341]], [[0.12339]]]).reshape(1, 2, 1)
    assert system_values(values, decimals=4).tolist() == [[0.1234, 0.1234]]


def masked(test, keep):
    """Return a test matrix that has only the kept ratings, and the places of the rest."""
    coo = test.tocoo()
    return sp.csr_matrix((coo.data[keep], (coo.row[keep], coo.col[keep])), shape=test.shape)


@pytest.mark.parametrize("unjudged_users", ["drop", "zero"])
def test_a_sample_is_evaluated_as_if_the_test_set_had_been_that(study, unjudged_users):
    """The compact evaluation equals making the smaller test matrix and starting again."""
    _, test, rankings = study
    keep = np.random.default_rng(0).random(test.nnz) < 0.05
    smaller = masked(test, keep)
    fresh, judgements = Judgements.of(smaller, 4), Judgements.of(test, 4)
    ranks = [r.ranks[keep] for r in rankings.values()]
    lists = [Lists(r, np.full(fresh.n_users, 20, np.int32)) for r in ranks]
    again = evaluate(fresh, lists, MEASURES, depth=20)
    part = judgements.sample(keep, unjudged_users)
    whole = [judge(judgements, Lists.of(r, judgements), 20) for r in rankings.values()]
    values = np.stack([measure_values(j.sample(keep, part), MEASURES) for j in whole], axis=1)
    if unjudged_users == "drop":
        np.testing.assert_array_equal(values, again)
    else:
        assert len(values) == 60 > len(again)
        np.testing.assert_allclose(values.sum(axis=0), again.sum(axis=0))


def test_sparsity_is_one_at_the_whole_test_set_and_falls(study):
    _, test, rankings = study
    table = sparsity.run(test, rankings, EVALUATION, levels=[100, 50, 5], samples=8, seed=1)
    assert list(table.columns) == [
        *("metric", "cutoff", "level", "samples", "undefined", "tau", "low", "high")
    ]
    assert (table[table.level == 100].tau == 1).all()
    assert (table[table.level == 100].samples == 1).all()
    mean = table.groupby("level").tau.mean()
    assert mean[100] > mean[50] > mean[5]
    assert (table.low <= table.tau).all()
    assert (table.tau <= table.high).all()


def test_sparsity_counts_undefined_taus(study):
    """One judgement cannot order systems that all miss it."""
    _, test, rankings = study
    table = sparsity.run(test, rankings, EVALUATION, levels=[0.15], samples=30, seed=1)
    assert (table.undefined > 0).any()
    assert (table.samples == 30).all()


def test_a_sparsity_sample_does_not_depend_on_the_other_levels(study):
    _, test, rankings = study
    alone = sparsity.run(test, rankings, EVALUATION, levels=[50], samples=3, seed=1)
    among = sparsity.run(test, rankings, EVALUATION, levels=[100, 75, 50], samples=3, seed=1)
    pd.testing.assert_frame_equal(alone, among[among.level == 50].reset_index(drop=True))


def test_popularity_removes_the_most_popular_items_first(study):
    train, test, rankings = study
    for count, counted in (("train", train), ("test", test)):
        table = popularity.run(
            train, test, rankings, EVALUATION, percentages=[100, 50], count=count
        )
        rows = table[(table.metric == "nDCG") & (table.cutoff == 10)].set_index("percentage")
        assert rows.tau[100] == 1
        popular = np.asarray((counted > 0).sum(axis=0)).ravel()
        order = sorted(range(40), key=lambda i: (popular[i], i))
        kept = np.isin(test.indices, order[:20])
        assert rows.loc[50, "items"] == 20
        assert rows.ratings[50] == kept.sum()
        part = Judgements.of(masked(test, kept), 4)
        lists = [
            Lists(r.ranks[kept], np.full(part.n_users, 20, np.int32)) for r in rankings.values()
        ]
        means = system_values(evaluate(part, lists, MEASURES, depth=20))
        judgements = Judgements.of(test, 4)
        lists = [Lists.of(r, judgements) for r in rankings.values()]
        whole = system_values(evaluate(judgements, lists, MEASURES, depth=20))
        column = MEASURES.index("nDCG@10")
        tau = scipy.stats.kendalltau(means[column], whole[column]).statistic
        assert rows.tau[50] == pytest.approx(tau)


def test_p_values_approach_exact_enumeration():
    rng = np.random.default_rng(3)
    values = rng.integers(4, size=(10, 3, 1)) / 3
    values[:, 1] = values[:, 0]
    exact = np.ones((3, 3))
    signs = np.array(list(itertools.product([1, -1], repeat=10)))
    for i, j in itertools.permutations(range(3), 2):
        drawn = np.abs(signs @ (values[:, i, 0] - values[:, j, 0]))
        exact[i, j] = np.mean(drawn >= drawn[0] - 1e-9)
    found = p_values(values, samples=100_000, seed=0, add_one=False)[0]
    # The standard error is at most 0.0016.
    np.testing.assert_allclose(found, exact, atol=0.008)
    assert found[0, 1] == 1


def test_p_values_agree_with_scipys_permutation_test(scores):
    x, y = scores.values[:, 0, 2], scores.values[:, 3, 2]
    theirs = scipy.stats.permutation_test(
        (x, y),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    ).pvalue
    ours = p_values(scores.values, samples=20_000, seed=1)[2, 0, 3]
    assert ours == pytest.approx(theirs, abs=0.015)


def test_p_values_count_every_permutation_once_whatever_their_number(scores):
    """The first 1,500 of 2,500 permutations are the 1,500 of a shorter run."""
    few = p_values(scores.values, samples=1500, seed=2, add_one=False) * 1500
    many = p_values(scores.values, samples=2500, seed=2, add_one=False) * 2500
    assert np.all(many >= few - 1e-6)
    np.testing.assert_allclose(few, np.round(few), atol=1e-6)


def test_permutation_table_and_discriminative_power(scores):
    table = permutation.run(scores, samples=500, seed=1)
    assert len(table) == 10 * len(MEASURES)
    row = table[(table.metric == "P") & (table.cutoff == 5)].iloc[0]
    means = scores.values.mean(axis=0)
    assert row.difference == pytest.approx(means[0, 0] - means[1, 0])
    power = discriminative_power.run(table).set_index(["metric", "cutoff"])
    ndcg = table[(table.metric == "nDCG") & (table.cutoff == 10)].p_value
    assert power.loc[("nDCG", 10), "dp"] == pytest.approx(ndcg.sum())
    assert power.loc[("nDCG", 10), "pairs"] == 10
    assert power.loc[("nDCG", 10), "significant_05"] == (ndcg < 0.05).sum()


def test_judgement_facts_by_hand():
    train = sp.csr_matrix(np.array([[5, 0, 0, 0], [0, 0, 0, 1], [0, 2, 0, 0]], dtype=np.float32))
    test = sp.csr_matrix(np.array([[0, 5, 3, 0], [0, 2, 3, 0], [0, 0, 4, 0]], dtype=np.float32))
    facts = judgements.run(train, test, {"threshold": 4}).set_index("fact").value
    # Items 1 and 2 are in the test set; user 2 has item 1 in training: 5 pairs, all judged.
    assert facts["judged"] == 1.0
    # Item 1: 5 and 2. Item 2: 3, 3 and 4.
    assert facts["disputed"] == 1.0
