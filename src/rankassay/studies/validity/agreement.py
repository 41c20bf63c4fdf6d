"""Does the ranking of systems under a metric agree with the true one?

A metric is computed on the available test ratings, the observed side. The truth is the utility of
the lists for users under a yardstick (`rankassay.studies.validity.yardsticks`): the share of a list
that they like, or like and had not known, from judgements of random items, which share no rating
with what is observed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Ratings, Truth
from rankassay.artifacts.shards import WHOLE, Shard
from rankassay.data.parts import selected
from rankassay.data.truth import check_liked, shared
from rankassay.errors import RankassayError, number_of
from rankassay.metrics.evaluate import grid
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.names import direction
from rankassay.statistics.bootstrap import Pairs
from rankassay.statistics.discriminative_power import LEVELS, normal_p
from rankassay.statistics.draws import Draws
from rankassay.statistics.identical import same_lists, same_values
from rankassay.statistics.judged_systems import TestSet, names_of
from rankassay.statistics.rank_correlation import tau_ap, tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.studies.validity import candidates
from rankassay.studies.validity.names import AS_PUBLISHED, COMPLETE, LIKED, NEW, OWN
from rankassay.studies.validity.yardsticks import (
    UTILITIES,
    Estimates,
    Sample,
    Yardstick,
    as_published,
    is_complete,
    places,
    sample,
)
from rankassay.types import Booleans, Floats, Texts

WHOLE_NUMBERS = ("cutoff", "yardstick_cutoff", "judged")
UNBIASED = ("IPS", "SNIPS", "Stratified")  # metrics in addition to the configured ones
ALPHA = LEVELS["05"]  # two-sided, of a pair of systems as observed; not adjusted for their number


@dataclass(frozen=True)
class Observed:
    """Test ratings, the systems' ranks of them, and their propensities."""

    test: sp.csr_matrix
    rankings: Mapping[str, Rankings]
    propensities: sp.csr_matrix

    def apart_from(self, truth: sp.csr_matrix) -> "Observed":
        """Return the same without the pairs that are in the truth as well."""
        keep = ~shared(self.test, truth)
        if keep.all():
            return self
        if not keep.any():
            raise RankassayError(
                "the truth: expected test ratings that are not in it, found all "
                f"{number_of(len(keep), 'test rating')} there, so that none is left to observe; "
                "give judgements of other pairs, or of every candidate."
            )
        rankings = {
            name: Rankings(own.items, own.ranks[keep], own.n_ranked, own.n_candidates)
            for name, own in self.rankings.items()
        }
        return Observed(selected(self.test, keep), rankings, selected(self.propensities, keep))

    def sides(self, evaluation: dict) -> dict[str, TestSet]:
        """Return the observed test sets on lists of all items and of the test items alone."""
        judgements = Judgements.of(self.test, evaluation["threshold"], self.propensities)
        user, target = judgements.users[judgements.row], np.ones(self.test.nnz, dtype=bool)
        rankings = self.rankings.values()
        depth = min(ranking.depth for ranking in rankings)
        lists = {
            candidates.ALL_ITEMS: [Lists.of(ranking, judgements) for ranking in rankings],
            candidates.name(0): [
                candidates.lists_among(user, ranking.ranks, target, judgements.users)
                for ranking in rankings
            ],
        }
        return {
            name: TestSet.of_lists(judgements, self.test.indices, own, evaluation, depth)
            for name, own in lists.items()
        }


@dataclass(frozen=True)
class TrueValues:
    """The systems' true values under a yardstick."""

    means: Floats  # (1 + n_resamples, 1 or n_measures, n_systems): own truths have one a measure
    users: int  # over whom they are means
    judged: int | None = None  # judgements they rest on; None where all candidates were judged
    design: str = ""  # how these were chosen (`rankassay.artifacts.arrays.Truth`); empty likewise


