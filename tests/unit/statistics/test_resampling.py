"""Random parts of a test set, the fast evaluation of one, and the public function."""

import doctest
import itertools
from dataclasses import replace

import made_up
import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay.api import incompleteness as public
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import measure_sums, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.draws import Draws
from rankassay.statistics.incomplete import _selected, random_part
from rankassay.statistics.judged_systems import TestSet

COUNTS = np.array([1, 2, 3, 10, 33, 400, 1, 1])
START = np.concatenate(([0], np.cumsum(COUNTS)))


def kept_by_user(keep):
    return np.add.reduceat(keep, START[:-1])


def kept_from(keep, start):
    return [int(keep[a:b].sum()) for a, b in itertools.pairwise(start)]


@pytest.mark.parametrize("level", [0.1, 5, 55, 99.9, 100])
def test_a_part_holds_the_nearest_number_of_ratings(level):
    keep = random_part(START, level, number=0, seed=1)
    assert keep.sum() == round(COUNTS.sum() * level / 100)


@pytest.mark.parametrize("level", [5, 50, 55, 99.9, 100])
def test_a_stratified_part_holds_the_share_of_every_user(level):
    shares = COUNTS * level / 100
    kept = np.array(
        [kept_by_user(random_part(START, level, n, 1, stratified=True)) for n in range(2000)]
    )
    assert (kept >= np.floor(shares)).all()
    assert (kept <= np.ceil(shares)).all()
    np.testing.assert_allclose(kept.mean(axis=0), shares, atol=0.05)
    assert (np.abs(kept.sum(axis=1) - shares.sum()) <= 1 + 1e-6).all()


@pytest.mark.parametrize("stratified", [False, True])
def test_every_rating_is_as_likely_to_be_kept(stratified):
    keep = np.mean([random_part(START, 20, n, 1, stratified) for n in range(4000)], axis=0)
    # The standard error is 0.0063.
    np.testing.assert_allclose(keep, 0.2, atol=0.03)


def test_every_pair_is_as_likely_to_be_kept():
    start = np.array([0, 4])
    found = [tuple(np.flatnonzero(random_part(start, 50, n, 1))) for n in range(6000)]
    times = pd.Series(found).value_counts()
    assert len(times) == 6
    assert times.between(880, 1120).all()


@pytest.mark.parametrize("count", [[0], [1], [64], [65], [1000], [1999], [2000], [700, 0, 3, 64]])
def test_entries_looked_at_together_are_kept_as_one_after_the_other(count):
    size = [2000] if len(count) == 1 else [1000, 130, 3, 64]
    start = np.concatenate(([0], np.cumsum(size)))
    for seed in range(20):
        draws = np.random.default_rng(seed).random(start[-1])
        expected = []
        for n, wanted in zip(size, count, strict=True):
            for left in range(n, 0, -1):
                expected.append(draws[len(expected)] * left < wanted)
                wanted -= expected[-1]
        found = _selected(draws, start, np.array(count))
        np.testing.assert_array_equal(found, expected)
        assert kept_from(found, start) == count


@pytest.mark.parametrize("stratified", [False, True])
def test_a_part_depends_on_seed_level_and_number(stratified):
    part = random_part(START, 50, 3, 7, stratified)
    np.testing.assert_array_equal(part, random_part(START, 50, 3, 7, stratified))
    for other in ((51, 3, 7), (50, 4, 7), (50, 3, 8)):
        assert (part != random_part(START, *other, stratified)).any()


@pytest.fixture(scope="module")
def whole():
    """Return judgements and lists of 300 users and 4 systems, some users without relevant ones."""
    rng = np.random.default_rng(5)
    count = rng.integers(1, 30, 300)
    start = np.concatenate(([0], np.cumsum(count)))
    rating = rng.integers(1, 6, start[-1]).astype(float)
    judgements = Judgements(np.arange(300, dtype=np.int32), start, rating, 4.0)
    systems = []
    for _ in range(4):
        ranks = np.concatenate([rng.permutation(150)[:n] + 1 for n in count]).astype(np.int32)
        ranks[ranks > 100] = 0
        systems.append(Lists(ranks, np.full(300, 100, dtype=np.int32)))
    return judgements, systems


