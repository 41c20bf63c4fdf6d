"""The recommenders that compete in worlds of several kinds: quick ones, of every family here.

Methods that compare ratings with one another learn from all of them; the others, to which each
rating is one of a liked item, learn from those that are, unless a kind of worlds says otherwise.
"""

from collections.abc import Mapping
from typing import Any

import scipy.sparse as sp

from rankassay.data.parts import selected
from rankassay.lookup import load
from rankassay.recommenders.base import Recommender
from rankassay.recommenders.catalogue import OF_RATINGS, recommender
from rankassay.studies.validity.worlds import RELEVANT

Recommenders = Mapping[str, Mapping[str, Any]]


def _of(method: str, **settings: Any) -> dict[str, Any]:
    return {"method": method, "settings": settings}


MIXED: Recommenders = {
    "Random": _of("random"),
    "Popularity": _of("popularity"),
    "Average rating": _of("average-rating"),
    "Rocchio": _of("rocchio", neighbours=50),
    "LM-WSR-UB": _of(
        "lm-wsr-ub", neighbours=50, similarity="jelinek_mercer", amount=0.9, weight="lm"
    ),
    "NNCosNgbr-IB": _of(
        "nncosngbr-ib", neighbours=50, shrinkage=10, biases=True, selection="global"
    ),
    "User kNN": _of("user-knn", neighbours=50),
    "User kNN, normalised": _of("user-knn", neighbours=20, normalised=True, min_raters=3),
    "Item kNN": _of("item-knn", weighting="tfidf", neighbours=50),
    "RP3beta": _of("rp3beta", neighbours=50, alpha=1, beta=0.6),
    "EASE": _of("ease", regularization=50, binary=True),
    "PureSVD, 4 factors": _of("puresvd", factors=4),
    "PureSVD, 16 factors": _of("puresvd", factors=16),
    "WRMF": _of("wrmf", factors=8, iterations=5),
    "SVD": _of("svd", factors=8, epochs=20, learning_rate=0.02),
    "BPRMF": _of("bprmf", factors=8, epochs=20),
    "PLSA": _of("plsa", topics=8, iterations=20),
}

# Those that rank by the items that others liked: none can prefer an item with few, high ratings.
PREDICTORS = ("Average rating", "NNCosNgbr-IB", "User kNN, normalised", "SVD")
WITHOUT_PREDICTORS: Recommenders = {
    name: entry for name, entry in MIXED.items() if name not in PREDICTORS
}

# Of a few families, with settings that are near each other.
ALIKE: Recommenders = {
    **{f"PureSVD, {f} factors": _of("puresvd", factors=f) for f in (4, 8, 12, 16)},
    **{f"WRMF, {f} factors": _of("wrmf", factors=f, iterations=5) for f in (4, 8, 16)},
    **{f"iALS, {f} factors": _of("ials", factors=f, iterations=5) for f in (8, 16)},
    **{f"EASE, {a}": _of("ease", regularization=a, binary=True) for a in (20, 50, 100)},
    **{f"User kNN, {k}": _of("user-knn", neighbours=k) for k in (20, 50, 100)},
    **{f"Item kNN, {k}": _of("item-knn", weighting="tfidf", neighbours=k) for k in (20, 50)},
}

DEPLOYED = _of("item-knn", weighting="tfidf", neighbours=50)


def fitted(
    entry: Mapping[str, Any], train: sp.csr_matrix, seed: int, liked_only: bool = True
) -> Recommender:
    """Return a recommender that has learned from training ratings; see this module."""
    model = load(recommender(entry["method"]))(**entry["settings"])
    if liked_only and entry["method"] not in OF_RATINGS:
        train = selected(train, train.data >= RELEVANT)
    return model.fit(train, seed)