def run(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    truth: Truth,
    rankings: Mapping[str, Rankings],
    ratings: Ratings,
    propensities: sp.csr_matrix,
    evaluation: dict,
    seed: int,
    shard: Shard = WHOLE,
    *,
    yardstick_cutoffs: Sequence[int],
    estimators: Sequence[str],
    inclusion: str,
    resamples: int,
) -> Replicated:
    """Compare the ranking of systems on a dataset's test ratings with that on its truth.

    `ratings` say what the items are called, which a message names. `propensities` are those of the
    test ratings, with the same entries, which the metrics `UNBIASED` read; they are computed at the
    cut-offs of the others. Test ratings of pairs that are in the truth, too, are not observed here:
    the two sides share no rating, unless the truth is of the published design, where they do, or
    holds every candidate, so that it is no estimate. The observed side is computed twice, on the
    lists of all items and on the test items alone, which the column `candidates` says; for the
    other columns see `agreement`, for the yardsticks `truths`. A shard has its share of the
    metrics, each at all of its cut-offs: how a mean is rounded may depend on whether there are
    others.

    Raises RankassayError if no judgement counts, or none can be relevant, if all test ratings are
    in a truth that lacks other candidates, for lists that end above a yardstick's cut-off, and
    where probabilities are counted, for listed items that are not in the truth.
    """
    check_liked(truth, evaluation["threshold"])
    evaluation = evaluation | {"measures": _shared(evaluation["measures"], shard)}
    draws = Draws.of(train.shape[0], resamples, seed)
    of = list(_wanted(truth, yardstick_cutoffs, estimators))
    how = (inclusion, seed, draws, ratings.item_ids)
    true = truths(train, test, truth, rankings, evaluation, of, *how)
    observed = Observed(test, rankings, propensities)
    whole = any(by.yardstick == OWN for by in true)
    if truth.design != "as-published" and not whole:
        observed = observed.apart_from(truth.matrix)
    names, popular = [*rankings], popularity_of(evaluation)
    same = same_lists(observed.rankings)  # by any metrics: jobs share these
    found = agreement(observed.sides(evaluation), true, names, popular, draws, same)
    return found.with_interval()


def _shared(measures: Sequence[str], shard: Shard) -> list[str]:
    """Return a shard's measures, of the metrics and of those that are weighted by propensities."""
    cutoffs = [cutoff for _, cutoff in names_of(measures) if cutoff]
    everything = [*dict.fromkeys([*measures, *grid(UNBIASED, dict.fromkeys(cutoffs))])]
    of_metrics = [metric for metric, _ in names_of(everything)]
    metrics = [*dict.fromkeys(of_metrics)]
    share = shard.of(len(metrics))
    own = metrics[share.start : share.stop]
    pairs = zip(everything, of_metrics, strict=True)
    return [measure for measure, metric in pairs if metric in own]


def _wanted(truth: Truth, cutoffs: Sequence[int], estimators: Sequence[str]) -> Iterator[Yardstick]:
    """Yield the yardsticks that a truth can estimate, the reference first.

    All utilities are estimated by the first of the estimators, P by the others, too, and as the
    SIGIR 2018 paper did. A truth of that paper's design is a part of the observed ratings, so that
    no weights apply to it.
    """
    names = [LIKED] if truth.flags is None else [LIKED, NEW]
    first, *others = [AS_PUBLISHED] if truth.design == "as-published" else estimators
    for name in names:
        for utility in UTILITIES:
            for cutoff in cutoffs:
                yield Yardstick(name, utility, cutoff, first)
    for estimator in dict.fromkeys([*others, AS_PUBLISHED]):
        for name in names:
            for cutoff in cutoffs if estimator != first else ():
                yield Yardstick(name, "P", cutoff, estimator)


