"""Weights of a truth: every possible set of judgements of a tiny world, summed up."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import binom, hypergeom

from rankassay.artifacts.arrays import Truth
from rankassay.errors import RankassayError
from rankassay.studies.validity.weights import Division, by_counts, by_design, check_listed
from rankassay.studies.validity.yardsticks import sample

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
    division = Division(np.array([trains]), np.array([9]), np.array([0]))
    return by_design(np.zeros(len(hit), int), hit < CAN, np.array([J * N]), N, A, division)


def test_sums_over_lists_are_unbiased_over_all_sets_of_judgements():
    true, estimate = expected(lambda hit, train, test: designed(hit, R))
    assert estimate == pytest.approx(true, rel=1e-12)
    true, estimate = expected(lambda hit, *_: designed(hit, R), lambda train, test: train.any())
    assert estimate == pytest.approx(true, rel=1e-12)


def test_weights_of_all_pairs_by_judgement_alone_are_biased():
    true, estimate = expected(lambda hit, *_: np.full(len(hit), 1 / J))
    assert estimate < 0.8 * true


def law(known, items, judged, aside, by_rating):
    """Yield the probability of each number of a user's observed and test ratings, exactly."""
    for x in range(max(0, judged - items + known), min(known, judged) + 1):
        of_x = hypergeom.pmf(x, items, known, judged)
        for o in range(x + 1):
            of_o = of_x * binom.pmf(o, x, 1 - aside)
            if by_rating:
                yield from ((of_o * binom.pmf(t, o, 1 - R), o, t) for t in range(o + 1))
            else:
                yield of_o, o, int((1 - R) * o + 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("items", "known", "judged", "aside", "by_rating", "most", "before"),
    [
        (300, 50, 27, A, True, 0.004, 0.019),
        (300, 50, 27, A, False, 0.009, 0.014),
        (150, 150, 10, 0.5, True, 0.009, 0.04),  # all can be observed
        (150, 150, 10, 0.5, False, 0.002, 0.008),
        (150, 150, 6, 0.25, False, 0.002, 0.008),
        (150, 150, 6, 0.5, False, 0.004, 0.08),
    ],
)
def test_of_users_with_test_ratings_and_fixed_numbers_of_judgements_little_bias_is_left(
    items, known, judged, aside, by_rating, most, before
):
    """One item of a user, as of 300 of which 50 are known and 27 judged: all numbers summed up."""
    j, fewest = judged / items, 2  # of two ratings one tests
    others = np.repeat([True, False], [int(known * aside * 4), (items - known) * 4])

    def weight(trains, o, critical, can):
        division = Division(np.array([trains]), np.array([o]), np.array([critical]))
        row, observable = np.zeros(1 + len(others), int), np.array([can, *others])
        return by_design(row, observable, np.array([judged]), items, aside, division)[0]

    for can in {True, known == items}:
        rest = [*law(known - can, items - 1, judged - 1, aside, by_rating)]  # if it is judged
        other = [*law(known - can, items - 1, judged, aside, by_rating)]  # if it is not
        true = (1 - j) * sum(p for p, _, t in other if t)
        estimate = plain = 0.0
        for p, o, t in rest:
            own = 1 - R if by_rating else int((1 - R) * (o + 1) + 0.5) / (o + 1)
            true += j * p * (((t > 0) * aside + (1 - aside) * own) if can else t > 0)
            critical = t == 1 if by_rating else fewest * (o == fewest)
            trains = R if by_rating else (o - t) / max(o, 1)
            chance = (t > 0) * p * j * (aside if can else 1)
            estimate += chance * weight(trains, o, int(critical), can)
            plain += chance * weight(trains, o, 0, can)
        assert abs(estimate / true - 1) < most
        assert plain / true - 1 < -before


