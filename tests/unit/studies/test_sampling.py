"""The study of sampled metrics: analyses, claims, figures and tables."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from axes_checked import check_axes
from pydantic import ValidationError
from settings_of import settings_of

from rankassay.artifacts.arrays import Rankings
from rankassay.claims.lists import read
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Lists
from rankassay.metrics.sampled.lists import values_of_bounds
from rankassay.studies.sampling import (
    constructed,
    corrections,
    figures,
    robustness,
    systems,
    tables,
)
from rankassay.studies.sampling.claims import constructed_claims
from rankassay.studies.sampling.systems import Popularity, judged, uniform

ROOT = Path(__file__).parents[3]
CLAIMS = ROOT / "src/rankassay/studies/sampling/claims.yaml"
EVALUATION = {"threshold": 4}
N_USERS, N_ITEMS, DEPTH = 30, 40, 10
METRICS = ["P", "R", "AP", "nDCG", "RR", "AUC"]
MEASURED = {"metrics": METRICS, "cutoffs": [5, 10], "sizes": [1, 10]}
DRAWN = {"samples": 200}
TITLES = {"made-up": "Made up (synthetic)", "constructed": "Constructed rankings"}


def rank(scores, train, test, depth):
    """Return the rankings of a score matrix; items without a score are -inf."""
    pool = np.bincount(test.indices, minlength=N_ITEMS) > 0
    scores = np.where(pool & (train.toarray() == 0), scores, -np.inf)
    order = np.argsort(-scores, axis=1, kind="stable")
    place = np.argsort(order, axis=1) + 1
    n_ranked = np.isfinite(scores).sum(axis=1).astype(np.int32)
    items = np.where(np.arange(depth) < n_ranked[:, None], order[:, :depth], -1).astype(np.int32)
    row = np.repeat(np.arange(N_USERS), np.diff(test.indptr))
    ranks = np.where(np.isfinite(scores), place, 0)[row, test.indices].astype(np.int32)
    candidates = (pool.sum() - (train @ pool.astype(float) > 0) * 0).astype(np.int32)
    return Rankings(items, ranks, n_ranked, candidates)


@pytest.fixture(scope="module")
def data():
    """Return train, test and the rankings of four systems, from useless to good."""
    rng = np.random.default_rng(5)
    taste = rng.normal(size=(N_USERS, N_ITEMS)) + np.linspace(1.5, -1.5, N_ITEMS)
    rated = rng.random((N_USERS, N_ITEMS)) < 0.4
    held = rated & (rng.random((N_USERS, N_ITEMS)) < 0.5)
    stars = np.clip(np.round(3 + taste), 1, 5)
    train = sp.csr_matrix(np.where(rated & ~held, stars, 0).astype(np.float32))
    test = sp.csr_matrix(np.where(held, stars, 0).astype(np.float32))
    pool = np.bincount(test.indices, minlength=N_ITEMS) > 0
    left = (pool & (train.toarray() == 0)).sum(axis=1).astype(np.int32)
    rankings = {}
    for number, noise in enumerate((100.0, 4.0, 2.0, 1.0)):
        scores = taste + noise * rng.normal(size=taste.shape)
        if number == 1:
            scores[:, ::3] = -np.inf
        made = rank(scores, train, test, DEPTH)
        rankings[f"system {number}"] = Rankings(made.items, made.ranks, made.n_ranked, left)
    return train, test, rankings


@pytest.fixture(scope="module")
def results(data):
    """Return the tables of the study on the synthetic data, by the name of the analysis."""
    train, test, rankings = data
    given = {"train": train, "test": test, "rankings": rankings}
    parts = {"levels": [100, 30], "samples": 2, "resamples": 0}
    corrected = {"metrics": ["R", "AP"], "cutoffs": [5, 10], "sizes": [4, 8]}
    settings = {
        "systems": settings_of("sampling/systems", **MEASURED, **DRAWN),
        "values": settings_of("sampling/values", **MEASURED),
        "robustness": settings_of("sampling/robustness", **MEASURED, **parts),
        "corrections": settings_of("sampling/corrections", **corrected),
    }
    found = {
        "systems": systems.systems(EVALUATION, 1, **settings["systems"], **given),
        "values": systems.values(EVALUATION, **settings["values"], **given),
        "robustness": robustness.robustness(
            test, rankings, EVALUATION, 1, **settings["robustness"]
        ).table,
        "corrections": corrections.corrections(
            test, rankings, EVALUATION, **settings["corrections"], pools=2
        ),
    }
    return {name: table.assign(dataset="made-up") for name, table in found.items()}


@pytest.fixture(scope="module")
def paper():
    """Return the tables of the paper's own rankings."""
    by_size = constructed.by_size(**settings_of("sampling/by-size"))
    return {
        "curves": constructed.curves(),
        "example": constructed.example(2018, **settings_of("sampling/example")),
        "by_size": by_size,
        "by_rank": constructed.by_rank(**settings_of("sampling/by-rank")),
        "orders": constructed.orders(by_size),
    }


