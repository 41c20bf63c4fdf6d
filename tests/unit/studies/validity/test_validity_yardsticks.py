"""Estimators of true utilities: loops over users and places, and what they have in common."""

import itertools

import numpy as np
import pytest

from rankassay.errors import RankassayError
from rankassay.seeds import generator
from rankassay.statistics.draws import Draws
from rankassay.studies.validity.yardsticks import FOLDS, PRIOR, Estimates, Sample, Yardstick

USERS, ITEMS, DEPTH = 30, 12, 6


@pytest.fixture(scope="module")
def estimates():
    """Return two systems' lists, the second shorter for some, and judgements of unequal weight."""
    rng = np.random.default_rng(8)
    row, item = np.nonzero(rng.random((USERS, ITEMS)) < 0.5)
    rating = rng.integers(1, 6, len(row)).astype(np.float64)
    known, weight = rng.random(len(row)) < 0.3, rng.uniform(1.5, 6, len(row))
    own = Sample(2 * np.arange(USERS), row, item, rating, known, weight, 4.0, 1.0)
    lists = [np.argsort(rng.random((USERS, ITEMS)), axis=1)[:, :DEPTH] for _ in range(2)]
    lists[1][::3, 4:] = -1
    return Estimates(own, [items.astype(np.int32) for items in lists], ITEMS, seed=5)


def by_hand(estimates, yardstick, utility, k, estimator, users=None):
    """Return the estimates of both systems, pair by pair and place by place."""
    own = estimates.sample
    users = range(USERS) if users is None else users
    judged = {(u, i): n for n, (u, i) in enumerate(zip(own.row, own.item, strict=True))}
    new = yardstick == "new"

    def gain(n):
        value = own.rating[n] - 1 if utility == "rating" else float(own.rating[n] >= 4)
        return 0.0 if new and own.known[n] else value

    def discount(rank):
        return 1 / np.log2(rank + 1) if utility == "DCG" else 1 / k

    fold = generator(5, "folds-of-the-truth").permutation(USERS) % FOLDS

    def model(u, i):
        other = [n for n in range(len(own.row)) if fold[own.row[n]] != fold[u]]
        mean = sum(own.weight[n] * gain(n) for n in other) / sum(own.weight[n] for n in other)
        prior = PRIOR * np.mean([own.weight[n] for n in other])
        at = [n for n in other if own.item[n] == i]
        above = sum(own.weight[n] * gain(n) for n in at) + prior * mean
        return above / (sum(own.weight[n] for n in at) + prior)

    found = []
    for items in estimates.items:
        above = below = filled = 0.0
        for u, (place, i) in itertools.product(users, enumerate(range(DEPTH))):
            i = items[u, place]
            if place >= k or i < 0:
                continue
            c, n = discount(place + 1), judged.get((u, i))
            weight = 0.0 if n is None else 1.0 if estimator == "plain" else own.weight[n]
            value = 0.0 if n is None else gain(n)
            filled += c
            below += weight * c
            above += weight * c * value
            if estimator == "DR":
                above += c * model(u, i) * (1 - weight)
        value = above * filled / below if estimator == "Hajek" else above
        found.append(value / len(users) + (1.0 if utility == "rating" else 0.0))
    return np.array(found)


@pytest.mark.parametrize("estimator", ["HT", "Hajek", "DR", "plain"])
@pytest.mark.parametrize(
    ("yardstick", "utility", "k"),
    [("liked", "P", 3), ("new", "P", 6), ("liked", "DCG", 5), ("new", "rating", 4)],
)
def test_estimates_are_those_by_hand(estimates, yardstick, utility, k, estimator):
    by = Yardstick(yardstick, utility, k, estimator)
    found = estimates.means(by)
    assert found.shape == (1, 1, 2)
    np.testing.assert_allclose(
        found[0, 0], by_hand(estimates, yardstick, utility, k, estimator), rtol=1e-12
    )


@pytest.mark.parametrize("estimator", ["HT", "Hajek"])
def test_resampled_estimates_are_those_of_the_users_who_were_drawn(estimates, estimator):
    draws = Draws.of(2 * USERS, 40, 3)
    found = estimates.means(Yardstick("liked", "P", 5, estimator), draws)
    assert found.shape == (41, 1, 2)
    times = draws.times[:, draws.group[estimates.sample.users]]
    for n in (1, 40):
        users = np.repeat(np.arange(USERS), times[n].astype(int))
        expected = by_hand(estimates, "liked", "P", 5, estimator, users)
        np.testing.assert_allclose(found[n, 0], expected)


def test_of_all_candidates_judged_every_estimator_says_the_same(estimates):
    row, item = np.divmod(np.arange(USERS * ITEMS), ITEMS)
    rating = np.random.default_rng(0).integers(1, 6, len(row)).astype(np.float64)
    whole = Sample(np.arange(USERS), row, item, rating, None, np.ones(len(row)), 4.0, 1.0)
    of = Estimates(whole, estimates.items, ITEMS)
    plain = of.means(Yardstick("liked", "P", 5, "plain"))
    for estimator in ("HT", "Hajek", "DR"):
        np.testing.assert_allclose(of.means(Yardstick("liked", "P", 5, estimator)), plain)


def test_a_user_is_not_in_the_own_model(estimates):
    """What a user says changes the model of others alone."""
    own = estimates.sample
    other = Sample(
        *(getattr(own, n) for n in ("users", "row", "item")),
        own.rating.copy(),
        own.known,
        own.weight,
        4.0,
        1.0,
    )
    other.rating[own.row == 7] = 6 - other.rating[own.row == 7]
    by = Yardstick("liked", "P", 5, "DR")
    models = [
        Estimates(s, estimates.items, ITEMS, 5)._model(by, s.gain("liked", "P"))
        for s in (own, other)
    ]
    fold = models[0][0]
    changed = np.abs(models[0][1] - models[1][1]).max(axis=1) > 0
    assert not changed[fold[7]]
    assert changed.sum() == FOLDS - 1


def test_new_needs_flags_and_names_are_checked(estimates):
    own = estimates.sample
    without = Sample(own.users, own.row, own.item, own.rating, None, own.weight, 4.0, 1.0)
    with pytest.raises(
        RankassayError, match="expected flags of what users knew before, found none"
    ):
        without.gain("new", "P")
    with pytest.raises(RankassayError, match="unknown utility 'DGC'; did you mean 'DCG'"):
        own.gain("liked", "DGC")
    with pytest.raises(RankassayError, match="unknown estimator 'Hajec'; did you mean 'Hajek'"):
        estimates.rows(Yardstick("liked", "P", 5, "Hajec"))
