"""The metrics of a list as a classification: listed or not, against relevant or not.

Schröder, Thiele and Lehner, UCERSTI 2011 ("Setting goals and choosing metrics for recommender
system evaluations"), sections 4.2, 4.3 and 5.1, after Powers, 2007. Every item that is not known to
be relevant counts as irrelevant, so these metrics need the number of items that could have been
listed; so do the area under the ROC curve and the mean percentile rank, which are of whole
rankings. The first n places hold tp relevant and fp irrelevant items; fn and tn are not listed.

A share of nothing is 0, and a correlation with a constant is 0: so are fallout and inverse recall
where every item is relevant, miss rate where none is, inverse precision where every item is
listed, and markedness, informedness and the correlations wherever one of their terms is a share
of nothing.
"""

from typing import Literal, NamedTuple

import numpy as np

from rankassay.metrics.judged import Judged
from rankassay.metrics.totals import Total, ratio
from rankassay.types import Floats, Integers


class Confusion(NamedTuple):
    """True and false positives, false and true negatives, each float64."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats

    @classmethod
    def at(cls, judged: Judged, cutoffs: Integers, metric: str) -> "Confusion":
        """Return the counts at each cut-off, each (n_users, n_cutoffs)."""
        tp, listed = judged.hits.total(1.0, cutoffs).values(), judged.listed(cutoffs)
        return cls.of(tp, listed, judged.n_relevant, judged.n_candidates(metric))

    @classmethod
    def of(cls, tp: Floats, listed: Floats, relevant: Floats, items: Floats) -> "Confusion":
        """Return the counts for `tp` hits among `listed` items, `relevant` of all `items`."""
        return cls(tp, listed - tp, relevant - tp, items - listed - (relevant - tp))

    @property
    def markedness(self) -> Floats:
        """Precision plus inverse precision minus 1, and 0 where one is undefined."""
        tp, fp, fn, tn = self
        return _chance_corrected(tp, tp + fp, tn, fn + tn)

    @property
    def informedness(self) -> Floats:
        """Recall plus inverse recall minus 1, and 0 where one is undefined."""
        tp, fp, fn, tn = self
        return _chance_corrected(tp, tp + fn, tn, fp + tn)

    @property
    def correlation(self) -> Floats:
        """The correlation of being listed with being relevant; 0 where one of them is constant."""
        tp, fp, fn, tn = self
        return ratio(tp * tn - fp * fn, np.sqrt((tp + fn) * (fp + tn) * (tp + fp) * (fn + tn)))


def fallout(judged: Judged, cutoffs: Integers) -> Floats:
    """Fallout: the share of the irrelevant items that are listed, fp / (fp + tn). Range [0, 1]."""
    _, fp, _, tn = Confusion.at(judged, cutoffs, "Fallout")
    return ratio(fp, fp + tn)


def miss_rate(judged: Judged, cutoffs: Integers) -> Floats:
    """Miss rate: the share of the relevant items not listed, fn / (tp + fn). Range [0, 1]."""
    missed = judged.n_relevant - judged.hits.total(1.0, cutoffs).values()
    return ratio(missed, judged.n_relevant)


def inverse_precision(judged: Judged, cutoffs: Integers) -> Floats:
    """Inverse precision: the share of irrelevant items among those not listed, tn / (fn + tn).

    Range [0, 1]; near 1 for any list when there are many items.
    """
    _, _, fn, tn = Confusion.at(judged, cutoffs, "InversePrecision")
    return ratio(tn, fn + tn)


def inverse_recall(judged: Judged, cutoffs: Integers) -> Floats:
    """Inverse recall: the share of irrelevant items that are not listed, tn / (fp + tn).

    Range [0, 1]; also called specificity; 1 minus fallout.
    """
    _, fp, _, tn = Confusion.at(judged, cutoffs, "InverseRecall")
    return ratio(tn, fp + tn)


def markedness(judged: Judged, cutoffs: Integers) -> Floats:
    """Markedness: tp / (tp + fp) + tn / (fn + tn) - 1, how far lists mark relevance.

    Range [-1, 1]; 0 is chance. Precision has the number of listed items in its denominator.
    """
    return Confusion.at(judged, cutoffs, "Markedness").markedness


def informedness(judged: Judged, cutoffs: Integers) -> Floats:
    """Informedness: tp / (tp + fn) + tn / (fp + tn) - 1, how far relevance informs lists.

    Range [-1, 1]; 0 is chance.
    """
    return Confusion.at(judged, cutoffs, "Informedness").informedness


def matthews_correlation(judged: Judged, cutoffs: Integers) -> Floats:
    """Matthews correlation: that of being listed with being relevant.

    (tp tn - fp fn) / sqrt((tp + fn) (fp + tn) (tp + fp) (fn + tn)), the geometric mean of
    informedness and markedness with their sign. Range [-1, 1]; 0 is chance.
    """
    return Confusion.at(judged, cutoffs, "MCC").correlation


def kendall_tau(
    judged: Judged, cutoffs: Integers, *, variant: Literal["b", "a", "gamma"] = "b"
) -> Floats:
    """Boolean Kendall's tau: the rank correlation of listed or not with relevant or not.

    (tp tn - fp fn) / pairs, as tp tn pairs of items are concordant and fp fn discordant, and all
    others are tied. Range [-1, 1]; 0 where no pair counts.

    Parameters
    ----------
    variant : {"b", "a", "gamma"}
        Section 4.3 does not say which: tau-b leaves out the pairs tied on either side (it equals
        the Matthews correlation), tau-a divides by all pairs, gamma by the untied ones (Goodman
        and Kruskal; Yule's Q).
    """
    confusion = Confusion.at(judged, cutoffs, "KendallTau")
    if variant == "b":
        return confusion.correlation
    tp, fp, fn, tn = confusion
    items = tp + fp + fn + tn
    pairs = tp * tn + fp * fn if variant == "gamma" else items * (items - 1) / 2
    return ratio(tp * tn - fp * fn, pairs)


def average_markedness(judged: Judged, cutoffs: Integers) -> Total:
    """Average markedness: `(1 / |R_u|) sum_{k <= n} rel(L_u[k]) markedness_u@k`.

    Average precision with markedness in the place of precision (section 5.1). Range [-1, 1].
    """
    confusion = _at_hits(judged, "AverageMarkedness")
    return judged.hits.total(confusion.markedness, cutoffs, judged.n_relevant)


def average_informedness(judged: Judged, cutoffs: Integers) -> Total:
    """Average informedness: `(1 / |R_u|) sum_{k <= n} rel(L_u[k]) informedness_u@k`.

    Average precision with informedness in the place of precision (section 5.1). Range [-1, 1].
    """
    confusion = _at_hits(judged, "AverageInformedness")
    return judged.hits.total(confusion.informedness, cutoffs, judged.n_relevant)


def _at_hits(judged: Judged, metric: str) -> Confusion:
    """Return the counts of the list down to each relevant item, each (n_hits,)."""
    row = judged.hits.row
    items, relevant = judged.n_candidates(metric)[row, 0], judged.judgements.n_relevant[row]
    return Confusion.of(judged.hits.relevant_above + 1.0, judged.hits.rank, relevant, items)


def _chance_corrected(right, chosen, left_right, left) -> Floats:
    defined = (chosen > 0) & (left > 0)
    return np.where(defined, ratio(right, chosen) + ratio(left_right, left) - 1, 0.0)


def auc(judged: Judged, cutoffs: Integers) -> Floats:
    """Area under the ROC curve: how likely a relevant item is to rank above an irrelevant one.

    ::

        AUC_u = (1 / (|R_u| (n - |R_u|))) sum_{r in R_u} sum_{r' not in R_u} [rank r < rank r']

    From the exact ranks in the whole ranking: cut-offs make no difference. Items that are not
    ranked stand below all that are, and a pair of them counts one half. Every item not known to
    be relevant is irrelevant. Range [0, 1], 0.5 is chance; 0 for a user without relevant items, 1
    where every item is relevant.

    References
    ----------
    Rendle, 2019 ("Evaluation metrics for item recommendation under sampling"), equation (2).
    """
    judgements, ranks = judged.judgements, judged.ranks
    ranked = judgements.relevant & (ranks > 0)
    hits = np.bincount(judgements.row, weights=ranked, minlength=judgements.n_users)
    places = np.bincount(judgements.row, weights=ranked * ranks, minlength=judgements.n_users)
    length = judged.lists.length.astype(np.float64)
    area = _area(hits, places, length, judgements.n_relevant, judged.n_candidates("AUC")[:, 0])
    return np.repeat(area[:, None], len(cutoffs), axis=1)


def limited_auc(judged: Judged, cutoffs: Integers) -> Floats:
    """Limited area under the ROC curve: the curve is known only for the first n places.

    From its last point, a straight line leads to (1, 1), as if the items not listed came in random
    order::

        LAUC_u@n = (sum_{irrelevant in L_u^n} hits above it + (N - fp) (tp + |R_u|) / 2) / (|R_u| N)

    with N the number of irrelevant items, tp and fp the relevant and irrelevant ones listed.
    Range [0, 1]; 1 only when the relevant items come first; 0 for a user without relevant items,
    1 where every item is relevant.

    References
    ----------
    Schröder, Thiele and Lehner, UCERSTI 2011, section 5.2; implicit's `AUC_at_k`.
    """
    hits = judged.hits.total(1.0, cutoffs).values()
    places = judged.hits.total(judged.hits.rank, cutoffs).values()
    items = judged.n_candidates("LAUC")
    return _area(hits, places, judged.listed(cutoffs), judged.n_relevant, items)


def _area(hits, places, listed, relevant, items) -> Floats:
    """Return the area for `hits` relevant items, whose `places` have this sum, in lists.

    Below the hit at place k stand listed - k items, of which those that are hits too do not count.
    """
    pairs_won = hits * listed - places - hits * (hits - 1) / 2
    irrelevant = items - relevant
    later = (irrelevant - (listed - hits)) * (hits + relevant) / 2
    area = ratio(pairs_won + later, relevant * irrelevant)
    return np.where((irrelevant == 0) & (relevant > 0), 1.0, area)


def mean_percentile_rank(
    judged: Judged, cutoffs: Integers, *, weight: Literal["equal", "rating"] = "equal"
) -> Floats:
    """Mean percentile rank: how far down the whole ranking the relevant items stand.

    ::

        MPR_u = sum_{i in R_u} w_i (rank_i - 1) / (N - 1) / sum_{i in R_u} w_i

    of N items: the first place is 0, the last is 1. From the exact ranks in the whole ranking:
    cut-offs make no difference. Items that are not ranked share the places below all that are.
    Range [0, 1], lower is better and 0.5 is chance. It is undefined (NaN) for a user without
    relevant items, or whose items weigh nothing: 0 would be the best value.

    Parameters
    ----------
    weight : {"equal", "rating"}
        Whether relevant items have equal weight, or their ratings (0 for one below 0).

    References
    ----------
    Hu, Koren and Volinsky, ICDM 2008, section 5, who weigh by ratings (amounts of watching) and
    take one mean over the items of all users; this is the mean of users' means.
    """
    judgements, ranks = judged.judgements, judged.ranks.astype(np.float64)
    items = judged.n_candidates("MPR")[:, 0]
    lowest = (judged.lists.length + items - 1) / 2  # the mean of the places that are left
    below = np.where(ranks > 0, ranks - 1, lowest[judgements.row])
    weights = judgements.relevant * (
        np.maximum(judgements.rating, 0.0) if weight == "rating" else 1.0
    )
    n_users = judgements.n_users
    sums = np.bincount(judgements.row, weights * below, n_users)
    total = np.bincount(judgements.row, weights, n_users)
    means = np.where(total > 0, ratio(sums, total * (items - 1)), np.nan)
    return np.repeat(means[:, None], len(cutoffs), axis=1)
