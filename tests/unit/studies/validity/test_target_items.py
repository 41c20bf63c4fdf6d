"""Target items: the protocol against brute force, and what becomes of its numbers."""

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.stats import ttest_rel
from settings_of import settings_of

import rankassay
from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.shards import WHOLE, Shard
from rankassay.artifacts.tables import read_table, write_table
from rankassay.data.parts import split_as_given
from rankassay.errors import RankassayError
from rankassay.recommenders.base import Recommender
from rankassay.seeds import derive, generator
from rankassay.studies.validity import figures, tables, target_items
from rankassay.studies.validity.candidates import listed, targets_by_size
from rankassay.studies.validity.target_items import KEYS, Fold

PUBLISHED = pd.read_csv(
    Path(rankassay.__file__).parent / "studies/validity/published/target-items.csv"
)
N_USERS, N_ITEMS = 25, 30
SIZES = [0, 1, 4, 10]
SMALL = {"neighbours": 5}
SYSTEMS = [
    {"label": "Random", "method": "random"},
    {"label": "Popularity", "method": "popularity"},
    {"label": "Average rating", "method": "average-rating"},
    {"label": "kNN", "method": "user-knn", "settings": SMALL},
    {"label": "Means", "method": "user-knn", "settings": SMALL | {"normalised": True}},
]
CHOSEN = {"sizes": SIZES, "folds": 3, "cutoffs": [2, 5], "recommenders": SYSTEMS, "resamples": 40}


def ratings():
    """Return ratings of which one user has a single one and another two, none of them liked."""
    rng = np.random.default_rng(8)
    stars = rng.integers(1, 6, (N_USERS, N_ITEMS)) * (rng.random((N_USERS, N_ITEMS)) < 0.35)
    stars[3], stars[4] = 0, 0
    stars[3, 7], stars[4, 8:10] = 5, 2
    stars[0] = rng.integers(1, 6, N_ITEMS)  # who has nothing left to be drawn
    user, item = np.nonzero(stars)
    ids = np.arange(N_USERS).astype(str), np.arange(N_ITEMS).astype(str)
    given = stars[user, item].astype(np.float32)
    return Ratings(user.astype(np.int32), item.astype(np.int32), given, *ids)


def totals(seed=1, dataset="made-up", threshold=4, shard=WHOLE, **changes):
    settings = settings_of("validity/target-folds", **CHOSEN | changes)
    return target_items.target_folds(
        ratings(), dataset, seed, {"threshold": threshold}, shard, **settings
    )


def replicated(*args, dataset="made-up", **changes):
    return target_items.target_items(totals(*args, dataset=dataset, **changes), PUBLISHED, dataset)


def measured(*args, **changes):
    return replicated(*args, **changes).table


@pytest.fixture(scope="module")
def table():
    return measured()


def starts(rows):
    """Return lists of items as the starts of rows and one array."""
    ends = np.cumsum([0, *map(len, rows)])
    return ends, np.array([*itertools.chain(*rows)], dtype=np.int32)


def targets_of(order, size, train, test):
    """Draw the first `size` of those that are no test items, and leave out training items."""
    drawn = [item for item in order if item not in test][:size]
    return {*test, *drawn} - {*train}


def list_of(scores, targets, ties, turn, depth):
    """Rank targets by score; fill the list by walking round `ties` from a place on."""
    places = {item: place for place, item in enumerate(ties)}
    known = [item for item in targets if scores[item] > -np.inf]
    unknown = [item for item in targets if scores[item] == -np.inf]
    known.sort(key=lambda item: (-scores[item], places[item]))
    unknown.sort(key=lambda item: (places[item] - turn) % len(ties))
    return (known + unknown)[:depth], min(len(known), depth)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("depth", [1, 3, 40])
