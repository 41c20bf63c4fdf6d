"""Weights of a truth: every possible set of judgements of a tiny world, summed up."""

import itertools

import numpy as np
import pytest

from assayer.errors import AssayerError
from assayer.studies.validity.weights import by_counts, by_design, check_listed

CAN, CANNOT = 4, 3  # items that the user knows, and others
N = CAN + CANNOT
J, A, R = 0.45, 0.25, 0.7
RNG = np.random.default_rng(5)
UTILITY, SCORE, LIFT = RNG.random(N), RNG.random(N), RNG.random((N, N))


def outcomes(judged):
    """Yield the probability, what trains, and what is set aside, of every outcome."""
    states = [("train", "test", "aside", "no") if i < CAN else ("aside", "no") for i in range(N)]
    for state in itertools.product(*states):
        chance = 1.0
        for i, own in enumerate(state):
            chance *= 1 - judged if own == "no" else judged
            if i < CAN and own != "no":
                chance *= {"aside": A, "train": (1 - A) * R, "test": (1 - A) * (1 - R)}[own]
        yield chance, *(np.array([own == k for own in state]) for k in ("train", "test", "aside"))


def expected(weigh, of=lambda train, test: True, judged=J):
    """Return the expectations of the true and the estimated utility of lists of two."""
    sums = np.zeros(2)
    for chance, train, test, aside in outcomes(judged):
        if not of(train, test):
            continue
        score = np.where(train, -1, SCORE + LIFT[train].sum(axis=0))  # lists change with training
        listed = np.argsort(-score)[:2]
        hit = listed[aside[listed]]
        estimate = (UTILITY[hit] * weigh(hit, train, test)).sum()
        sums += chance * np.array([UTILITY[listed].sum(), estimate])
    return sums


def designed(hit, trains):
    """Return the weights of the pairs of a single user, whose judged items are a share J."""
    return by_design(
        np.zeros(len(hit), int), hit < CAN, np.array([J * N]), N, A, np.array([trains])
    )


def test_sums_over_lists_are_unbiased_over_all_sets_of_judgements():
    true, estimate = expected(lambda hit, train, test: designed(hit, R))
    assert estimate == pytest.approx(true, rel=1e-12)
    true, estimate = expected(lambda hit, *_: designed(hit, R), lambda train, test: train.any())
    assert estimate == pytest.approx(true, rel=1e-12)


def test_weights_of_all_pairs_by_judgement_alone_are_biased():
    true, estimate = expected(lambda hit, *_: np.full(len(hit), 1 / J))
    assert estimate < 0.8 * true


def test_of_users_with_test_ratings_the_users_own_share_leaves_less_bias():
    def own(hit, train, test):
        return designed(hit, train.sum() / (train.sum() + test.sum()))

    def tested(train, test):
        return test.any()

    true, pooled = expected(lambda hit, *_: designed(hit, R), tested)
    _, by_user = expected(own, tested)
    assert 0 < true - by_user < 0.6 * (true - pooled)
    assert true - pooled < true / CAN


def test_a_file_of_its_own_weighs_one_over_the_share_of_judged_items():
    weight = by_design(np.array([0, 1, 1]), None, np.array([2, 4]), 8, 1.0, np.array([0.8, 0.5]))
    np.testing.assert_array_equal(weight, [4, 2, 2])


def test_counted_weights_solve_their_equation():
    """Of each item, the judged candidates that the weights stand for are its candidates."""
    rng = np.random.default_rng(2)
    row, item = np.divmod(rng.permutation(40 * 6)[:120], 6)
    known, candidates = rng.random(120) < 0.4, rng.integers(34, 40, 6)
    trains = rng.uniform(0.7, 0.9, 40)
    weight = by_counts(row, item, known, candidates, A, trains)
    stands_for = np.bincount(item, weight, minlength=6)
    np.testing.assert_allclose(stands_for, candidates)
    # An observable pair of an item that hardly anyone judges weighs 1 / a of another.
    ratio = weight[known & (item == 0)][0] / weight[~known & (item == 0)][0]
    assert 1 < ratio < 1 / A


def test_listed_items_that_nobody_judged_are_named():
    check_listed(np.array([0, 2]), np.array([1, 0, 3]))
    with pytest.raises(AssayerError, match=r"2 items, on 60\.0% .* dataset: 2, 1\)"):
        check_listed(np.array([0, 2, 1, 2, 0]), np.array([1, 0, 0]))
