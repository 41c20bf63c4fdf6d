"""Experiments 1 and 2: do metrics see that a list was made worse, and is it significant?

Parapar and Radlinski, RecSys 2021, sections 5.1 to 5.3 and figures 1 to 3: the ideal order of a
user's items, and systems that depart from it step by step. Details that they leave open are
described at each function.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
import scipy  # its parts are imported on use: scipy.stats takes half a second
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings, together
from rankassay.errors import one_of
from rankassay.kernels import njit
from rankassay.metrics.diversity.lists import AspectLists, Aspects, Interests
from rankassay.metrics.evaluate import diversity_values
from rankassay.progress import progress
from rankassay.statistics.effect_sizes import cohens_d_z, moments
from rankassay.statistics.orders import DECIMALS
from rankassay.statistics.rank_correlation import tau_b
from rankassay.types import Floats, Integers, Integers32

SCENARIOS = ("relevance", "redundancy", "aspects")
DEFINITIONS = (  # of alpha-beta-nDCG, in figure 1
    "alpha_beta_nDCG",
    *(f"alpha_beta_nDCG(beta={beta})" for beta in (0.1, 0.25, 0.75, 1.0)),
    "alpha_beta_nDCG(alpha=0.05)",
)
ALTERNATIVE = "greater"  # tested is whether a perturbed system is better than the ideal one
SMALL = 1e-300  # in place of a sum of nothing
TIE = 1e-12  # weights nearer than this are equal: the rounding of their sums differs


def perturbations(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    aspects: Ratings,
    evaluation: dict,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    steps: Mapping[str, int],
    depth: int,
    ground_truth: str,
) -> pd.DataFrame:
    """Evaluate the ideal lists, and lists that are worse step by step in three scenarios.

    `IdealOrder.perturbed` explains the scenarios. A depth of 100 leaves room for 50 exchanges of
    both ends. p is near 1 where a metric sees the loss: the paper's null hypothesis is that the
    perturbed system is worse.

    Returns
    -------
    DataFrame
        Columns scenario, metric, cutoff, step (0 is the ideal system), value (the mean over users),
        p_value (of Wilcoxon's one-sided test against the ideal system; empty for step 0 and where
        no user's value differs), d_z (Cohen's effect size of perturbed less ideal values, 0 where
        no user's value differs), alternative (`ALTERNATIVE`).
    """
    interests = ground_truth_of(train, test, aspects, evaluation, ground_truth)
    order = IdealOrder.of(interests)
    rows = []
    for scenario, n_steps in progress(steps.items(), "scenarios"):
        ideal = None
        for step, items in enumerate(order.perturbed(scenario, n_steps, depth)):
            values = diversity_values(AspectLists.of(items, interests), metrics, cutoffs)
            ideal = values if ideal is None else ideal
            means = values.mean(axis=0).round(DECIMALS)
            p = p_values(values, ideal) if step else np.full(means.shape, np.nan)
            d_z = cohens_d_z(moments(values - ideal))
            rows += [
                (scenario, metric, cutoff, step, means[m, c], p[m, c], d_z[m, c])
                for m, metric in enumerate(metrics)
                for c, cutoff in enumerate(cutoffs)
            ]
    columns = ["scenario", "metric", "cutoff", "step", "value", "p_value", "d_z"]
    return pd.DataFrame(rows, columns=columns).assign(alternative=ALTERNATIVE)


def swaps(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    aspects: Ratings,
    evaluation: dict,
    *,
    cutoffs: Sequence[int],
    steps: Mapping[str, int],
    depth: int,
    ground_truth: str,
) -> pd.DataFrame:
    """As `perturbations` in the first scenario, for definitions of alpha-beta-nDCG."""
    swapped = {name: n for name, n in steps.items() if name == SCENARIOS[0]}
    settings = {"cutoffs": cutoffs, "steps": swapped, "depth": depth, "ground_truth": ground_truth}
    return perturbations(train, test, aspects, evaluation, metrics=DEFINITIONS, **settings)


def ground_truth_of(
    train: sp.csr_matrix, test: sp.csr_matrix, aspects: Ratings, evaluation: dict, ground_truth: str
) -> Interests:
    """Collect the ground truth of the users with test ratings.

    With the ground truth `test`, judgements are the test ratings, and users' weights of aspects are
    those of the training ratings; with `all`, both come from all that a user rated.
    """
    highest = float(max(train.data.max(), test.data.max()))
    users = np.flatnonzero(np.diff(test.indptr))
    train, test = train[users], test[users]
    if ground_truth == "all":
        train = test = together(train, test)
    shown = Aspects.of(aspects.aspects)
    return Interests.of(test, train, shown, evaluation["threshold"], highest)


def p_values(values: Floats, ideal: Floats, alternative: str = ALTERNATIVE) -> Floats:
    """Return Wilcoxon's one-sided p-values of values (n_users, ...) against the ideal system's.

    Users whose values are equal are excluded, ties share the mean of their ranks, and p is that of
    the normal approximation; NaN where all users are excluded.
    """
    difference = (values - ideal).reshape(len(values), -1)
    difference[np.abs(difference) < 10.0**-DECIMALS] = 0.0
    p = np.full(difference.shape[1], np.nan)
    differs = difference.any(axis=0)
    if differs.any():
        test = {"alternative": alternative, "zero_method": "wilcox", "method": "asymptotic"}
        p[differs] = scipy.stats.wilcoxon(difference[:, differs], **test).pvalue
    return p.reshape(values.shape[1:])


def order_correlation(perturbations: pd.DataFrame) -> pd.DataFrame:
    """Correlate the ranking of systems under each metric with the order in which they get worse.

    Returns
    -------
    DataFrame
        Columns scenario, metric, cutoff, systems, distinct (how many different values they have),
        undefined (1 where all are equal), tau (Kendall's tau-b with the known order, 1 is perfect;
        empty where undefined), reversals (how many steps have a lower p-value than the step before
        them, though more was made worse).
    """
    rows = []
    by = ["scenario", "metric", "cutoff"]
    for key, own in perturbations.groupby(by, sort=False):
        step, value = own["step"].to_numpy(float), own["value"].to_numpy(float)
        tau = float(tau_b(value, -step))
        reversals = (np.diff(own["p_value"].dropna()) < 0).sum()
        rows.append((*key, len(own), len(np.unique(value)), int(np.isnan(tau)), tau, reversals))
    columns = ["systems", "distinct", "undefined", "tau", "reversals"]
    return pd.DataFrame(rows, columns=[*by, *columns])


@dataclass(frozen=True)
class IdealOrder:
    """The judged items of every user in the ideal order.

    Orders are indices of judgements, (n_judged,); each user's stand at the entries of the user's.
    """

    interests: Interests
    place: Integers  # by rating, then by the number of aspects, the higher the better, then by item
    order: Integers  # the ideal one; -1 at the end stands for items that show no aspect
    aspect: Integers  # (n_judged,), for which the item at a place was chosen
    weights: Floats  # (n_users, n_aspects), in the user's judgements

    @classmethod
    def of(cls, interests: Interests) -> Self:
        """Put every user's judged items in the ideal order.

        At each place stands the best-rated item left of the aspect whose weight in the user's
        judgements is most above its weight in the list so far (equation (9) for both; 0 for an
        empty list). Aspects of which no item is left are passed over; of equal ones, the first is
        taken.
        """
        aspects = interests.aspects
        n_shown = np.diff(aspects.start)[interests.item]
        place = np.lexsort((interests.item, -n_shown, -interests.rating, interests.row))
        judged = (interests.start, interests.item, interests.rating)
        return cls(interests, place, *_ideal(*judged, place, aspects.shown))

    def perturbed(self, scenario: str, steps: int, depth: int) -> Iterator[Integers32]:
        """Yield lists that are worse and worse, int32 (n_users, depth), beginning with the ideal.

        Each step exchanges one more item of each user's list (section 5.2):

        - relevance: the first and the last, the second and the last but one, and so on, down to
          the middle of the list
        - redundancy: from the first place at which another aspect follows, the next place gets the
          best-rated item left of the aspect that came before it, which is exchanged with the item
          that stood there
        - aspects: the first item, with the best-rated item of another aspect: in step s, of the
          s-th in the order of the user's weights among those that the first item does not show,
          and an item that does not show the user's favourite aspect. These steps do not add up;
          a user who has no further step gets the list of the last step there was.
        """
        one_of("scenario", scenario, SCENARIOS)
        start, shown = self.interests.start, (self.interests.item, self.interests.aspects.shown)
        for step in range(steps + 1):
            order = self.order.copy()
            if scenario == "relevance":
                _swap_ends(start, order, step, depth)
            elif scenario == "redundancy":
                _repeat_aspect(start, order, self.place, self.aspect, *shown, step)
            elif step:
                liked = np.argsort(-self.weights, axis=1, kind="stable")
                liked = np.where(np.take_along_axis(self.weights, liked, 1) > 0, liked, -1)
                _swap_aspect(start, order, self.place, liked, *shown, step)
            yield self._cut(order, depth)

    def _cut(self, order: Integers, depth: int) -> Integers32:
        """Return judgements as lists of items, int32 (n_users, depth)."""
        start = self.interests.start
        place = np.arange(len(order)) - start[self.interests.row]
        listed = (place < depth) & (order >= 0)
        items = np.full((self.interests.n_users, depth), -1, dtype=np.int32)
        items[self.interests.row[listed], place[listed]] = self.interests.item[order[listed]]
        return items


@njit
def _ideal(start, item, rating, place, shown):
    """Choose aspect after aspect, and its best item left; see `IdealOrder.of`."""
    order, chosen = np.full(len(item), -1), np.full(len(item), -1)
    n_aspects = shown.shape[1]
    weights = np.zeros((len(start) - 1, n_aspects))
    placed = np.zeros(len(item), dtype=np.bool_)
    for u in range(len(start) - 1):
        for j in range(start[u], start[u + 1]):
            for a in range(n_aspects):
                weights[u, a] += rating[j] * shown[item[j], a]
        whole = max(weights[u].sum(), SMALL)
        for a in range(n_aspects):
            weights[u, a] /= whole
        # Where to look for the next item of each aspect; at the user's end it has none left.
        following = np.full(n_aspects, start[u])
        listed, total = np.zeros(n_aspects), 0.0
        for k in range(start[u], start[u + 1]):
            best, which = -np.inf, -1
            for a in range(n_aspects):
                while following[a] < start[u + 1] and (
                    placed[place[following[a]]] or not shown[item[place[following[a]]], a]
                ):
                    following[a] += 1
                wanted = weights[u, a] - (listed[a] / total if total > 0 else 0.0)
                if following[a] < start[u + 1] and wanted > best + TIE:
                    best, which = wanted, a
            if which < 0:
                break
            j = place[following[which]]
            order[k], chosen[k], placed[j] = j, which, True
            for a in range(n_aspects):
                listed[a] += rating[j] * shown[item[j], a]
                total += rating[j] * shown[item[j], a]
    return order, chosen, weights


@njit
def _length(order, first, last):
    """Count the items in a user's order."""
    while last > first and order[last - 1] < 0:
        last -= 1
    return last - first


@njit
def _swap_ends(start, order, steps, depth):
    """Exchange this number of items of the top with as many of the bottom."""
    for u in range(len(start) - 1):
        n = min(_length(order, start[u], start[u + 1]), depth)
        for s in range(min(steps, n // 2)):
            top, bottom = start[u] + s, start[u] + n - 1 - s
            order[top], order[bottom] = order[bottom], order[top]


@njit
def _repeat_aspect(start, order, place, chosen, item, shown, steps):
    """Go on with an aspect for this number of places after another should follow."""
    for u in range(len(start) - 1):
        first, last = start[u], start[u] + _length(order, start[u], start[u + 1])
        turn = first + 1
        while turn < last and chosen[turn] == chosen[turn - 1]:
            turn += 1
        if turn >= last:
            continue
        current = chosen[turn - 1]
        where = np.zeros(start[u + 1] - first, dtype=np.int64)
        for k in range(first, last):
            where[order[k] - first] = k
        following = first
        for k in range(turn, min(turn + steps, last)):
            while following < start[u + 1] and (
                where[place[following] - first] < k or not shown[item[place[following]], current]
            ):
                following += 1
            if following == start[u + 1]:
                break
            other = where[place[following] - first]
            order[k], order[other] = order[other], order[k]
            where[order[k] - first], where[order[other] - first] = k, other


@njit
def _swap_aspect(start, order, place, liked, item, shown, step):
    """Exchange the first item with the best one of an aspect that the user likes less.

    `liked` holds each user's aspects, the one of most weight first, and ends with -1.
    """
    for u in range(len(start) - 1):
        last = start[u] + _length(order, start[u], start[u + 1])
        if last == start[u]:
            continue
        first = order[start[u]]
        found, taken = -1, 0
        for a in liked[u]:
            if taken == step or a < 0:
                break
            if shown[item[first], a]:
                continue
            for j in place[start[u] : start[u + 1]]:
                if shown[item[j], a] and not shown[item[j], liked[u, 0]]:
                    found, taken = j, taken + 1
                    break
        if found < 0:
            continue
        for k in range(start[u], last):
            if order[k] == found:
                order[start[u]], order[k] = found, first
