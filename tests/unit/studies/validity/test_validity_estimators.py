"""What unbiasedness costs: every column against numpy, scipy or the metrics themselves."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import stats

from rankassay.artifacts.arrays import Rankings
from rankassay.drawing.table import MISSING
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.seeds import generator
from rankassay.statistics.significance import permuted
from rankassay.studies.validity import without_truth as module
from rankassay.studies.validity.figures import LOOKS
from rankassay.studies.validity.figures import estimators as drawn
from rankassay.studies.validity.tables import estimators as tabled
from rankassay.studies.validity.without_truth import _estimators_of, estimators, spread

EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": None}
SETTINGS = {"gains": ["P", "R", "RR", "AUC"], "cutoffs": [3, 10], "samples": 300}


@pytest.fixture(scope="module")
def data():
    """Return test ratings of popular items, their propensities, and lists of four systems."""
    rng = generator(5, "estimators")
    n_users, n_items = 80, 50
    popularity = np.linspace(0.9, 0.02, n_items)
    seen = rng.random((n_users, n_items)) < popularity
    seen[:, 0] = True
    test = sp.csr_matrix(np.where(seen, rng.integers(1, 6, seen.shape), 0).astype(np.float32))
    propensities = sp.csr_matrix((popularity[test.indices], test.indices, test.indptr), test.shape)
    rankings = {}
    for name, weight in (("popular", 3.0), ("niche", -3.0), ("mixed", 0.3), ("random", 0.0)):
        scores = weight * popularity + rng.random(seen.shape)
        order = np.argsort(-scores, axis=1).astype(np.int32)
        ranks = (np.argsort(order, axis=1) + 1)[test.nonzero()].astype(np.int32)
        whole = np.full(n_users, n_items, dtype=np.int32)
        rankings[name] = Rankings(order[:, :20].copy(), ranks, whole, whole)
    return test, rankings, propensities


@pytest.fixture(scope="module")
def table(data):
    test, rankings, propensities = data
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CLIP", 4.0)
        return estimators(test, rankings, propensities, EVALUATION, 1, **SETTINGS)


def values_of(data, measures):
    test, rankings, propensities = data
    judgements = Judgements.of(test, 4, propensities)
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    return evaluate(judgements, lists, measures, depth=20)


def test_there_is_a_row_for_each_estimator(table):
    counts = table.groupby("gain", sort=False)["estimator"].agg(list)
    whole = ["plain", "IPS", "clipped IPS", "SNIPS", "stratified"]
    assert counts["P"] == counts["RR"] == whole * 2
    assert counts["R"] == counts["AUC"] == [name for name in whole if name != "IPS"] * 2
    assert {*LOOKS} == {*whole} == {*_estimators_of("P")}
    assert (table["systems"] == 4).all()


def test_the_plain_metric_is_that_of_the_catalogue(data, table):
    plain = table[table["estimator"] == "plain"].set_index(["gain", "cutoff"])["value"]
    for gain in ("P", "R"):
        for cutoff in (3, 10):
            expected = values_of(data, [f"{gain}@{cutoff}"]).mean()
            assert plain[gain, cutoff] == pytest.approx(expected, rel=1e-12)


def test_values_variances_and_orders_are_those_of_the_users_values(data, table):
    rows = table[table["estimator"] != "plain"]
    values = values_of(data, [*rows["measure"]])
    means = values.mean(axis=0)
    variance = values.var(axis=0, ddof=1) / len(values)
    np.testing.assert_allclose(rows["value"], means.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(rows["variance"], variance.mean(axis=0), rtol=1e-9)
    relative = np.sqrt((variance / means**2).mean(axis=0))
    np.testing.assert_allclose(rows["relative_error"], relative, rtol=1e-9)
    recall = values_of(data, ["R@10"])[:, :, 0].mean(axis=0)
    own = rows[(rows["gain"] == "R") & (rows["cutoff"] == 10)]
    for place, tau in zip(own.index, own["tau"], strict=True):
        m = rows.index.get_loc(place)
        assert tau == pytest.approx(stats.kendalltau(means[:, m], recall).statistic)


def test_power_is_the_sum_of_the_p_values(data, table):
    rows = table[table["measure"].isin(["SNIPS(gain='R')@10", "IPS(clip=4.0, gain='P')@3"])]
    p = permuted(values_of(data, [*rows["measure"]]), 300, 1).p_values
    pairs = np.triu_indices(4, k=1)
    np.testing.assert_allclose(rows["dp"], [own[pairs].sum() for own in p], rtol=1e-12)
    assert (rows["significant_05"].to_numpy() == [(own[pairs] < 0.05).sum() for own in p]).all()


def test_unbiasedness_costs_variance_where_ratings_are_missing_not_at_random(table):
    errors = table.set_index(["gain", "cutoff", "estimator"])["relative_error"]
    for gain in ("P", "RR"):
        assert errors[gain, 10, "IPS"] > errors[gain, 10, "clipped IPS"]
        assert errors[gain, 10, "clipped IPS"] > errors[gain, 10, "plain"]
    assert errors["R", 10, "SNIPS"] > errors["R", 10, "plain"]


def test_at_one_propensity_for_all_nothing_is_paid(data):
    test, rankings, propensities = data
    same = propensities.copy()
    same.data[:] = 0.5
    found = estimators(test, rankings, same, EVALUATION, 1, **SETTINGS)
    assert (found["tau"] == 1).all()
    groups = found.groupby(["gain", "cutoff"])
    means = found[found["gain"].isin(["R", "AUC"])]
    assert (means.groupby(["gain", "cutoff"])["value"].nunique() == 1).all()
    assert (groups["relative_error"].first() > 0).all()
    sums = found[found["estimator"].isin(["plain", "IPS"]) & (found["gain"] == "P")]
    assert (sums.groupby("cutoff")["dp"].nunique() == 1).all()


def test_systems_without_any_hit_have_no_relative_error():
    values = np.zeros((5, 2, 3))
    values[:, 0, 1] = [1, 2, 3, 4, 5]
    values[0, :, 2] = np.nan
    values[1:, :, 2] = [[1, 2]] * 4
    found = spread(values)
    np.testing.assert_allclose(found["value"], [0, 1.5, 1.5])
    np.testing.assert_allclose(found["relative_error"], [np.nan, np.sqrt(2.5 / 5) / 3, 0])


def test_the_figure_and_the_table_show_every_estimator(data):
    test, rankings, propensities = data
    found = estimators(test, rankings, propensities, EVALUATION, 1, **SETTINGS)
    shown = found.assign(dataset="mine")
    figure = drawn(shown, [{"dataset": "mine", "title": "Mine"}])
    assert figure.get_suptitle() == "Mine"
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == [look.label for look in LOOKS.values()]
    made = tabled(shown, 10, {"mine": "Mine"})
    assert len(made.frame) == (found["cutoff"] == 10).sum()
    assert set(made.frame["Dataset"]) == {"Mine"}
    none = tabled(shown.assign(relative_error=np.nan, tau=np.nan), 10, {"mine": "Mine"})
    for column in ("Relative error", "τ with plain"):
        assert none.formatters[column](none.frame[column].iloc[0]) == MISSING