@pytest.mark.parametrize("unjudged_users", ["drop", "zero"])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_the_fast_means_are_those_of_users_values(whole, share, unjudged_users):
    """Kept entries and hits are found in one pass, and sums are taken over all users at once."""
    judgements, systems = whole
    measures = [
        f"{metric}@{n}"
        for metric in ("P", "R", "AP", "nDCG", "RR", "Bpref", "infAP")
        for n in (5, 50)
    ]
    evaluation = {
        "measures": measures,
        "profile": "paper",
        "without_relevant": None,
        "aggregate": "mean",
    }
    item = np.zeros(len(judgements.rating), dtype=np.int32)
    test_set = TestSet.of_lists(judgements, item, systems, evaluation, 100)
    test_set = replace(test_set, unjudged_users=unjudged_users)
    keep = np.random.default_rng(1).random(len(judgements.rating)) < share
    found = test_set.means(keep)
    assert found.shape == (1, len(measures), 4)
    part = judgements.sample(keep, unjudged_users)
    draws = Draws.of(300, 40, seed=3, groups=17)
    resampled = test_set.means(keep, draws)
    np.testing.assert_array_equal(resampled[0], found[0])
    times = draws.times[40, draws.group[np.searchsorted(judgements.users, part.users)]].astype(int)
    for s, judged in enumerate(test_set.systems):
        values = measure_values(judged.sample(keep, part), measures)
        # The users as they are, and as one of the resamples counts them.
        for n, own in ((0, values), (40, np.repeat(values, times, axis=0))):
            expected = own.mean(axis=0) if len(own) else np.zeros(len(measures))
            np.testing.assert_allclose(resampled[n, :, s], expected, rtol=1e-11, atol=1e-15)