def test_how_ratings_were_divided_shows_in_their_numbers():
    """By each user's number: one test rating from 3 ratings on; or each rating by itself."""
    own = Division.of(np.array([2, 3, 2, 8, 2]), np.array([1, 1, 1, 2, 0]))
    assert own.critical.tolist() == [3, 0, 3, 0, 0]
    np.testing.assert_allclose(own.trains, [2 / 3, 3 / 4, 2 / 3, 8 / 10, np.nan])
    each = Division.of(np.array([2, 3, 2, 8, 2]), np.array([1, 0, 2, 1, 1]))
    assert each.critical.tolist() == [1, 0, 0, 1, 1]
    np.testing.assert_allclose(each.trains, [17 / 22, np.nan, 17 / 22, 17 / 22, 17 / 22])


def test_what_is_left_out_of_both_parts_does_not_train():
    """Of ten observed ratings of each user, three train, one tests, and six are left out."""
    place = np.arange(20) < 3, np.arange(20) == 3, (np.arange(20) > 9) & (np.arange(20) < 14)
    train, test, aside = (sp.csr_matrix(np.tile(own, (4, 1)).astype(np.float32)) for own in place)
    known, judged = np.tile([True, True, False, True], 4), np.full(4, 14, dtype=np.int32)
    truth = Truth.of(aside, known, judged, aside=A, design="set-aside")
    own = sample(train, test, truth, 1.0)
    j, b = 14 / 20, 10
    can = (1 - j * (1 - A) * 0.3) / A
    mean = 4 / (3 * can + 1)  # of four pairs in the truth three are known
    likelier = 1 + mean * b * (1 - j) / (14 - b)  # all have the fewest ratings
    can = can * likelier + (1 - A) * j / 10 / A
    np.testing.assert_allclose(own.weight, np.where(known, can, likelier) / j)


def test_users_whose_judgements_are_all_observed_where_they_have_lists_are_left_out():
    """Two ratings make a list: who judged two items, and has one, has nothing in the truth."""
    train, test = np.array([[1, 0, 0, 0, 0]] * 2), np.array([[0, 1, 0, 0, 0]] * 2)
    aside = sp.csr_matrix(np.array([[0, 0, 0, 0, 0], [0, 0, 1, 1, 0]], dtype=np.float32))
    parts = (sp.csr_matrix(part.astype(np.float32)) for part in (train, test))
    truth = Truth.of(aside, judged=np.array([2, 4]), aside=0.5, design="set-aside")
    assert sample(*parts, truth, 1.0).users.tolist() == [1]


def test_a_file_of_its_own_weighs_one_over_the_share_of_judged_items():
    division = Division(np.array([0.8, 0.5]), np.array([5, 2]), np.array([0, 1]))
    weight = by_design(np.array([0, 1, 1]), None, np.array([2, 4]), 8, 1.0, division)
    np.testing.assert_array_equal(weight, [4, 2, 2])


def test_counted_weights_solve_their_equation():
    """Of each item, the judged candidates that the weights stand for are its candidates."""
    rng = np.random.default_rng(2)
    row, item = np.divmod(rng.permutation(40 * 6)[:120], 6)
    known, candidates = rng.random(120) < 0.4, rng.integers(34, 40, 6)
    trains = rng.uniform(0.7, 0.9, 40)
    division = Division(trains, *np.ones((2, 40), dtype=int))
    weight = by_counts(row, item, known, candidates, A, division)
    stands_for = np.bincount(item, weight, minlength=6)
    np.testing.assert_allclose(stands_for, candidates)
    # An observable pair of an item that hardly anyone judges weighs 1 / a of another.
    ratio = weight[known & (item == 0)][0] / weight[~known & (item == 0)][0]
    assert 1 < ratio < 1 / A


def test_listed_items_that_nobody_judged_are_named():
    check_listed(np.array([0, 2]), np.array([1, 0, 3]), "abc")
    with pytest.raises(RankassayError, match=r"2 items, on 60\.0% .* \(most often 'c', 'b'\)"):
        check_listed(np.array([0, 2, 1, 2, 0]), np.array([1, 0, 0]), "abc")