def test_lists_equal_brute_force(seed, depth):
    rng = np.random.default_rng(seed)
    n_users, n_items = 8, 17
    sizes = np.array([0, 1, 5, n_items])
    parts = [rng.permutation(n_items)[: rng.integers(2, n_items)] for _ in range(n_users)]
    cuts = [rng.integers(0, len(part) + 1) for part in parts]
    train = [sorted(part[:cut]) for part, cut in zip(parts, cuts, strict=True)]
    test = [sorted(part[cut:]) for part, cut in zip(parts, cuts, strict=True)]
    orders = rng.permuted(np.tile(np.arange(n_items), (n_users, 1)), axis=1)
    # Few values, so that many tie, and a third of the items have none.
    scores = rng.integers(0, 4, (n_users, n_items)).astype(float)
    scores[rng.random(scores.shape) < 0.3] = -np.inf
    ties, turns = rng.permutation(n_items), rng.integers(n_items, size=n_users)
    drawn, counts = targets_by_size(orders, sizes, starts(train), starts(test))
    ranks, scored = listed(scores, drawn, counts, ties, turns, starts(test), depth)
    assert (np.count_nonzero(drawn >= 0, axis=1) == counts[:, -1]).all()
    for (k, size), u in itertools.product(enumerate(sizes), range(n_users)):
        targets = targets_of(orders[u], size, train[u], test[u])
        assert sorted(drawn[u, : counts[u, k]]) == sorted(targets)
        best, known = list_of(scores[u], targets, ties, turns[u], depth)
        wanted = [best.index(item) + 1 if item in best else 0 for item in test[u]]
        own = slice(*starts(test)[0][u : u + 2])
        assert ranks[k, own].tolist() == wanted
        assert scored[k, u] == known


def brute_force(seed, threshold):
    """Return the value of each metric, system, size and user of all folds, from the definitions."""
    given = ratings()
    matrix = sp.csr_matrix((given.rating, (given.user, given.item)), (N_USERS, N_ITEMS))
    fold_of = generator(seed, "target-items").integers(3, size=matrix.nnz)
    values, scored, counts = {}, {}, {}
    for number in range(3):
        own = derive(seed, "target-items", number)
        train, test = split_as_given(matrix, fold_of == number)
        users = [u for u in range(N_USERS) if train[[u]].nnz]
        orders = np.tile(np.arange(N_ITEMS), (len(users), 1))
        generator(own, "targets").permuted(orders, axis=1, out=orders)
        ties = generator(own, "ties").permutation(N_ITEMS)
        for system in SYSTEMS:
            label, method = system["label"], system["method"]
            settings = system.get("settings", {})
            if method in ("user-knn", "average-rating"):
                settings = settings | {"threshold": threshold}
            model = rankassay.lookup.load(rankassay.recommenders.catalogue.RECOMMENDERS[method])(
                **settings
            )
            scores = model.fit(train, own).score(np.array(users, dtype=np.int32))
            turns = generator(own, "fill", label).integers(N_ITEMS, size=len(users))
            for size, (row, u) in itertools.product([*SIZES, N_ITEMS], enumerate(users)):
                rated = test[[u]]
                liked = {*rated.indices[rated.data >= threshold]}
                targets = targets_of(orders[row], size, {*train[[u]].indices}, {*rated.indices})
                best, known = list_of(scores[row], targets, ties, turns[row], 5)
                counts.setdefault(size, []).append(len(targets)) if label == "Random" else None
                for cutoff in (2, 5):
                    hits = [item in liked for item in best[:cutoff]]
                    gain = sum(hit / math.log2(k + 2) for k, hit in enumerate(hits))
                    ideal = sum(1 / math.log2(k + 2) for k in range(min(len(liked), cutoff)))
                    found = {
                        "P": sum(hits) / cutoff,
                        "R": sum(hits) / len(liked) if liked else 0.0,
                        "nDCG": gain / ideal if liked else 0.0,
                    }
                    for metric, value in found.items():
                        values.setdefault((label, metric, cutoff, size), []).append(value)
                    share = min(known, cutoff) / cutoff
                    scored.setdefault((label, cutoff, size), []).append(share)
    return values, scored, counts


@pytest.mark.parametrize(("seed", "threshold"), [(1, 4), (2, 3)])
def test_the_whole_protocol_equals_brute_force(seed, threshold):
    values, scored, counts = brute_force(seed, threshold)
    rows = measured(seed=seed, threshold=threshold).set_index([*KEYS[:-1]])["value"]
    for (label, metric, cutoff, size), own in values.items():
        assert rows["mean", label, metric, cutoff, size] == pytest.approx(np.mean(own), abs=1e-12)
    for (label, cutoff, size), own in scored.items():
        assert rows["coverage", label, "", cutoff, size] == pytest.approx(np.mean(own), abs=1e-12)
    for (size, own), cutoff in itertools.product(counts.items(), (2, 5)):
        expected = np.mean([min(n, cutoff) / n if n else 1 for n in own])
        assert rows["intersection", "", "", cutoff, size] == pytest.approx(expected, abs=1e-12)
    labels = [system["label"] for system in SYSTEMS]
    for metric, cutoff, size in itertools.product(("P", "R", "nDCG"), (2, 5), (0, 4, N_ITEMS)):
        pairs = [
            [np.array(values[label, metric, cutoff, size]).round(12) for label in pair]
            for pair in itertools.combinations(labels, 2)
        ]
        expected = {
            "ties": np.mean([(a == b).mean() for a, b in pairs]),
            "ties at zero": np.mean([((a == b) & (a == 0)).mean() for a, b in pairs]),
            "p-values": sum(ttest_rel(a, b).pvalue if (a != b).any() else 1 for a, b in pairs),
        }
        for statistic, value in expected.items():
            assert rows[statistic, "all pairs", metric, cutoff, size] == pytest.approx(
                value, rel=1e-9
            )
    assert len(counts[0]) < 3 * N_USERS  # someone has no training ratings in some fold


