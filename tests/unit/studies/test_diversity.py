"""The study of diversity: axioms, ideal lists made worse, missing ratings, systems, drawings."""

import re

import made_up
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats
from axes_checked import check_axes
from settings_of import analysis, settings_of

from rankassay.artifacts import anew
from rankassay.artifacts.arrays import Rankings, Ratings
from rankassay.errors import RankassayError
from rankassay.metrics.diversity.cascade import down_to, logarithmic
from rankassay.metrics.diversity.lists import AspectLists, Aspects, Interests
from rankassay.metrics.diversity.metrics import unified_model
from rankassay.metrics.evaluate import diversity_values
from rankassay.seeds import generator
from rankassay.statistics import discriminative_power, incomplete
from rankassay.statistics.draws import Draws
from rankassay.statistics.replicated import REPLICATES
from rankassay.studies.diversity import constructed, ideal, incompleteness, systems, views
from rankassay.studies.diversity.claims import claims, constructed_claims
from rankassay.studies.diversity.constructed import AXIOMS
from rankassay.studies.diversity.ideal import IdealOrder

N_USERS, N_ITEMS, DEPTH = 30, 24, 8
EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": None, "aggregate": "mean"}
METRICS = ["nDCG", "alpha_beta_nDCG", "S_Recall", "RBU"]
NAMES = ["alpha_nDCG", "NRBP", "EU", "RBU", "alpha_beta_nDCG"]


@pytest.fixture(scope="module")
def data():
    """Return train, test, aspects and the lists of four systems of more and more noise."""
    rng = np.random.default_rng(0)
    ratings = rng.integers(1, 6, (N_USERS, N_ITEMS)) * (rng.random((N_USERS, N_ITEMS)) < 0.7)
    in_test = rng.random(ratings.shape) < 0.5
    in_test[0] = False  # a user without test ratings
    train, test = (
        sp.csr_matrix((ratings * part).astype(np.float32)) for part in (~in_test, in_test)
    )
    shown = rng.random((N_ITEMS, 5)) < 0.4
    aspects = Ratings(*[np.zeros(0)] * 5, aspects=shown, aspect_names=np.array([*"abcde"]))
    rankings = {}
    for system, noise in zip("wxyz", (1, 2, 4, 8), strict=True):
        scores = test.toarray() + noise * rng.random(test.shape) - 9.0 * (train.toarray() > 0)
        order = np.argsort(-scores, axis=1)
        rank = np.argsort(order, axis=1) + 1
        row = np.repeat(np.arange(N_USERS), np.diff(test.indptr))
        length = np.full(N_USERS, N_ITEMS, dtype=np.int32)
        rankings[system] = Rankings(
            order[:, :DEPTH].astype(np.int32),
            rank[row, test.indices].astype(np.int32),
            length,
            length,
        )
    return train, test, rankings, aspects


def given(data):
    """Return the data by the names of the parameters of `rankassay.studies.diversity.systems`."""
    return dict(zip(("train", "test", "rankings", "aspects"), data, strict=True))


@pytest.fixture(scope="module")
def perturbed(data):
    train, test, _, aspects = data
    settings = settings_of(
        "diversity/perturbations",
        metrics=["alpha_beta_nDCG", "S_Recall", "EU"],
        cutoffs=[2, 8],
        steps={"relevance": 4, "redundancy": 3, "aspects": 3},
        depth=8,
    )
    return ideal.perturbations(train, test, aspects, EVALUATION, **settings)


@pytest.fixture(scope="module")
def tested():
    settings = settings_of("diversity/axioms", metrics=NAMES, instances=40, long_instances=6)
    return constructed.axioms(1, **settings)


