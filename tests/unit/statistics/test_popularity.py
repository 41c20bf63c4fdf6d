"""Missing popular items: against test sets that are smaller from the start."""

import made_up
import numpy as np
import pytest
import scipy.stats

from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate, grid
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics import incomplete
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import means_of_values

MEASURES = grid(["P", "nDCG", "Bpref"], [5, 10])
EVALUATION = made_up.evaluation(MEASURES)


@pytest.fixture(scope="module")
def study():
    return made_up.study()


def means_of(values):
    return means_of_values(values, Draws.none(len(values)))[0]


def test_popularity_removes_the_most_popular_items_first(study):
    train, test, rankings = study
    for count, counted in (("train", train), ("test", test)):
        table = incomplete.popularity_bias(
            train, test, rankings, EVALUATION, percentages=[100, 50], count=count, seed=1
        ).table
        rows = table[(table.metric == "nDCG") & (table.cutoff == 10)].set_index("percentage")
        assert rows.tau[100] == 1
        popular = np.asarray((counted > 0).sum(axis=0)).ravel()
        order = sorted(range(40), key=lambda i: (popular[i], i))
        kept = np.isin(test.indices, order[:20])
        assert rows.loc[50, "items"] == 20
        assert rows.ratings[50] == kept.sum()
        part = Judgements.of(made_up.masked(test, kept), 4)
        lists = [
            Lists(r.ranks[kept], np.full(part.n_users, 20, np.int32)) for r in rankings.values()
        ]
        means = means_of(evaluate(part, lists, MEASURES, depth=20))
        judgements = Judgements.of(test, 4)
        lists = [Lists.of(r, judgements) for r in rankings.values()]
        whole = means_of(evaluate(judgements, lists, MEASURES, depth=20))
        column = MEASURES.index("nDCG@10")
        tau = scipy.stats.kendalltau(means[column], whole[column]).statistic
        assert rows.tau[50] == pytest.approx(tau)


@pytest.mark.parametrize("of", ["items", "ratings"])
def test_popularity_counts_undefined_taus(study, of):
    """Of the least popular hundredth of the items nothing is left."""
    train, test, rankings = study
    table = incomplete.popularity_bias(
        train, test, rankings, EVALUATION, [100, 1], "test", 1, of=of
    ).table
    assert (table[table.percentage == 100].undefined == 0).all()
    rest = table[table.percentage == 1]
    assert (rest[["items", "ratings", "users"]] == 0).all(axis=None)
    assert (rest.undefined == 1).all()
    assert rest.tau.isna().all()


def test_unknown_choices_of_the_popularity_study(study):
    train, test, rankings = study
    with pytest.raises(RankassayError, match="unknown choice of what percentages are of 'rating'"):
        incomplete.popularity_bias(train, test, rankings, EVALUATION, [100], "test", 1, of="rating")
