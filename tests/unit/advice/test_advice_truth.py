"""Truth and outcomes of the judge: taken apart, estimated, and what they exclude."""

import itertools

import numpy as np
import pytest
import scipy.stats

from rankassay.advice.apart import SHARE, UNKNOWN_KNOWN, Judged, taken_apart, weights
from rankassay.advice.exclusion import _ground, by_chance, compared, observed
from rankassay.advice.given import Given, Settings
from rankassay.advice.truth import Outcomes
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.draws import Draws
from rankassay.studies.validity.weights import Division, by_design

CHOICES = Settings()
RNG = np.random.default_rng(3)


def pairs(matrix, known=None, inclusion=None):
    """Return the judgements that a matrix holds, NaN for none, with what is said of each."""
    user, item = np.nonzero(~np.isnan(matrix))
    flags = None if known is None else known[user, item]
    shares = None if inclusion is None else inclusion[user, item]
    return Judged(user, item, matrix[user, item], flags, shares)


def some(shape, share, rng=RNG):
    """Return ratings of a random part of all pairs."""
    return np.where(rng.random(shape) < share, rng.integers(1, 6, shape), np.nan)


def cells(judged):
    return {*zip(judged.user.tolist(), judged.item.tolist(), strict=True)}


def test_pairs_in_both_leave_the_qrels_and_pairs_that_train_the_truth():
    shape = (8, 30)
    judged, train = some(shape, 0.3), some(shape, 0.2)
    qrels = np.where(np.isnan(train), some(shape, 0.2), np.nan)
    apart = taken_apart(pairs(qrels), pairs(judged), pairs(train), *shape, seed=1)
    of_qrels, of_truth = cells(pairs(qrels)), cells(pairs(judged)) - cells(pairs(train))
    assert apart.share is None
    assert apart.why == ""
    assert cells(pairs(qrels).taken(apart.stay)) == of_qrels - of_truth
    assert cells(apart.true) == of_truth
    assert apart.both == len(of_qrels & of_truth) > 0
    assert len(apart.join.user) == 0
    number = (~np.isnan(judged)).sum(axis=1)
    assert apart.judged.tolist() == number.tolist()
    assert apart.weight == pytest.approx(shape[1] / number[apart.true.user])


def test_probabilities_that_are_given_are_the_weights():
    shape = (4, 12)
    judged, inclusion = some(shape, 0.5), RNG.random(shape)
    qrels = some(shape, 0.3)
    own = pairs(judged, inclusion=inclusion)
    apart = taken_apart(pairs(qrels), own, None, *shape, seed=1)
    assert apart.weight == pytest.approx(1 / inclusion[apart.true.user, apart.true.item])


def test_without_flags_no_truth_can_be_had_of_judgements_that_hold_the_qrels():
    judged = some((5, 20), 0.5)
    qrels = np.where(RNG.random((5, 20)) < 0.7, judged, np.nan)
    apart = taken_apart(pairs(qrels), pairs(judged), None, 5, 20, seed=1)
    assert apart.why == UNKNOWN_KNOWN
    assert apart.stay.all()
    assert not len(apart.true.user)


def test_judgements_that_hold_the_qrels_are_divided_at_random():
    shape = (60, 40)
    judged, known = some(shape, 0.5), RNG.random(shape) < 0.5
    there = ~np.isnan(judged) & known
    trains = RNG.random(shape) < 0.5
    train, qrels = (
        np.where(there & trains, judged, np.nan),
        np.where(there & ~trains, judged, np.nan),
    )
    apart = taken_apart(pairs(qrels), pairs(judged, known), pairs(train), *shape, seed=1)
    true, left = cells(apart.true), cells(pairs(qrels).taken(apart.stay))
    assert apart.share == SHARE
    assert true | left == cells(pairs(judged)) - cells(pairs(train))
    assert not true & left
    unknown = cells(pairs(judged)) - cells(pairs(np.where(known, judged, np.nan)))
    assert unknown <= true
    aside = len(true - unknown) / len(cells(pairs(qrels)))
    assert abs(aside - SHARE) < 4 * np.sqrt(SHARE * (1 - SHARE) / len(cells(pairs(qrels))))
    again = taken_apart(pairs(qrels), pairs(judged, known), pairs(train), *shape, seed=2)
    assert cells(again.true) != true