def test_the_axioms_that_can_be_proved(tested):
    """What algebra says of each metric comes out on the random instances."""
    holds = tested.set_index(["metric", "axiom"])["holds"].unstack()
    for axiom in ("Pri", "Deep", "NonPriSatAsp", "TopHeav"):
        # Without a discount, EU does not depend on the order of items.
        assert holds[axiom].to_dict() == dict.fromkeys(NAMES, 1) | {"EU": 0}
    # Metrics that weigh all aspects alike cannot distinguish two aspects.
    assert holds["AspRel"].to_dict() == dict.fromkeys(NAMES, 1) | {"alpha_nDCG": 0, "NRBP": 0}
    # Only one metric tells an item without a rating from one rated 0.
    assert holds["MissOverNon"].to_dict() == dict.fromkeys(NAMES, 0) | {"alpha_beta_nDCG": 1}
    # The gains of one aspect add up to at most 1 / alpha, or gamma, at a discount below 1 / 2.
    assert holds["TopHeavComp"].to_dict() == {
        **{"EU": 1, "NRBP": 1, "RBU": 1},
        **{"alpha_nDCG": 0, "alpha_beta_nDCG": 0},
    }
    assert (holds["MoreAspSuperset"] == 1).all()
    assert (tested["holds"] == (tested["satisfied"] == tested["instances"])).all()
    assert ((tested["counterexample"] == "") == (tested["holds"] == 1)).all()


def test_a_counterexample_can_be_checked_by_hand(tested):
    """The lists as they are printed give the printed values, and no more for the better one."""
    shown = tested[(tested["holds"] == 0) & (tested["metric"] != "alpha_nDCG")]
    assert len(shown) > 8
    for row in shown.itertuples():
        found = re.fullmatch(r"\[(.*)\] (.*), but \[(.*)\] (.*); weights (.*)", row.counterexample)
        better, high, worse, low, weights = found.groups()
        assert float(high) <= float(low)
        if row.metric in ("EU", "RBU"):  # whose values do not depend on items beyond the list
            for text, value in ((better, high), (worse, low)):
                assert utility(text, weights, row.metric) == pytest.approx(float(value), rel=1e-3)


def utility(text, weights, metric):
    """Return EU or RBU of a list as it is printed."""
    words = weights.split()
    left = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    items = []
    for word in text.split():
        times, _, item = word.rpartition("x")
        items += [item] * int(times or 1)
    value = 0.0
    for k, item in enumerate(items):
        rating, shown = re.fullmatch(r"(-|[\d.]+)([a-z]+)", item).groups()
        r = 0.0 if rating == "-" else (2 ** float(rating) - 1) / 32
        value += (0.01 * 0.99**k if metric == "RBU" else 1) * (r * sum(map(left.get, shown)) - 0.05)
        for a in shown:
            left[a] *= 1 - (r if metric == "RBU" else r / 4)
    return value


@pytest.mark.parametrize("axiom", AXIOMS)
def test_instances_differ_as_the_axiom_says(axiom):
    for pairs in AXIOMS[axiom](generator(0, axiom), 20):
        assert pairs.weights.sum(axis=1) == pytest.approx(np.ones(20))
        row = np.arange(20)[:, None]
        above, below = pairs.rating[row, pairs.better], pairs.rating[row, pairs.worse]
        for ranking in (pairs.better, pairs.worse):
            assert (np.diff(np.sort(ranking), axis=1) > 0).all()  # no item twice
        if axiom == "Pri":
            changed = (pairs.better != pairs.worse).argmax(axis=1)
            assert (above[range(20), changed] > below[range(20), changed]).all()
        if axiom == "MissOverNon":
            assert (np.isnan(above) & (below == 0)).any(axis=1).all()
        if axiom == "MoreAspSuperset":
            place = (pairs.better != pairs.worse).argmax(axis=1)
            more = pairs.shown[range(20), pairs.better[range(20), place]]
            less = pairs.shown[range(20), pairs.worse[range(20), place]]
            assert (more >= less).all()
            assert (more.sum(axis=1) > less.sum(axis=1)).all()


