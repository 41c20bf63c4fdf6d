"""Resampled users: in groups, as often as the bootstrap draws them."""

import itertools

import made_up
import numpy as np
import pytest
import scipy.stats

from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import grid
from rankassay.recommenders.catalogue import FAMILIES, RECOMMENDERS, family
from rankassay.statistics import incomplete
from rankassay.statistics.draws import FEWEST, Draws
from rankassay.statistics.families import Families, jackknife_error
from rankassay.statistics.judged_systems import TestSet, means_of_values
from rankassay.statistics.rank_correlation import rbo, tau_b

SYSTEMS = [*"abcdefghijk"]
NAMED = dict(zip(SYSTEMS, "vwvxwvxyzyz", strict=True))

N_USERS = 70
METRICS = ["P", "R", "AP", "nDCG", "RR", "Bpref"]
MEASURES = grid(METRICS, [5, 20])
EVALUATION = made_up.evaluation(MEASURES)
RESAMPLES = FEWEST


@pytest.fixture(scope="module")
def study():
    return made_up.study(N_USERS, n_systems=6, seed=3)


def test_draws_are_of_users_in_groups_of_the_same_size():
    draws = Draws.of(1234, 60, seed=1)
    sizes = np.bincount(draws.group)
    assert (len(sizes), sizes.max() - sizes.min()) == (500, 1)
    assert (draws.times[0] == 1).all()
    assert (draws.times[1:].sum(axis=1) == 500).all()
    assert len(np.unique(draws.times[1:], axis=0)) == 60


def test_without_resamples_all_users_are_one_group():
    draws = Draws.of(1234, 0, seed=1)
    assert (draws.n_groups, len(draws.times)) == (1, 1)


def test_means_of_users_as_they_are_depend_on_no_resamples(study):
    whole = TestSet.of(*study[1:], EVALUATION)
    keep = np.random.default_rng(1).random(len(whole.item)) < 0.5
    several = whole.means(keep, Draws.of(N_USERS, RESAMPLES, seed=1, groups=9))
    assert several[0].tobytes() == whole.means(keep, Draws.of(N_USERS, 0, seed=1))[0].tobytes()


def test_with_few_users_draws_are_the_bootstrap():
    draws = Draws.of(50, 400, seed=1)
    assert sorted(draws.group) == [*range(50)]
    # A user is drawn 0 times with probability (1 - 1/50)^50, and once on average.
    assert (made_up.times_of_users(draws)[1:] == 0).mean() == pytest.approx(
        (1 - 1 / 50) ** 50, abs=0.01
    )
    np.testing.assert_array_equal(draws.times[:201], Draws.of(50, 200, seed=1).times)
    assert (Draws.of(50, 400, seed=2).times != draws.times).any()


@pytest.mark.parametrize("n_users", [1, 7, 40])
def test_every_group_is_drawn_as_often_as_any_other(n_users):
    resamples = 4000
    draws = Draws.of(n_users, resamples, seed=1)
    # A group is drawn n times a resample with mean 1 and variance 1 - 1/n.
    error = np.sqrt((1 - 1 / n_users) / resamples)
    found = draws.times[1:].mean(axis=0)
    np.testing.assert_allclose(found, 1, atol=4.5 * error + 1e-12)
    assert found.shape == (n_users,)
    # Nor are neighbours drawn together: the counts of two groups correlate by -1 / (n - 1).
    if n_users > 2:
        among = np.corrcoef(draws.times[1:].T)[np.triu_indices(n_users, 1)]
        np.testing.assert_allclose(among, -1 / (n_users - 1), atol=5 / np.sqrt(resamples))


def test_groups_scatter_as_their_users_do():
    """The standard deviation of a mean from 500 groups is that from users, within some 5 %."""
    x = np.random.default_rng(3).random((4000, 1, 1)) ** 4
    found = means_of_values(x, Draws.of(4000, 2000, seed=1))[1:, 0, 0].std()
    assert found == pytest.approx(x.std() / np.sqrt(4000), rel=0.1)


@pytest.mark.parametrize("few", [1, 39])
def test_too_few_resamples_are_refused(few):
    with pytest.raises(RankassayError, match=f"0 .* or at least 40, found {few}"):
        Draws.of(10, few, seed=1)


@pytest.mark.parametrize("many", [0, 40, 777])
def test_as_many_resamples_as_asked_for(many, study):
    _, test, rankings = study
    found = incomplete.sparsity_bias(test, rankings, EVALUATION, [50], 1, 1, resamples=many)
    assert found.replicates.shape == (len(MEASURES), many)
    assert np.isnan(found.with_interval().table["low"]).all() == (many == 0)


def test_each_family_is_left_out_once_in_the_order_of_its_first_system():
    found = Families.of(SYSTEMS, NAMED)
    left_out = [[s for i, s in enumerate(SYSTEMS) if i not in own] for own in found.kept]
    assert left_out == [[*"acf"], [*"be"], [*"dg"], [*"hj"], [*"ik"]]
    assert (found.names, len(found), found.n_systems) == ((*"vwxyz",), 5, 11)
    assert all((np.diff(own) > 0).all() for own in found.kept)
    # Families of which no system is there leave out nothing.
    assert len(Families.of(SYSTEMS, NAMED | {"absent": "other"})) == 5


