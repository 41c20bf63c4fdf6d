"""benchmarks/coat_ips.py: what its tables say, in a world whose propensities are known."""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import rankassay

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "coat_ips.py"


@pytest.fixture(scope="module")
def script():
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("coat_ips", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def world(script):
    """Return data in which pairs are rated by known propensities, and splits with random lists."""
    rng = np.random.default_rng(1)
    n_users, n_items = 400, 60
    right = np.exp(rng.normal(-2, 1.2, (n_users, n_items))).clip(0.005, 0.9)
    likes = rng.random(right.shape) < 0.3
    rated = rng.random(right.shape) < right
    judged = rng.random(right.shape) < 0.2
    rating = np.where(likes, 5.0, 2.0)
    bits = rng.integers(0, 2, (n_users, 2)), rng.integers(0, 2, (n_items, 33))
    coat = script.Coat(rating * rated, rating * judged, right, *map(np.float64, bits))
    splits = []
    for _ in range(6):
        test = rated & (rng.random(right.shape) < 0.25)
        train = rated & ~test
        order = [np.where(train, 2, rng.random(right.shape)).argsort(axis=1) for _ in range(4)]
        splits.append(script.Split(train, test, np.array(order)[:, :, : script.LENGTH]))
    return coat, splits


def test_weights_of_all_rated_items_add_up_to_the_length_of_the_lists(script, world):
    coat, splits = world
    labels = [f"system {n}" for n in range(4)]
    found = script.by_system(coat, splits, labels)
    assert found["rated"].to_numpy() == pytest.approx(1, abs=0.1)
    assert found["overstated"].to_numpy() == pytest.approx(1, abs=0.15)
    wrong = script.Coat(coat.chosen, coat.judged, coat.shipped / 2, coat.users, coat.items)
    assert (script.by_system(wrong, splits, labels)["rated"] > 1.5).all()


def test_probability_of_a_test_rating_without_training_is_that_of_the_draws(script):
    rng = np.random.default_rng(2)
    rated = rng.random(200_000) < 0.3
    test = rated & (rng.random(len(rated)) < 0.25)
    share = test.sum() / (~(rated & ~test)).sum()
    assert script.tested(0.3, 0.25) == pytest.approx(share, abs=0.003)


def test_tau_is_that_of_means_over_users_who_count_as_often_as_they_are_drawn(script):
    rng = np.random.default_rng(3)
    true, seen, divisor = rng.random((3, 30, 6))
    times = rng.multinomial(30, np.full(30, 1 / 30)).astype(float)
    rows = np.repeat(np.arange(30), times.astype(int))
    ratio = seen[rows].mean(axis=0) / divisor[rows].mean(axis=0)
    expected = kendalltau(ratio, true[rows].mean(axis=0)).statistic
    assert script.tau_of(times, true, seen, divisor) == pytest.approx(expected)


def test_propensities_of_the_lists_are_fitted_to_them(script, world):
    coat, splits = world
    wrong = script.Coat(coat.chosen, coat.judged, coat.shipped**2, coat.users, coat.items)
    fitted = 1 / script.of_lists(wrong, splits[0])
    for listed in splits[0].listed().astype(bool):  # the score equations of a logistic regression
        assert fitted[listed].sum() == pytest.approx(splits[0].test[listed].sum(), rel=0.02)


def test_counts_of_inclusion_are_those_of_the_pairs(script, world):
    coat, _ = world
    found = script.inclusion(coat)
    of = (coat.judged > 0) & (coat.shipped > 0.1) & (coat.shipped <= 0.15)
    row = found[found["low"] == 0.1].iloc[0]
    assert row["pairs"] == of.sum()
    assert row["rated"] == pytest.approx((coat.chosen[of] > 0).mean())
    liked = of & (coat.judged == 5)
    assert row["ratio_liked"] == pytest.approx(
        (coat.chosen[liked] > 0).sum() / coat.shipped[liked].sum()
    )


def test_the_check_of_propensities_is_ips_of_all_ratings(script, world):
    """As the page on validity has it: 1 for every system, without a truth."""
    coat, splits = world
    split = splits[0]
    right = script.tested(coat.shipped, 0.25)
    user, item = np.nonzero(split.test)
    pairs = {"user": user, "item": item}
    qrels = pd.DataFrame(pairs | {"rating": coat.chosen[user, item]})
    propensities = pd.DataFrame(pairs | {"propensity": right[user, item]})
    whose = {
        "user": np.repeat(np.arange(len(right)), 10),
        "rank": np.tile(np.arange(1, 11), len(right)),
    }
    runs = {
        f"s{n}": pd.DataFrame(whose | {"item": own.ravel()}) for n, own in enumerate(split.lists)
    }
    measure = "IPS(gain='P')@10"
    found = rankassay.evaluate(qrels, runs, [measure], threshold=1, propensities=propensities)
    rated = split.values(split.test / right)[np.unique(user)].mean(axis=0)
    assert found[measure].to_numpy() == pytest.approx(rated)
    assert rated == pytest.approx(1, abs=0.25)  # some propensities are below .01