def test_the_axioms_depend_on_the_seed_alone():
    settings = settings_of("diversity/axioms", metrics=["RBU"], instances=10, long_instances=2)
    first, second = (constructed.axioms(3, **settings) for _ in range(2))
    pd.testing.assert_frame_equal(first, second)


@pytest.fixture(scope="module")
def by_hand():
    """Return the ideal order of one user: items a 5, ab 4, b 5, b 3; weights a 9/21, b 12/21."""
    shown = Aspects.of(np.array([[1, 0], [1, 1], [0, 1], [0, 1]], dtype=bool))
    ratings = sp.csr_matrix(np.array([[5.0, 4, 5, 3]]))
    return IdealOrder.of(Interests.of(ratings, ratings, shown, 4))


def test_the_ideal_order_by_hand(by_hand):
    # b is wanted most; then a, which the list lacks; then b, by 12/21 - 1/2; then b is left.
    (lists,) = by_hand.perturbed("relevance", 0, 6)
    assert lists.tolist() == [[2, 0, 1, 3, -1, -1]]
    assert by_hand.aspect.tolist() == [1, 0, 1, 1]
    assert by_hand.weights == pytest.approx(np.array([[9 / 21, 12 / 21]]))


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        ("relevance", [[2, 0, 1, 3], [3, 0, 1, 2], [3, 1, 0, 2], [3, 1, 0, 2]]),
        ("redundancy", [[2, 0, 1, 3], [2, 1, 0, 3], [2, 1, 3, 0], [2, 1, 3, 0]]),
        ("aspects", [[2, 0, 1, 3], [0, 2, 1, 3], [0, 2, 1, 3], [0, 2, 1, 3]]),
    ],
)
def test_perturbations_by_hand(by_hand, scenario, expected):
    found = [lists[0].tolist() for lists in by_hand.perturbed(scenario, 3, 4)]
    assert found == expected


def test_ideal_lists_hold_every_judged_item_that_shows_an_aspect(data):
    train, test, _, aspects = data
    interests = ideal.ground_truth_of(train, test, aspects, EVALUATION, "test")
    order = IdealOrder.of(interests)
    some = aspects.aspects.any(axis=1)
    for scenario in ("relevance", "redundancy", "aspects"):
        for lists in order.perturbed(scenario, 3, N_ITEMS):
            for u, items in enumerate(lists):
                own = interests.item[interests.start[u] : interests.start[u + 1]]
                assert sorted(items[items >= 0]) == [i for i in own if some[i]]
    everything = ideal.ground_truth_of(train, test, aspects, EVALUATION, "all")
    assert len(everything.item) == train[1:].nnz + test[1:].nnz


def test_a_whole_ground_truth_has_ratings_of_0(data):
    train, test, _, aspects = data
    low = [
        sp.csr_matrix((m.data - m.data.min(), m.indices, m.indptr), m.shape) for m in (train, test)
    ]
    assert all((matrix.data == 0).any() for matrix in low)
    found = ideal.ground_truth_of(*low, aspects, EVALUATION, "all")
    assert len(found.item) == train[1:].nnz + test[1:].nnz
    assert (found.rating == 0).sum() == sum((matrix[1:].data == 0).sum() for matrix in low)


def test_p_values_are_scipys_and_missing_without_a_difference():
    rng = np.random.default_rng(0)
    best = rng.random((30, 2, 1))
    values = best.copy()
    values[:20, 0] -= 0.2 * rng.random((20, 1)) - 0.05
    for alternative in ("greater", "less"):
        found = ideal.p_values(values, best, alternative)
        expected = scipy.stats.wilcoxon(
            *(values[:20, 0, 0], best[:20, 0, 0]), alternative=alternative, method="asymptotic"
        ).pvalue
        assert found[0, 0] == pytest.approx(expected, abs=1e-12)
        assert np.isnan(found[1, 0])