def test_means_are_over_the_users_who_have_a_value_by_each_system():
    """MAE is about listed items: two systems list some of both users', the third of one."""
    judgements = Judgements(np.arange(2, dtype=np.int32), np.array([0, 2, 4]), np.arange(2.0, 6), 4)
    length, predictions = np.full(2, 2, dtype=np.int32), np.array([2.5, 4.0, 4.0, 1.0])
    ranks = np.array([[1, 2, 1, 2], [1, 2, 0, 0], [2, 1, 2, 0]], dtype=np.int32)
    systems = [Lists(own, length, predictions=predictions) for own in ranks]
    evaluation = {"measures": ["P@2", "MAE@2", "AP@2"], "profile": "paper"}
    evaluation |= {"without_relevant": None, "aggregate": "mean"}
    test_set = TestSet.of_lists(judgements, np.zeros(4, dtype=np.int32), systems, evaluation)
    draws = Draws.of(2, 40, seed=3)
    found, values = test_set.means(draws=draws), test_set.values()
    assert np.isnan(values).sum() == np.isnan(values[1, 1, 1]) == 1
    for own, times in zip(found, made_up.times_of_users(draws).astype(int), strict=True):
        drawn = np.repeat(values, times, axis=0)
        known = ~np.isnan(drawn)
        expected = np.where(known, drawn, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        np.testing.assert_allclose(own, expected.T, rtol=1e-12)


@pytest.mark.parametrize(
    "metric",
    [
        "AP(denominator='min_cutoff')",
        "nDCG(ideal='retrieved')",
        "P(denominator='listed')",
        "nDCG",
        "P",
    ],
)
def test_sums_of_a_single_user_are_its_values(metric):
    """Whose divisor may be zero, of which no division is left over; numpy would warn of it."""
    for rating, rank in ((1.0, 1), (5.0, 2), (5.0, 0)):
        one, where = np.array([rating]), np.array([rank], dtype=np.int32)
        judgements = Judgements(np.zeros(1, dtype=np.int32), np.array([0, 1]), one, 4.0)
        lists = Lists(where, np.array([0 if rank == 0 else 2], dtype=np.int32))
        measures = [f"{metric}@{n}" for n in (1, 2, 5)]
        judged = judge(judgements, lists)
        sums, count, divisor = measure_sums(judged, measures, np.zeros(1, dtype=np.int64), 1)
        np.testing.assert_allclose(sums / divisor, measure_values(judged, measures), rtol=1e-15)
        assert (count == 1).all()


def test_samples_of_judgements_are_in_order(whole):
    judgements, _ = whole
    keep = np.random.default_rng(2).random(len(judgements.rating)) < 0.3
    part = judgements.sample(keep)
    fresh = Judgements(part.users, part.start, judgements.rating[keep], 4.0)
    np.testing.assert_array_equal(part.rating, fresh.rating)
    np.testing.assert_array_equal(part.ideal_rating, fresh.ideal_rating)
    np.testing.assert_array_equal(part.start, fresh.start)


def test_unknown_choices_name_the_nearest(whole):
    judgements, systems = whole
    item = np.zeros(len(judgements.rating), dtype=np.int32)
    with pytest.raises(RankassayError, match="unknown choice for unjudged users 'zeros'; did you"):
        TestSet(judgements, item, systems, {}, "zeros")


# ---- The public function -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def frames():
    rng = np.random.default_rng(3)
    users, items = np.meshgrid(np.arange(80), np.arange(40), indexing="ij")
    frame = pd.DataFrame({"user": users.ravel(), "item": items.ravel()})
    truth = rng.normal(size=len(frame)) + rng.normal(size=40)[frame["item"]]
    rating = np.clip(np.round(3 + truth), 1, 5)
    qrels = frame.assign(rating=rating).sample(frac=0.3, random_state=1)
    runs = {
        f"noise {n}": frame.assign(score=truth + n * rng.normal(size=len(frame))) for n in range(4)
    }
    return qrels, runs


def test_the_public_function_is_documented_by_what_it_does():
    assert doctest.testmod(public).failed == 0
    assert doctest.testmod(public).attempted > 3


@pytest.mark.parametrize("stratified", [False, True])
def test_sparsity_of_frames(frames, stratified):
    qrels, runs = frames
    table = rankassay.robustness(
        qrels, runs, ["P@5", "nDCG@10"], levels=[100, 30, 3], samples=5, stratified=stratified
    )
    assert table.metric.unique().tolist() == ["P", "nDCG"]
    # Percentiles of samples are no interval of their mean, and are not called one.
    assert {"samples_low", "samples_high"} <= {*table}
    assert not {"low", "high"} & {*table}
    assert (table[table.level == 100].tau == 1).all()
    mean = table.groupby("level").tau.mean()
    assert mean[100] >= mean[30] > mean[3]


def test_popularity_of_frames(frames):
    qrels, runs = frames
    by_test = rankassay.robustness(qrels, runs, ["P@5"], kind="popularity", levels=[100, 50])
    assert by_test["items"].tolist() == [40, 20]
    train = pd.DataFrame({"user": -1, "item": qrels["item"].to_numpy()})
    by_train = rankassay.robustness(
        qrels, runs, ["P@5"], kind="popularity", levels=[100, 50], train=train
    )
    pd.testing.assert_frame_equal(by_test, by_train)


def test_mistakes_in_the_public_function(frames):
    qrels, runs = frames
    with pytest.raises(
        RankassayError, match="unknown kind of robustness 'sparse'; did you mean 'sp"
    ):
        rankassay.robustness(qrels, runs, ["P@5"], kind="sparse")
    with pytest.raises(RankassayError, match="unknown metric 'nDGC'; did you mean 'nDCG'"):
        rankassay.robustness(qrels, runs, ["nDGC@5"])
    with pytest.raises(RankassayError, match="two runs or more, found 1 run"):
        rankassay.robustness(qrels, {"one": runs["noise 1"]}, ["P@5"])
    for alone in ({"u1": ["a", "b"], "u2": ["a"]}, {"u1": {"a": 1}, "u2": {"a": 1}}):
        with pytest.raises(RankassayError, match="found one without a name"):
            rankassay.robustness(qrels, alone, ["P@5"])
    with pytest.raises(RankassayError, match="levels: expected percentages from 1 to 100"):
        rankassay.robustness(qrels, runs, ["P@5"], levels=[0])
    with pytest.raises(RankassayError, match="samples: expected a whole number from 1"):
        rankassay.robustness(qrels, runs, ["P@5"], samples=0)
