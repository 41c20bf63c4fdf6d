"""What makes estimators by propensities unbiased, exact and safe to call."""

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from metric_cases import User, made, random_users

from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import entry, weighs
from rankassay.metrics.evaluate import grid, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.seeds import generator

CUTOFFS = [1, 2, 5, 10, 30]
PLAIN = {"P": "P", "R": "R", "DCG": "DCG(gain='binary')"}  # by gain, the metric of the same name
JUDGEMENTS, LISTS = made(random_users(80))


def measured(measures, propensity, judgements=JUDGEMENTS, lists=LISTS):
    """Return the measures of every user where ratings have these propensities."""
    numbers = np.broadcast_to(np.asarray(propensity, dtype=np.float64), judgements.rating.shape)
    judgements = replace(judgements, propensity=numbers.copy())
    return measure_values(judge(judgements, lists), measures)


# ---- Exactness -----------------------------------------------------------------------------------


@pytest.mark.parametrize("gain", PLAIN)
@pytest.mark.parametrize("constant", [1, 1 / 2, 1 / 64])
def test_ips_at_a_constant_power_of_two_is_the_plain_metric_divided_by_it(gain, constant):
    plain = measured(grid([PLAIN[gain]], CUTOFFS), 1)
    found = measured(grid([f"IPS(gain={gain!r})"], CUTOFFS), constant)
    np.testing.assert_array_equal(found, plain if gain == "R" else plain / constant)


@pytest.mark.parametrize("metric", ["SNIPS", "Stratified", "Stratified(width=2)"])
@pytest.mark.parametrize("constant", [1, 1 / 2, 0.3, 1e-9])
def test_means_at_any_constant_are_plain_means_over_relevant_items(metric, constant):
    name = metric.removesuffix(")") + (", " if "(" in metric else "(")
    for gain, plain in PLAIN.items():
        found = measured(grid([f"{name}gain={gain!r})"], CUTOFFS), constant)
        expected = measured(grid([plain], CUTOFFS), 1)
        if gain != "R":  # a mean in place of a sum
            expected = expected / np.maximum(JUDGEMENTS.n_relevant, 1)[:, None]
        # Two divisions in another order differ in the last bit.
        compare = np.testing.assert_array_equal if gain == "R" else np.testing.assert_allclose
        compare(found, expected, **({} if gain == "R" else {"rtol": 1e-15}))


def test_a_factor_of_all_propensities_changes_no_mean():
    propensity = 2.0 ** -generator(1, "factor").integers(0, 9, len(JUDGEMENTS.rating))
    measures = grid(["SNIPS", "SNIPS(gain='DCG')", "Stratified(width=2)"], CUTOFFS)
    found = measured(measures, propensity / 8)
    np.testing.assert_array_equal(found, measured(measures, propensity))


def test_lists_with_the_same_hits_in_another_order_tie_exactly():
    user = User([5, 5, 5, 5, 5, 5, 5, 5], [5, 5], 3)
    judgements, lists = made([user])
    rng = generator(1, "ties")
    propensity = rng.uniform(0.01, 1, 10)
    found = set()
    for _ in range(50):
        ranks = lists.ranks.copy()
        listed = ranks > 0
        ranks[listed] = rng.permutation(ranks[listed])
        other = replace(lists, ranks=ranks)
        given = ["SNIPS@8", "IPS(gain='P')@8", "Stratified(width=2)@8"]
        found.add(tuple(measured(given, propensity, judgements, other)[0]))
    assert len(found) == 1


def test_strata_of_single_propensities_are_snips_and_one_for_all_the_plain_mean():
    propensity = 10.0 ** -generator(1, "strata").integers(0, 4, len(JUDGEMENTS.rating))
    measures = grid(["Stratified", "SNIPS", "R", "Stratified(width=1e6)"], CUTOFFS)
    values = np.split(measured(measures, propensity), 4, axis=1)
    stratified, snips, plain, wide = values
    np.testing.assert_allclose(stratified, snips, rtol=1e-12, atol=1e-13)
    assert not np.allclose(snips, plain)
    propensity = np.maximum(propensity, 1e-3)
    propensity[propensity == 1] = 0.9  # 1 is the least of the stratum above
    found = measured(measures, propensity)
    np.testing.assert_array_equal(np.split(found, 4, axis=1)[3], plain)
    assert not np.array_equal(wide, plain)


