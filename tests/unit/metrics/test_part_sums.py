"""Sums on parts of a test set are those of the metrics' own functions, to the last bit."""

import tracemalloc

import numpy as np
import pytest

from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.evaluate import grid, measure_sums, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.part_sums import PartSums, _plan, _size
from rankassay.metrics.profiles import PROFILES
from rankassay.statistics.draws import Draws

OF_FORMS = [name for name, known in METRICS.items() if known.form]
ALL = [
    *OF_FORMS,
    "nDCG",
    "nDCG(gain='exp')",
    "nDCG(ideal='relevant')",
]
STUDIED = grid(ALL, [2, 5, 20])
MIXED = ["nDCG@5", "F1@5", "P@5", "R@20", "AUC", "R@2", "P(denominator='listed')@3", "P@9", "AP"]
MIXED += ["nDCG(truncate_ideal=False)@5", "nDCG(truncate_ideal=False)@9", "RR@1", "nDCG@9"]
MIXED += ["P(denominator='smoothed')@5", "CDCG@9"]
# More than six by several names, so that they are not added up at once.
NAMES = ["P", "P(denominator='cutoff')", "R", "R(denominator='relevant')", "AP", "RR", "Bpref"]
NAMES += ["infAP", "AP(denominator='relevant')", "infAP(unjudged='pooled')"]
SEVERAL = [*grid(NAMES, [2, 5, 20]), *grid(NAMES[:7], [3, 4])]
WHOLE_LISTS = ["nDCG@5", "nDCG", "AP", "AP@5", "infAP", "RR", "P@1000000000", "nDCG@1000000000"]
NO_VALUE = ["P@2", "Bpref(without_nonrelevant='nan')@2", "Bpref@2", "P@5"]


@pytest.fixture(scope="module", params=[0, -2], ids="from {}".format)
def systems(request):
    """Return judgements of users, some of whom like nothing or everything, and three systems."""
    rng = np.random.default_rng(4)
    count = rng.integers(1, 15, 60)
    start = np.concatenate(([0], np.cumsum(count)))
    rating = rng.integers(0, 6, start[-1]).astype(np.float64)
    rating[: start[4]], rating[start[4] : start[9]] = 5.0, 1.0
    rating, threshold = rating + request.param, 4.0 + request.param
    judgements = Judgements(np.arange(60, dtype=np.int32) * 2, start, rating, threshold)
    found = []
    for seed in range(3):
        random = np.random.default_rng(seed)
        ranks = np.concatenate([random.permutation(40)[:n] + 1 for n in count]).astype(np.int32)
        ranks[random.random(len(ranks)) < 0.1] = 0
        lists = Lists(ranks, np.full(60, 40, np.int32), np.full(60, 50, np.int32))
        found.append(judge(judgements, lists, 25))
    return judgements, found


@pytest.mark.slow
@pytest.mark.parametrize(
    "measures", [STUDIED, MIXED, SEVERAL, WHOLE_LISTS, NO_VALUE, ["P@5"], ["nDCG@5", "nDCG@6"]]
)
@pytest.mark.parametrize("unjudged", ["drop", "zero"])
@pytest.mark.parametrize("level", [1.0, 0.5, 0.05, 0.0])
def test_sums_are_those_of_the_metrics_themselves(systems, measures, unjudged, level):
    judgements, found = systems
    keep = np.random.default_rng(7).random(len(judgements.rating)) < level
    part = judgements.sample(keep, unjudged)
    whole_draws = Draws.of(judgements.n_users, 40, 3, groups=7)
    groups = (whole_draws.group, whole_draws.n_groups)
    draws = whole_draws.of_users(np.searchsorted(judgements.users, part.users))
    for profile in PROFILES:
        sums = PartSums(measures, profile, judgements, keep, unjudged, *groups)
        for judged in found:
            space = np.full((draws.n_groups, 2, len(measures)), np.nan)
            own = (space[:, 1], *sums.of(judged, space[:, 1]))
            assert np.isnan(space[:, 0]).all()
            sample = judged.sample(keep, part)
            expected = measure_sums(sample, measures, draws.group, draws.n_groups, profile)
            for ours, theirs in zip(own, expected, strict=True):
                ours, theirs = np.broadcast_arrays(ours, theirs)
                assert ours.tobytes() == theirs.tobytes()
            if level == 1.0:
                assert own[0].any()


@pytest.mark.parametrize("unjudged", ["drop", "zero"])
def test_a_sample_is_what_its_judgements_alone_make(systems, unjudged):
    judgements, found = systems
    keep = np.random.default_rng(8).random(len(judgements.rating)) < 0.6
    part = judgements.sample(keep, unjudged)
    rows = np.searchsorted(judgements.users, part.users)
    for judged in found:
        alone = judge(part, judged.lists.part(keep, rows), judged.depth)
        for profile in PROFILES:
            values = [
                measure_values(own, SEVERAL, profile) for own in (alone, judged.sample(keep, part))
            ]
            np.testing.assert_array_equal(*values)


def test_no_array_is_as_long_as_a_cutoff(systems):
    """That of whole lists is the greatest number there is."""
    judgements, found = systems
    keep = np.ones(len(judgements.rating), dtype=bool)
    group = np.zeros(judgements.n_users, dtype=np.int64)
    sums = PartSums(WHOLE_LISTS, "paper", judgements, keep, "drop", group, 1)
    tracemalloc.start()
    try:
        sums.of(found[0], np.empty((1, len(WHOLE_LISTS))))
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


def test_most_measures_of_studies_are_read_from_hits():
    plan = _plan(tuple(STUDIED), "paper", False)
    assert not plan.rest
    assert len(plan.gains) == 3
    assert [len(forms) for _, forms, *_ in plan.forms] == [len(OF_FORMS)]
    assert len(_plan(tuple(MIXED), "paper", False).rest) == 7


def test_sizes_near_a_power_of_two_are_those_of_the_sum_in_order():
    rng = np.random.default_rng(0)
    for n in (0, 1, 3, 4, 5, 1000):
        values = rng.random(n)
        total = 0.0
        for value in values:
            total += value
        assert np.frexp(_size(values))[1] == np.frexp(total)[1]
    # Added in their order they are just below 1 and just above 2, in fours just 1 and 2.
    for n in (10, 20):
        in_order = 0.0
        for value in (tenths := np.full(n, 0.1)):
            in_order += value
        assert in_order != n / 10
        assert np.frexp(_size(tenths))[1] == np.frexp(in_order)[1]
