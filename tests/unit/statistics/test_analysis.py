"""The analyses against scipy, exact enumeration and evaluation from scratch."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats

from assayer.artifacts.arrays import Scores
from assayer.errors import AssayerError
from assayer.metrics.evaluate import evaluate, grid, measure_values
from assayer.metrics.judged import judge
from assayer.metrics.judgements import Judgements, Lists
from assayer.recommenders.rank import rank
from assayer.statistics import popularity, sparsity
from assayer.statistics.incomplete import least_popular
from assayer.statistics.orders import system_values
from assayer.statistics.rank_correlation import tau_ap
from assayer.studies.robustness import judgements
from assayer.studies.robustness import unjudged_users as unjudged

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


def test_correlations_equal_scipys_on_the_means(scores):
    means = system_values(scores.values)
    column = {measure: m for m, measure in enumerate(MEASURES)}

    def expected(a, b):
        return scipy.stats.kendalltau(means[column[a]], means[column[b]]).statistic

    by_cutoff, by_metric = cutoffs(scores, EVALUATION).table, metrics(scores, EVALUATION).table
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
    table = sparsity.run(test, rankings, EVALUATION, levels=[100, 50, 5], samples=8, seed=1).table
    assert list(table.columns) == [
        *("metric", "cutoff", "level", "samples", "undefined", "tau", "low", "high", "correlation")
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
    table = sparsity.run(test, rankings, EVALUATION, levels=[0.15], samples=30, seed=1).table
    assert (table.undefined > 0).any()
    assert (table.samples == 30).all()


def test_a_sparsity_sample_does_not_depend_on_the_other_levels(study):
    _, test, rankings = study
    given = (test, rankings, EVALUATION)
    alone = sparsity.run(*given, levels=[50], samples=3, seed=1, resamples=40)
    among = sparsity.run(*given, levels=[100, 75, 50], samples=3, seed=1, resamples=40)
    own = (among.table.level == 50).to_numpy()
    pd.testing.assert_frame_equal(alone.table, among.table[own].reset_index(drop=True))
    np.testing.assert_array_equal(alone.replicates, among.replicates[own])


def test_popularity_removes_the_most_popular_items_first(study):
    train, test, rankings = study
    for count, counted in (("train", train), ("test", test)):
        table = popularity.run(
            train, test, rankings, EVALUATION, percentages=[100, 50], count=count, seed=1
        ).table
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


def test_judgement_facts_by_hand():
    train = sp.csr_matrix(np.array([[5, 0, 0, 0], [0, 0, 0, 1], [0, 2, 0, 0]], dtype=np.float32))
    test = sp.csr_matrix(np.array([[0, 5, 3, 0], [0, 2, 3, 0], [0, 0, 4, 0]], dtype=np.float32))
    facts = judgements.run(train, test, {"threshold": 4}).set_index("fact").value
    # Items 1 and 2 are in the test set; user 2 has item 1 in training: 5 pairs, all judged.
    assert facts["judged"] == 1.0
    # Item 1: 5 and 2. Item 2: 3, 3 and 4.
    assert facts["disputed"] == 1.0


@pytest.mark.parametrize("of", ["items", "ratings"])
def test_popularity_counts_undefined_taus(study, of):
    """Of the least popular hundredth of the items nothing is left."""
    train, test, rankings = study
    table = popularity.run(train, test, rankings, EVALUATION, [100, 1], "test", 1, of=of).table
    assert (table[table.percentage == 100].undefined == 0).all()
    rest = table[table.percentage == 1]
    assert (rest[["items", "ratings", "users"]] == 0).all(axis=None)
    assert (rest.undefined == 1).all()
    assert rest.tau.isna().all()


def test_percentages_of_ratings_keep_at_most_so_many():
    item = np.array([0] * 1 + [1] * 4 + [2] * 2 + [4] * 3)
    count = np.bincount(item)
    kept = {
        percentage: least_popular(item, count, percentage, "ratings").tolist()
        for percentage in (9, 10, 30, 60, 90, 100)
    }
    assert kept == {9: [0], 10: [0], 30: [0, 2], 60: [0, 2, 4], 90: [0, 2, 4], 100: [0, 2, 4, 1]}
    assert least_popular(item, np.ones(5, dtype=int), 50, "items").tolist() == [0, 1]


def test_unknown_choices_of_the_popularity_study(study):
    train, test, rankings = study
    with pytest.raises(AssayerError, match="unknown popularity count 'tests'; did you mean 'test'"):
        popularity.run(train, test, rankings, EVALUATION, [100], "tests", 1)
    with pytest.raises(AssayerError, match="unknown choice of what percentages are of 'rating'"):
        popularity.run(train, test, rankings, EVALUATION, [100], "test", 1, of="rating")


@pytest.mark.parametrize("aggregate", ["mean", "geometric", "harmonic", "quadratic"])
def test_unjudged_users_change_means_and_not_the_orders_by_them(study, aggregate):
    """A mean of some kind adds up; users who score 0 by all systems add the same to each."""
    _, test, rankings = study
    evaluation = EVALUATION | {"aggregate": aggregate}
    table = unjudged.run(test, rankings, evaluation, [100, 20, 5], samples=6, seed=1)
    by_choice = {k: t.reset_index(drop=True) for k, t in table.groupby("unjudged_users")}
    drop, zero = by_choice["drop"], by_choice["zero"]
    few = drop.level < 100
    assert (drop[few].users < 60).all()
    assert (zero["mean"][few] < drop["mean"][few]).all()
    np.testing.assert_allclose(zero["mean"][~few], drop["mean"][~few])
    np.testing.assert_array_equal(drop.tau, zero.tau)
    study_of = sparsity.run(test, rankings, evaluation, [100, 20, 5], samples=6, seed=1).table
    merged = study_of.merge(drop, on=["metric", "cutoff", "level"])
    np.testing.assert_allclose(merged.tau_x, merged.tau_y)


def test_unjudged_users_change_medians_and_orders_by_them(study):
    _, test, rankings = study
    evaluation = EVALUATION | {"aggregate": "median"}
    table = unjudged.run(test, rankings, evaluation, [100, 20], samples=6, seed=1)
    by_choice = {k: t.reset_index(drop=True) for k, t in table.groupby("unjudged_users")}
    drop, zero = by_choice["drop"], by_choice["zero"]
    whole = drop.level == 100
    np.testing.assert_array_equal(drop.tau[whole], zero.tau[whole])
    assert (drop.tau[~whole] != zero.tau[~whole]).all()
    assert (zero.undefined > drop.undefined).any()  # with too many zeros all medians are 0


@pytest.mark.parametrize("name", ["tau_ap", "tau_ap_b", "rbo"])
def test_every_analysis_takes_a_correlation_by_name(study, scores, name):
    train, test, rankings = study
    tables = [
        sparsity.run(test, rankings, EVALUATION, [50], 2, seed=1, correlation=name).table,
        popularity.run(train, test, rankings, EVALUATION, [50], "train", 1, correlation=name).table,
        unjudged.run(test, rankings, EVALUATION, [50], 2, seed=1, correlation=name),
        cutoffs(scores, EVALUATION, correlation=name).table,
        metrics(scores, EVALUATION, correlation=name).table,
    ]
    for table in tables:
        assert (table.correlation == name).all()
        assert table.tau.between(-1, 1).all()


def test_the_second_of_a_pair_is_the_reference():
    values = np.random.default_rng(1).random((20, 6, len(MEASURES)))
    names = np.array([*"abcdef"])
    scores = Scores(values, np.arange(20, dtype=np.int32), names, np.array(MEASURES))
    means = system_values(values)
    differs = 0
    for row in metrics(scores, EVALUATION, correlation="tau_ap").table.itertuples():
        first, second = (
            means[MEASURES.index(f"{name}@{row.cutoff}")] for name in (row.metric_a, row.metric_b)
        )
        assert row.tau == pytest.approx(float(tau_ap(first, second)))
        differs += abs(tau_ap(first, second) - tau_ap(second, first)) > 0.01
    assert differs