def test_clipping_bounds_weights():
    propensity = generator(1, "clip").uniform(0.001, 1, len(JUDGEMENTS.rating))
    measures = grid(["IPS(clip=1)", "IPS(clip=20)", "IPS"], CUTOFFS)
    least, middle, most = np.split(measured(measures, propensity), 3, axis=1)
    plain = measured(grid(["DCG(gain='binary')"], CUTOFFS), 1)
    np.testing.assert_array_equal(least, plain)
    assert (least <= middle + 1e-12).all()
    assert (middle <= most + 1e-9).all()
    assert (middle < most).any()
    clipped = np.maximum(propensity, 1 / 20)
    np.testing.assert_array_equal(middle, measured(grid(["IPS"], CUTOFFS), clipped))


def test_centred_weights_tie_exactly_and_count_what_is_judged_irrelevant_against_a_list():
    user = User([5, 1, 5, 2, 5, 1], [5, 1, 1], 4)
    judgements, lists = made([user])
    propensity = generator(1, "centred").uniform(0.01, 1, len(judgements.rating))
    measures = ["IPS(gain='P', centred=True)@6", "IPS(gain='P', centred=True, power=0.5)@6", "CP@6"]
    found, rng = set(), generator(1, "orders")
    for _ in range(50):
        ranks = lists.ranks.copy()
        ranks[ranks > 0] = rng.permutation(ranks[ranks > 0])
        found.add(tuple(measured(measures, propensity, judgements, replace(lists, ranks=ranks))[0]))
    assert len(found) == 1
    fewer = measured(
        measures,
        propensity,
        judgements,
        replace(lists, ranks=lists.ranks * (judgements.rating > 1)),
    )
    assert (fewer > np.array([*found])).all()