def test_values_are_those_that_rankassay_evaluate_gives():
    given = ratings()
    matrix = sp.csr_matrix((given.rating, (given.user, given.item)), (N_USERS, N_ITEMS))
    tested = np.random.default_rng(3).random(matrix.nnz) < 0.4
    fold = Fold.of(*split_as_given(matrix, tested), [0, N_ITEMS], 10, seed=5)
    model = rankassay.recommenders.baselines.Popularity().fit(fold.train, 1)
    measures = ["P@10", "R@10", 'nDCG(gain="binary")@10', "AP@10", "RR@10"]
    ranks, _, targets = fold.ranked({"Popularity": model})
    values = fold.evaluated(ranks[0], targets, 4, measures)
    ties = generator(5, "ties").permutation(N_ITEMS).tolist()
    for k, everything in enumerate((False, True)):
        qrels, lists = {}, {}
        for row, u in enumerate(fold.users):
            rated = fold.test[[row]]
            if not rated.nnz:
                assert (values[k, row] == 0).all()
                continue
            qrels[u] = dict(zip(rated.indices.tolist(), rated.data.tolist(), strict=True))
            own = {*range(N_ITEMS)} if everything else {*rated.indices.tolist()}
            own -= {*fold.train[[u]].indices.tolist()}
            popularity = model.score(np.array([u], dtype=np.int32))[0]
            best = sorted(own, key=lambda item: (-popularity[item], ties.index(item)))
            lists[u] = {item: float(-place) for place, item in enumerate(best)}
        found = rankassay.evaluate(qrels, lists, measures, threshold=4, per_user=True)
        rows = np.searchsorted(fold.users, found["user"].to_numpy(int))
        np.testing.assert_allclose(values[k, rows], found[measures].to_numpy(float), atol=1e-14)


def test_totals_come_back_from_their_file_whatever_systems_are_called(tmp_path):
    named = [SYSTEMS[0] | {"label": "1"}, SYSTEMS[1] | {"label": "01"}]
    found = totals(recommenders=named, sizes=[0])
    write_table(found.table, tmp_path / "folds.csv")
    stored = replace(found, table=read_table(tmp_path / "folds.csv"))
    own, whole = (target_items.target_items(own, PUBLISHED, "made-up") for own in (stored, found))
    pd.testing.assert_frame_equal(own.table, whole.table)
    np.testing.assert_array_equal(own.replicates, whole.replicates)


@pytest.mark.parametrize("count", [2, 3])
def test_folds_that_several_jobs_make_are_those_of_one(count):
    whole = totals()
    parts = [totals(shard=Shard(number, count)) for number in range(1, count + 1)]
    table = pd.concat([part.table for part in parts], ignore_index=True)
    pd.testing.assert_frame_equal(table, whole.table)
    np.testing.assert_array_equal(np.vstack([part.replicates for part in parts]), whole.replicates)
    assert [part.table["fold"].nunique() for part in parts] == {2: [1, 2], 3: [1, 1, 1]}[count]


def test_equal_systems_have_p_values_of_1():
    twins = [*SYSTEMS[1:3], SYSTEMS[1] | {"label": "Popularity again"}]
    # Scores that tie are in one order of all systems, and these two systems have no others.
    found = measured(recommenders=twins, sizes=[0]).query("statistic == 'p-values'")
    apart = measured(recommenders=twins[:2], sizes=[0]).query("statistic == 'p-values'")
    # Of three pairs one is equal, and the other two have the same p-value.
    expected = 1 + 2 * apart["value"].to_numpy()
    np.testing.assert_allclose(found["value"], expected, rtol=1e-12)


