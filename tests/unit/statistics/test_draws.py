"""Resampled users: in groups, as often as the bootstrap draws them."""

import made_up
import numpy as np
import pytest

from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import grid
from rankassay.statistics import incomplete
from rankassay.statistics.draws import FEWEST, Draws
from rankassay.statistics.judged_systems import TestSet, means_of_values

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