def test_the_correlation_with_the_true_order(perturbed):
    assert perturbed[perturbed["step"] == 0]["p_value"].isna().all()
    table = ideal.order_correlation(perturbed)
    assert len(table) == 3 * 3 * 2
    for row in table.itertuples():
        own = perturbed[
            (perturbed["scenario"] == row.scenario)
            & (perturbed["metric"] == row.metric)
            & (perturbed["cutoff"] == row.cutoff)
        ]
        assert row.systems == len(own)
        if own["value"].nunique() == 1:
            assert row.undefined == 1
        else:
            expected = scipy.stats.kendalltau(own["value"], -own["step"]).statistic
            assert row.tau == pytest.approx(expected, abs=1e-12)
    # Whole lists in another order are all the same to these two.
    whole = table[(table["scenario"] == "relevance") & (table["cutoff"] == 8)].set_index("metric")
    assert whole["distinct"].to_dict()["EU"] == whole["distinct"].to_dict()["S_Recall"] == 1


def test_removals_are_shared_out_among_aspects():
    n_users, n_items = 8, 40
    shown = np.eye(4, dtype=bool)[np.arange(n_items) % 4]
    ratings = sp.csr_matrix(
        np.random.default_rng(0).integers(1, 6, (n_users, n_items)).astype(float)
    )
    interests = Interests.of(ratings, ratings, Aspects.of(shown), 4)
    for level in (75, 33):
        keep = incompleteness.proportional_part(interests, level, 0, 1)
        kept = keep.reshape(n_users, 10, 4).sum(axis=1)  # of ten items of each aspect
        assert (np.abs(kept - 10 * level / 100) < 1).all()
        assert (np.abs(kept.sum(axis=1) - 40 * level / 100) < 1).all()
        assert (keep != incompleteness.proportional_part(interests, level, 0, 2)).any()


def test_shuffled_lists_are_evaluated_as_lists_are(data):
    train, test, _, aspects = data
    interests = ideal.ground_truth_of(train, test, aspects, EVALUATION, "test")
    best = IdealOrder.of(interests)
    depth, cutoffs = 6, np.array([3, 10])
    orders = np.array([incompleteness.shuffled(best, depth, 0, s) for s in range(3)])
    parts = np.array([incompleteness.proportional_part(interests, 60, 0, n) for n in range(2)])
    models = [unified_model(interests, 0.005, beta) for beta in (0.5, 0.9, 0.1)]
    found = incompleteness.means(models, interests, orders, parts, cutoffs, depth)
    assert found.shape == (2, 3, 2, 3)
    names = [f"alpha_beta_nDCG(beta={beta})" for beta in (0.5, 0.9, 0.1)]
    for p, keep in enumerate(parts):
        part = interests.part(keep)
        for s, order in enumerate(orders):
            lists = AspectLists.of(best._cut(order, depth), part)
            expected = diversity_values(lists, names, cutoffs).mean(axis=0)
            assert found[p, :, :, s] == pytest.approx(expected, abs=1e-9)
    alone = incompleteness.means(models[1:2], interests, orders, parts[1:], cutoffs, depth)
    assert alone.tobytes() == found[1:, 1:2].tobytes()  # with any other value next to it


