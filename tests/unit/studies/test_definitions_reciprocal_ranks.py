"""The two means of reciprocal ranks, by their formulas."""

import made_up
import numpy as np
import pytest
import scipy.stats

from rankassay.errors import RankassayError
from rankassay.studies.definitions import choices, tables

EVALUATION = made_up.evaluation(["RR@5"])


@pytest.fixture(scope="module")
def study():
    """Return the test ratings and the rankings of five systems."""
    return made_up.study(n_systems=5)[1:]


def by_formula(test, ranking, k):
    """Return both means over the users with test ratings."""
    first, every = [], []
    users = np.flatnonzero(np.diff(test.indptr))
    for own, user in zip(ranking.items, users, strict=True):
        rated = dict(zip(test[user].indices, test[user].data, strict=True))
        relevant = {item for item, rating in rated.items() if rating >= 4}
        ranks = [place for place, item in enumerate(own[:k], start=1) if item in relevant]
        first.append(1 / ranks[0] if ranks else 0.0)
        every.append(sum(1 / rank for rank in ranks) / max(len(relevant), 1))
    return np.mean(first), np.mean(every)


def test_both_means_follow_their_formulas(study):
    test, rankings = study
    found = choices.reciprocal_ranks(test, rankings, EVALUATION | {"cutoffs": [5, 20]})
    for cutoff, own in found.groupby("cutoff"):
        expected = np.array([by_formula(test, ranking, cutoff) for ranking in rankings.values()])
        assert own["system"].tolist() == [*rankings]
        np.testing.assert_allclose(own[["first", "all"]], expected, atol=1e-12)
        tau = scipy.stats.kendalltau(*expected.T).statistic
        assert own["tau"].tolist() == [pytest.approx(tau)] * 5
        swapped = np.sign(np.subtract.outer(expected[:, 0], expected[:, 0]))
        swapped *= np.sign(np.subtract.outer(expected[:, 1], expected[:, 1]))
        assert set(own["reordered"]) == {(swapped < 0).sum() // 2}
        assert own["place_first"].tolist() == [*scipy.stats.rankdata(-own["first"], "min")]
        assert own["place_all"].tolist() == [*scipy.stats.rankdata(-own["all"], "min")]
    assert (found["all"] < found["first"]).all()


def test_the_table_marks_the_systems_with_another_place(study):
    found = choices.reciprocal_ranks(*study, EVALUATION | {"cutoffs": [5]}).assign(dataset="d")
    found.loc[0, "place_all"] = 99
    table = tables.reciprocal_ranks(found, 5, {"d": "D (synthetic)"})
    assert len(table.frame) == 5
    moved = found["place_first"] != found["place_all"]
    assert table.marked["Its place"].tolist() == moved.tolist()
    assert f"{found['reordered'].iloc[0]} pairs in opposite order" in table.note
    with pytest.raises(RankassayError, match="cut-off 7"):
        tables.reciprocal_ranks(found, 7, {"d": "D (synthetic)"})
