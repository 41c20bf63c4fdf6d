"""Missing test ratings: against test sets that are smaller from the start."""

import made_up
import numpy as np
import pandas as pd
import pytest

from rankassay.metrics.evaluate import evaluate, grid, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics import incomplete

MEASURES = grid(["P", "nDCG", "Bpref"], [5, 10])
EVALUATION = made_up.evaluation(MEASURES)


@pytest.fixture(scope="module")
def study():
    return made_up.study()


@pytest.mark.parametrize("unjudged_users", ["drop", "zero"])
def test_a_sample_is_evaluated_as_if_the_test_set_had_been_that(study, unjudged_users):
    """The compact evaluation equals making the smaller test matrix and starting again."""
    _, test, rankings = study
    keep = np.random.default_rng(0).random(test.nnz) < 0.05
    smaller = made_up.masked(test, keep)
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
    table = incomplete.sparsity_bias(
        test, rankings, EVALUATION, levels=[100, 50, 5], samples=8, seed=1
    ).table
    assert list(table.columns) == [
        *("metric", "cutoff", "level", "samples", "undefined", "tau", "low", "high"),
        *("standard_error", "correlation"),
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
    table = incomplete.sparsity_bias(
        test, rankings, EVALUATION, levels=[0.15], samples=30, seed=1
    ).table
    assert (table.undefined > 0).any()
    assert (table.samples == 30).all()


def test_a_sparsity_sample_does_not_depend_on_the_other_levels(study):
    _, test, rankings = study
    given = (test, rankings, EVALUATION)
    alone = incomplete.sparsity_bias(*given, levels=[50], samples=3, seed=1, resamples=40)
    among = incomplete.sparsity_bias(*given, levels=[100, 75, 50], samples=3, seed=1, resamples=40)
    own = (among.table.level == 50).to_numpy()
    pd.testing.assert_frame_equal(alone.table, among.table[own].reset_index(drop=True))
    np.testing.assert_array_equal(alone.replicates, among.replicates[own])