def rows(table, **wanted):
    """Return the rows of a table that have these values."""
    for name, value in wanted.items():
        table = table[table[name] == value]
    return table


def test_the_simulation_finds_what_is_expected(paper):
    table = paper["example"]
    error = table["deviation"] / np.sqrt(1000)
    assert ((table["simulated"] - table["expected"]).abs() <= 4 * error + 1e-12).all()
    known = table[table["deviation"] > 0.001]
    ratio = known["simulated_deviation"] / known["deviation"]
    assert ratio.between(0.9, 1.1).all()
    again = constructed.sampled_ranks(np.array([40, 9]), 5, 20, 3, "A", replacement=False)
    assert again.shape == (20, 2)
    assert again.min() >= 1
    assert again.max() <= 6


def test_the_claims_about_the_papers_rankings_hold(paper):
    needed = {name: paper[name] for name in ("example", "by_size", "by_rank", "orders")}
    found = constructed_claims(read(CLAIMS), "constructed", **needed)
    several = found["id"].str.contains(":")
    assert [(~several).sum(), several.sum()] == [55, 9]
    assert set(found["reproduced"]) == {"holds"}
    wrong = needed | {"example": needed["example"].assign(expected=0.9)}
    found = constructed_claims(read(CLAIMS), "constructed", **wrong)
    assert (found["reproduced"] == "does not hold").sum() >= 9


def test_the_orders_are_those_of_section_4_3(paper):
    own = paper["orders"].query("metric == 'AP'")

    def order(m):
        return own[(own["first"] <= m) & (own["last"] >= m)]["order"].item()

    assert [order(m) for m in (1, 49, 200, 500, 1000, 9999)] == [
        *("A > C > B", "A > C > B", "A > B > C", "C > A > B", "C > A = B", "C > A = B")
    ]
    auc = rows(paper["orders"], metric="AUC")
    assert (auc["order"].item(), auc["reliable_from"].item()) == ("A > C > B", 1)


def test_all_items_give_the_order_of_the_exact_metric(data, results):
    _, test, rankings = data
    judgements, _ = judged(test, 4)
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    kept = judgements.n_relevant > 0
    own = rows(results["values"], sampler="uniform", relevant="together", m=np.inf, cutoff=5)
    for metric in METRICS:
        exact = evaluate(judgements, lists, [f"{metric}@5"], "rendle")[kept, :, 0].mean(axis=0)
        np.testing.assert_allclose(rows(own, metric=metric)["value"], exact, atol=1e-12)


def test_pairs_in_the_wrong_order_are_counted(results):
    found, values = results["systems"], results["values"]
    keys = ["sampler", "relevant", "metric", "cutoff", "m"]
    assert (found.loc[found["m"] == np.inf, ["wrong", "contradicted"]] == 0).all(axis=None)
    exact = values[values["m"] == np.inf].set_index([*keys[:4], "system"])["value"]
    wrong = 0
    for key, own in values.groupby(keys, sort=False):
        by_name = own.set_index("system")["value"].round(12)
        pairs = itertools.combinations(by_name.index, 2)
        turned = sum(
            (by_name[a] - by_name[b]) * (exact[(*key[:4], a)] - exact[(*key[:4], b)]) < 0
            for a, b in pairs
        )
        row = rows(found, **dict(zip(keys, key, strict=True)))
        assert row["wrong"].item() == turned
        assert row["contradicted"].item() <= row["wrong_significant"].item() <= turned
        wrong += turned
    assert wrong > 0