def test_centred_with_equal_weights_is_centred_precision():
    found = measured(grid(["IPS(gain='P', centred=True)"], CUTOFFS), 1 / 4)
    np.testing.assert_allclose(
        found, 4 * measured(grid(["CP"], CUTOFFS), 1), rtol=1e-12, atol=1e-13
    )
    uneven = generator(1, "uneven").uniform(0.1, 1, len(JUDGEMENTS.rating))
    flat = measured(grid(["IPS(gain='P', centred=True, power=0)"], CUTOFFS), uneven)
    np.testing.assert_allclose(4 * flat, found, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("power", ["0", "0.0"])
@pytest.mark.parametrize("gain", ["P", "DCG", "RR", "R", "AUC"])
def test_without_weights_no_propensities_are_needed(gain, power):
    """And those that are there make no difference."""
    measures = grid([f"IPS(gain={gain!r}, power={power})"], CUTOFFS)
    judged = judge(replace(JUDGEMENTS, propensity=None), LISTS)
    found = measure_values(judged, measures)
    np.testing.assert_array_equal(found, measured(measures, 1))
    uneven = generator(1, "uneven").uniform(0.1, 1, len(JUDGEMENTS.rating))
    np.testing.assert_array_equal(found, measured(measures, uneven))
    assert not any(map(weighs, measures))
    assert weighs(measures[0].replace(f"power={power}", "power=0.5"))
    assert ("items" in entry(measures[0]).needs) == (gain == "AUC")
    if gain in PLAIN:
        np.testing.assert_array_equal(found, measured(grid([PLAIN[gain]], CUTOFFS), 1))


def test_centred_dcg_is_its_formula():
    """For one user after the other, with weights and without."""
    users = random_users(80)
    propensity = dict(enumerate(np.split(JUDGEMENTS.propensity, JUDGEMENTS.start[1:-1])))
    ratings = dict(enumerate(np.split(JUDGEMENTS.rating, JUDGEMENTS.start[1:-1])))
    ranks = dict(enumerate(np.split(LISTS.ranks, JUDGEMENTS.start[1:-1])))
    names = ["CDCG@20", "CDCG@20 by 1/√popularity", "CDCG(power=0.5)@20"]
    found = measured(names, JUDGEMENTS.propensity)
    for u in range(len(users)):
        share = sum(r >= 4 for r in ratings[u]) / len(ratings[u])
        flat = rooted = 0.0
        for rating, place, p in zip(ratings[u], ranks[u], propensity[u], strict=True):
            if 1 <= place <= 20:
                gain = ((rating >= 4) - share) / math.log2(place + 1)
                flat, rooted = flat + gain, rooted + gain / math.sqrt(p)
        np.testing.assert_allclose(found[u], [flat, rooted, rooted], rtol=1e-9, atol=1e-12)
    assert (np.abs(found[:, 0] - found[:, 1]) > 0.01).any()


@pytest.mark.parametrize("gain", ["R", "AUC"])
def test_a_mean_cannot_be_centred(gain):
    with pytest.raises(RankassayError, match=f"expected a gain that is a sum, found '{gain}'"):
        measured([f"IPS(gain={gain!r}, centred=True)@5"], 1)


# ---- Unbiasedness --------------------------------------------------------------------------------


class Simulation:
    """A truth, and what is observed of it in many draws.

    The more popular an item is, the likelier its ratings are observed, and the system lists popular
    items first.
    """

    def __init__(self, n_users, n_items, n_draws):
        rng = generator(18, "unbiased")
        shape = n_users, n_items
        popularity = np.sort(rng.uniform(0.05, 0.9, n_items))[::-1]
        self.propensity = popularity * rng.uniform(0.5, 1, shape)
        self.relevant = rng.random(shape) < 0.3
        scores = popularity - 0.2 * rng.random(shape)
        self.ranks = (np.argsort(np.argsort(-scores, axis=1), axis=1) + 1).astype(np.int32)
        self.seen = rng.random((n_draws, *shape)) < self.propensity

    def observed(self, measures):
        """Return the means over users in each draw, (n_draws, n_measures)."""
        return self._values(self.seen, self.propensity, measures)

    def truth(self, measures):
        everything = np.ones((1, *self.relevant.shape))
        return self._values(everything > 0, everything[0], measures)[0]

    def _values(self, seen, propensity, measures):
        """Evaluate the users of all draws as different users."""
        n_draws, n_users, n_items = seen.shape
        rows, items = np.nonzero(seen.reshape(-1, n_items))
        users = rows % n_users
        judgements = Judgements(
            np.arange(n_draws * n_users, dtype=np.int32),
            np.concatenate(([0], np.cumsum(seen.reshape(-1, n_items).sum(axis=1)))),
            np.where(self.relevant[users, items], 5.0, 1.0),
            4.0,
            propensity=propensity[users, items],
        )
        length = np.full(n_draws * n_users, n_items, dtype=np.int32)
        lists = Lists(self.ranks[users, items], length, length)
        found = measure_values(judge(judgements, lists), measures)
        return found.reshape(n_draws, n_users, -1).mean(axis=1)


@pytest.fixture(scope="module")
def simulation():
    return Simulation(12, 40, 1000)


def standard_errors_off(draws, truth):
    """Return how far the mean of draws is from the truth, in standard errors."""
    return (draws.mean(axis=0) - truth) / (draws.std(axis=0, ddof=1) / np.sqrt(len(draws)))


def test_the_mean_over_draws_is_the_truth_within_its_error(simulation):
    plain = ["P@5", "P@20", "DCG(gain='binary')@10", "DCG(gain='binary')"]
    unbiased = ["IPS(gain='P')@5", "IPS(gain='P')@20", "IPS@10", "IPS"]
    truth = simulation.truth(plain)
    assert (np.abs(standard_errors_off(simulation.observed(unbiased), truth)) < 3).all()
    assert (np.abs(standard_errors_off(simulation.observed(plain), truth)) > 10).all()


def test_centred_estimates_are_off_by_the_same_for_all_lists_and_vary_less(simulation):
    """By the user's share of relevant items: its estimate depends on the draw, and is a ratio."""
    few, half, turned = (Simulation(12, 40, 1000) for _ in range(3))
    turned.ranks = (41 - turned.ranks).astype(np.int32)
    half.ranks = np.where(half.ranks % 2 == 0, half.ranks // 2, 20 + (half.ranks + 1) // 2)
    half.ranks = half.ranks.astype(np.int32)
    plain, centred = "IPS(gain='P')@10", "IPS(gain='P', centred=True)@10"
    draws = [own.observed([plain, centred]) for own in (few, half, turned)]
    truth = [own.truth(["P@10"])[0] for own in (few, half, turned)]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        difference = draws[a] - draws[b]
        off = standard_errors_off(difference, truth[a] - truth[b])
        assert abs(off[0]) < 3
        assert np.abs(difference.mean(axis=0)[1] - (truth[a] - truth[b])) < 0.01
    assert (draws[2].var(axis=0)[1] < draws[2].var(axis=0)[0]).all()


def test_normalising_is_unbiased_where_there_are_many_ratings():
    """SNIPS is a ratio of unbiased sums, and Stratified as near as propensities in strata are."""
    large = Simulation(2, 2000, 100)
    truth = large.truth(["R@500", "AUC"])
    estimators = ["R", "Stratified(width=2)", "SNIPS"]
    bias = large.observed([f"{name}@500" for name in estimators]).mean(axis=0) - truth[0]
    assert bias[0] > 0.1
    assert abs(bias[1]) < bias[0] / 3
    assert abs(bias[2]) < 0.01
    areas = large.observed(["AUC", "SNIPS(gain='AUC')"]).mean(axis=0)
    everyone = large.truth(["SNIPS(gain='AUC')"])[0]
    assert areas[0] > truth[1] + 0.05
    assert abs(areas[1] - everyone) < 0.01


def test_variance_grows_and_bias_falls_with_the_greatest_weight(simulation):
    found = simulation.observed([f"IPS(gain='P', clip={clip})@20" for clip in (1, 2, 4, 8, 16)])
    bias = simulation.truth(["P@20"])[0] - found.mean(axis=0)
    assert (np.diff(found.var(axis=0)) > 0).all()
    assert (np.diff(bias) < 0).all()


# ---- Parts, and bad input ------------------------------------------------------------------------


def test_propensities_are_those_of_the_test_ratings():
    rng = generator(1, "of")
    test = sp.random(20, 30, 0.2, "csr", np.float32, rng=rng)
    test.data[:] = rng.integers(1, 6, test.nnz)
    propensities = test.astype(np.float64)
    propensities.data = rng.uniform(0.1, 1, test.nnz)
    judgements = Judgements.of(test, 4, propensities)
    judgements.check()
    np.testing.assert_array_equal(judgements.propensity, propensities.data)
    assert Judgements.of(test, 4).propensity is None
    keep = rng.random(test.nnz) < 0.5
    np.testing.assert_array_equal(judgements.sample(keep).propensity, propensities.data[keep])
    first, last = judgements.start[[3, 9]]
    block = judgements.block(3, 9)
    np.testing.assert_array_equal(block.propensity, propensities.data[first:last])


def test_propensities_of_other_ratings_are_refused():
    test = sp.csr_matrix(np.array([[5.0, 0, 3], [0, 4, 0]], dtype=np.float32))
    for other in ([[0.5, 0, 0.5], [0, 0, 0.5]], [[0.5, 0, 0], [0, 0.5, 0]], [[0.5, 0], [0, 1]]):
        with pytest.raises(RankassayError, match="expected one for each rating of the test set"):
            Judgements.of(test, 4, sp.csr_matrix(np.array(other)))


@pytest.mark.parametrize("value", [0, -0.5, 1.5, np.nan, np.inf])
def test_numbers_that_are_no_propensities_are_named_with_their_user(value):
    test = sp.csr_matrix(np.array([[0, 0, 0], [5.0, 0, 3], [0, 4, 0]], dtype=np.float32))
    propensities = test.astype(np.float64)
    propensities.data = np.array([0.5, 0.5, value])
    with pytest.raises(
        RankassayError, match=rf"at most 1, found {value:g} for a rating of user 2;"
    ):
        Judgements.of(test, 4, propensities)
    sound = Judgements.of(test, 4)
    with pytest.raises(RankassayError, match=rf"found {value:g} for a rating of user 2;"):
        replace(sound, propensity=propensities.data).check()


@pytest.mark.parametrize("wrong", [np.ones(2), np.ones(4, np.float32), [0.5] * 4, 0.5])
def test_propensities_of_another_form_are_refused(wrong):
    test = sp.csr_matrix(np.array([[5.0, 2, 3], [0, 4, 0]], dtype=np.float32))
    with pytest.raises(RankassayError, match="expected a propensity of each rating"):
        replace(Judgements.of(test, 4), propensity=wrong).check()


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("IPS(clip=0.5)@5", "IPS's parameter clip: expected a number of at least 1, found 0.5"),
        (
            "Stratified(width=1)@5",
            "parameter width: expected a number of at least 2, found 1",
        ),
        ("SNIPS(gain='P')", r"the measure SNIPS\(gain='P'\) needs a cut-off"),
        ("IPS(gain='nDCG')@5", "unknown value of IPS's parameter gain 'nDCG'"),
        ("SNIPS(clip=2)@5", "unknown parameter of SNIPS 'clip'"),
    ],
)
def test_wrong_parameters_are_told(measure, message):
    with pytest.raises(RankassayError, match=message):
        measured([measure], 0.5)


def test_auc_needs_the_number_of_items():
    lists = replace(LISTS, n_candidates=None)
    with pytest.raises(RankassayError, match="metric SNIPS needs the number of items"):
        measured(["SNIPS(gain='AUC')"], 0.5, lists=lists)