def test_taus_of_incomplete_truths_have_percentiles_over_the_samples(data):
    train, test, _, aspects = data
    interests = ideal.ground_truth_of(train, test, aspects, EVALUATION, "test")
    best, depth, cutoffs, levels = IdealOrder.of(interests), 6, [3, 6], [80, 30]
    found = incompleteness.run(
        *(train, test, aspects, EVALUATION, 0),
        **{"cutoffs": cutoffs, "betas": [0.5, 0.1], "levels": levels, "systems": 8, "samples": 7},
        **{"depth": depth, "ground_truth": "test"},
    )
    orders = np.array([incompleteness.shuffled(best, depth, 0, s) for s in range(8)])
    models = [unified_model(interests, 0.005, beta) for beta in (0.5, 0.1)]
    given = (models, interests, orders)
    whole = incompleteness.means(
        *given, np.ones((1, len(interests.item)), bool), np.array(cutoffs), 6
    )
    for level in levels:
        parts = np.array(
            [incompleteness.proportional_part(interests, level, 0, n) for n in range(7)]
        )
        own = incompleteness.means(*given, parts, np.array(cutoffs), 6)
        for b, beta in enumerate((0.5, 0.1)):
            for c, cutoff in enumerate(cutoffs):
                taus = [scipy.stats.kendalltau(x[b, c], whole[0, b, c]).statistic for x in own]
                at = found[["beta", "cutoff", "level"]].eq([beta, cutoff, level]).all(axis=1)
                expected = [np.mean(taus), *np.percentile(taus, [2.5, 97.5])]
                assert found[at][["tau", "low", "high"]].to_numpy()[0] == pytest.approx(expected)


@pytest.mark.parametrize("depth", [3, 9])
def test_ideal_lists_of_many_parts_gain_what_those_of_each_do(depth):
    rng = np.random.default_rng(5)
    shown = rng.random((12, 4)) < 0.4  # many tie, and some show no aspect
    judged = rng.random((20, 12)) < np.linspace(0, 1, 20)[:, None]
    ratings = sp.csr_matrix(rng.integers(0, 6, (20, 12)) * judged, dtype=float)
    interests = Interests.of(ratings, ratings, Aspects.of(shown), 4, 5)
    models = [unified_model(interests, 0.005, beta) for beta in (0.1, 1.0)]
    parts = rng.random((3, len(interests.item))) < np.array([[1.0], [0.6], [0.1]])
    known = np.array([model.relevance(interests.rating) for model in models])
    discount, cutoffs, aspects = logarithmic(depth), np.array([2, 5]), interests.aspects
    found = incompleteness._ideal_sums(
        *(interests.start, interests.item, known, parts),
        *(aspects.start, aspects.aspect, interests.weights, discount, cutoffs),
    )
    each = [(model, interests.part(keep)) for model in models for keep in parts]
    expected = [down_to(model.ideal(part, depth), discount, cutoffs) for model, part in each]
    assert found.tolist() == np.stack(expected, axis=2).tolist()
    assert len(np.unique(found)) > 50


def test_judgements_are_put_in_order_user_by_user():
    rng = np.random.default_rng(2)
    start = np.array([0, 0, 40, 41, 130])
    first, second = rng.integers(0, 3, 130) / 2, rng.integers(0, 9, 130) / 8
    users = np.repeat(np.arange(4), np.diff(start))
    expected = np.lexsort((second, first, users))
    assert incompleteness._by_user(start, first, second).tolist() == expected.tolist()


def test_a_whole_ground_truth_keeps_its_order(data):
    train, test, _, aspects = data
    settings = settings_of(
        "diversity/incompleteness",
        **{"cutoffs": [3, 8], "betas": [0.1, 0.9], "levels": [100, 50]},
        **{"systems": 6, "samples": 4, "depth": 8},
    )
    table = incompleteness.run(train, test, aspects, EVALUATION, 1, **settings)
    assert (table[table["level"] == 100]["tau"] == 1).all()
    assert (table[table["level"] == 50]["tau"] < 1).all()


def test_accuracy_metrics_are_those_of_the_robustness_study(data):
    train, test, rankings, _ = data
    measured = {"metrics": METRICS, "cutoffs": [4, 8], "resamples": 40}
    spec = EVALUATION | {"measures": ["nDCG@4", "nDCG@8"]}
    keys = ["cutoff", "tau"]
    settings = settings_of("diversity/sparsity", **measured, levels=[100, 40], samples=4)
    ours = analysis("diversity/sparsity")(evaluation=EVALUATION, seed=1, **settings, **given(data))
    theirs = incomplete.sparsity_bias(test, rankings, spec, [100, 40], 4, 1, resamples=40)
    assert_same(ours, theirs, ["level", *keys])
    settings = settings_of("diversity/popularity", **measured, percentages=[100, 60])
    ours = analysis("diversity/popularity")(
        evaluation=EVALUATION, seed=1, **settings, **given(data)
    )
    theirs = incomplete.popularity_bias(
        train, test, rankings, spec, [100, 60], "train", 1, resamples=40
    )
    assert_same(ours, theirs, ["percentage", *keys])
    assert set(ours.table["metric"]) == set(METRICS)


