"""The study of goals: constructed rankings, properties, bias, and the claims about them."""

from math import sqrt
from pathlib import Path

import made_up
import numpy as np
import pytest
import scipy.sparse as sp
import scipy.stats
import sklearn.metrics
from settings_of import analysis

from rankassay.artifacts.arrays import Rankings
from rankassay.claims import judge
from rankassay.claims import lists as claim_lists
from rankassay.claims.conditions import VERDICTS
from rankassay.errors import RankassayError
from rankassay.statistics import incomplete
from rankassay.statistics.draws import Draws
from rankassay.statistics.replicated import REPLICATES
from rankassay.studies import STUDIES
from rankassay.studies.goals import constructed as of_paper
from rankassay.studies.goals import measured as of_data
from rankassay.studies.goals import views
from rankassay.studies.goals.claims import constructed_claims

ROOT = Path(__file__).parents[3]
EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": None, "aggregate": "mean"}
METRICS = ["P", "R", "Markedness"]
LEVELS, PERCENTAGES = [100, 75, 50, 25, 10], [100, 98, 95, 90, 85, 80]  # those of claims


@pytest.fixture(scope="module")
def constructed():
    return of_paper.examples()


@pytest.fixture(scope="module")
def checked():
    return of_paper.properties(5)


@pytest.fixture(scope="module")
def systems():
    """Return a test matrix of 30 users and 40 items, and three systems that rank at random."""
    rng = np.random.default_rng(3)
    chosen = rng.random((30, 40)) < np.linspace(0.05, 0.5, 30)[:, None]
    test = sp.csr_matrix(np.where(chosen, rng.integers(1, 6, (30, 40)), 0).astype(np.float32))
    made = {}
    for name in ("One", "Two", "Three"):
        order = np.array([rng.permutation(40) for _ in range(30)], dtype=np.int32)
        place = np.argsort(order, axis=1) + 1
        row = np.repeat(np.arange(30), np.diff(test.indptr))
        ranks = place[row, test.indices].astype(np.int32)
        full = np.full(30, 40, dtype=np.int32)
        made[name] = Rankings(order[:, :10].copy(), ranks, full, full)
    return test, made


def by_hand(ranking, k):
    """Return the metrics of a list from the paper's formulas."""
    tp, fp = ranking[:k].count("r"), ranking[:k].count("i")
    fn, tn = ranking[k:].count("r"), ranking[k:].count("i")
    marked = tp / (tp + fp) + tn / (fn + tn) - 1
    informed = tp / (tp + fn) + tn / (fp + tn) - 1
    return {
        "P": tp / (tp + fp),
        "R": tp / (tp + fn),
        "InversePrecision": tn / (fn + tn),
        "InverseRecall": tn / (fp + tn),
        "Fallout": fp / (fp + tn),
        "MissRate": fn / (tp + fn),
        "Markedness": marked,
        "Informedness": informed,
        "MCC": (tp * tn - fp * fn) / sqrt((tp + fn) * (fp + tn) * (tp + fp) * (fn + tn)),
    }


def test_the_examples_by_the_papers_formulas(constructed):
    lists = constructed[constructed.ranking.ne("") & (constructed.length < 10)]
    for row in lists.itertuples():
        expected = by_hand(row.ranking, row.length)
        if row.metric in expected:
            assert row.value == pytest.approx(expected[row.metric], abs=1e-12)


def test_the_rankings_are_those_of_the_captions(constructed):
    shown = constructed.drop_duplicates(["figure", "example", "recommender"])
    of = {number: rows for number, rows in shown.groupby("figure")}
    assert list(of[1].length) == [*range(1, 11)]
    assert of[1].ranking.nunique() == 1
    assert set(of[1].relevant) == {4}
    assert [ranking.index("r") for ranking in of[2].ranking] == [*range(10)]
    assert set(of[2].length) == set(of[3].length) == set(of[4].length) == {4}
    assert sorted(of[3].recommender.unique()) == ["chance", "inverse", "perfect"]
    assert set(of[4].ranking.str.count("r")) == {3}


def of_variants(ranking, length):
    relevant = np.array([item == "r" for item in ranking])
    return [variant(relevant, length) for variant in of_paper.VARIANTS.values()]


