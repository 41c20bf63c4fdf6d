"""Systems across datasets: the numbers of scipy, scikit-posthocs, baycomp and Demsar's paper."""

import doctest
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import rankassay
from rankassay import RankassayError
from rankassay.answers import findings as ranks
from rankassay.answers.findings import average_ranks, groups
from rankassay.api import rankings as api
from rankassay.statistics.across_datasets import (
    compared,
    critical_difference,
    friedman,
    nemenyi,
    relative,
    signed_rank,
)
from rankassay.statistics.region import Region

# Ten datasets by five systems, with ties.
VALUES = np.array(
    [
        [0.1, 0.3, 1.0, 0.9, 0.5],
        [0.4, 0.6, 0.4, 1.0, 0.5],
        [0.4, 0.6, 0.6, 0.9, 1.1],
        [1.0, 0.4, 0.8, 1.0, 0.7],
        [0.0, 1.1, 0.5, 0.6, 1.3],
        [0.6, 0.6, 1.0, 0.3, 1.1],
        [0.4, 0.2, 0.9, 1.2, 0.6],
        [0.6, 0.4, 0.9, 1.0, 0.6],
        [0.8, 0.8, 0.9, 1.1, 0.8],
        [0.8, 1.0, 0.3, 1.1, 0.8],
    ]
)
# scikit_posthocs.posthoc_nemenyi_friedman(VALUES) of scikit-posthocs 0.17.1, above the diagonal.
POSTHOCS = [0.987857, 0.572316, 0.024841, 0.392543, 0.859991, 0.096338, 0.708013]
POSTHOCS += [0.572316, 0.998603, 0.750217]


def test_friedmans_statistic_is_that_of_scipy():
    found = friedman(VALUES)
    theirs = scipy.stats.friedmanchisquare(*VALUES.T)
    assert found.chi2 == pytest.approx(theirs.statistic)
    assert found.p_chi2 == pytest.approx(theirs.pvalue)
    assert found.ranks.tolist() == pytest.approx([3.95, 3.6, 2.9, 1.85, 2.7])
    # F of Iman and Davenport from the statistic of scipy, as the formula has it.
    f = 9 * theirs.statistic / (10 * 4 - theirs.statistic)
    assert found.f == pytest.approx(f)
    assert found.p == pytest.approx(scipy.stats.f.sf(f, 4, 36))


def test_demsars_example():
    """JMLR 7, 2006, table 6: C4.5 with and without pruning on 14 datasets."""
    ranks = [3.143, 2.000, 2.893, 1.964]
    # The average ranks as a sum of ranks: chi2 9.28 and F 3.69, and CD 1.25, are in the paper.
    chi2 = 12 * 14 / 20 * (sum(r**2 for r in ranks) - 4 * 25 / 4)
    assert chi2 == pytest.approx(9.28, abs=0.01)
    assert 13 * chi2 / (14 * 3 - chi2) == pytest.approx(3.69, abs=0.01)
    assert critical_difference(14, 4, 0.05) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(14, 4, 0.1) == pytest.approx(1.12, abs=0.005)


def test_orders_that_are_all_alike_have_an_exact_p_value():
    for first in ([3.0, 2.0, 1.0], [3.0, 3.0, 1.0]):
        found = friedman(np.array([first] * 3))
        orders = [*product(permutations(first), repeat=2)]
        alike = sum(one == two == tuple(first) for one, two in orders)
        assert (found.f, found.p) == (np.inf, pytest.approx(alike / len(orders)))
    same = friedman(np.ones((3, 4)))
    assert (same.ranks.tolist(), same.p, same.p_chi2) == ([2.5] * 4, 1, 1)
    assert np.isnan(same.f)


def test_nemenyis_p_values_are_those_of_scikit_posthocs():
    p = nemenyi(friedman(VALUES).ranks, 10)
    assert p[np.triu_indices(5, k=1)] == pytest.approx(POSTHOCS, abs=1e-6)
    np.testing.assert_array_equal(p, p.T)
    assert (np.diag(p) == 1).all()
    # A difference as large as the critical one has just the level as its p-value.
    critical = critical_difference(10, 5, 0.03)
    assert nemenyi(np.array([1, 1 + critical, 3, 3, 3]), 10)[0, 1] == pytest.approx(0.03)