def test_metrics_of_both_kinds_stand_in_the_order_that_is_asked_for(data):
    keep = np.random.default_rng(1).random(data[1].nnz) < 0.5
    asked = ["RBU", "nDCG", "alpha_beta_nDCG", "P"]
    found = systems.Systems.of(EVALUATION, asked, [4, 8], **given(data))
    assert [name for name, _ in found.names] == [name for name in asked for _ in range(2)]
    for m, metric in enumerate(asked):
        alone = systems.Systems.of(EVALUATION, [metric], [4, 8], **given(data)).values(keep)
        np.testing.assert_array_equal(found.values(keep)[:, :, 2 * m : 2 * m + 2], alone)


def test_blocks_of_users_and_lists_that_are_read_again_change_no_value(data, monkeypatch):
    keep = np.random.default_rng(1).random(data[1].nnz) < 0.5
    found = []
    for block, held in ((2**14, 2**30), (2, 0)):
        monkeypatch.setattr(systems, "BLOCK", block)
        monkeypatch.setattr(anew, "HELD", held)
        made = systems.Systems.of(EVALUATION, [*METRICS, "alpha_beta_nDCG"], [4], **given(data))
        assert isinstance(made.lists, dict) == bool(held)
        assert isinstance(made.whole.systems, list) == bool(held)
        found.append(made.values(keep))
    np.testing.assert_array_equal(*found)


def assert_same(ours, theirs, columns):
    found = []
    for result in (ours, theirs):
        own = result.table.reset_index(drop=True)
        own = own[own["metric"] == "nDCG"].sort_values(columns)
        found.append((own[columns].to_numpy(float), result.replicates[own.index]))
    assert found[0][0] == pytest.approx(found[1][0])
    np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-12)
    assert found[0][1].shape[1] == 40


def test_systems_on_a_part_are_those_evaluated_on_it(data):
    train, test, rankings, aspects = data
    whole = systems.Systems.of(EVALUATION, ["alpha_beta_nDCG", "RBU"], [4], **given(data))
    keep = np.random.default_rng(1).random(test.nnz) < 0.3
    part = test.copy()
    part.data = np.where(keep, part.data, 0)
    part.eliminate_zeros()
    other = ideal.ground_truth_of(train, part, aspects, EVALUATION, "test")
    users = np.flatnonzero(np.diff(part.indptr))
    for s, ranking in enumerate(rankings.values()):
        lists = AspectLists.of(ranking.items[users], other)
        expected = diversity_values(lists, ["alpha_beta_nDCG", "RBU"], [4]).mean(axis=0)[:, 0]
        assert whole.means(keep)[0, :, s] == pytest.approx(expected, abs=1e-9)
    assert pytest.approx(whole.means()[0], abs=1e-9) == whole.values().mean(axis=0).T
    draws = Draws.of(whole.judgements.n_users, 40, seed=2)
    found, values = whole.means(keep, draws), whole.values(keep)
    for n in (0, 1, 40):
        again = np.repeat(values, made_up.times_of_users(draws)[n].astype(int), axis=0)
        np.testing.assert_allclose(found[n], np.nanmean(again, axis=0).T, atol=1e-12)