def test_what_rounding_leaves_of_equal_systems_is_no_difference():
    found = totals(recommenders=SYSTEMS[1:3], sizes=[0])
    own = found.table.query("statistic == 'mean' and system_a == 'Popularity'").index
    other = found.table.query("statistic == 'mean' and system_a == 'Average rating'").index
    table = found.table.copy()
    table.loc[other, "total"] = table.loc[own, "total"].to_numpy() * (1 + 2e-16)
    table.loc[table["statistic"] == "squared difference", "total"] = 0.0
    equal = replace(found, table=table)
    tests = target_items.target_items(equal, PUBLISHED, "made-up").table.query(
        "statistic == 'p-values'"
    )
    assert (tests["value"] == 1).all()


def test_same_seed_gives_the_same_table_and_another_one_another(table):
    pd.testing.assert_frame_equal(measured(), table)
    assert (measured(seed=2)["value"] != table["value"]).any()


def test_a_size_or_a_system_more_changes_no_other_number(table):
    fewer = measured(sizes=[4], recommenders=SYSTEMS[1:3])
    fewer = fewer[fewer["statistic"] == "mean"]
    both = fewer.merge(table, on=KEYS)
    assert len(both) == len(fewer) == 2 * 2 * 3 * 2
    np.testing.assert_array_equal(both["value_x"], both["value_y"])


def test_sizes_beyond_the_catalogue_are_all_items(table):
    pd.testing.assert_frame_equal(measured(sizes=[*SIZES[::-1], N_ITEMS, 500]), table)


def test_replicates_are_means_over_resampled_users():
    found = replicated()
    assert found.column == "value"
    assert found.replicates.shape == (len(found.table), 40)
    tests = (found.table["statistic"] == "p-values").to_numpy()
    assert np.isnan(found.replicates[tests]).all()
    assert np.isfinite(found.replicates[~tests]).all()
    values, _, _ = brute_force(1, 4)
    own = np.array(values["kNN", "P", 5, N_ITEMS])
    row = found.table.query("statistic == 'mean' and system == 'kNN' and metric == 'P'")
    row = row.query("cutoff == 5 and size == @N_ITEMS").index
    spread = found.replicates[row].std()
    # A user's three folds are drawn together, so that they vary more than as many users would.
    assert 0.5 < spread / (own.std() / np.sqrt(len(own))) < 2.5


def test_published_numbers_stand_beside_those_of_their_dataset_alone(table):
    assert table["published"].isna().all()
    found = measured(dataset="ml-1m", cutoffs=[10], sizes=[0, 10], recommenders=SYSTEMS[:2])
    known = found.dropna(subset="published").set_index(KEYS)["published"]
    assert known["mean", "Popularity", "P", 10, 0, 0] == 0.6247715231788079
    assert known["intersection", "", "", 10, 10, 0] == pytest.approx(0.372799, abs=1e-6)
    # Those of eight systems say nothing of two.
    assert not {"ties", "p-values"} & {*known.index.get_level_values("statistic")}


def test_the_systems_are_those_whose_numbers_were_published():
    settings = settings_of("validity/target-folds")
    labels = {system["label"] for system in settings["recommenders"]}
    assert {*PUBLISHED["system"].dropna()} == labels | {"all pairs"}
    assert {*PUBLISHED["size"]} == {*settings["sizes"], 3706}
    assert {*PUBLISHED["metric"].dropna()} == {*settings["metrics"]}
    assert settings["folds"] == 5


def test_the_published_numbers_are_complete():
    assert PUBLISHED.groupby("figure").size().to_dict() == {1: 16, 3: 312, 4: 156, 5: 104}
    repeated = PUBLISHED.fillna("").groupby(KEYS)["published"]
    assert (repeated.nunique() == 1).all()  # figures 1 and 3 agree, and so do the panels of 4


TITLES = {"ml-1m": "MovieLens 1M", "made-up": "Made up"}


@pytest.fixture(scope="module")
def two_datasets():
    """Return tables of two datasets, one of them with published numbers, as files have them."""
    small = {"cutoffs": [5, 10], "sizes": [0, 10]}
    parts = [measured(dataset=name, **small).assign(dataset=name) for name in TITLES]
    return pd.concat(parts, ignore_index=True).replace({"": np.nan})