def test_weights_of_divided_judgements_sum_to_the_candidates_of_each_kind():
    """Over many draws of what is judged, trains and is set aside, as a list cannot choose."""
    shape, share, trains = (200, 60), 0.4, 0.6
    known = np.arange(60) < 25
    sums = {True: 0.0, False: 0.0}
    candidates = {True: 0, False: 0}
    for draw in range(40):
        rng = np.random.default_rng(draw)
        judged = np.where(rng.random(shape) < share, 5.0, np.nan)
        train = np.where(known & (rng.random(shape) < trains), judged, np.nan)
        qrels = np.where(known & np.isnan(train), judged, np.nan)
        flags = np.broadcast_to(known, shape)
        apart = taken_apart(pairs(qrels), pairs(judged, flags), pairs(train), *shape, seed=draw)
        for kind in sums:
            own = known[apart.true.item] == kind
            sums[kind] += apart.weight[own].sum()
            candidates[kind] += int((np.isnan(train) & (known == kind)).sum())
    for kind, total in sums.items():
        assert total / candidates[kind] == pytest.approx(1, abs=0.02), kind


@pytest.mark.parametrize("listed_users", [False, True])
def test_weighed_sums_over_lists_are_unbiased_over_all_sets_of_judgements(listed_users):
    """Lists of two that depend on what trains, of seven items of which four are known.

    Over all users, or over those of the qrels: who have a known rating that does not train.
    """
    n, can, j, r = 7, 4, 0.45, 0.6
    rng = np.random.default_rng(5)
    utility, score, lift = rng.random(n), rng.random(n), rng.random((n, n))
    states = [("train", "qrels", "aside", "no") if i < can else ("aside", "no") for i in range(n)]
    true = estimate = 0.0
    for state in itertools.product(*states):
        chance = 1.0
        for i, own in enumerate(state):
            chance *= 1 - j if own == "no" else j
            if i < can and own != "no":
                rest = 1 - r
                chance *= {"train": r, "aside": rest * SHARE, "qrels": rest * (1 - SHARE)}[own]
        tested = sum(own in ("qrels", "aside") for own in state[:can])
        if listed_users and not tested:
            continue
        train, aside = (np.array([own == k for own in state]) for k in ("train", "aside"))
        listed = np.argsort(-np.where(train, -1, score + lift[train].sum(axis=0)))[:2]
        hit = listed[aside[listed]]
        ones = np.ones(len(hit))
        alone = (ones > 0) & listed_users & (tested == 1)
        true += chance * utility[listed].sum()
        estimate += chance * (utility[hit] * weights(hit < can, j * ones, r * ones, alone)).sum()
    assert estimate == pytest.approx(true, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("by_rating", [True, False])
def test_few_ratings_leave_little_bias(by_rating):
    """Users judge 20 of 150 items and know 20; half of what they know and judged trains."""
    shape, known = (4000, 150), np.arange(150) < 20
    rng = np.random.default_rng(1)
    judged = np.zeros(shape, dtype=bool)
    drawn = np.argsort(rng.random(shape), axis=1)[:, :20]
    np.put_along_axis(judged, drawn, True, axis=1)
    both = judged & known
    train = both & (rng.random(shape) < 0.5)
    if not by_rating:
        place = np.argsort(np.argsort(np.where(both, rng.random(shape), 2), axis=1), axis=1)
        train = both & (place < both.sum(axis=1, keepdims=True) - both.sum(axis=1)[:, None] // 2)
    rows = (both & ~train).any(axis=1)
    judged, train, both = judged[rows], train[rows], both[rows]

    def of(mask):
        user, item = np.nonzero(mask)
        return Judged(user, item, np.full(len(user), 5.0), known[item])

    shares = of(both & ~train), of(judged), of(train), len(judged), 150
    found = [taken_apart(*shares, seed=seed) for seed in range(6)]
    there = {kind: (~train)[:, known == kind].sum() for kind in (True, False)}
    total = {
        kind: np.mean([own.weight[own.true.known == kind].sum() for own in found])
        for kind in (True, False)
    }
    assert total[False] / there[False] == pytest.approx(1, abs=0.01)
    assert total[True] / there[True] == pytest.approx(1, abs=0.05)
    if not by_rating:
        return
    # What weights would give that know nothing of who is in the qrels.
    plain = weights(True, 20 / 150, 0.5, False) * np.mean([own.true.known.sum() for own in found])
    assert plain / there[True] > 1.12


def test_weights_are_those_of_the_study_where_nothing_trains():
    row, known = RNG.integers(0, 9, 50), RNG.random(50) < 0.5
    judged = RNG.integers(5, 20, 9)
    division = Division(np.zeros(9), np.full(9, 6), np.zeros(9, dtype=int))
    expected = by_design(row, known, judged, 40, SHARE, division)
    found = weights(known, judged[row] / 40, np.zeros(50), np.zeros(50, dtype=bool))
    assert found.tolist() == expected.tolist()


def test_what_a_truth_leaves_of_training_ratings_counts_as_judged():
    """A file without the pairs that train weighs as the one that has them."""
    shape = (50, 40)
    judged, known = some(shape, 0.5), RNG.random(shape) < 0.5
    train = np.where(known & (RNG.random(shape) < 0.5), judged, np.nan)
    rest = np.where(np.isnan(train), judged, np.nan)
    qrels = np.where(known, rest, np.nan)
    found = [
        taken_apart(pairs(qrels), pairs(own, known), pairs(train), *shape, seed=1)
        for own in (judged, rest)
    ]
    assert found[0].weight.tolist() == found[1].weight.tolist()
    assert found[0].judged.tolist() == found[1].judged.tolist()


def test_pairs_of_the_qrels_are_known_whatever_the_judgements_say():
    """Of those that are not among the judgements, or without a flag, a share is set aside."""
    shape = (60, 40)
    judged = some(shape, 0.5)
    qrels = np.where(RNG.random(shape) < 0.5, judged, np.nan)
    kept = ~np.isnan(judged) & (np.isnan(qrels) | (RNG.random(shape) < 0.7))
    file = np.where(kept, judged, np.nan)
    apart = taken_apart(
        pairs(qrels), pairs(file, np.zeros(shape, dtype=bool)), None, *shape, seed=1
    )
    own = cells(pairs(qrels))
    aside = own & cells(apart.true)
    only = own - cells(pairs(file))
    assert only & aside
    for of in (own, only):
        share = len(of & aside) / len(of)
        assert abs(share - SHARE) < 4 * np.sqrt(SHARE * (1 - SHARE) / len(of))
    known = [(u, i) in own for u, i in zip(apart.true.user, apart.true.item, strict=True)]
    assert apart.true.known.tolist() == known


def test_of_measures_that_are_better_when_lower_the_lower_are_higher():
    judgements = Judgements(
        np.arange(3, dtype=np.int32), np.arange(0, 7, 2), np.tile([5.0, 1.0], 3), 4
    )
    lengths, candidates = np.full(3, 2, np.int32), np.full(3, 9, np.int32)
    ranks = {"good": [1, 0, 2, 0, 1, 0], "bad": [0, 1, 0, 2, 0, 1]}
    lists = {k: Lists(np.array(own, np.int32), lengths, candidates) for k, own in ranks.items()}
    found = observed(
        Given(judgements, np.tile([0, 1], 3), lists), ["P@2", "Fallout@2"], Draws.none(3), CHOICES
    )
    assert found.shape == (1, 2, 2)
    assert (found[0, :, 0] > found[0, :, 1]).all()
    assert (found[0, 1] <= 0).all()


def test_taus_are_those_of_scipy_and_identical_measures_are_never_excluded():
    rng = np.random.default_rng(0)
    true = np.arange(8.0) + 0.5 * rng.standard_normal((201, 8))
    means = np.stack([true, -true, true], axis=1) + 0.1 * rng.standard_normal((201, 1, 8))
    means[:, 2] = means[:, 0]
    table = compared(["a", "b", "c"], means, true, CHOICES)
    for m, name in enumerate(table.index):
        expected = scipy.stats.kendalltau(means[0, m], true[0]).statistic
        assert table.loc[name, "tau"] == pytest.approx(expected)
    assert table["excluded"].tolist() == [False, True, False]
    assert table.loc["a", "worse"] == table.loc["c", "worse"] == 1


def test_ps_are_those_of_ranges_over_what_is_left_by_brute_force():
    rng = np.random.default_rng(5)
    true = np.arange(7.0) + rng.standard_normal((101, 7))
    means = true[:, None] + rng.standard_normal((101, 4, 7)) * np.arange(1, 5)[:, None]
    table = compared([*"abcd"], means, true, CHOICES)
    taus = np.array(
        [
            [scipy.stats.kendalltau(means[b, m], true[b]).statistic for m in range(4)]
            for b in range(101)
        ]
    )
    off = taus[1:] - taus[1:].mean(axis=0)
    single = {}
    for m in range(4):
        gap = taus[0].max() - taus[0, m]
        left = [k for k in range(4) if taus[0, k] >= taus[0, m]]
        wider = sum(
            any(own[a] - own[b] >= gap - 1e-12 for a, b in itertools.product(left, left))
            for own in off
        )
        single[m] = (1 + wider) / 101
    assert len({*single.values()}) > 2
    for m in range(4):
        no_better = [single[k] for k in range(4) if taus[0, k] <= taus[0, m]]
        assert table["worse"].iloc[m] == pytest.approx(max(no_better))


def test_fewer_than_six_systems_exclude_nothing():
    rng = np.random.default_rng(0)
    true = np.arange(5.0) + 0.01 * rng.standard_normal((201, 5))
    table = compared(["a", "b"], np.stack([true, -true], axis=1), true, CHOICES)
    assert table["tau"].tolist() == [1, -1]
    assert not table["excluded"].any()


def test_chance_of_agreeing_is_that_of_all_orders_by_brute_force():
    rng = np.random.default_rng(2)
    true, means = np.arange(5.0), rng.standard_normal((4, 5)) + 0.9 * np.arange(5.0)
    means[3] = 1  # ties all systems: without a tau

    def best(order):
        return max(scipy.stats.kendalltau(own, order).statistic for own in means[:3])

    share = np.mean([best(own) >= best(true) - 1e-12 for own in itertools.permutations(true)])
    assert 0.05 < share < 0.5
    assert by_chance(means, true, seed=1) == pytest.approx(share, abs=0.05)
    assert np.isnan(by_chance(means[3:], true, seed=1))


def test_measures_that_agree_with_noise_by_chance_alone_exclude_nothing():
    rng, n_systems = np.random.default_rng(3), 10
    means = np.repeat(rng.standard_normal((1, 12, n_systems)), 1 + CHOICES.resamples, axis=0)
    names, runs, told = [*map(str, range(12))], [*map(str, range(n_systems))], 0
    for world in range(40):
        noise = dict(zip(runs, rng.standard_normal(n_systems), strict=True))
        outcomes = Outcomes(noise, dict.fromkeys(runs, 1.0))
        true = outcomes.drawn(runs, CHOICES.resamples, world)
        told += _ground("outcomes", names, means, true, CHOICES).used
    assert told <= 6  # of 40 at 5 %: more in 1 of 100; by the interval of the best tau alone: 21


def test_outcomes_are_drawn_with_their_errors_and_by_name():
    outcomes = Outcomes({"a": 1.0, "b": 2.0, "c": 3.0}, {"a": 0.5, "b": np.nan, "c": 0.1})
    drawn = outcomes.drawn(["a", "b", "c"], 2000, seed=1)
    assert drawn[0].tolist() == [1, 2, 3]
    assert drawn[1:].mean(axis=0) == pytest.approx([1, 2, 3], abs=0.05)
    assert drawn[1:].std(axis=0) == pytest.approx([0.5, 0, 0.1], rel=0.05)
    assert abs(np.corrcoef(drawn[1:, 0], drawn[1:, 2])[0, 1]) < 0.1
    other = outcomes.drawn(["c", "a"], 2000, seed=1)
    assert other[:, 1].tolist() == drawn[:, 0].tolist()