def test_correlation_and_power_of_the_systems(data):
    measured = {"metrics": METRICS, "cutoffs": [4, 8]}
    settings = settings_of("diversity/metric-correlation", **measured, resamples=0)
    table = analysis("diversity/metric-correlation")(
        evaluation=EVALUATION, seed=1, **settings, **given(data)
    ).table
    own = table[table["metric_a"] == table["metric_b"]]
    assert (own["tau"].dropna() == 1).all()
    assert (own["tau"].isna() == (own["undefined"] == 1)).all()
    measured["cutoffs"] = [8]
    settings = settings_of("diversity/p-values", **measured, samples=200)
    own = {"evaluation": EVALUATION, "seed": 1} | given(data)
    p = analysis("diversity/p-values")(**settings, **own)
    settings = settings_of("diversity/discriminative-power", **measured)
    own["p_values"] = p
    summed_up = analysis("diversity/discriminative-power")
    found = summed_up(**settings, **own)
    assert (found.column, found.replicates.shape) == ("dp", (4, REPLICATES))
    found = found.table
    sums = p.groupby("metric")["p_value"].sum()
    assert found.set_index("metric")["dp"].to_dict() == pytest.approx(sums.to_dict())
    assert list(found.columns)[:2] == ["metric", "cutoff"]
    significant = {f"significant_{level}" for level in discriminative_power.LEVELS}
    assert set(found.columns) >= {"low", "high"} | significant
    with pytest.raises(RankassayError, match="nDCG@4"):
        summed_up(**settings | {"cutoffs": [4, 8]}, **own)


def test_claims_are_judged_on_these_tables(perturbed, tested):
    rows = {"metric": "RBU", "axiom": "Pri"}
    claim = {
        **{"kind": "finding", "why": "", "decided_by": "share"},
        **{"id": "one", "where": "table 1", "claim": "", "datasets": {"constructed": 1}},
        **{"sentence": "one", "says": "", "said_in": "table 1"},
        **{"source": "Author, 2018, table 1"},
        **{"value": {"table": "axioms", "rows": rows}, "holds": {"near": 0}},
    }
    found = constructed_claims([claim], "constructed", axioms=tested)
    assert found["reproduced"].tolist() == ["holds"]
    assert found["general"].tolist() == [""]  # it depends on no systems
    order = ideal.order_correlation(perturbed)
    given = {"perturbations": perturbed, "order_correlation": order}
    given["incompleteness"] = pd.DataFrame({"tau": [1.0]})
    rows = {"metric": "EU", "cutoff": 8, "scenario": "relevance"}
    claim |= {"datasets": {"d": None}, "holds": {"at_least": 0.99}}
    claim |= {"value": {"table": "order-correlation", "rows": rows}}
    found = claims([claim], "d", **given)
    assert found["reproduced"].tolist() == ["undefined"]  # all systems tie: there is no tau
    assert "tied systems" in found["reason"].item()
    # What is measured on data, and has no replicates, is never decided.
    rows = {"metric": "S_Recall", "cutoff": 2, "scenario": "aspects"}
    claim |= {"value": {"table": "order-correlation", "rows": rows}, "holds": {"above": 0}}
    found = claims([claim], "d", **given)
    own = order[(order[[*rows]] == list(rows.values())).all(axis=1)]
    assert found["measured"].item() == own["tau"].item() > 0
    assert found["holds"].item()
    assert found["reproduced"].item() == "inconclusive"
    assert found["reason"].item() == "no replicates are computed: there is no interval"


@pytest.mark.parametrize(("tau", "side"), [(0.6, -1), (-0.6, 1)])
def test_what_has_no_tau_is_said_beside_what_has_one(tau, side):
    rows = [("relevance", "S_recall", 10, tau), ("relevance", "S_recall", 100, np.nan)]
    order = pd.DataFrame(rows, columns=["scenario", "metric", "cutoff", "tau"])
    panel = {"dataset": "tiny", "title": "Tiny"}
    (axes,) = views.figure_2(order.assign(dataset="tiny"), [panel]).axes[:1]
    (said,) = (text for text in axes.texts if text.get_text() == "all equal @100")
    assert np.sign(said.get_position()[0]) == side