@pytest.mark.parametrize("critical", [0.4, 1.0, 2.0, 10.0])
def test_groups_are_all_largest_sets_that_are_not_apart(critical):
    ranks = np.array([2.5, 1.0, 3.5, 1.5, 2.0, 3.5])
    ordered = np.sort(ranks)
    sets = [
        (i, j)
        for i in range(6)
        for j in range(i + 1, 6)
        if ordered[j] - ordered[i] <= critical + 1e-9
    ]
    largest = [
        (i, j) for i, j in sets if not any(a <= i and j <= b and (a, b) != (i, j) for a, b in sets)
    ]
    assert groups(ranks, critical) == largest


# Of baycomp 1.0.3, with 50,000 draws: SignedRankTest.probs(VALUES[:, 1], VALUES[:, 4], 0.05).
BAYCOMP = (0.00496, 0.00338, 0.99166)


def test_the_bayesian_test_is_that_of_baycomp():
    d = (VALUES[:, 4] - VALUES[:, 1])[:, None]
    below, rope, above = BAYCOMP
    found = signed_rank(d, 0.05, 50_000, 0)[:, 0]
    assert found == pytest.approx([above, rope, below], abs=0.002)
    assert signed_rank(-d, 0.05, 50_000, 0)[::-1, 0] == pytest.approx(found, abs=0.002)


def test_the_bayesian_test_of_one_dataset_by_the_beta_distribution():
    """With one difference of weight w: theta_+ = w^2 + 2 w (1 - w) beyond twice the region."""
    found = signed_rank(np.array([[1.0, 0.15, 0.05, 0.1]]), 0.1, 40_000, 2)
    w = scipy.stats.beta(1, 0.5)
    # z_0 + z_1 > 2 r as well as 2 z_1: the largest is theta_+ where 1 - (1 - w)^2 > 1/2.
    assert found[0, 0] == pytest.approx(w.sf(1 - np.sqrt(0.5)), abs=0.01)
    # Only 2 z_1 > 2 r: where w^2 > 1/2; and not even that.
    assert found[0, 1] == pytest.approx(w.sf(np.sqrt(0.5)), abs=0.01)
    assert found[:, 2].tolist() == [0, 1, 0]
    # On the border half of w^2 counts, which is less than the rest.
    assert found[:, 3].tolist() == [0, 1, 0]
    assert found.sum(axis=0) == pytest.approx(1)
    again = signed_rank(np.array([[1.0, 0.15, 0.05, 0.1]]), 0.1, 40_000, 2)
    np.testing.assert_array_equal(found, again)


def test_a_region_in_percent_is_of_the_better_value_on_each_dataset():
    first, second = np.array([[0.5, 0.2], [0.0, -0.1]]), np.array([[0.4, 0.4], [0.0, -0.2]])
    d, rope = relative(first, second, Region.of("1%"))
    assert d == pytest.approx(np.array([[0.2, -0.5], [0.0, 1.0]]))
    assert rope == 0.01
    d, rope = relative(first, second, Region.of(0.05))
    assert d == pytest.approx(first - second)
    assert rope == 0.05


def test_an_error_of_0_is_better_than_any_other_by_more_than_any_share():
    """The best of errors is 0, of which no share can be taken."""
    errors = np.array([[0.0, 0.4, 0.0], [0.0, 0.3, 5e-324], [0.0, 0.2, 0.0]])
    table = compared(-errors, [*"xyz"], Region.of("10%"), 0.05, 2000, 0).set_index(
        ["system_a", "system_b"]
    )
    found = table.loc[("x", "y")]
    assert found[["wins", "losses", "ties"]].tolist() == [3, 0, 0]
    assert found["probably_a"] > 0.95
    assert table.loc[("x", "z"), ["wins", "losses", "ties"]].tolist() == [1, 0, 2]
    # Beyond all shares on one dataset each: they cancel out, and neither is probably better.
    d, rope = relative(np.array([0.0, -0.4]), np.array([-0.4, 0.0]), Region.of("10%"))
    above, _, below = signed_rank(d[:, None], rope, 20_000, 0)[:, 0]
    assert above == pytest.approx(below, abs=0.02)


def test_pairs_count_datasets_and_name_the_better_one_first():
    table = compared(VALUES, [*"vwxyz"], Region.of("1%"), 0.05, 500, 0)
    by_name = dict(zip("vwxyz", VALUES.T, strict=True))
    assert len(table) == 10
    for row in table.itertuples():
        a, b = by_name[row.system_a], by_name[row.system_b]
        assert row.rank_a <= row.rank_b
        assert (row.wins, row.losses, row.ties) == ((a > b).sum(), (a < b).sum(), (a == b).sum())
        assert row.apart == (row.p_nemenyi < 0.05)
    assert table["apart"].sum() == 1
    assert average_ranks(table).to_dict() == {"y": 1.85, "z": 2.7, "x": 2.9, "w": 3.6, "v": 3.95}