@pytest.mark.parametrize("length", [1, 4, 9, 10])
def test_the_means_of_precisions_are_those_of_scipy(length):
    rankings = ["rririiriii", "iirrirriri", "iiiiiiiiir", "rrrrrrrrrr", "riiiiiiiii"]
    found = [of_variants(own, length)[:3] for own in rankings]
    for ranking, own in zip(rankings, found, strict=True):
        precisions = [
            ranking[: k + 1].count("r") / (k + 1) if k < length else 0.0
            for k, item in enumerate(ranking)
            if item == "r"
        ]
        raised = np.maximum(precisions, 1e-5)
        expected = [scipy.stats.gmean(raised), scipy.stats.hmean(raised)]
        expected.append(scipy.stats.pmean(precisions, 2) if any(precisions) else 0.0)
        np.testing.assert_allclose(own, expected, rtol=1e-12)


@pytest.mark.parametrize("length", [1, 4, 9, 10])
def test_limited_tau_is_that_of_scipy_with_the_rest_tied(length):
    rankings = of_paper.all_rankings(10, 3)[::7]
    found = [of_variants(own, length)[3] for own in rankings]
    order = [-min(k, length) for k in range(10)]
    for ranking, own in zip(rankings, found, strict=True):
        relevant = [item == "r" for item in ranking]
        assert own == pytest.approx(scipy.stats.kendalltau(order, relevant).statistic)
    # It has the order of LAUC, which takes the rest as random.
    area = of_paper.values(rankings, ["LAUC"], length)[:, 0]
    assert np.corrcoef(found, area)[0, 1] == pytest.approx(1)
    assert of_variants("rrrrrrrrrr", length)[3] == 0


def test_chance_is_what_the_counts_say(constructed):
    chance = constructed[constructed.recommender == "chance"]
    by = chance.pivot(index="relevant", columns="metric", values="value")
    np.testing.assert_allclose(by["P"], by.index / 10)
    np.testing.assert_allclose(by["R"], 0.4)
    for metric in ("Markedness", "Informedness", "MCC"):
        np.testing.assert_allclose(by[metric], 0, atol=1e-12)
    np.testing.assert_allclose(by[["AUC", "LAUC"]], 0.5)


@pytest.mark.parametrize("ranking", ["rririiriii", "iirrirriri"])
@pytest.mark.parametrize("length", [1, 4, 9])
def test_the_areas_are_those_below_the_curves(ranking, length):
    for _, curve in of_paper.roc(ranking, length).groupby("curve"):
        area = sklearn.metrics.auc(curve.fallout, curve.recall)
        assert curve.area.iloc[0] == pytest.approx(area, abs=1e-12)


@pytest.mark.parametrize("ranking", ["rxi", "r"])
def test_a_ranking_that_is_none_is_told(ranking):
    with pytest.raises(RankassayError, match=f"expected a ranking of at least 2 .* '{ranking}'"):
        of_paper.values([ranking], ["P"], 2)


def test_the_constructed_bias(constructed):
    by = of_paper.bias(constructed).pivot(index="metric", columns="statistic", values="value")
    assert by.loc["P", "chance"] == pytest.approx(0.8)
    # The inverse recommender reaches .75 with nine relevant items, the perfect one .25 with one.
    assert by.loc["P", "confusion"] == pytest.approx(0.5)
    assert by.loc["Informedness", "confusion"] == pytest.approx(-4 / 9 - 4 / 9)
    assert by.loc["MCC", "chance"] == pytest.approx(0, abs=1e-12)


def limited_area(ranking, k):
    """Return LAUC pair by pair: a relevant item beyond the list beats half of what is there."""
    n_relevant, n_irrelevant = ranking.count("r"), ranking.count("i")
    won = 0.0
    for a, first in enumerate(ranking):
        for b, second in enumerate(ranking):
            if first == "r" and second == "i":
                won += 0.5 if a >= k and b >= k else float(a < b)
    return won / (n_relevant * n_irrelevant)


def test_the_counts_of_the_property_that_contradicts_the_others(checked):
    cases = exceptions = 0
    for n_relevant in range(1, 5):
        for ranking in of_paper.all_rankings(5, n_relevant):
            for k in range(1, 6):
                if "r" not in ranking[k:]:
                    cases += 1
                    exceptions += limited_area(ranking, k) < 1 - 1e-12
    found = checked.set_index("property").loc["lauc-retrieved"]
    assert (found.cases, found.exceptions) == (cases, exceptions)
    assert exceptions > 0


def test_which_properties_have_exceptions(checked):
    failing = set(checked.property[checked.exceptions > 0])
    assert failing == {
        "lauc-retrieved",
        "lauc-relevant-only",
        "lauc-more-long",
        "precision-falls",
        "tau-follows-auc-all",
    }
    assert (checked.cases > 0).all()
    assert set(checked.property) == set(of_paper.STATEMENTS)


