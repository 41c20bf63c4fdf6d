"""Values of measures beside those of the job `score`, of lists that are deeper than needed."""

from dataclasses import replace

import made_up
import numpy as np
import pytest

from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.judged_systems import evaluated, evaluated_parts

MEASURES = ["P@3", "P@10", "nDCG@10", "AP", "RR", "R"]
EVALUATION = made_up.evaluation(MEASURES)


@pytest.fixture(scope="module")
def data():
    """Return test ratings and lists of 20, 12 and 7 items: the last ones would change values."""
    _, test, rankings = made_up.study()
    cut = dict(zip([*rankings][:3], (20, 12, 7), strict=True))
    return test, {n: replace(rankings[n], items=rankings[n].items[:, :k]) for n, k in cut.items()}


def expected(test, rankings, depth):
    judgements = Judgements.of(test, 4)
    lists = [Lists.of(own, judgements) for own in rankings.values()]
    return evaluate(judgements, lists, MEASURES, depth=depth)


def test_lists_are_cut_at_the_length_that_all_have(data):
    _, found = evaluated(*data, EVALUATION, MEASURES)
    np.testing.assert_array_equal(found, expected(*data, 7))
    for depth in (3, 12, 20):
        assert (found != expected(*data, depth)).any()


@pytest.mark.parametrize("depth", [None, 3, 12])
def test_parts_are_cut_at_the_depth_that_is_asked_for(data, depth):
    parts = [*evaluated_parts(*data, EVALUATION, MEASURES, depth)]
    np.testing.assert_array_equal(np.concatenate(parts, axis=2), expected(*data, depth or 7))


def test_counts_of_first_places_are_those_of_a_loop(data):
    """Hits of the first three places of each list, one user after the other."""
    test, rankings = data
    judgements, found = evaluated(test, rankings, EVALUATION, ["P@3"])
    for s, own in enumerate(rankings.values()):
        for row, user in enumerate(judgements.users):
            liked = {i for i in test[user].indices if test[user, i] >= 4}
            assert found[row, s, 0] == len(liked & {*own.items[user, :3].tolist()}) / 3