def test_figures_show_every_metric_and_scenario(perturbed):
    panels = [{"dataset": "d", "title": "Made up (synthetic)", "cutoff": 2}]
    table = perturbed.assign(dataset="d")
    order = ideal.order_correlation(perturbed).assign(dataset="d")
    for figure in (views.figure_2(order, panels), views.figure_3(table, panels)):
        check_axes(figure, table)
        words = " ".join(axes.get_title() for axes in figure.axes)
        assert all(title in words for title in views.SCENARIOS.values())
        assert figure.get_suptitle() == "Made up (synthetic)"
    tested = table[table["step"] > 0]
    titles = {
        f"{views.SCENARIOS[scenario]} · @{cutoff}"
        for scenario, cutoff in zip(tested["scenario"], tested["cutoff"], strict=True)
    }
    assert len(titles) == 3 * tested["cutoff"].nunique()
    for p_value, said in ((0.999, {"all p ≥ 0.99"}), (0.25, set())):
        drawn = views.figure_3(table.assign(p_value=p_value), panels).axes
        drawn = [axes for axes in drawn if axes.get_title()]
        assert {axes.get_title() for axes in drawn} == titles
        assert {text.get_text() for axes in drawn for text in axes.texts} == said
        assert all(len(axes.get_lines()) == tested["metric"].nunique() for axes in drawn)
    figure = views.figure_2(order, panels)
    assert [t.get_text() for t in figure.axes[0].get_yticklabels()] == ["αβ-nDCG", "S-Recall", "EU"]
    lines = table[table["scenario"] == "relevance"]
    lines = lines[lines["metric"] == "alpha_beta_nDCG"]
    other = lines.assign(metric="alpha_beta_nDCG(beta=0.1)")
    figure = views.figure_1(pd.concat([lines, other]), panels)
    assert len(figure.axes[0].get_lines()) == 2
    assert [t.get_text() for t in figure.legends[0].get_texts()] == ["as in the paper", "β 0.1"]
    every = table[table["metric"] == "alpha_beta_nDCG"]
    figure = views.figure_1(every, panels)
    check_axes(figure, every)
    grid = figure.axes
    assert len(grid) == 2 * every["scenario"].nunique() == 6
    assert [axes.get_xlabel() for axes in grid[::2]] == [*views.SWAPPED.values()]
    level = {"level": [90, 50], "tau": [0.9, 0.5], "low": [0.8, 0.3], "high": [1.0, 0.6]}
    missing = pd.DataFrame(level | {"beta": 0.5, "cutoff": 10, "dataset": "d"})
    assert views.figure_4(missing, panels).axes[0].get_title() == "αβ-nDCG@10"


def test_table_1_marks_what_the_paper_says_otherwise(tested):
    published = pd.DataFrame(
        {"metric": ["EU", "EU", "RBU"], "axiom": ["Pri", "AspRel", "Pri"], "holds": [1, 1, 1]}
    )
    table = views.axioms(tested, published)
    cells = table.frame.set_index("Metric")
    assert cells.loc["EU", "Pri"] == "no, published yes"
    assert cells.loc["EU", "AspRel"] == cells.loc["RBU", "Pri"] == "yes"
    assert table.marked.to_numpy().sum() == 1
    shown = views.counterexamples(tested).frame
    assert len(shown) == (tested["holds"] == 0).sum()


def test_the_table_of_correlations_has_a_row_for_each_metric_and_cutoff(perturbed):
    order = ideal.order_correlation(perturbed).assign(dataset="d")
    frame = views.order_correlation(order, {"d": "Made up", "other": "Other"}).frame
    assert list(frame["Metric"])[:2] == ["αβ-nDCG@2", "αβ-nDCG@8"]
    assert set(frame["Dataset"]) == {"Made up"}