def test_one_sample_orders_single_items_as_auc_does(results):
    own = rows(results["systems"], relevant="alone", m=1)
    assert (own[own["metric"].isin(["AP", "nDCG", "RR"])]["tau_auc"] == 1).all()
    assert own[own["metric"].isin(["P", "R"])]["tau"].isna().all()
    assert (rows(results["systems"], metric="AUC")["tau"] == 1).all()


def test_the_same_seed_gives_the_same_table(data, results):
    train, test, rankings = data
    settings = settings_of("sampling/systems", **MEASURED, **DRAWN, samplers=["uniform"])
    again = systems.systems(EVALUATION, 1, **settings, train=train, test=test, rankings=rankings)
    first = rows(results["systems"], sampler="uniform").drop(columns="dataset")
    pd.testing.assert_frame_equal(again, first, check_exact=True)


@pytest.mark.parametrize("choice", [{"samplers": ["popular"]}, {"relevant": ["apart"]}])
def test_a_way_of_sampling_that_is_unknown_is_an_error(choice):
    with pytest.raises(ValidationError, match="Input should be"):
        settings_of("sampling/values", **choice)


def test_weights_above_an_item_are_exact_in_the_list_and_bounded_below(data):
    train, test, _ = data
    rng = np.random.default_rng(6)
    scores = rng.normal(size=(N_USERS, N_ITEMS))
    judgements, users = judged(test, 4)
    weight = np.bincount(train.indices, minlength=N_ITEMS)
    pool = np.bincount(test.indices, minlength=N_ITEMS) > 0
    left = (pool & (train.toarray() == 0)).sum(axis=1).astype(np.int32)
    found = {}
    for depth in (DEPTH, N_ITEMS):
        made = rank(scores, train, test, depth)
        ranking = Rankings(made.items, made.ranks, made.n_ranked, left)
        system = uniform(ranking, judgements, "together")
        popularity = Popularity.of(train, test, 4, left)
        found[depth] = popularity.bounds(ranking, system, users)
    likely, least, most = found[N_ITEMS]
    assert (likely.above == least.above).all()
    assert (least.above == most.above).all()
    relevant = (test.toarray() >= 4) & (train.toarray() == 0)
    for entry in range(0, len(likely.row), 7):
        user = users[likely.row[entry]]
        order = ranking.items[user][ranking.items[user] >= 0]
        others = [item for item in order if not relevant[user, item]]
        above = [i for i in order[: likely.rank[entry] - 1] if not relevant[user, i]]
        assert likely.above[entry] == weight[above].sum()
        assert likely.total[entry] == weight[others].sum()
    guess, low, high = found[DEPTH]
    assert (low.above <= likely.above).all()
    assert (likely.above <= high.above).all()
    assert (low.above <= guess.above).all()
    assert (guess.above <= high.above).all()
    for m in (1, 3):
        each = [part.values(m, ["P", "AP"], [2, 5]) for part in found[DEPTH]]
        own = values_of_bounds(found[DEPTH], m, ["P", "AP"], [2, 5])
        np.testing.assert_array_equal(own, each)
        assert not np.array_equal(own[1], own[2])
    deep = guess.rank > DEPTH + 1
    assert deep.any()
    assert (guess.above == likely.above)[~deep].all()
    with pytest.raises(RankassayError, match="expected rankings of the test set's items"):
        Popularity.of(train, test, 4, left - 1)


def test_bounds_that_overlap_leave_pairs_open():
    ends = np.array([[[0.1], [0.3]], [[0.2], [0.4]], [[0.5], [0.6]]])
    same = np.zeros(3, dtype=bool)
    assert systems.undecided(ends, same) == [1]
    assert systems.undecided(ends[:, :1], same) == [0]
    same[0] = True  # the first two are one: they always overlap
    assert systems.undecided(ends, same) == [0]


def test_metrics_agree_as_their_orders_do(results):
    table = systems.agreement(results["values"])
    alone = rows(table, relevant="alone", m=1, cutoff=5, metric_a="AP", metric_b="AUC")
    assert alone["tau"].item() == 1
    assert rows(table, relevant="alone", metric_a="AP", metric_b="RR")["tau"].eq(1).all()


