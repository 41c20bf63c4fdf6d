"""Does a metric order systems as the truth would?

A metric is computed twice for the same lists: on the test ratings at hand, which is what is
observed, and on judgements without selection, which is the truth.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.artifacts.arrays import Rankings, Truth
from assayer.artifacts.shards import WHOLE, Shard
from assayer.errors import AssayerError
from assayer.metrics.evaluate import grid
from assayer.metrics.judgements import Judgements, Lists
from assayer.metrics.names import direction
from assayer.statistics.bootstrap import Pairs
from assayer.statistics.discriminative_power import normal_p
from assayer.statistics.draws import Draws
from assayer.statistics.rank_correlation import tau_b
from assayer.statistics.replicated import CORRELATION, Replicated
from assayer.statistics.test_sets import TestSet, names_of
from assayer.studies.validity import candidates
from assayer.types import Floats, Integers


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    truth: Truth,
    rankings: Mapping[str, Rankings],
    propensities: sp.csr_matrix,
    evaluation: dict,
    seed: int,
    shard: Shard = WHOLE,
    *,
    estimators: Sequence[str],
    resamples: int,
) -> Replicated:
    """Compare the systems' order on a dataset's test ratings with that on its truth.

    `truth` are judgements of items that were chosen at random; see `unseen_truth` for those that
    count. `propensities` are those of the test ratings, with the same
    entries, which `estimators` read: metrics that are computed at the cut-offs of the others. What
    is observed is computed twice, on the lists of all items and on the test items alone, which the
    column `candidates` says; for the other columns see `agreement`. A shard has its share of the
    metrics and estimators, in this order, each at all of its cut-offs: how a mean is rounded may
    depend on whether there are others.

    Raises AssayerError if no judgement counts.
    """
    unseen = unseen_truth(train, test, truth.matrix)
    if not unseen.nnz:
        raise AssayerError(
            "the truth: expected judgements of items that a user with test ratings did not rate in "
            f"training, found none among {truth.matrix.nnz}; give others, or leave the analysis "
            "agreement out."
        )
    depth = min(ranking.depth for ranking in rankings.values())
    threshold, measures = evaluation["threshold"], evaluation["measures"]
    cutoffs = [cutoff for _, cutoff in names_of(measures) if cutoff]
    more = grid(estimators, dict.fromkeys(cutoffs))
    everything = [*dict.fromkeys([*measures, *more])]
    of_metrics = [metric for metric, _ in names_of(everything)]
    metrics = [*dict.fromkeys(of_metrics)]
    share = shard.of(len(metrics))
    own = metrics[share.start : share.stop]
    pairs = zip(everything, of_metrics, strict=True)
    evaluation = evaluation | {"measures": [measure for measure, metric in pairs if metric in own]}
    by_test = Judgements.of(test, threshold, propensities)
    by_truth = Judgements.of(unseen, threshold, with_propensities(unseen))
    true = [_true(ranking, by_truth, unseen) for ranking in rankings.values()]
    user, target = by_test.users[by_test.row], np.ones(test.nnz, dtype=bool)
    sides = {
        candidates.ALL_ITEMS: [Lists.of(ranking, by_test) for ranking in rankings.values()],
        candidates.name(0): [
            candidates.lists_among(user, ranking.ranks, target, by_test.users)
            for ranking in rankings.values()
        ],
    }
    draws = Draws.of(train.shape[0], resamples, seed)
    names, popular = [*rankings], popularity_of(evaluation)
    judged = TestSet.of_lists(by_truth, unseen.indices, true, evaluation, depth)
    observed = {
        name: TestSet.of_lists(by_test, test.indices, lists, evaluation, depth)
        for name, lists in sides.items()
    }
    return agreement(observed, judged, names, popular, draws).bounded(*CORRELATION)


def unseen_truth(train: sp.csr_matrix, test: sp.csr_matrix, truth: sp.csr_matrix) -> sp.csr_matrix:
    """Return the judgements of items that could have been listed, as a matrix of the same form.

    An item that the user rated in training is never listed, and a user without test ratings gets no
    list: their judgements would say nothing of any system. A judgement of 0 is one.
    """
    row = np.repeat(np.arange(truth.shape[0]), np.diff(truth.indptr))
    keys, trained = (
        own.astype(np.int64) * truth.shape[1] + item
        for own, item in ((row, truth.indices), train.nonzero())
    )
    keep = ~np.isin(keys, trained) & (np.diff(test.indptr)[row] > 0)
    place = (row[keep], truth.indices[keep])
    return sp.csr_matrix((truth.data[keep], place), shape=truth.shape)


def _true(ranking: Rankings, judgements: Judgements, matrix: sp.csr_matrix) -> Lists:
    """Return where a system's lists, as long as they were kept, hold the judged items.

    Exact ranks were kept of test items only. What stands deeper is not ranked here, so that metrics
    of whole rankings, such as AUC, take it to come in random order.
    """
    users = judgements.users
    length = np.minimum(ranking.n_ranked[users], ranking.depth)
    ranks = places(ranking.items[users], judgements.row, matrix.indices)
    n_candidates = None if ranking.n_candidates is None else ranking.n_candidates[users]
    return Lists(ranks, length, n_candidates)


def popularity_of(evaluation: Mapping) -> str | None:
    """Return the name of the recommender by popularity; None if it is not among them."""
    names = (k for k, v in evaluation["recommenders"].items() if v["method"] == "popularity")
    return next(names, None)


def agreement(
    observed: Mapping[str, TestSet],
    true: TestSet,
    names: Sequence[str],
    popularity: str | None,
    draws: Draws | None = None,
) -> Replicated:
    """Compare the systems' orders by what is observed and by what is true, measure by measure.

    What is observed is that of each set of candidates, by its name. `names` are those of the
    systems, and `popularity` the one of them by popularity, if there is one; the users of the draws
    are those of the dataset.

    Returns
    -------
    Replicated
        Columns metric, cutoff, candidates, undefined (1 where one side ties all systems), tau
        (Kendall's tau-b of the two orders, which is replicated), observed_winner and true_winner
        (of tied ones the first), winner_agrees (of the systems that are best as observed, the share
        that are best in truth; empty where all are), winner_loss (how much of the best true value
        the observed winner lacks), popularity_observed and popularity_true (the rank of the
        recommender by popularity, of tied systems the mean; empty if it is not among them), power
        (DP of what is observed, by the normal approximation of
        `assayer.statistics.discriminative_power.normal_p`), systems, test_users and truth_users
        (who have judgements).
    """
    users = [side.judgements.users for side in (*observed.values(), true)]
    draws = draws or Draws.none(1 + max(own.max() for own in users))
    truly = true.means(None, draws.of_users(true.judgements.users))
    measures = names_of(true.evaluation["measures"])
    rows, taus = [], []
    for candidates_name, side in observed.items():
        means = side.means(None, draws.of_users(side.judgements.users))
        taus.append(np.array([tau_b(a, b) for a, b in zip(means, truly, strict=True)]).T)
        values = side.values()
        for m, (metric, cutoff) in enumerate(measures):
            sign = direction(metric)
            rows.append(
                {"metric": metric, "cutoff": cutoff, "candidates": candidates_name}
                | {"undefined": int(np.isnan(taus[-1][m, 0])), "tau": np.nan}
                | _winners(sign * means[0, m], sign * truly[0, m], names, popularity)
                | {"power": normal_p(Pairs.of(values[:, :, m]).sums()).sum()}
                | {"systems": len(names), "test_users": side.judgements.n_users}
                | {"truth_users": true.judgements.n_users}
            )
    table = pd.DataFrame(rows).astype({"cutoff": "Int64"})
    return Replicated.of(table, "tau", np.concatenate(taus))


def _winners(
    seen: Floats, real: Floats, names: Sequence[str], popularity: str | None
) -> dict[str, object]:
    """Say which system is best by either value, the higher the better, and where popularity is."""
    best, most = int(seen.argmax()), real.max()
    place = names.index(popularity) if popularity in names else None
    return {
        "observed_winner": names[best],
        "true_winner": names[int(real.argmax())],
        "winner_agrees": np.nan
        if real.min() == most
        else (real[seen == seen[best]] == most).mean(),
        "winner_loss": (most - real[best]) / abs(most) if most else np.nan,
        "popularity_observed": np.nan if place is None else _rank(seen, place),
        "popularity_true": np.nan if place is None else _rank(real, place),
    }


def _rank(values: Floats, place: int) -> float:
    """Return the rank of a system, 1 for the best; of tied ones the mean."""
    above, tied = (values > values[place]).sum(), (values == values[place]).sum()
    return float(above + (tied + 1) / 2)


def with_propensities(ratings: sp.csr_matrix, propensity: Floats | None = None) -> sp.csr_matrix:
    """Return the propensities of ratings, of those of all pairs; of the truth all are 1.

    Unbiased estimators are the plain metrics on it.
    """
    own = np.ones(ratings.nnz) if propensity is None else propensity[ratings.nonzero()]
    return sp.csr_matrix((own, ratings.indices, ratings.indptr), ratings.shape)


def places(items: Integers, row: Integers, wanted: Integers) -> Integers:
    """Return the rank of each wanted item in its user's list, int32 (n_judged,); 0 is not listed.

    `items` are the lists, (n_users, depth), padded with -1, and `row` the user of each.
    """
    n_users, depth = items.shape
    n_items = 1 + max(items.max(initial=0), wanted.max(initial=0))
    listed = sp.csr_matrix(
        (
            np.tile(np.arange(1, depth + 1, dtype=np.int32), n_users)[(items >= 0).ravel()],
            items[items >= 0],
            np.concatenate(([0], np.cumsum((items >= 0).sum(axis=1)))),
        ),
        shape=(n_users, n_items),
    )
    return np.asarray(listed[row, wanted]).ravel().astype(np.int32)
