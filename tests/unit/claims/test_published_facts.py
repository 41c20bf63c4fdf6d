"""What Valcarce et al. published about single systems, in their means and in how ours behave.

The authors published no settings; these facts are what tells which variant of a method they ran.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from rankassay.data.parts import split
from rankassay.data.synthetic import generate
from rankassay.recommenders.baselines import Popularity, Random
from rankassay.recommenders.factorization import PureSVD
from rankassay.recommenders.feedback import RSV, Rocchio
from rankassay.recommenders.hitting_time import HittingTime
from rankassay.recommenders.rank import rank
from rankassay.recommenders.rating_factorization import SVD
from rankassay.recommenders.relevance_models import RM1, RM2, UIRItem
from rankassay.studies.fidelity.means import NDCG

ROOT = Path(__file__).parents[3]
PUBLISHED = pd.read_csv(ROOT / "src/rankassay/studies/fidelity/published/system-means.csv")
CONFIG = yaml.safe_load((ROOT / "config/config.yaml").read_text())
CATALOGUE = yaml.safe_load((ROOT / "config/recommenders.yaml").read_text())["recommender_catalogue"]
DATASETS = ["ml-1m", "librarything", "beeradvocate"]
NNCOSNGBR = {"nncosngbr-ub", "nncosngbr-ib"}
DEPTH = 100
THRESHOLD = 4


def published(dataset):
    """Return the published means of a dataset, one row a recommender, one column a measure."""
    rows = PUBLISHED[PUBLISHED["dataset"] == dataset]
    return rows.pivot(index="recommender", columns="measure", values="mean")


@pytest.fixture(scope="module")
def parts():
    """Return the training and test ratings of synthetic data with a long tail."""
    return split(generate(600, 800, 30_000, 0.6, seed=1).matrix, 0.2, "floor", 1)


def fitted(model, parts):
    return model.fit(parts[0], seed=1)


def lists(model, parts, candidates="test_items"):
    return rank(fitted(model, parts), *parts, DEPTH, candidates)


def precision(rankings, parts, depths=(10, 100)):
    """Return the mean precision at some depths."""
    test = parts[1]
    at = np.where(test.data >= THRESHOLD, rankings.ranks, 0)
    n_found = np.array([((at > 0) & (at <= depth)).sum() for depth in depths])
    return n_found / depths / np.count_nonzero(np.diff(test.indptr))


def shared(first, second, depth=10):
    """Return the mean share of the first items that two systems have in common."""
    pairs = zip(first.items[:, :depth], second.items[:, :depth], strict=True)
    return np.mean([len(np.intersect1d(a, b)) / depth for a, b in pairs])


@pytest.mark.parametrize("dataset", DATASETS)
def test_rsv_and_rocchio_were_published_with_equal_means(dataset):
    table = published(dataset)
    difference = (table.loc["rsv"] - table.loc["rocchio"]).abs()
    assert difference[["P@10", NDCG]].max() < 0.00015
    assert difference.max() < 0.00055


@pytest.mark.parametrize("neighbours", [5, 50])
def test_rsv_and_rocchio_rank_alike(parts, neighbours):
    rocchio, rsv = (lists(method(neighbours), parts) for method in (Rocchio, RSV))
    np.testing.assert_array_equal(rocchio.n_ranked, rsv.n_ranked)
    # Scores that are equal up to rounding may change places.
    assert (rocchio.ranks == rsv.ranks).mean() > 0.999
    assert (rocchio.items == rsv.items).mean() > 0.999
    np.testing.assert_allclose(precision(rocchio, parts), precision(rsv, parts), atol=0.0002)


def test_rsv_less_the_collection_ranks_otherwise(parts):
    rocchio, rsv = lists(Rocchio(50), parts), lists(RSV(50, difference=True), parts)
    assert (rocchio.ranks == rsv.ranks).mean() < 0.9
    assert abs(precision(rocchio, parts) - precision(rsv, parts)).max() > 0.0002


def test_uir_item_was_published_next_to_popularity():
    measures = ["P@10", NDCG]
    for dataset in DATASETS:
        table = published(dataset)
        ratio = table.loc["uir-item", measures] / table.loc["popularity", measures]
        assert ratio.between(0.99, 1.2).all()
    table = published("ml-1m")
    assert (table.loc["uir-item"] - table.loc["popularity"])[measures].abs().max() < 0.0003


def test_uir_item_ranks_as_popularity_with_the_catalogues_amount(parts):
    settings = CATALOGUE["uir-item"]["settings"]
    popularity, calibrated = lists(Popularity(), parts), lists(UIRItem(**settings), parts)
    personal = lists(UIRItem(0.5), parts)
    assert shared(popularity, calibrated) > 0.98
    assert shared(popularity, personal) < 0.5
    expected = precision(popularity, parts)
    np.testing.assert_allclose(precision(calibrated, parts), expected, rtol=0.02)
    assert (abs(precision(personal, parts) / expected - 1) > 0.05).all()


@pytest.mark.parametrize("method", [RM1, RM2])
def test_scores_of_relevance_models_are_logarithms_of_products(parts, method):
    train = parts[0]
    scores = fitted(method(30), parts).score(np.arange(train.shape[0], dtype=np.int32))
    scores[train.toarray() > 0] = -np.inf
    sizes = np.diff(train.indptr)
    best = scores.max(axis=1)
    assert (best < 0).all()
    # A factor for each item of the user: the longer the profile, the further below 0.
    assert np.corrcoef(best, sizes)[0, 1] < -0.9
    assert best[sizes > 60].max() < best[sizes < 20].min()


def test_uir_item_scores_are_logarithms_of_products_less_a_constant_of_the_user(parts):
    train, amount = parts[0], 0.9999
    shares = np.bincount(train.indices, minlength=train.shape[1]) / train.nnz
    scores = fitted(UIRItem(amount), parts).score(np.arange(train.shape[0], dtype=np.int32))
    constants = [np.log(amount * shares[row.indices]).sum() for row in train]
    full = scores + np.array(constants)[:, None]
    # They are probabilities of the item together with the user's, so that their sum is one too.
    assert (np.logaddexp.reduce(full, axis=1) < 0).all()
    assert np.corrcoef(full.max(axis=1), np.diff(train.indptr))[0, 1] < -0.9


def test_svd_was_published_near_random():
    for dataset in DATASETS:
        means = published(dataset)["P@10"]
        assert means["svd"] < 0.36 * means["popularity"]
        assert means["svd"] < 0.2 * means["puresvd"]
    means = published("librarything")["P@10"]
    assert means["svd"] - means["random"] < 0.0003


@pytest.mark.slow
def test_svd_predicts_ratings_and_ranks_near_random():
    # Whether an item is rated follows taste and popularity; how it is rated does not.
    ratings = generate(600, 800, 30_000, 0.6, seed=1).matrix
    random = np.random.default_rng(1)
    users, items = ratings.nonzero()
    values = 3.3 + 0.5 * random.standard_normal(600)[users]
    values += 0.7 * random.standard_normal(800)[items] + 0.5 * random.standard_normal(len(users))
    ratings.data[:] = np.clip(np.round(values), 1, 5)
    parts = split(ratings, 0.2, "floor", 1)
    train, test = parts
    scores = fitted(SVD(factors=10), parts).score(np.arange(600, dtype=np.int32))
    predicted = scores[test.nonzero()]
    known = np.isfinite(predicted)
    error = abs(predicted - test.data)[known].mean()
    assert error < 0.7 * abs(train.data.mean() - test.data)[known].mean()
    systems = SVD(factors=10), Random(), Popularity(), PureSVD(10)
    svd, by_chance, popularity, puresvd = (
        precision(lists(system, parts), parts)[0] for system in systems
    )
    assert svd - by_chance < 0.25 * (popularity - by_chance)
    assert svd - by_chance < 0.15 * (puresvd - by_chance)


def test_hitting_time_was_published_near_random_and_useful_on_librarything():
    table = published("ml-1m")
    ratio = table.loc["ht"] / table.loc["random"]
    assert 1 < ratio["P@10"] < 1.15
    assert ratio[NDCG] > 4
    means = published("librarything")["P@10"]
    assert means["ht"] > 50 * means["random"]
    assert means["ht"] > 0.75 * means["popularity"]


@pytest.mark.slow
def test_hitting_time_lists_the_tail_first(parts):
    popularity = np.bincount(parts[0].indices, minlength=parts[0].shape[1])
    systems = HittingTime(), Popularity(), Random()
    ht, popular, by_chance = (lists(system, parts) for system in systems)
    tops = [popularity[found.items[:, :10]].mean() for found in (ht, popular, by_chance)]
    assert tops[0] < 0.4 * tops[2]
    assert tops[0] < 0.1 * tops[1]
    top, whole = np.transpose([precision(found, parts) for found in (ht, popular, by_chance)])
    assert top[0] < 2 * top[2]
    assert top[0] < 0.25 * top[1]
    # Of the tail it lists what is near to the user, and not what is far.
    assert whole[0] > 2 * whole[2]


def test_nncosngbr_was_published_far_below_popularity():
    for dataset, most in (("ml-1m", 0.51), ("librarything", 0.7), ("beeradvocate", 0.5)):
        means = published(dataset)["P@10"]
        assert (means[sorted(NNCOSNGBR)] < most * means["popularity"]).all()
    table = published("ml-1m")
    ratio = table["nDCG@10"] / table["P@10"]
    assert ratio.idxmax() == "nncosngbr-ib"
    assert ratio["nncosngbr-ib"] > 1.9
    assert ratio.drop("nncosngbr-ib").max() < 1.45


@pytest.mark.slow
def test_the_table_of_systems_says_what_is_not_reproduced():
    """Read the rows label | P@10 | published | off by | nDCG | published | off by."""
    labels = {CATALOGUE[key]["label"]: key for key in published("ml-1m").index}
    number, percent = r"\.(\d{4})", r"([+−]\d+\.\d)%"
    cells = r" \| ".join([r"^\| ([^|]+)", *(number, number, percent) * 2]) + r" \|$"
    rows = re.findall(cells, (ROOT / "docs/reference/published.md").read_text(), re.MULTILINE)
    assert {row[0] for row in rows} == set(labels)
    far = set()
    for label, *values in rows:
        for measure, (ours, theirs, off) in zip(
            ("P@10", NDCG), (values[:3], values[3:]), strict=True
        ):
            assert int(theirs) / 10_000 == published("ml-1m").loc[labels[label], measure]
            relative = float(off.replace("−", "-")) / 100
            # Our mean is rounded to four decimals, and the difference to a tenth of a percent.
            rounding = 0.5 / int(theirs) + 0.00051
            assert relative == pytest.approx(int(ours) / int(theirs) - 1, abs=rounding)
            far |= {labels[label]} if abs(relative) > 0.05 else set()
    assert far == NNCOSNGBR


def test_the_catalogue_has_the_settings_that_match_the_published_means():
    """Their means on MovieLens 1M are rows of fidelity.csv, which check_real_data.py checks."""
    for name in ("rocchio", "rsv", "kld", "chi2"):
        assert CATALOGUE[name]["settings"]["neighbours"] == 200
    assert CATALOGUE["kld"]["settings"]["estimate"] == "nmle"
    assert CATALOGUE["chi2"]["settings"]["estimate"] == "nmle"
    assert CATALOGUE["puresvd"]["settings"]["factors"] == 30


@pytest.mark.slow
def test_random_tells_that_candidates_are_the_test_items():
    """Among the items of the test set alone, chance finds more than among all items."""
    assert CONFIG["candidates"] == "test_items"
    parts = split(generate(2000, 1500, 20_000, 0.6, seed=1).matrix, 0.2, "floor", 1)
    train, test = parts
    n_relevant = np.array([(row.data >= THRESHOLD).sum() for row in test])
    judged = np.diff(test.indptr) > 0
    pool = np.bincount(test.indices, minlength=test.shape[1]) > 0
    assert pool.mean() < 0.9
    found = {}
    for candidates, allowed in (("test_items", pool), ("all_items", np.ones_like(pool))):
        n_candidates = allowed.sum() - train.astype(bool).astype(int) @ allowed
        expected = (n_relevant / n_candidates)[judged].mean()
        found[candidates] = precision(lists(Random(), parts, candidates), parts)[1]
        assert found[candidates] == pytest.approx(expected, rel=0.05)
    assert found["test_items"] > 1.1 * found["all_items"]