def test_groups_of_users_hold_all_who_have_relevant_items(systems):
    test, rankings = systems
    found = of_data.groups(test, rankings, EVALUATION, METRICS, [5], 4)
    n_relevant = np.asarray((test >= 4).sum(axis=1)).ravel()
    one = found[(found.metric == "R") & (found.system == "One")]
    assert one.users.sum() == (n_relevant > 0).sum()
    assert one.relevant.is_monotonic_increasing
    mean = np.average(one.relevant, weights=one.users)
    assert mean == pytest.approx(n_relevant[n_relevant > 0].mean())
    hits = [
        len({*rankings["One"].items[u, :5]} & {*test[u].indices[test[u].data >= 4]})
        for u in range(30)
    ]
    precision = np.average(
        found.query("metric == 'P' and system == 'One'").value, weights=one.users
    )
    assert precision == pytest.approx(np.mean(np.array(hits)[n_relevant > 0]) / 5)


def test_dependence_is_spearmans(systems):
    test, rankings = systems
    found = of_data.groups(test, rankings, EVALUATION, ["P"], [5], 3)
    measured = of_data.bias_measured(test, rankings, EVALUATION, found, ["P"], [5], 1, resamples=40)
    assert measured.column == "value"
    assert measured.table["statistic"].tolist() == ["dependence", "spread", "order"]
    n_relevant = np.asarray((test >= 4).sum(axis=1)).ravel()
    hits = [
        [np.isin(ranking.items[u, :5], test[u].indices[test[u].data >= 4]).sum() for u in range(30)]
        for ranking in rankings.values()
    ]
    # As often as the users who have relevant items were drawn; the first draw is of each once.
    for n, times in enumerate(made_up.times_of_users(Draws.of(30, 40, seed=1)).astype(int)):
        times = np.where(n_relevant > 0, times, 0)
        number = np.repeat(n_relevant, times)
        sizes = [
            abs(scipy.stats.spearmanr(np.repeat(own, times), number).statistic) for own in hits
        ]
        own = measured.replicates[0, n - 1] if n else measured.table["value"][0]
        assert own == pytest.approx(np.mean(sizes))
    assert np.isnan(measured.replicates[1:]).all()


def test_the_robustness_is_that_of_the_robustness_study(systems):
    test, rankings = systems
    given = {"test": test, "rankings": rankings, "evaluation": EVALUATION, "seed": 1}
    given |= {"metrics": METRICS, "cutoffs": [5, 10]}
    resampled = {"resamples": 40}
    sparse, popular = {"levels": [100, 50], "samples": 2}, {"percentages": [100, 50]}
    measures = [f"{metric}@{cutoff}" for metric in METRICS for cutoff in (5, 10)]
    evaluation = EVALUATION | {"measures": measures}
    pairs = [
        (
            analysis("goals/sparsity")(**given, **sparse, **resampled),
            incomplete.sparsity_bias(test, rankings, evaluation, **sparse, seed=1, **resampled),
        ),
        (
            analysis("goals/popularity")(**given, train=test, **popular, **resampled),
            incomplete.popularity_bias(
                *(test, test, rankings, evaluation), **popular, count="train", seed=1, **resampled
            ),
        ),
    ]
    for found, expected in pairs:
        assert found.table[expected.table.columns].equals(expected.table)
        ends = found.table[["tau_low", "tau", "tau_high"]].dropna().to_numpy()
        assert len(ends)
        assert (np.diff(ends) >= 0).all()
        assert found.column == expected.column
        np.testing.assert_array_equal(found.replicates, expected.replicates)
        assert found.replicates.shape == (12, 40)
    power = analysis("goals/discriminative-power")(
        **{"test": test, "rankings": rankings, "evaluation": EVALUATION, "metrics": METRICS},
        **{"cutoffs": [5], "samples": 200, "seed": 1},
    )
    assert list(power.table.metric) == METRICS
    assert ((power.table.dp > 0) & (power.table.dp <= 3)).all()
    assert power.replicates.shape == (3, REPLICATES)
    given = {"test": test, "evaluation": EVALUATION, "metrics": METRICS, "cutoffs": [5], "seed": 1}
    alone = {"rankings": dict([*rankings.items()][:1]), "samples": 20}
    assert analysis("goals/discriminative-power")(**given, **alone).table["pairs"].eq(0).all()


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_figures_show_every_metric(constructed, number):
    figure = getattr(views, f"figure_{number}")(constructed, [])
    labels = {text.get_text() for axes in figure.axes if axes.get_legend()
              for text in axes.get_legend().get_texts()}  # fmt: skip
    assert {"P", "Recall", "Markedness", "LAUC", "AUC", "Inverse recall"} <= labels
    assert ("chance" in labels) == (number == 3)
    assert {"GMAP", "HMAP", "QMAP", "Limited τ-b"} <= labels
    drawn = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert len(drawn) == 4
    for axes in drawn:
        boxes, frames = axes.collections
        lists = {3: 18}.get(number, 10)
        assert (len(boxes.get_paths()), len(frames.get_paths())) == (10 * lists, lists)


