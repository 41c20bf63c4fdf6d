"""Kinds of simulated worlds: how users come across items, and what drives their ratings.

In each world users rate every item, as in `rankassay.studies.validity.worlds.simulated`, and the
ratings that are observed are drawn pair by pair. What differs between kinds is what the probability
of a rating depends on, which recommenders compete, or how much is observed.

Methods that compare ratings with one another learn from all of them; the others, to which each
rating is one of a liked item, learn from those that are, unless a kind of worlds says otherwise.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankassay.data.parts import selected
from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.recommenders.base import Recommender
from rankassay.recommenders.catalogue import OF_RATINGS, recommender
from rankassay.seeds import derive, generator
from rankassay.studies.validity.worlds import (
    LENIENCY,
    NOISE,
    QUALITY,
    RELEVANT,
    check_cells,
    in_stars,
    scaled,
    standard,
    tastes,
)
from rankassay.types import Booleans, Floats, Floats32

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


FACTORS = 8  # of users' tastes
TASTE = 0.8  # the weight of taste in what users say; those of the rest are as in other worlds
SPREADS = (0.8, 1.8)  # of log-exposure over items: its standard deviation is drawn from here
GOOD = (0.0, 0.6)  # the correlation of an item's exposure and quality is drawn from here
ACTIVITY = 0.5  # the standard deviation of users' log-activity
LIKED = np.log(4.0)  # liked items are rated four times as often: then some half of the ratings are
SOME, FANS = np.log(2.0), np.log(8.0)  # where it depends on popularity: twice, and up to 16 times
MOSTLY = np.log(30.0)  # where mostly liked items are rated
UNEQUAL = 1.0  # the standard deviation over users of the logarithm of this factor
SUITS = 1.0  # of log-exposure, for one standard deviation of taste
RANKED = 1.5  # of log-exposure, for one standard deviation of the deployed recommender's log-rank
FIRST = 5  # places that a deployed recommender shows about equally often
MANY = 4  # times as many ratings


@dataclass(frozen=True)
class Users:
    """Users' ratings of items, and how easily they find them."""

    rating: Floats32  # (n_users, n_items), no cell is empty
    taste: Floats  # how well an item suits a user, apart from its value to others; variance 1
    exposure: Floats  # (n_items,), how easily each item is found; mean 0, variance 1
    spread: float  # the standard deviation of log-exposure
    activity: Floats  # (n_users,), how much each user rates; mean 0, variance 1

    @property
    def liked(self) -> Booleans:
        """Which items a user likes, bool (n_users, n_items)."""
        return self.rating >= RELEVANT

    @property
    def found(self) -> Floats:
        """Return s e_i + .5 a_u, the log-odds of rating by popularity and activity alone."""
        return self.spread * self.exposure + ACTIVITY * self.activity[:, None]


@dataclass(frozen=True)
class Kind:
    """A kind of worlds."""

    # Of users, density, seed and names: the log-odds of ratings; -inf for one that is never rated.
    drive: Callable[..., Floats]
    recommenders: Recommenders  # those that compete
    times: float = 1.0  # the factor of the number of observed ratings
    # Whether systems that do not compare ratings learn from those of liked items alone.
    liked_only: bool = True


@dataclass(frozen=True)
class Drawn:
    """A world of a kind: users' ratings, and the probability that each is observed."""

    users: Users
    propensity: Floats
    recommenders: Recommenders
    liked_only: bool = True


def drawn(
    kind: str, users: int, items: int, relevant: float, density: float, seed: int, *names: str | int
) -> Drawn:
    """Draw a world of a kind.

    ::

        P_ui = min(1, c exp(g_ui))

    with the c that makes the mean of P the density, times 4 in worlds of many ratings; g is the
    kind's, see the functions of this module. The standard deviation s of log-exposure is uniform
    between .8 and 1.8, and the correlation of exposure and quality uniform between 0 and .6. What
    users think is the same in all kinds, for one seed and names; see `users_of`.
    """
    own = users_of(users, items, relevant, seed, *names)
    entry = KIND[kind]
    density = entry.times * density
    drive = entry.drive(own, density, seed, names)
    possible = np.isfinite(drive).mean()
    if not density < possible:
        raise RankassayError(
            f"density: expected less than {possible / entry.times:.3g}, as in worlds of the kind "
            f"{kind} no other ratings are possible, found {density / entry.times:g}; lower it."
        )
    propensity = propensity_of(drive, density)
    return Drawn(own, propensity, entry.recommenders, entry.liked_only)


def users_of(users: int, items: int, relevant: float, seed: int, *names: str | int) -> Users:
    """Draw users' ratings of items, and how easily items are found.

    ::

        z_ui = 0.8 t_ui + 0.5 q_i + 0.3 b_u + 0.5 noise,  e_i = r q_i + sqrt(1 - r^2) x_i

    t is taste (a product of 8 latent factors), q the item's quality, b the user's leniency, e the
    item's exposure, r its correlation with quality, and a the user's activity; all but r are
    standard normal. Ratings are z in stars, as in `rankassay.studies.validity.worlds.simulated`.
    """
    check_cells(users, items)
    rng = generator(seed, "kinds-of-worlds", *names)
    taste = tastes(rng, users, items, FACTORS) / np.sqrt(FACTORS)
    quality = rng.standard_normal(items)
    z = TASTE * taste + QUALITY * quality
    z += LENIENCY * rng.standard_normal(users)[:, None]
    z += NOISE * rng.standard_normal(z.shape)
    exposure, activity = rng.standard_normal(items), rng.standard_normal(users)
    spread, good = rng.uniform(*SPREADS), rng.uniform(*GOOD)
    exposure = good * quality + np.sqrt(1 - good**2) * exposure
    rating = in_stars(z, relevant)
    return Users(rating, standard(taste), standard(exposure), spread, standard(activity))