def test_table_of_values_marks_the_best_of_each_metric(two_datasets):
    found = tables.target_items(two_datasets, 5, TITLES)
    frame = found.frame
    assert [*frame] == ["Dataset", "Metric", "System", "N = 0", "N = 10", "all"]
    assert len(frame) == 2 * 3 * len(SYSTEMS)
    assert frame["Metric"].unique().tolist() == ["P@5", "nDCG@5", "Recall@5"]
    assert frame["System"][: len(SYSTEMS)].tolist() == [system["label"] for system in SYSTEMS]
    for column in ("N = 0", "N = 10", "all"):
        best = frame.groupby(["Dataset", "Metric"])[column].transform("max")
        assert found.marked[column] == (frame[column] == best).tolist()
    own = two_datasets.query("dataset == 'made-up' and statistic == 'mean' and cutoff == 5")
    value = own.query("metric == 'nDCG' and system == 'kNN' and size == 30")["value"].item()
    row = frame.query("Dataset == 'Made up' and Metric == 'nDCG@5' and System == 'kNN'")
    assert row["all"].item() == value


def test_table_of_published_numbers(two_datasets):
    frame = tables.target_published(two_datasets, TITLES).frame
    assert {*frame["Dataset"]} == {"MovieLens 1M"}
    assert [*frame["What"]][:2] == ["Mean: Random", "Mean: Popularity"]
    own = two_datasets.query("system == 'Popularity' and statistic == 'mean'").dropna()
    assert frame["Cells"][1] == len(own) == 6
    apart = 100 * (own["value"] - own["published"]) / own["published"]
    assert frame["Mean difference"][1] == pytest.approx(apart.mean())
    assert frame["Mean absolute difference"][1] == pytest.approx(apart.abs().mean())
    assert abs(frame["Largest difference"][1]) == pytest.approx(apart.abs().max())
    nothing = tables.target_published(two_datasets.query("dataset == 'made-up'"), TITLES)
    assert nothing.frame.empty
    assert "nothing to compare" in nothing.note


@pytest.mark.parametrize("dataset", TITLES)
def test_figures_show_what_was_measured_and_published(two_datasets, dataset):
    panel = {"dataset": dataset, "title": TITLES[dataset], "cutoff": 10}
    figure = figures.target_items(two_datasets, [panel])
    assert len(figure.axes) == 4
    assert [label.get_text() for label in figure.axes[3].get_xticklabels()] == ["0", "10", "all"]
    known = two_datasets.query("dataset == @dataset and metric == 'P' and cutoff == 10")
    lines = figure.axes[0].get_lines()
    shown = [line.get_ydata().tolist() for line in lines if line.get_marker() != "None"]
    means = known[known["statistic"] == "mean"]
    assert shown == [means[means["system"] == s["label"]]["value"].tolist() for s in SYSTEMS]
    dashed = sum(line.get_marker() == "None" for line in lines)
    assert dashed == (4 if dataset == "ml-1m" else 0)  # of all but the one that is our own
    assert len(figures.target_ties(two_datasets, [panel]).axes) == 6


class NoScores(Recommender):
    def fit(self, train, seed):
        self.shape_ = train.shape
        return self

    def score(self, users):
        return np.full((len(users), self.shape_[1]), np.nan)


def test_mistakes_are_named():
    given = ratings()
    matrix = sp.csr_matrix((given.rating, (given.user, given.item)), (N_USERS, N_ITEMS))
    fold = Fold.of(matrix, matrix[:, :0] @ matrix[:0], [N_ITEMS], 5, seed=1)
    with pytest.raises(RankassayError, match="Mine: expected a score for each of 30 items"):
        fold.ranked({"Mine": NoScores().fit(matrix, 1)})
    with pytest.raises(ValueError, match=r"unknown method 'user-kn'.*user-knn"):
        measured(recommenders=[SYSTEMS[0], {"label": "x", "method": "user-kn"}])
    wrong = {"label": "x", "method": "user-knn", "settings": {"neighbors": 3}}
    with pytest.raises(ValueError, match=r"unknown setting 'neighbors'.*neighbours"):
        measured(recommenders=[SYSTEMS[0], wrong])
    wrong["settings"] = {"neighbours": 3.0}
    with pytest.raises(ValueError, match=r"neighbours: expected a whole number, found 3\.0"):
        measured(recommenders=[SYSTEMS[0], wrong])
    with pytest.raises(RankassayError, match="made-up: expected ratings in each of 900 folds"):
        measured(folds=900)
    with pytest.raises(ValueError, match="at least 2"):
        measured(recommenders=SYSTEMS[:1])
    with pytest.raises(ValueError, match="found 'Random' twice"):
        measured(recommenders=[SYSTEMS[0], SYSTEMS[0]])