def test_the_whole_test_set_is_as_robust_as_can_be(results):
    table = results["robustness"]
    assert np.allclose(rows(table, level=100)["tau"].dropna(), 1)
    assert rows(table, level=30)["tau"].min() < 1
    exact = rows(table, m=np.inf)
    np.testing.assert_array_equal(exact["tau"], exact["tau_exact"])


def test_what_is_not_corrected_is_the_sampled_metric(data, results):
    train, test, rankings = data
    measured = {"metrics": ["R"], "cutoffs": [5], "sizes": [4]}
    way = {"samplers": ["uniform"], "relevant": ["alone"]}
    settings = settings_of("sampling/values", **measured, **way)
    alone = systems.values(EVALUATION, **settings, train=train, test=test, rankings=rankings)
    values = alone.pivot(index="system", columns="m", values="value")
    bias = np.sqrt(((values[4.0] - values[np.inf]) ** 2).mean())
    row = rows(results["corrections"], correction="uncorrected", metric="R", cutoff=5, m=4)
    assert row["bias"].item() == pytest.approx(bias)


def test_the_noise_of_one_evaluation_turns_pairs_round():
    exact = np.array([[0.3], [0.2], [0.2]])
    mean, same = np.array([[0.3], [0.2], [0.1]]), np.zeros(3, dtype=bool)
    table = corrections.compare(exact, mean, np.full((3, 1), 0.005), same)
    # Two pairs have an exact order, at 1 and 2 standard deviations of their difference.
    assert table["wrong"].item() == 0
    assert table["wrong_one_draw"].item() == pytest.approx(0.158655 + 0.022750, abs=1e-5)
    sure = corrections.compare(exact, -mean, np.zeros((3, 1)), same)
    assert sure["wrong"].item() == sure["wrong_one_draw"].item() == 2
    assert sure["pairs"].item() == 3
    assert corrections.compare(exact, -mean, np.zeros((3, 1)), ~same)["pairs"].item() == 0


def test_users_are_grouped_by_their_number_of_items():
    group, n = corrections.grouped(np.array([10.0, 11, 50, 52, 54]), 2)
    assert (list(group), n) == ([0, 0, 0, 1, 1], [11, 53])
    group, n = corrections.grouped(np.full(5, 10.0), 3)
    assert (list(group), n) == ([0] * 5, [10])


def of_users(data, users, least=None):
    """Return the data of some users alone, whose test ratings are `least` at most."""
    train, test, rankings = data
    own = test[users]
    if least is not None:
        own.data = np.minimum(own.data, np.float32(least))
    chosen = np.repeat(np.isin(np.arange(N_USERS), users), np.diff(test.indptr))
    few = {
        name: Rankings(
            ranking.items[users],
            ranking.ranks[chosen],
            ranking.n_ranked[users],
            ranking.n_candidates[users],
        )
        for name, ranking in rankings.items()
    }
    return train[users], own, few


@pytest.mark.parametrize("n_users", [1, 3])
def test_parts_without_a_relevant_item_have_no_order(data, n_users):
    _, test, rankings = of_users(data, np.arange(n_users))
    settings = settings_of("sampling/robustness", **MEASURED, levels=[100, 1], samples=2)
    found = robustness.robustness(test, rankings, EVALUATION, 1, **settings).table
    assert rows(found, level=1)["tau"].isna().all()
    assert (rows(found, level=1)["undefined"] == 2).all()
    assert rows(found, level=100)["tau"].notna().any()
    figure = figures.robustness(rows(found, level=1).assign(dataset="made-up"), PANELS)
    assert np.isfinite([axes.get_ylim() for axes in figure.axes]).all()


def test_where_nothing_is_relevant_it_is_said(data):
    train, test, rankings = of_users(data, np.arange(3), least=3)
    given = {"train": train, "test": test, "rankings": rankings}
    expected = "no test rating reaches the threshold 4, the highest is 3: nothing is relevant"
    with pytest.raises(RankassayError, match=expected):
        systems.systems(EVALUATION, 1, **settings_of("sampling/systems"), **given)
    with pytest.raises(RankassayError, match=expected):
        systems.values(EVALUATION, **settings_of("sampling/values"), **given)
    with pytest.raises(RankassayError, match=expected):
        robustness.robustness(test, rankings, EVALUATION, 1, **settings_of("sampling/robustness"))
    with pytest.raises(RankassayError, match=expected):
        corrections.corrections(test, rankings, EVALUATION, **settings_of("sampling/corrections"))


