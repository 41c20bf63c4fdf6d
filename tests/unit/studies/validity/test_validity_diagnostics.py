"""Diagnostics of a truth: against scipy, other forms of the formulas, and faults put into data."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.stats
from declared import check_ends
from made_up import evaluation, study

from rankassay.artifacts.arrays import Rankings, Truth
from rankassay.studies.validity.diagnostics import effective, mantel_haenszel, run, wilson


@pytest.fixture(scope="module")
def data():
    """Return data of which 20 of 40 items a user are judged, and what is known set aside."""
    train, test, rankings = study(n_users=200)
    rng = np.random.default_rng(3)
    observed = ((train != 0) + (test != 0)).toarray()
    judged = np.argsort(rng.random(train.shape), axis=1) < 20
    aside = judged & ~observed
    truth = np.where(aside, rng.integers(1, 6, train.shape), 0).astype(np.float32)
    return train, test, Truth.of(sp.csr_matrix(truth), scale=(1, 5)), rankings


def found(data, **changes):
    train, test, truth, rankings = data
    told = evaluation(["P@10"])
    table = run(
        *(train, test, replace(truth, **changes), rankings, told, 0),
        yardstick_cutoffs=[5, 10],
        inclusion="design",
    )
    return table.set_index(["diagnostic", "group"])


def test_wilsons_interval_is_scipys():
    for number, of in ((0, 9), (3, 20), (77, 80)):
        known = scipy.stats.binomtest(number, of).proportion_ci(method="wilson")
        np.testing.assert_allclose(wilson(number, of), (known.low, known.high))


def test_of_one_stratum_the_odds_ratio_is_woolfs():
    """There the variance is 1/a + 1/b + 1/c + 1/d."""
    cells = np.array([12, 5, 7, 21])
    success, exposed = (
        np.repeat(own, cells) for own in ([True, False] * 2, [True] * 2 + [False] * 2)
    )
    value, low, high = mantel_haenszel(np.zeros(cells.sum(), int), success, exposed)
    assert value == pytest.approx(12 * 21 / (5 * 7))
    half = np.exp(scipy.stats.norm.ppf(0.975) * np.sqrt((1 / cells).sum()))
    assert (low, high) == pytest.approx((value / half, value * half))


def test_the_odds_ratio_within_items_sees_no_difference_between_items():
    """Popular items are liked more: only over all items does liking go with knowing."""
    rng = np.random.default_rng(1)
    item = rng.integers(0, 30, 40_000)
    rate = np.linspace(0.1, 0.9, 30)[item]
    liked, known = rng.random(len(item)) < rate, rng.random(len(item)) < rate
    _, low, high = mantel_haenszel(item, liked, known)
    assert low < 1 < high
    assert mantel_haenszel(np.zeros_like(item), liked, known)[1] > 1.5
    lifted = rng.random(len(item)) < 1 / (1 + (1 / rate - 1) * np.where(known, 1 / 4, 1))
    _, low, high = mantel_haenszel(item, lifted, known)
    assert low < 4 < high
    assert high / low < 1.3
    assert np.isnan(mantel_haenszel(item, np.ones(len(item), bool), known)).all()


def test_coverage_of_the_odds_ratio():
    """The interval holds a true ratio of 3 in 92 to 98% of 400 draws."""
    rng, held = np.random.default_rng(6), 0
    item = np.repeat(np.arange(40), 25)
    base = np.exp(rng.normal(0, 0.5, 40))[item]
    for _ in range(400):
        known = rng.random(len(item)) < 0.3
        odds = base * np.where(known, 3, 1)
        _, low, high = mantel_haenszel(item, rng.random(len(item)) < odds / (1 + odds), known)
        held += low <= 3 <= high
    assert 0.92 <= held / 400 <= 0.98


def test_a_random_sample_raises_no_warning(data):
    train, test, truth, rankings = data
    judged = np.full(train.shape[0], 20)
    rows = found(data, judged=np.diff(truth.matrix.indptr))
    users = np.diff(test.indptr) > 0
    left = users[:, None] & (train != 0).toarray() == 0
    number = ((truth.matrix != 0).toarray() & users[:, None]).sum()
    inclusion = rows.loc["inclusion"]
    counts = (train != 0).toarray()[:, :].sum(axis=0)
    fifth = np.argsort(np.argsort(counts, kind="stable"), kind="stable") * 5 // 40
    for q in range(5):
        of = (~(train != 0).toarray() & users[:, None])[:, fifth == q].sum()
        own = ((truth.matrix != 0).toarray() & users[:, None])[:, fifth == q].sum()
        assert inclusion.loc[str(q + 1), "value"] == own / of
    assert left.any()
    assert number > 0
    assert judged.all()
    sizes = rows.loc["effective-sample-size", "value"]
    assert [*sizes.index] == [*rankings]
    per_list = rows.loc["judged-per-list", "value"]
    for name, ranking in rankings.items():
        listed = [
            sum(truth.matrix[u, i] != 0 for i in ranking.items[u, :10] if i >= 0)
            for u in np.flatnonzero(users)
        ]
        assert per_list[name] == np.mean(listed)
    assert not rows.loc["shared", "value"].any()
    for name in ("inclusion", "weighed", "judged-per-list"):
        check_ends(rows.loc[[name]], "value")
    share = inclusion.loc["1"]
    judged_there = ((truth.matrix != 0).toarray() & users[:, None])[:, fifth == 0].sum()
    ends = scipy.stats.binomtest(int(judged_there), round(judged_there / share["value"]))
    ends = ends.proportion_ci(method="wilson")
    assert (share["low"], share["high"]) == pytest.approx((ends.low, ends.high))


@pytest.mark.slow
@pytest.mark.parametrize(("n_users", "n_judged"), [(60, 4), (15, 1)])
def test_few_sound_samples_raise_a_warning(n_users, n_judged):
    """Five fifths are looked at, each of which scatters, and some hold no judgement at all."""
    rng, shape, n = np.random.default_rng(7), (n_users, 60), 120
    train = sp.csr_matrix((rng.random(shape) < 0.1).astype(np.float32))
    test = sp.csr_matrix(np.eye(*shape, dtype=np.float32))
    lists = np.tile(np.arange(10, dtype=np.int32), (n_users, 1))
    ranked = Rankings(lists, np.zeros(n_users, np.int32), np.full(n_users, 60, np.int32))
    warned = outside = 0
    for _ in range(n):
        judged = np.argsort(rng.random(shape), axis=1) < n_judged
        truth = Truth.of(sp.csr_matrix(judged.astype(np.float32)), scale=(1, 5))
        table = found((train, test, truth, {"a": ranked})).loc["weighed"]
        warned += (table["warning"] != "").any()
        outside += ((table["low"] > 1) | (table["high"] < 1)).any()
    assert outside / n > 0.1
    assert warned / n < 0.05


def test_what_is_off_is_told(data):
    train, test, truth, rankings = data
    # Judgements of the least popular items are lost.
    matrix = truth.matrix.copy()
    rare = np.argsort(np.asarray((train != 0).sum(axis=0)).ravel(), kind="stable")[:8]
    matrix.data[np.isin(matrix.indices, rare) & (np.arange(matrix.nnz) % 3 > 0)] = 0
    matrix.eliminate_zeros()
    fewer = Truth.of(matrix, judged=np.full(train.shape[0], 20), scale=(1, 5))
    rows = found((train, test, fewer, rankings))
    assert "in fifth 1 of the items" in rows.loc[("weighed", "1"), "warning"]
    # Almost none are left.
    few = sp.csr_matrix(matrix.multiply(np.arange(train.shape[0])[:, None] < 9))
    few.eliminate_zeros()
    few = Truth.of(few)
    rows = found((train, test, few, rankings))
    warnings = rows.loc["effective-sample-size", "warning"]
    assert (warnings != "").sum() == 1
    assert f"{len(rankings)} systems of {len(rankings)} rest on fewer than 100" in "".join(warnings)
    # The published design, in a world where what is known is liked.
    liked = truth.matrix.data >= 4
    known = np.random.default_rng(0).random(len(liked)) < np.where(liked, 0.6, 0.2)
    rows = found(data, known=known, aside=np.array(0.5))
    assert rows.loc[("odds-ratio", "all"), "warning"] == ""
    for name in ("odds-ratio", "set-aside"):
        check_ends(rows.loc[[name]], "value")
    rows = found(data, known=known, design=np.array("as-published"))
    assert "like what they know more" in rows.loc[("odds-ratio", "all"), "warning"]


def test_the_effective_size_counts_equal_weights_as_they_are():
    assert effective(np.full(7, 3.0)) == pytest.approx(7)
    assert effective(np.array([1.0, 1e-9])) == pytest.approx(1)
    assert effective(np.zeros(0)) == 0


def test_ratings_that_are_in_the_truth_too_are_counted(data):
    """They leave the observed side, or stay in it as published, which is warned of."""
    train, test, truth, rankings = data
    both = truth.matrix.toarray()
    both[test.nonzero()[0][:7], test.nonzero()[1][:7]] = 5
    both[train.nonzero()[0][:4], train.nonzero()[1][:4]] = 5
    both = Truth.of(sp.csr_matrix(both), scale=(1, 5))
    shared = found((train, test, both, rankings)).loc["shared"]
    assert shared["value"].to_dict() == {"all": 0, "test": 7, "training": 4}
    assert (shared["warning"] == "").all()
    shared = found((train, test, both, rankings), design=np.array("as-published")).loc["shared"]
    assert shared["value"].to_dict() == {"all": 7, "test": 0, "training": 4}
    assert "7 observed test ratings are a part of the truth" in shared.loc["all", "warning"]
    whole = Truth.of(sp.csr_matrix(np.full(test.shape, 5, dtype=np.float32)), scale=(1, 5))
    shared = found((train, test, whole, rankings)).loc["shared"]
    assert shared["value"].to_dict() == {"all": test.nnz, "test": 0, "training": train.nnz}
    assert (shared["warning"] == "").all()  # a truth that is complete is biased by nothing