def test_nothing_is_told_apart_on_too_few_datasets():
    clear = np.tile([3.0, 2.0, 1.0], (6, 1)) + np.arange(6)[:, None]
    assert compared(clear, [*"abc"], Region.of("1%"), 0.05, 100, 0)["apart"].any()
    assert not compared(clear[:5], [*"abc"], Region.of("1%"), 0.05, 100, 0)["apart"].any()
    assert compared(clear[:5], [*"abc"], Region.of("1%"), 0.05, 100, 0)["p_nemenyi"].min() < 0.05


@pytest.fixture
def frame():
    import pandas as pd

    return pd.DataFrame(VALUES, columns=[*"vwxyz"], index=[f"data {n}" for n in range(10)])


def test_the_function_for_users(frame):
    found = rankassay.across_datasets(frame, samples=500)
    assert found.ranks.index.to_list() == ["y", "z", "x", "w", "v"]
    assert found.critical_difference == pytest.approx(critical_difference(10, 5, 0.05))
    assert found.groups == [["y", "z", "x", "w"], ["z", "x", "w", "v"]]
    assert (found.n_datasets, found.p) == (10, friedman(VALUES).p)
    errors = rankassay.across_datasets(-frame, samples=500, higher_is_better=False)
    assert errors.ranks.to_dict() == found.ranks.to_dict()
    figure = found.plot()
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert {"y  1.85", "3.95  v", "critical difference 1.93"} <= {*texts}
    assert figure._repr_png_()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.iloc[:1], "two or more of both with distinct names; found 1 rows and 5 col"),
        (lambda t: t[["v"]], "found 10 rows and 1 columns"),
        (lambda t: t.set_axis(["a", "a", *"bcd"], axis=1), "distinct names"),
        (lambda t: t.mask(t == 1.2), "found none of 'y' on 'data 6'; drop that row or column"),
        (lambda t: t.astype(str), "table: expected an array of numbers"),
        (lambda t: t.to_numpy(), "table: expected a frame"),
    ],
)
def test_tables_that_cannot_be_compared_are_refused(change, message, frame):
    with pytest.raises(RankassayError, match=message):
        rankassay.across_datasets(change(frame))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"equivalence": 0}, "equivalence: expected a difference above 0"),
        ({"alpha": 1}, "alpha: expected a finite number between 0 and 1"),
        ({"samples": 0}, "samples: expected a whole number from 1"),
        ({"higher_is_better": 1}, "higher_is_better: expected True or False"),
    ],
)
def test_other_parameters_are_refused(given, message, frame):
    with pytest.raises(RankassayError, match=message):
        rankassay.across_datasets(frame, **given)


def test_examples_are_true():
    for module in (ranks, api):
        found = doctest.testmod(module)
        assert (found.failed, found.attempted > 0) == (0, True)


@pytest.mark.parametrize("unit", [1.0, 1e-8, 1 / 3, np.pi, 1e9])
def test_ranks_do_not_depend_on_the_unit(unit):
    whole = np.random.default_rng(1).integers(0, 9, (200, 5))
    noisy = (whole / 8 + 0.1 - 0.1) * unit
    found = rankassay.across_datasets(pd.DataFrame(noisy, columns=[*"abcde"]), samples=1)
    expected = rankassay.across_datasets(pd.DataFrame(whole, columns=[*"abcde"]), samples=1)
    pd.testing.assert_series_equal(found.ranks, expected.ranks)


@pytest.mark.parametrize("kind", [np.int64, np.uint64, object])
def test_whole_numbers_have_ranks_of_their_own_or_are_refused(kind):
    exact = pd.DataFrame({"x": [2**53 - 1] * 7, "y": [2**53] * 7}).astype(kind)
    found = rankassay.across_datasets(exact, samples=100)
    assert found.ranks.to_dict() == {"y": 1, "x": 2}
    mixed = pd.DataFrame({"x": [2**53 + 1] * 7}).astype(kind).assign(y=0.5)
    for table in (exact + 1, mixed):
        with pytest.raises(RankassayError, match="numbers that float64 holds, found 9007199254"):
            rankassay.across_datasets(table)


def test_what_rounding_leaves_is_no_rank():
    table = pd.DataFrame({"x": [0.1 + 0.2] * 7, "y": [0.3] * 7})
    for higher in (True, False):
        found = rankassay.across_datasets(table, samples=100, higher_is_better=higher)
        assert found.ranks.tolist() == [1.5, 1.5]
        assert found.pairs.loc[0, ["wins", "losses", "ties"]].tolist() == [0, 0, 7]
