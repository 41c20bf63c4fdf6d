"""Reference systems: recommenders of a few families, fitted to training ratings in seconds.

Two or three runs make one or three pairs, which say nothing of measures. With a random order, the
popular items, item neighbours and a linear model, it can be seen how measures stand up to missing
judgements, and how many pairs of systems they find significantly different. The recommenders learn
from all training ratings with settings that are usual, and are no baselines to beat.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankassay.advice.words_names import PREFIX
from rankassay.artifacts.arrays import Rankings
from rankassay.data.frames import Qrels, Rows
from rankassay.data.ids import places
from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics.judgements import Lists
from rankassay.progress import progress
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.rank import rank
from rankassay.seeds import derive
from rankassay.types import Integers

MOST_ITEMS = 5000  # of EASE, which inverts a matrix of items by items: 4 s and 0.4 GB
GREATEST = 1e9  # of a rating: sums of squares stay finite in single precision
NEIGHBOURS = (20, 100)
REGULARIZATION = (100, 1000)
FACTORS = (10, 50)
THREADS = 2  # most of the time goes to products and inverses of matrices, which threads share


@dataclass(frozen=True)
class Ratings:
    """Training ratings and judgements of the same users and items."""

    train: sp.csr_matrix
    tested: sp.csr_matrix  # the judged ratings, as `rank` takes test ratings
    place: Integers  # which entry of `tested` each judgement is
    user: Integers  # the row of each judged user

    @classmethod
    def of(cls, rows: Rows, qrels: Qrels) -> "Ratings":
        """Return training ratings and judgements, matched by their ids.

        Raises RankassayError where no judged item has a training rating.
        """
        user, n_users = _numbers(places(rows.users, qrels.users), len(rows.users))
        item, n_items = _numbers(places(rows.items, qrels.items), len(rows.items))
        if not (item[np.unique(qrels.item)] < len(rows.items)).any():
            raise RankassayError(
                "train: no judged item has a training rating; give both the same ids, of the same "
                "type."
            )
        shape = (n_users, n_items)
        # What is rated 0 or below was seen, too: a matrix would not have it, nor roots of it.
        rating = np.clip(rows.value, np.finfo(np.float32).tiny, GREATEST)
        train = sp.csr_matrix((rating.astype(np.float32), (rows.user, rows.item)), shape)
        row, column = user[qrels.judgements.row], item[qrels.item]
        order = np.lexsort((column, row))
        start = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=n_users))))
        entries = (np.ones(len(order), np.float32), column[order].astype(np.int32), start)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return cls(train, sp.csr_matrix(entries, shape), place, user)


def _numbers(place: Integers, n: int) -> tuple[Integers, int]:
    """Return numbers of ids, those that are not among n known ones after these, and how many."""
    unknown = place < 0
    numbers = place.copy()
    numbers[unknown] = n + np.arange(unknown.sum())
    return numbers, n + int(unknown.sum())


def fitted(rows: Rows, qrels: Qrels, depth: int, seed: int = 0) -> dict[str, Lists]:
    """Return the lists of reference systems for the judged users, by training ratings.

    Every item of the training ratings or judgements is a candidate, but those that the user rated
    in training. A user without training ratings has the lists that a recommender makes for such
    users, or none; systems that have none for any judged user are left out. Raises RankassayError
    if no judged item has a training rating.
    """
    return lists_of(Ratings.of(rows, qrels), qrels.judgements.threshold, depth, seed)


def lists_of(
    ratings: Ratings, threshold: float, depth: int, seed: int, candidates: str = "all_items"
) -> dict[str, Lists]:
    """Return the same of ratings that are matched, as `fitted`.

    What is rated from the threshold on is liked. `candidates` are those of
    `rankassay.recommenders.rank.rank`.
    """

    def made_by(name: str, method: str, settings: dict[str, Any]) -> Lists:
        model = load(recommender(method))(**settings)
        model.fit(ratings.train, derive(seed, "references", name))
        return _lists(rank(model, ratings.train, ratings.tested, 0, candidates), ratings, depth)

    systems, found = [*recommenders(ratings.train, threshold)], {}
    with ThreadPoolExecutor(THREADS) as pool:
        made = pool.map(lambda system: made_by(*system), systems)
        for name, _, _ in progress(systems, "reference systems"):
            lists = next(made)
            if lists.length.any():
                found[PREFIX + name] = lists
    return found


def recommenders(
    train: sp.csr_matrix, threshold: float
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the name, the method and the settings of each reference system for training ratings.

    Two settings of each, but for the random order, which has none, and for popularity where all
    ratings are liked: there is one way to count then. PureSVD replaces EASE where there are many
    items.
    """
    yield "Random", "random", {}
    yield "Popularity", "popularity", {}
    liked = train.data >= threshold
    if liked.any() and not liked.all():
        yield "Popularity, liked", "popularity", {"by": "positive", "threshold": threshold}
    for k in NEIGHBOURS:
        yield f"Item kNN, {k}", "item-knn", {"neighbours": k, "weighting": "tfidf"}
    if train.shape[1] <= MOST_ITEMS:
        for strength in REGULARIZATION:
            yield f"EASE, {strength}", "ease", {"regularization": strength}
        return
    for most in FACTORS:
        factors = min(most, min(train.shape) - 1)
        yield f"PureSVD, {factors}", "puresvd", {"factors": factors}


def _lists(ranking: Rankings, ratings: Ratings, depth: int) -> Lists:
    """Return the first places of rankings, in terms of the judgements."""
    ranks = ranking.ranks[ratings.place]
    length = np.minimum(ranking.n_ranked[ratings.user], depth)
    return Lists(np.where(ranks > depth, 0, ranks), length)
