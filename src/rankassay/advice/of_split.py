"""The input of advice in a run of the workflow: a split, its truth, and rankings of systems."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from rankassay.advice import references
from rankassay.advice.given import Given, by_popularity
from rankassay.advice.truth import Truth
from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.arrays import Truth as Judged
from rankassay.data.few_items import of_rankings
from rankassay.data.truth import check_liked
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.incomplete import popularity
from rankassay.studies.validity.agreement import Observed
from rankassay.studies.validity.yardsticks import is_complete, places, sample
from rankassay.types import Integers32

AS_PUBLISHED = "as-published"  # the design whose truth holds the observed ratings
NO_TRUTH = "The judgements of random items hold the test ratings: they are not used as a truth."


def given_of(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    threshold: float,
    train: sp.csr_matrix | None = None,
    propensities: sp.csr_matrix | None = None,
    truth: Judged | None = None,
    about: Mapping[str, object] | None = None,
    candidates: str = "all_items",
    seed: int = 0,
) -> tuple[Given, Truth | None]:
    """Return the input of advice, and its truth.

    `rankings` were made for the test ratings. Reference systems are fitted to the training ratings,
    if there are any; without these there is no truth, and propensities that are not given are those
    of the items' popularity there. Test ratings of pairs that are in the truth, too, are not
    observed. `about` is that of `Given`, and runs, the names of the systems that are runs of other
    libraries.
    """
    notes: tuple[str, ...] = ()
    whole = test, rankings, propensities
    if truth is not None and str(truth.design) == AS_PUBLISHED:
        truth, notes = None, (NO_TRUTH,)
    if truth is not None and train is not None:
        check_liked(truth, threshold)
        test, rankings, propensities = _without_truth(*whole, train, truth, threshold)
    given = _observed(test, rankings, threshold, train, propensities)
    about = dict(about or {})
    few = of_rankings([rankings[name] for name in about.pop("runs", ())], whole[0])
    if few is not None:
        about["warnings"] = [str(few)]
    given = replace(given, about=about, notes=notes)
    if train is not None and given.judgements.relevant.any():
        given = replace(given, references=_references(given, train, test, candidates, seed))
    if truth is None or train is None:
        return given, None
    return given, _true(given, train, whole[0], truth, whole[1])


def _without_truth(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    propensities: sp.csr_matrix | None,
    train: sp.csr_matrix,
    truth: Judged,
    threshold: float,
) -> tuple[sp.csr_matrix, Mapping[str, Rankings], sp.csr_matrix | None]:
    """Return the observed data without the truth's pairs; all of it where these are every pair."""
    if is_complete(sample(train, test, truth, threshold), train):
        return test, rankings, propensities
    weights = test if propensities is None else propensities
    left = Observed(test, rankings, weights).apart_from(truth.matrix)
    return left.test, left.rankings, None if propensities is None else left.propensities


def _observed(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    threshold: float,
    train: sp.csr_matrix | None,
    propensities: sp.csr_matrix | None,
) -> Given:
    """Return the observed judgements and lists of the systems."""
    counts = None if train is None else popularity(train)
    judgements, weights = Judgements.of(test, threshold, propensities), "given"
    if propensities is None:
        weights = "none"
        if counts is not None:
            judgements = replace(judgements, propensity=by_popularity(counts, test.indices))
            weights = "popularity"
    return Given(
        judgements,
        test.indices,
        {name: _lists(ranking, judgements) for name, ranking in rankings.items()},
        popularity=counts,
        weights=weights,
        train={} if train is None else _counted(train),
    )


def _lists(ranking: Rankings, judgements: Judgements) -> Lists:
    """Return the lists of a system as far as they are listed.

    Test items are ranked among all candidates, however deep; what is ranked below is on no list.
    """
    own, depth = Lists.of(ranking, judgements), np.int32(ranking.depth)
    ranks = np.where(own.ranks > depth, np.int32(0), own.ranks)
    return replace(own, ranks=ranks, length=np.minimum(own.length, depth))


def _counted(train: sp.csr_matrix) -> dict[str, int]:
    """Return how many ratings there are to train on, of how many users and items."""
    users = int((np.diff(train.indptr) > 0).sum())
    return {"ratings": int(train.nnz), "users": users, "items": len(np.unique(train.indices))}


def _references(
    given: Given, train: sp.csr_matrix, test: sp.csr_matrix, candidates: str, seed: int
) -> dict[str, Lists]:
    """Return the lists of reference systems, by their names."""
    place = np.arange(test.nnz)
    ratings = references.Ratings(train, test, place, given.judgements.users)
    threshold = given.judgements.threshold
    return references.lists_of(ratings, threshold, given.depth, seed, candidates)


def _true(
    given: Given,
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    truth: Judged,
    rankings: Mapping[str, Rankings],
) -> Truth:
    """Return the truth of the systems' lists, users numbered as in the input.

    Those who have no observed judgement follow.
    """
    own = sample(train, test, truth, given.judgements.threshold)
    users = given.judgements.users
    at = np.searchsorted(users, own.users)
    known = np.append(users, -1)[at] == own.users
    number = np.where(known, at, len(users) + np.cumsum(~known) - 1)
    systems = {}
    for name, ranking in rankings.items():
        listed: Integers32 = ranking.items[own.users]
        length = (listed >= 0).sum(axis=1).astype(np.int32)
        systems[name] = Lists(places(listed, own.row, own.item), length)
    share = float(truth.aside) if truth.aside < 1 else None
    return Truth(replace(own, users=number), systems, share)