def test_power_without_intervals_is_drawn(results):
    bare = results["systems"].assign(low=np.nan, high=np.nan)
    figure = figures.power(bare, PANELS)
    highest = bare.query("cutoff == 10")["dp"].max()
    assert all(axes.get_ylim()[1] >= highest for axes in figure.axes)


def test_users_without_irrelevant_items_are_corrected_as_first_of_two():
    assert corrections.grouped(np.array([1.0, 1, 9]), 2)[1] == [2, 9]


PANELS = [{"dataset": "made-up", "title": TITLES["made-up"], "cutoff": 10}]


@pytest.mark.parametrize(
    ("draw", "name", "n_axes"),
    [
        (figures.systems, "systems", 4),
        (figures.samplers, "systems", 3),
        (figures.power, "systems", 6),
        (figures.places, "values", 6),
        (figures.robustness, "robustness", 3),
        (figures.corrections, "corrections", 2),
    ],
)
def test_figures_of_systems_say_that_data_is_synthetic(results, draw, name, n_axes):
    figure = draw(results[name], PANELS)
    drawn = [axes for axes in figure.axes if axes.lines]
    assert len(drawn) == n_axes
    check_axes(figure, results[name])
    titles = [figure.get_suptitle()] if figure.get_suptitle() else [a.get_title() for a in drawn]
    assert all("(synthetic)" in title.replace("\n", " ") for title in titles)


@pytest.mark.parametrize(
    ("draw", "name", "n_lines"),
    [
        (figures.curves, "curves", [5, 5]),
        (figures.by_size, "by_size", [6] * 4),
        (figures.by_rank, "by_rank", [5] * 4),
    ],
)
def test_figures_of_the_paper_draw_every_line(paper, draw, name, n_lines):
    panels = [{"dataset": "constructed", "title": "Constructed rankings", "cutoff": 10}]
    figure = draw(paper[name].assign(dataset="constructed"), panels)
    assert [len(axes.lines) for axes in figure.axes] == n_lines
    check_axes(figure, paper[name])


def test_tables_hold_what_was_found(results, paper):
    printed = pd.read_csv(ROOT / "src/rankassay/studies/sampling/published/example.csv")
    example = tables.example(paper["example"], printed)
    best = example.frame[example.marked["Printed mean"]]
    assert dict(zip(best["Metric"], best["Algorithm"], strict=True)) == dict.fromkeys(
        ["AUC", "AP", "nDCG", "Recall@10"], "A"
    )
    assert tables.orders(paper["orders"]).marked["Order"].sum() > 5
    wide = tables.systems(results["systems"], 10, TITLES).frame
    assert list(wide.columns[3:]) == ["m = 1", "m = 10", "all"]
    assert (wide["all"] == 1).all()
    assert len(wide) == 17
    wrong = tables.wrong(results["systems"], 10, TITLES).frame
    assert wrong.loc[wrong["Metric"] == "AUC", "m = 1"].eq("0 (0)").all()
    assert wrong["m = 1"].isna().sum() == 6  # P@10 and Recall@10 of lists of 10 at most
    assert len(tables.corrections(results["corrections"], 10, TITLES).frame) == 10
    with pytest.raises(RankassayError, match="to show: expected rows at cut-off 7"):
        tables.systems(results["systems"], 7, TITLES)


@pytest.mark.parametrize(
    ("sizes", "labelled"),
    [
        ([1, 10, 50, 99, 100, 200, 500, 1000, np.inf], [1, 10, 100, 1000]),
        ([10, 50, 100, 200, 500], [10, 50, 100, 200, 500]),
        ([5, 10, 19, 20, np.inf], [5, 10, 20]),
        ([1, 10, np.inf], [1, 10]),
        ([7], [7]),
    ],
)
def test_sizes_of_small_samples_have_labels_that_do_not_touch(sizes, labelled):
    assert figures.size_ticks(pd.Series(sizes, dtype=float)) == labelled