def truths(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    truth: Truth,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    of: Sequence[Yardstick],
    inclusion: str = "design",
    seed: int = 0,
    draws: Draws | None = None,
    item_ids: Texts | None = None,
) -> dict[Yardstick, TrueValues]:
    """Return the systems' true values under each yardstick.

    Where every candidate of the users was judged, each metric's own truth comes last: the metric
    itself on all of these judgements, which takes the threshold, the measures and the choices of
    the evaluation.
    """
    threshold, n_items, design = evaluation["threshold"], train.shape[1], str(truth.design)
    own = sample(train, test, truth, threshold, inclusion)
    estimates = {True: Estimates.of(own, rankings, n_items, seed)}
    if inclusion == "counts":
        estimates[True].check_listed(max(by.yardstick_cutoff for by in of), item_ids)
    if any(by.estimator == AS_PUBLISHED for by in of):
        everything = as_published(train, test, truth, threshold)
        estimates[False] = Estimates.of(everything, rankings, n_items, seed)
    whole = is_complete(own, train)
    found = {
        by: TrueValues(estimate.means(by, draws), len(own.users), *how)
        for by in of
        for estimate in [estimates[by.estimator != AS_PUBLISHED]]
        for how in [() if whole else (len(estimate.sample.row), design)]
    }
    if whole:
        judged = own_truth(own, rankings, evaluation, train.shape)
        found |= complete(judged, draws)
    return found


def own_truth(
    own: Sample, rankings: Mapping[str, Rankings], evaluation: dict, shape: tuple
) -> TestSet:
    """Return the systems judged by a sample that has every candidate of its users."""
    place = (own.users[own.row], own.item)
    matrix = sp.csr_matrix((own.rating.astype(np.float32), place), shape=shape)
    judgements = Judgements.of(matrix, own.threshold, with_propensities(matrix))
    depth = min(ranking.depth for ranking in rankings.values())
    lists = [_true(ranking, judgements, matrix) for ranking in rankings.values()]
    return TestSet.of_lists(judgements, matrix.indices, lists, evaluation, depth)


def complete(
    judged: TestSet, draws: Draws | None = None, cutoffs: Sequence[int] = ()
) -> dict[Yardstick, TrueValues]:
    """Return the true values that judgements of every candidate give.

    They are each metric's own, by its measures, and P at each of the cut-offs: the share of the
    list that a user likes, over all users with judgements.
    """
    users = judged.judgements.users
    draws = Draws.none(1 + users.max()) if draws is None else draws
    of = draws.of_users(users)
    found = {
        Yardstick(LIKED, "P", cutoff, COMPLETE): {
            "measures": [f"P@{cutoff}"],
            "without_relevant": "value",
            "aggregate": "mean",
        }
        for cutoff in cutoffs
    } | {Yardstick(OWN, "metric", None, COMPLETE): {}}
    return {
        by: TrueValues(
            replace(judged, evaluation=judged.evaluation | choices).means(None, of), len(users)
        )
        for by, choices in found.items()
    }


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
    true: Mapping[Yardstick, TrueValues],
    names: Sequence[str],
    popularity: str | None,
    draws: Draws | None = None,
    same: Booleans | None = None,
) -> Replicated:
    """Compare the observed and the true ranking of systems, measure by measure.

    What is observed is that of each set of candidates, by its name, and the truth that under each
    yardstick. `names` are those of the systems, and `popularity` the one of them by popularity, if
    there is one; the users of the draws are those of the dataset, and both sides are resampled with
    the same draws. `same` says which pairs are the same system twice, bool (n_pairs,); None takes
    those with the same values under every measure.

    Returns
    -------
    Replicated
        A row for each yardstick, set of candidates and measure, with columns

        - yardstick (liked, new, or own: the metric by itself), utility, yardstick_cutoff and
          estimator: see `rankassay.studies.validity.yardsticks`
        - metric, cutoff, candidates
        - undefined: 1 where one side ties all systems
        - tau: Kendall's tau-b of the two orders (best first on both sides), which is replicated
        - tau_ap: the AP correlation, which weighs errors at the observed top most, with the truth
          as the reference
        - observed_winner and true_winner: of tied ones the first
        - winner_agrees: of the systems that are best as observed, the share that are best in truth;
          empty where all are
        - winner_loss: the share of the best true value that the observed winner lacks
        - right, wrong, undecided: of the pairs of systems that differ significantly as observed
          (two-sided at .05, the normal approximation `normal_p` of the permutation test, not
          adjusted for the number of pairs), how many differ in truth with the same sign, with the
          other one, and not at all
        - conclusions: right / (right + wrong); empty where no pair differs
        - popularity_observed and popularity_true: the rank of the recommender by popularity, of
          tied systems the mean; empty if it is not among them
        - power: DP of the observed side, by the same normal approximation, without pairs of
          identical systems
        - systems, test_users and truth_users (over whom the two sides are means)
        - judged and design: the number of judgements of candidates that the truth is estimated
          from, and how they were chosen; empty where every candidate was judged.

    An estimated true value scatters, so that tau falls short of that with the complete truth, and
    `wrong` holds pairs that differ in truth by less than the error of the estimate.
    """
    users = [side.judgements.users for side in observed.values()]
    draws = draws or Draws.none(1 + max(own.max() for own in users))
    sides = {name: _Side.of(side, draws, same) for name, side in observed.items()}
    rows, taus = [], []
    for by, truth in true.items():
        for candidates_name, side in sides.items():
            # Where lower is better, that holds on both sides of a metric's own truth.
            truly = truth.means * (side.signs[:, None] if by.yardstick == OWN else 1.0)
            truly = np.broadcast_to(truly, side.means.shape)
            taus.append(np.array([tau_b(a, b) for a, b in zip(side.means, truly, strict=True)]).T)
            top = tau_ap(side.means[0], truly[0])
            for m, measure in enumerate(side.measures):
                rows.append(
                    by._asdict()
                    | measure
                    | {"candidates": candidates_name}
                    | {"undefined": int(np.isnan(taus[-1][m, 0])), "tau": np.nan}
                    | {"tau_ap": top[m]}
                    | _winners(side.means[0, m], truly[0, m], names, popularity)
                    | side.conclusions(m, truly[0, m])
                    | {"power": side.p[m, side.different].sum(), "systems": len(names)}
                    | {"test_users": side.users, "truth_users": truth.users}
                    | {"judged": truth.judged, "design": truth.design}
                )
    table = pd.DataFrame(rows).astype(dict.fromkeys(WHOLE_NUMBERS, "Int64"))
    return Replicated.of(table, "tau", np.concatenate(taus))


