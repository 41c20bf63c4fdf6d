"""Made-up judgements, lists and training ratings, as advice is given on them."""

from dataclasses import replace

import made_up
import numpy as np

from rankassay.advice.given import Given, by_popularity
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.incomplete import popularity


def given(n_users=60, n_systems=7, weights="none", threshold=4, **changes):
    """Return what advice is given on, of `made_up.study`; `changes` replace parts of it."""
    train, test, rankings = made_up.study(n_users, n_systems)
    judgements = Judgements.of(test, threshold)
    systems = {name: Lists.of(ranking, judgements) for name, ranking in rankings.items()}
    systems = {name: shortened(own, made_up.DEPTH) for name, own in systems.items()}
    number = popularity(train)
    if weights == "popularity":
        judgements = replace(judgements, propensity=by_popularity(number, test.indices))
    found = Given(judgements, test.indices, systems, popularity=number, weights=weights)
    return replace(found, **changes)


def shortened(lists, depth):
    """Return lists without what stands below a place."""
    ranks = np.where(lists.ranks > depth, 0, lists.ranks)
    return Lists(ranks, np.minimum(lists.length, depth))


def one_relevant(n_users=12, depth=10, negative=False):
    """Return what is known where each user has one relevant item, which two systems list."""
    per_user = 2 if negative else 1
    rating = np.tile([5.0, 1.0][:per_user], n_users)
    start = per_user * np.arange(n_users + 1)
    judgements = Judgements(np.arange(n_users, dtype=np.int32), start, rating, 4.0)
    item = np.arange(len(rating)) % 5
    systems = {}
    for name, first in (("good", 1), ("poor", 3)):
        ranks = np.where(rating > 1, first, first + 1).astype(np.int32)
        systems[name] = Lists(ranks, np.full(n_users, depth, dtype=np.int32))
    return Given(judgements, item, systems)