def test_the_roc_curve_is_labelled_with_its_areas():
    figure = views.figure_5(of_paper.roc("rririiriii", 4), [])
    text = " ".join(t.get_text() for t in figure.axes[0].get_legend().get_texts())
    assert "LAUC = 0.812" in text
    assert "AUC = 0.833" in text


def test_the_figure_of_groups_draws_every_system(systems):
    test, rankings = systems
    found = of_data.groups(test, rankings, EVALUATION, METRICS, [5], 4).assign(dataset="x")
    figure = views.groups(found, [{"dataset": "x", "title": "X (synthetic)", "cutoff": 5}])
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["P@5", "Recall@5", "Markedness@5"]
    assert len(figure.axes[1].lines) == 3 + 1


def test_the_tables(constructed, checked, systems):
    assert len(views.examples(constructed).frame) == 10 + 10 + 27 + 10
    table = views.properties(checked)
    assert table.marked["Exceptions"].sum() == 5
    test, rankings = systems
    groups = of_data.groups(test, rankings, EVALUATION, METRICS, [5], 3)
    measured = of_data.bias_measured(test, rankings, EVALUATION, groups, METRICS, [5], 1, 0).table
    made = of_paper.bias(constructed)
    frame = views.bias(made, measured.assign(dataset="x"), 5, {"x": "X (synthetic)"}).frame
    assert list(frame["Metric"]) == ["P", "Recall", "Markedness"]
    assert frame["Dataset"].unique() == ["X (synthetic)"]


def test_the_constructed_claims_that_do_not_hold(constructed, checked):
    claims = claim_lists.read(ROOT / "src/rankassay/studies/goals/claims.yaml")
    judged = constructed_claims(
        claims,
        "constructed",
        examples=constructed,
        bias=of_paper.bias(constructed),
        properties=checked,
    ).set_index("id")
    assert set(judged.index[judged.reproduced != "holds"]) == {
        "bias-chance-R",
        "bias-misleading-R",
        "unbiased-span-Markedness",
        "unbiased-span-MCC",
        "lauc-retrieved",
        "lauc-relevant-only",
        # Of each of these sentences some rows hold, but not eight of ten.
        *("bias-misleading:share", "unbiased-span:share"),
    }


def test_every_claim_about_data_can_be_judged(systems):
    test, rankings = systems
    wanted, cutoffs = STUDIES["goals"].model().metrics, [10]
    given = (test, rankings, EVALUATION)
    six = ["P", "R", "F1", "Markedness", "Informedness", "MCC"]
    groups = of_data.groups(*given, six, cutoffs, 3)
    again = {"resamples": 60, "seed": 1}
    own = {"test": test, "rankings": rankings, "evaluation": EVALUATION}
    own |= again | {"metrics": wanted, "cutoffs": cutoffs}
    judged = judge.claims(
        claim_lists.read(ROOT / "src/rankassay/studies/goals/claims.yaml"),
        "ml-1m",
        bias_measured=of_data.bias_measured(*given, groups, six, cutoffs, **again),
        metric_correlation=analysis("goals/metric-correlation")(**own),
        sparsity=analysis("goals/sparsity")(**own, levels=LEVELS, samples=1),
        popularity=analysis("goals/popularity")(**own, train=test, percentages=PERCENTAGES),
        discriminative_power=analysis("goals/discriminative-power")(**own, samples=100),
    ).set_index("id")
    assert sum(":" not in name for name in judged.index) == 11
    assert judged.low.notna()[["superior-sparsity", "lauc-suits-lists"]].all()
    assert set(judged.reproduced) <= {*VERDICTS}
    # Spread and order are of groups of users, and have no replicates.
    known = judged.low.notna()
    assert (known == judged.reason.isna()).all()
    assert (judged.undefined[~known] == 60).all()
    assert (judged.reproduced[~known] == "inconclusive").all()
    assert (judged.low <= judged.measured)[known].all()
    assert (judged.measured <= judged.high)[known].all()