@dataclass(frozen=True)
class _Side:
    """The observed values of the systems on some candidates; higher is better."""

    measures: list[dict[str, object]]
    signs: Floats  # (n_measures,): -1 where lower values are better
    means: Floats  # (1 + n_resamples, n_measures, n_systems)
    differences: Floats  # the sums over users, (n_measures, n_pairs)
    p: Floats  # of the differences, (n_measures, n_pairs)
    different: Booleans  # whether some measure finds a difference, (n_pairs,)
    users: int

    @classmethod
    def of(cls, side: TestSet, draws: Draws, same: Booleans | None) -> "_Side":
        """Return the values of a test set, and which pairs are not the same systems."""
        signs = np.array([direction(str(own["metric"])) for own in side.measures], np.float64)
        values = side.values()
        sums = [Pairs.of(values[:, :, m]).sums() for m in range(values.shape[2])]
        return cls(
            side.measures,
            signs,
            side.means(None, draws.of_users(side.judgements.users)) * signs[:, None],
            np.array([own.total[0] for own in sums]) * signs[:, None],
            np.array([normal_p(own)[0] for own in sums]),
            ~(same_values([values]) if same is None else same),
            side.judgements.n_users,
        )

    def conclusions(self, m: int, real: Floats) -> dict[str, float]:
        """Return how many significant differences have the true sign."""
        first, second = np.triu_indices(len(real), k=1)
        sign = np.sign(self.differences[m]) * np.sign(real[first] - real[second])
        sign = sign[self.p[m] < ALPHA]
        right, wrong, undecided = (int((sign == k).sum()) for k in (1, -1, 0))
        share = right / (right + wrong) if right + wrong else np.nan
        counts = {"right": right, "wrong": wrong, "undecided": undecided}
        return counts | {"conclusions": share}


def _winners(
    seen: Floats, real: Floats, names: Sequence[str], popularity: str | None
) -> dict[str, object]:
    """Return the best system by either value, higher is better, and the rank of popularity."""
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
    """Return the propensities of ratings, from those of all pairs; those of the truth are 1.

    Unbiased estimators are the plain metrics on it.
    """
    own = np.ones(ratings.nnz) if propensity is None else propensity[ratings.nonzero()]
    return sp.csr_matrix((own, ratings.indices, ratings.indptr), ratings.shape)