def propensity_of(drive: Floats, density: float) -> Floats:
    """Return min(1, c exp(g)) whose mean is the density, float64 as g; 0 where g is -inf."""
    possible = np.isfinite(drive)
    found = np.zeros(drive.shape)
    found[possible] = scaled(np.exp(drive[possible]), density / possible.mean())
    return found


def base(users: Users, density: float, seed: int, names: tuple) -> Floats:
    """Return g = s e_i + .5 a_u: popularity and activity alone decide which items are rated."""
    return users.found


def suits(users: Users, density: float, seed: int, names: tuple) -> Floats:
    """Return g = s e_i + .5 a_u + t_ui: users come across items that suit them.

    t is the user's taste for the item, of variance 1.
    """
    return base(users, density, seed, names) + SUITS * users.taste


def niche_fans(users: Users, density: float, seed: int, names: tuple) -> Floats:
    """Return g = s e_i + .5 a_u + (log(2) + log(8) (1 - h_i)) y_ui: fans rate niche items.

    h is an item's rank by exposure as a share of the items, from 0 for the least exposed to 1.
    """
    return users.found + (SOME + FANS * (1 - _share(users.exposure))) * users.liked


def popular_fans(users: Users, density: float, seed: int, names: tuple) -> Floats:
    """Return g = s e_i + .5 a_u + (log(2) + log(8) h_i) y_ui: fans rate popular items.

    h is as in `niche_fans`.
    """
    return users.found + (SOME + FANS * _share(users.exposure)) * users.liked


def deployed(users: Users, density: float, seed: int, names: tuple) -> Floats:
    """Return g = s e_i / 2 + .5 a_u + 1.5 h_ui: a recommender chose the items that are seen.

    h is -log(5 + k_ui), standardised, with k the item's place among all items in the list that a
    recommender gives the user. It was trained on an earlier log, drawn as in `base`, which is not
    observed: so probabilities are those given this recommender.
    """
    log = propensity_of(base(users, density, seed, names), density)
    seen = generator(seed, "earlier-log", *names).random(log.shape) < log
    earlier = sp.csr_matrix(np.where(seen, users.rating, np.float32(0)))
    model = fitted(DEPLOYED, earlier, derive(seed, "deployed", *names))
    scores = model.score(np.arange(len(users.rating), dtype=np.int32))
    order = np.argsort(-np.asarray(scores, dtype=np.float64), axis=1, kind="stable")
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(1, order.shape[1] + 1)[None, :], 1)
    by_popularity = users.spread / 2 * users.exposure + ACTIVITY * users.activity[:, None]
    return by_popularity + RANKED * standard(-np.log(FIRST + place))


def mostly_liked(users: Users, density: float, seed: int, names: tuple) -> Floats:
    """Return g = s e_i + .5 a_u + log(30) y_ui: most ratings are of liked items."""
    return users.found + MOSTLY * users.liked


def unequal(users: Users, density: float, seed: int, names: tuple) -> Floats:
    """Return g = s e_i + .5 a_u + (log(4) + b_u) y_ui: liking drives the rating of some users more.

    b is standard normal over users.
    """
    own = generator(seed, "liking-drives", *names).standard_normal(len(users.rating))
    return users.found + (LIKED + UNEQUAL * own[:, None]) * users.liked


def only_liked(users: Users, density: float, seed: int, names: tuple) -> Floats:
    """Return g = s e_i + .5 a_u where the user likes the item, else -inf: no other is rated."""
    return np.where(users.liked, users.found, -np.inf)


def liking(users: Users, density: float, seed: int, names: tuple) -> Floats:
    """Return g = s e_i + .5 a_u + log(4) y_ui: liked items are rated four times as often.

    y is 1 for an item that the user likes, else 0.
    """
    return users.found + LIKED * users.liked


def _share(exposure: Floats) -> Floats:
    """Return each item's rank by exposure as a share, from 0 to 1."""
    place = np.empty(len(exposure))
    place[np.argsort(exposure, kind="stable")] = np.arange(len(exposure))
    return place / max(len(exposure) - 1, 1)


KIND = {
    "base": Kind(base, MIXED),
    "alike": Kind(base, ALIKE),
    "suits": Kind(suits, MIXED),
    "niche-fans": Kind(niche_fans, MIXED),
    "popular-fans": Kind(popular_fans, MIXED),
    "deployed": Kind(deployed, MIXED),
    "many": Kind(base, MIXED, times=MANY),
    "mostly-liked": Kind(mostly_liked, MIXED),
    "unequal": Kind(unequal, MIXED),
    "only-liked": Kind(only_liked, MIXED),
    "liking": Kind(liking, MIXED),
    "no-predictors": Kind(base, WITHOUT_PREDICTORS),
    "all-ratings": Kind(base, MIXED, liked_only=False),
}
