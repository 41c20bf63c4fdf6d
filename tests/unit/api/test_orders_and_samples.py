"""Rank correlations and corrections of sampled metrics, for users of Python."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import rankassay
from rankassay.declared.correlations import CORRELATIONS
from rankassay.errors import RankassayError
from rankassay.metrics.sampled.distribution import rank_distribution
from rankassay.metrics.sampled.one_item import CORRECTIONS, at_rank
from rankassay.statistics.rank_correlation import correlation

A = {"w": 3, "x": 2.5, "y": 2.5, "z": -1}
B = {"z": 0, "w": 1, "x": 7, "y": 1}


@pytest.mark.parametrize("kind", CORRELATIONS)
def test_names_are_put_beside_each_other(kind):
    expected = correlation(kind, 0.7)(np.array([*A.values()]), np.array([B[name] for name in A]))
    for a in (A, pd.Series(A)):
        for b in (B, pd.Series(B)[::-1]):
            assert rankassay.rank_correlation(a, b, kind, persistence=0.7) == pytest.approx(
                expected
            )


def test_orders_are_those_of_scipy():
    x, y = [*A.values()], [B[name] for name in A]
    tau, rho = scipy.stats.kendalltau(x, y).statistic, scipy.stats.spearmanr(x, y).statistic
    assert rankassay.rank_correlation(A, B) == pytest.approx(tau)
    assert rankassay.rank_correlation(A, B, "spearman") == pytest.approx(rho)
    assert rankassay.rank_correlation(A, B, "rbo_w") == rankassay.rank_correlation(A, B, "rbo")
    assert np.isnan(rankassay.rank_correlation(A, dict.fromkeys(A, 1)))


@pytest.mark.parametrize("kind", ["rbo", "rbo_a", "rbo_b"])
def test_overlap_has_a_value_where_all_names_are_tied(kind):
    """Which lies between its bounds, and is that of the limit of no other order."""
    tied = dict.fromkeys(A, 1)
    for a, b in ((tied, tied), (tied, B)):
        least, most, between = (
            rankassay.rank_correlation(a, b, kind, part=part)
            for part in ("least", "greatest", "extrapolated")
        )
        assert 0 < least <= between <= most <= 1 + 1e-12
    if kind != "rbo_a":
        assert rankassay.rank_correlation(tied, tied, kind) == pytest.approx(1)


def test_orders_of_other_names_overlap():
    """The orders a and ba: nothing at depth 1, and half at depth 2, where a is found."""
    a, b = {"a": 1}, {"b": 2, "a": 1}
    least, most, between = (
        rankassay.rank_correlation(a, b, "rbo", persistence=0.5, part=part)
        for part in ("least", "greatest", "extrapolated")
    )
    assert 0 < least < between < most < 1
    # (1 - p) sum_{d >= 2} p^(d - 1) / d, as the log's series says.
    assert least == pytest.approx(np.log(2) - 0.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((A, {"w": 1}), "tau_b compares orders of the same names: b lacks x; leave it out"),
        (({}, A), "a: expected scores by name, a Series or a dict with at least one, found {}."),
        (([3, 2], A), "a: expected scores by name"),
        ((A, A | {"x": np.nan}), "b, x: expected a finite number, found nan"),
        ((A, A | {"x": 2**53 + 1}), "b, x: expected a finite number"),
        ((A, pd.Series([1, 2], ["x", "x"])), "b: expected each name once, found x twice."),
        ((A, B, "taub"), "unknown rank correlation 'taub'; did you mean 'tau_b'"),
    ],
)
def test_mistakes_in_orders(arguments, message):
    with pytest.raises(RankassayError) as error:
        rankassay.rank_correlation(*arguments)
    assert message in str(error.value)


def test_mistakes_in_parts_and_persistences():
    with pytest.raises(RankassayError, match="tau_ap has no part least; rbo, rbo_a and rbo_b have"):
        rankassay.rank_correlation(A, B, "tau_ap", part="least")
    with pytest.raises(
        RankassayError, match="persistence: expected a finite number between 0 and 1"
    ):
        rankassay.rank_correlation(A, B, "rbo", persistence=1)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_corrections_are_nearer_to_the_exact_metric_than_samples(correction):
    """Of users whose ranks are known: each sampled rank as often as it is likely."""
    n, m, times = 200, 20, 10**5
    exact_ranks = np.array([1, 2, 4, 9, 40, 150])
    likely = rank_distribution(exact_ranks, n, m).mean(axis=0)
    ranks = np.repeat(np.arange(1, m + 2), np.round(times * likely).astype(int))
    table = rankassay.correct_sampled(ranks, n, m, ["Recall@10", "NDCG@10", "AUC"], correction)
    assert [*table.index] == ["Recall@10", "NDCG@10", "AUC"]
    for name, metric in {"Recall@10": "R", "NDCG@10": "nDCG"}.items():
        exact = at_rank(metric, exact_ranks, n, 10).mean()
        off, before = (abs(table.loc[name, c] - exact) for c in ("corrected", "sampled"))
        assert off == before if correction == "uncorrected" else off < before
    assert table.loc["AUC", "sampled"] == pytest.approx(
        (n - exact_ranks).mean() / (n - 1), abs=1e-3
    )
    assert (table["error"] > 0).all()


def test_hits_of_one_relevant_item_are_recall():
    ranks, names = [1, 3, 3, 11], ["HR@10", "Hit rate@10", "Success@10", "R@10"]
    table = rankassay.correct_sampled(ranks, 100, 10, names)
    assert [*table.index] == names
    assert (table == table.loc["R@10"]).all(axis=None)
    assert table.loc["HR@10", "sampled"] == np.mean([rank <= 10 for rank in ranks])


def test_the_error_is_that_of_a_mean():
    table = rankassay.correct_sampled([1, 3, 3], 100, 10, "AUC", "rank estimate")
    assert table.loc["AUC", "error"] == pytest.approx(scipy.stats.sem([1, 0.8, 0.8]))
    assert np.isnan(rankassay.correct_sampled([4], 100, 10, "AUC").loc["AUC", "error"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ranks": []}, "ranks: expected one or more in a row, found the shape (0,)."),
        ({"ranks": [[1, 2]]}, "found the shape (1, 2)"),
        ({"ranks": [1, 12]}, "whole numbers from 1 to n_sampled + 1 = 11, found 12."),
        ({"ranks": [0.5]}, "found 0.5."),
        ({"ranks": [np.nan]}, "found nan."),
        ({"ranks": ["a"]}, "ranks: expected an array of numbers"),
        (
            {"n_sampled": 99},
            "expected fewer than the 99 items other than the relevant one, found 99",
        ),
        ({"n_items": 2}, "n_items: expected a whole number from 3"),
        ({"metrics": "F1@3"}, "unknown metric of one relevant item 'F1'"),
        ({"metrics": "P"}, "the measure P needs a cut-off, as in P@10."),
        ({"metrics": "R(denominator='relevant')@5"}, "one relevant item have no parameters."),
        ({"correction": "least square"}, "did you mean 'least squares'"),
        ({"n_items": 10**9, "n_sampled": 10**6}, "of memory"),
    ],
)
def test_mistakes_in_samples(given, message):
    with pytest.raises(RankassayError) as error:
        rankassay.correct_sampled(**{"ranks": [1, 2], "n_items": 100, "n_sampled": 10} | given)
    assert message in str(error.value)
