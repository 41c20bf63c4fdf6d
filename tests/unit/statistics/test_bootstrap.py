"""Sums of differences of pairs, over users and over groups of them."""

import numpy as np
import pytest

from rankassay.statistics import bootstrap
from rankassay.statistics.bootstrap import Pairs


def values(kind):
    rng = np.random.default_rng(4)
    x = rng.random((60, 5))
    if kind == "ragged":
        x[rng.random(x.shape) < 0.2] = np.nan
    if kind == "some users":
        x[rng.random(60) < 0.3] = np.nan
    if kind == "little":
        x[:, 1] = x[:, 0] + 1e-9 * rng.random(60)
    return x


@pytest.mark.parametrize("kind", ["all", "ragged", "some users", "little"])
def test_groups_of_users_have_the_sums_of_their_users(kind, monkeypatch):
    """Groups are summed by kernels of their own; the bits are those of the products."""
    monkeypatch.setattr(bootstrap, "CELLS", 70)  # products of 7 users at a time
    pairs, group = Pairs.of(values(kind)), np.arange(60) % 7
    times = np.random.default_rng(5).poisson(1, (9, 7)).astype(np.float64)
    by_group, by_user = pairs.sums(times, group), pairs.sums(times[:, group])
    for name in ("count", "total", "squares"):
        np.testing.assert_array_equal(getattr(by_group, name), getattr(by_user, name))


@pytest.mark.parametrize("kind", ["all", "ragged", "some users", "little"])
def test_sums_are_those_of_the_differences(kind):
    x = values(kind)
    first, second = np.triu_indices(5, k=1)
    d = x[:, first] - x[:, second]
    sums = Pairs.of(x).sums()
    np.testing.assert_array_equal(sums.count[0], (~np.isnan(d)).sum(axis=0))
    np.testing.assert_allclose(sums.total[0], np.nansum(d, axis=0), rtol=1e-12)
    np.testing.assert_allclose(sums.squares[0], np.nansum(d**2, axis=0), rtol=1e-12)


def test_one_system_makes_no_pairs():
    sums = Pairs.of(values("all")[:, :1]).sums(np.ones((3, 60)))
    assert sums.total.shape == sums.squares.shape == sums.count.shape == (3, 0)
