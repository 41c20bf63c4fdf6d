"""Correlations of orders against scipy, pair by pair."""

import made_up
import numpy as np
import pandas as pd
import pytest
import scipy.stats

from rankassay.artifacts.arrays import Scores
from rankassay.declared.correlations import CORRELATIONS, PERSISTENCE, of_each
from rankassay.metrics.evaluate import grid
from rankassay.statistics import incomplete
from rankassay.statistics.correlation import cutoff_correlation, metric_correlation
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import means_of_values
from rankassay.statistics.rank_correlation import tau_ap
from rankassay.studies.robustness.procedure import unjudged_users

MEASURES = grid(["P", "nDCG", "Bpref"], [5, 10])
EVALUATION = made_up.evaluation(MEASURES)


@pytest.fixture(scope="module")
def study():
    return made_up.study()


@pytest.fixture(scope="module")
def scores(study):
    return made_up.scores(*study[1:], MEASURES)


def means_of(values, **how):
    return means_of_values(values, Draws.none(len(values)), **how)[0]


def test_correlations_equal_scipys_on_the_means(scores):
    means = means_of(scores.values)
    column = {measure: m for m, measure in enumerate(MEASURES)}

    def expected(a, b):
        return scipy.stats.kendalltau(means[column[a]], means[column[b]]).statistic

    by_cutoff = cutoff_correlation(scores, EVALUATION).table
    by_metric = metric_correlation(scores, EVALUATION).table
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
    assert means_of(values, decimals=4).tolist() == [[0.1234, 0.1234]]


@pytest.mark.parametrize("name", ["spearman", "tau_ap", "tau_ap_b", "rbo"])
def test_every_analysis_takes_a_correlation_by_name(study, scores, name):
    train, test, rankings = study
    tables = [
        incomplete.sparsity_bias(
            test, rankings, EVALUATION, [50], 2, seed=1, correlation=name
        ).table,
        incomplete.popularity_bias(
            train, test, rankings, EVALUATION, [50], "train", 1, correlation=name
        ).table,
        cutoff_correlation(scores, EVALUATION, correlation=name).table,
        metric_correlation(scores, EVALUATION, correlation=name).table,
    ]
    for table in tables:
        assert (table.correlation == name).all()
        assert table.tau.between(-1, 1).all()


def test_the_second_of_a_pair_is_the_reference():
    values = np.random.default_rng(1).random((20, 6, len(MEASURES)))
    names = np.array([*"abcdef"])
    scores = Scores(values, np.arange(20, dtype=np.int32), names, np.array(MEASURES))
    means = means_of(values)
    differs = 0
    for row in metric_correlation(scores, EVALUATION, correlation="tau_ap").table.itertuples():
        first, second = (
            means[MEASURES.index(f"{name}@{row.cutoff}")] for name in (row.metric_a, row.metric_b)
        )
        assert row.tau == pytest.approx(float(tau_ap(first, second)))
        differs += abs(tau_ap(first, second) - tau_ap(second, first)) > 0.01
    assert differs


@pytest.mark.parametrize("name", ["tau_b", "spearman", "tau_ap", "tau_ap_b", "rbo"])
def test_the_best_systems_weigh_most_where_less_is_better(name):
    """The miss rate says what recall says, turned around: weighted coefficients are equal."""
    _, test, rankings = made_up.study()
    measures = grid(["R", "MissRate"], [3, 10])
    evaluation = made_up.evaluation(measures)
    scores = made_up.scores(test, rankings, measures)
    how = (False, None, name, PERSISTENCE)
    found = [
        incomplete.sparsity_bias(
            test, rankings, evaluation, [15], 3, seed=1, correlation=name
        ).table,
        cutoff_correlation(scores, evaluation, correlation=name).table,
        unjudged_users(test, rankings, evaluation, [15], 3, 1, *how),
    ]
    recall, missed = (
        np.concatenate([table[table.metric == metric].tau for table in found])
        for metric in ("R", "MissRate")
    )
    np.testing.assert_allclose(recall, missed, atol=1e-12)
    assert (recall < 1).any()
    between = metric_correlation(scores, evaluation, correlation=name).table
    own, other = (between[between.metric_b == metric].tau for metric in ("R", "MissRate"))
    np.testing.assert_allclose(other, own if CORRELATIONS[name].at_top else -own, atol=1e-12)


@pytest.mark.parametrize("of", ["sparsity", "popularity"])
def test_other_correlations_have_rows_of_their_own(study, of):
    train, test, rankings = study

    def run(**order):
        if of == "sparsity":
            return incomplete.sparsity_bias(
                test, rankings, EVALUATION, [50, 20], 3, 1, resamples=40, **order
            )
        given = (train, test, rankings, EVALUATION, [50, 20], "train", 1)
        return incomplete.popularity_bias(*given, resamples=40, **order)

    names = ["tau_b", "spearman", "rbo"]
    both = run(also=names)
    assert [*both.table.columns] == [*run().table.columns]
    assert len(both.table) == len(names) * len(MEASURES) * 2
    for name, rows in zip(names, of_each(both.table), strict=True):
        alone = run(correlation=name)
        pd.testing.assert_frame_equal(rows.reset_index(drop=True), alone.table)
        np.testing.assert_array_equal(both.replicates[rows.index], alone.replicates)
    assert of_each(alone.table)[0] is alone.table
    first = both.table["metric"].iloc[: len(names) * 2]
    assert first.nunique() == 1  # the measures one after the other, as jobs share them