def test_a_system_without_a_family_is_one_of_its_own():
    found = Families.of([*"abcdef"], {"a": "x", "c": "x", "b": "c", "d": "d"})
    left_out = [[*({*range(6)} - {*own.tolist()})] for own in found.kept]
    assert left_out == [[0, 2], [1], [3], [4], [5]]
    assert found.names == ("x", "c", "d", "system e", "system f")
    # A family that has the name of a system does not hold it.
    assert len(Families.of([*"abcde"], {"a": "b"})) == 5


@pytest.mark.parametrize(("n_families", "n_found"), [(1, 0), (4, 0), (5, 5), (6, 6)])
def test_few_families_say_nothing_of_others(n_families, n_found):
    systems = [f"{i}-{j}" for i in range(n_families) for j in range(3)]
    found = Families.of(systems, {name: name[0] for name in systems})
    assert len(found) == n_found
    x = np.random.default_rng(0).random((2, 3, len(systems)))
    assert found.correlate(tau_b, *x).shape == (1 + n_found, 3)
    assert len(found.pairs()) == n_found
    assert len(found.names) == n_found
    assert len(Families.of([], {})) == 0


@pytest.mark.parametrize("correlate", [tau_b, rbo])
def test_correlations_are_those_of_the_systems_that_are_left_alone(correlate):
    rng = np.random.default_rng(2)
    x, reference = rng.integers(0, 6, (2, 4, 11)).astype(np.float64)
    found = Families.of(SYSTEMS, NAMED).correlate(correlate, x, reference)
    assert found.shape == (6, 4)
    names = np.array([*NAMED.values()])
    for row, left_out in zip(found, ["", *dict.fromkeys(NAMED.values())], strict=True):
        for measure in range(4):
            a, b = x[measure, names != left_out], reference[measure, names != left_out]
            assert row[measure] == pytest.approx(correlate(a, b), abs=1e-14)
            if correlate is tau_b:
                assert row[measure] == pytest.approx(scipy.stats.kendalltau(a, b).statistic)


def test_pairs_are_the_places_of_the_pairs_that_are_left():
    every = [*itertools.combinations(SYSTEMS, 2)]
    families = Families.of(SYSTEMS, NAMED)
    for own, left_out in zip(families.pairs(), dict.fromkeys(NAMED.values()), strict=True):
        left = [s for s in SYSTEMS if NAMED[s] != left_out]
        assert [every[place] for place in own] == [*itertools.combinations(left, 2)]


def test_of_a_mean_the_error_is_the_standard_error_of_the_mean():
    """Each value a family: as it is known that the jackknife gives that of a mean exactly."""
    values = np.random.default_rng(3).normal(size=(4, 9))
    without = (values.sum(axis=1, keepdims=True) - values) / 8
    assert jackknife_error(without) == pytest.approx(scipy.stats.sem(values, axis=1), rel=1e-12)
    # Of families as large as one another it is that of their means.
    values = values[0].repeat(3) + np.tile([-0.1, 0.1, 0], 9)
    without = np.array([np.delete(values, range(3 * i, 3 * i + 3)).mean() for i in range(9)])
    expected = scipy.stats.sem(values.reshape(9, 3).mean(axis=1))
    assert jackknife_error(without) == pytest.approx(expected, rel=1e-12)


def test_of_a_correlation_it_is_near_that_of_many_other_systems():
    """The scatter of Pearson's correlation over samples is known: (1 - r²) / sqrt(n)."""
    rng = np.random.default_rng(4)
    x = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], size=(100, 60))
    errors = []
    for sample in x:
        without = [np.corrcoef(np.delete(sample, i, axis=0).T)[0, 1] for i in range(60)]
        errors.append(jackknife_error(np.array(without)))
    assert np.mean(errors) == pytest.approx((1 - 0.6**2) / 60**0.5, rel=0.05)


def test_the_error_is_unknown_where_a_number_without_a_family_is_or_there_are_none():
    without = np.array([[0.1, 0.2, np.nan], [0.5, 0.5, 0.5]])
    assert jackknife_error(without) == pytest.approx([np.nan, 0], nan_ok=True)
    assert np.isnan(jackknife_error(np.empty((2, 0)))).tolist() == [True, True]
    assert np.isnan(jackknife_error(np.empty(0)))


def test_every_method_of_the_catalogue_is_in_one_family():
    methods = [method for own in FAMILIES.values() for method in own]
    assert sorted(methods) == sorted(RECOMMENDERS)
    assert {family(method) for method in RECOMMENDERS} == {*FAMILIES}
    for name, own in FAMILIES.items():
        assert {family(method) for method in own} == {name}
    assert family("my_code:Mine") == "my_code:Mine"
